// A room: puts the parts together.

import "./copy.js";
import { recallName, rememberMatch } from "./kept.js";
import { Sender } from "./play.js";
import { present, restartClocks, showPresence } from "./seats.js";
import { Table } from "./table.js";
import "./typing.js";

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
