// A room: puts the parts together.

import { checkWhileTyping } from "./check.js";
import { restartClocks, runClocks } from "./clock.js";
import { copy, showCopyButtons } from "./copy.js";
import { typeAnywhere } from "./keys.js";
import { Live } from "./live.js";
import { rememberMatch } from "./matches.js";
import { recallName } from "./name.js";
import { Sender } from "./play.js";
import { present, showPresence } from "./presence.js";
import { say } from "./say.js";
import { Table } from "./table.js";

const root = document.getElementById("room");
const connection = document.getElementById("connection");

function connected(yes) {
  if (yes !== connection.hidden) {
    connection.hidden = yes;
    connection.textContent = yes ? "" : "Connection lost. Trying again…";
    say(yes ? "Connected again." : "Connection lost. Trying again.");
  }
}

let watched = null;
let seat = root.firstElementChild.dataset.seat;

function changed() {
  const form = document.getElementById("typed");
  if (form && form !== watched) checkWhileTyping(form);
  watched = form;
  if (root.firstElementChild.dataset.seat !== seat) {
    seat = root.firstElementChild.dataset.seat;
    live.renew();
  }
  recallName();
  showPresence();
  rememberMatch(root.dataset.code, root.firstElementChild.dataset);
  showCopyButtons(root);
  restartClocks();
  const history = document.getElementById("history");
  const over = root.firstElementChild.dataset.over === "yes";
  if (history) history.scrollTop = over ? 0 : history.scrollHeight;
}

const table = new Table(root, changed);
const sender = new Sender(table, connected);
const live = new Live(
  root.dataset.at,
  root.dataset.live,
  (version) => (version === 0 ? location.reload() : table.want(version)),
  connected,
  present,
);

root.addEventListener("submit", (event) => {
  const form = event.target;
  const here = form.method === "post" ? form.action.includes(root.dataset.at) : "part" in form.dataset;
  if (!here) return;
  if (event.submitter?.getAttribute("aria-disabled") === "true") return event.preventDefault();
  if ("leaves" in form.dataset) return live.stop(); // the news would be that the room is gone
  event.preventDefault();
  sender.submit(form, event.submitter);
});
root.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-copy]");
  if (button) copy(button);
});

changed();
runClocks();
typeAnywhere();
// The first move came from another page: let it be seen before the answer.
if (new URLSearchParams(location.search).has("seen")) {
  history.replaceState(null, "", root.dataset.at);
  table.moveFocus();
  table.waitForEyes();
}
live.start();
