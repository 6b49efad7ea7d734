// Home: shows another game as soon as it is chosen, and opens one room for one move.

import { Part, say } from "./follow.js";
import { read, recallName, showBest, showDays, showWaitingMatch } from "./kept.js";
import "./typing.js";

const home = document.getElementById("home");
const turn = () => document.getElementById("turn");

class Home extends Part {
  show(page, answer) {
    recallName(page);
    super.show(page, answer);
    home.querySelector("#typed")?.reset();
    goOn();
    const numbers = [...home.querySelectorAll("#board li")].map((one) => one.textContent.trim());
    const wrong = home.querySelector("#setup .wrong")?.textContent;
    say(wrong || `${numbers.join(", ").replace(/\s+/g, " ")}. ${turn().textContent}.`);
  }
}

const part = new Home(home, "/");

// Each game goes on with whoever comes after the last that was beaten in it.
const ladder = home.dataset.ladder.trim().split(" ").map((one) => one.split("="));

function goOn() {
  const games = read("games");
  for (const card of home.querySelectorAll("a.game")) {
    const game = card.id.slice("card-".length);
    const { beaten, played, right } = games[game] ?? {};
    const at = ladder.findIndex(([word]) => word === beaten);
    const [word, name] = ladder[at + 1] ?? ladder[at];
    const calls = game === "power-play";
    const last = read("last").start ?? "";
    card.search = new URLSearchParams(calls ? { game, last } : { game, opponent: word, last });
    const best = at < 0 ? "" : ladder[at + 1] ? `You beat ${ladder[at][1]}. Next: ${name}.` : `You beat ${name}, at the top of the ladder.`;
    card.querySelector(".kept").textContent = calls && played ? `Right calls: ${right} of ${played}.` : calls ? "" : best;
  }
  showDays();
  showBest();
}

home.addEventListener("change", ({ target: { form } }) => form?.id === "setup" && part.send(form));

// What opens a room leaves the page. One click too many would open another.
home.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || (event.submitter?.formMethod || form.method) !== "post") return;
  if (form.ariaBusy === "true") return event.preventDefault();
  form.ariaBusy = "true";
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "quick", value: "1" }));
});
// Whoever comes back by the back button can play again.
window.addEventListener("pageshow", () => {
  for (const form of home.querySelectorAll("form")) form.ariaBusy = null;
});

// A card shows its game in place, and brings its board into view.
home.addEventListener("click", async (event) => {
  const card = event.target.closest("a.game, #another");
  if (!card || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  await part.go(card.href);
  if (turn().getBoundingClientRect().top < 0) document.getElementById("table").scrollIntoView();
});

recallName(document);
showWaitingMatch();
goOn();
// Whoever comes home goes on where the last contest was.
const card = !location.search && document.getElementById(`card-${read("last").game}`);
if (card) part.go(card.href);
