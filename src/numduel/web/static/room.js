// A room: puts the parts together, and shows what changes between two looks: clocks, who is here.

import "./copy.js";
import { recallName, rememberMatch } from "./kept.js";
import { Sender } from "./play.js";
import { Table } from "./table.js";
import "./typing.js";

// Clocks are counted down here. The server keeps the time.
let shownAt = 0;
setInterval(tick, 250);

function restartClocks() {
  shownAt = performance.now();
  tick();
}

function tick() {
  for (const clock of document.querySelectorAll(".clock[data-left]")) {
    const used = clock.dataset.runs === "yes" ? (performance.now() - shownAt) / 1000 : 0;
    const left = Math.max(0, Number(clock.dataset.left) - used);
    const whole = Math.floor(left);
    const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
    clock.toggleAttribute("data-low", left < 20);
  }
}

// Who of two friends is here and who is away. It is not read out by itself: what the other player
// did matters more.
const WORDS = { true: "here", false: "away" };
let known = [null, null];

function present(here) {
  known = here;
  showPresence();
}

function showPresence() {
  for (const place of document.querySelectorAll(".presence")) {
    const word = WORDS[known[place.dataset.seat - 1]] ?? "";
    place.textContent = word;
    place.dataset.is = word;
  }
}

const root = document.getElementById("room");

let seat = root.firstElementChild.dataset.seat;

function changed() {
  if (root.firstElementChild.dataset.seat !== seat) {
    seat = root.firstElementChild.dataset.seat;
    table.live.renew();
  }
  recallName();
  showPresence();
  rememberMatch(root.dataset.code, root.firstElementChild.dataset);
  restartClocks();
  const history = document.getElementById("history");
  const over = root.firstElementChild.dataset.over === "yes";
  if (history) history.scrollTop = over ? 0 : history.scrollHeight;
}

const table = new Table(root, changed, present);
const sender = new Sender(table);

root.addEventListener("submit", (event) => {
  const form = event.target;
  const here = form.method === "post" ? form.action.includes(root.dataset.at) : "part" in form.dataset;
  if (!here) return;
  if (event.submitter?.getAttribute("aria-disabled") === "true") return event.preventDefault();
  if ("leaves" in form.dataset) return table.live.stop(); // the news would be that the room is gone
  event.preventDefault();
  sender.submit(form, event.submitter);
});

changed();
// The first move came from another page: let it be seen before the answer.
if (new URLSearchParams(location.search).has("seen")) {
  history.replaceState(null, "", root.dataset.at);
  table.moveFocus();
  table.waitForEyes();
}
table.live.start();
