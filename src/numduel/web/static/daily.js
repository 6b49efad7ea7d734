// The daily duel: moves without a new page, and days that stay as they were played.

import { parse, put, say } from "./follow.js";
import { read, showDays, write } from "./kept.js";
import "./typing.js";

const duel = document.getElementById("duel");
const text = (id) => document.getElementById(id)?.textContent.trim() ?? "";

// What is played stays played: a day can be looked at again, not played again. Whoever plays it
// later does not mend the days in a row.
function keep() {
  const { day, played, solved, over, today } = duel.dataset;
  const days = read("days");
  const now = { played, solved, over, late: day === today ? "no" : "yes" };
  if (played && played !== days[day]?.played) write("days", { ...days, [day]: now });
  showDays();
}

async function show(where, body) {
  const options = body ? { method: "POST", body } : {};
  const answer = await fetch(where, { cache: "no-store", ...options });
  const page = parse(await answer.text());
  put(duel, page.getElementById("duel"), () => document.getElementById("turn"));
  document.title = page.title;
  if (answer.ok) history.replaceState(null, "", answer.url);
  keep();
}

duel.addEventListener("submit", async (event) => {
  const form = event.target;
  event.preventDefault();
  if (duel.getAttribute("aria-busy") === "true") return;
  duel.setAttribute("aria-busy", "true");
  try {
    await show("/daily", new URLSearchParams(new FormData(form, event.submitter)));
    duel.querySelector(".confetti")?.removeAttribute("hidden");
    if (!text("move-wrong")) document.getElementById("move")?.form.reset();
    say(text("move-wrong") || `${text("turn")}. ${text("said")}`);
  } catch {
    say("Connection lost. Try again.");
    document.getElementById("move-wrong")?.replaceChildren("Connection lost. Try again.");
  } finally {
    duel.removeAttribute("aria-busy");
  }
});

const { day, played } = duel.dataset;
const before = read("days")[day]?.played;
if (before && before !== played) {
  await show(`/daily?${new URLSearchParams({ day, played: before })}`).catch(keep);
} else keep();
