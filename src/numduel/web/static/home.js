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

// Each game goes on with whoever comes after the last that was beaten in it: who that is, by the
// word of the one before, and what is said of both.
const ladder = JSON.parse(home.dataset.ladder);

function goOn() {
  const games = read("games");
  const { start: last = "" } = read("last");
  for (const card of home.querySelectorAll("a.game")) {
    const game = card.id.slice("card-".length);
    const { beaten = "", played, right } = games[game] ?? {};
    const [opponent, best] = ladder[beaten] ?? ladder[""];
    const calls = game === "power-play";
    card.search = new URLSearchParams(calls ? { game, last } : { game, opponent, last });
    const called = played ? `Right calls: ${right} of ${played}.` : "";
    card.querySelector(".kept").textContent = calls ? called : best;
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
