// The daily duel: moves without a new page, and days that stay as they were played.

import "./copy.js";
import { Part, say } from "./follow.js";
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

class Daily extends Part {
  show(page, answer, sent) {
    super.show(page, answer);
    keep();
    if (!sent) return;
    duel.querySelector(".confetti")?.removeAttribute("hidden");
    say(text("move-wrong") || `${text("turn").replace(/\w$/, "$&.")} ${text("said")}`);
  }

  fail() {
    keep();
    say("Connection lost. Try again.");
    document.getElementById("move-wrong")?.replaceChildren("Connection lost. Try again.");
  }
}

const part = new Daily(duel);
const { day, played } = duel.dataset;
const before = read("days")[day]?.played;
if (before && before !== played) part.go(`/daily?${new URLSearchParams({ day, played: before })}`);
else keep();
