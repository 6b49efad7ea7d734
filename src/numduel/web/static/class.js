// A class: each of its pages follows the class, and what is pressed is sent without leaving it.

import { put, say } from "./follow.js";
import { Follower } from "./live.js";
import { Taps } from "./taps.js";

const root = document.getElementById("class");

// What stands above all else; the heading of a table that is put away does not count.
const heading = () => [...root.querySelectorAll("h1")].find((one) => one.checkVisibility());

// Pairing by hand: names are dragged from board to board. The fields beside them do the same for a
// keyboard, and hold what is sent: names stand where they say.
let dragged = null;

const fieldOf = (chip) => document.getElementById(chip.dataset.field);

function arrange() {
  for (const chip of root.querySelectorAll(".chip")) {
    const place = root.querySelector(`[data-board="${fieldOf(chip).value}"]`);
    if (place && chip.parentElement !== place) place.append(chip);
  }
}

root.addEventListener("change", arrange);
root.addEventListener("input", ({ target: { id, form, value } }) => {
  if (id === "own" && value) form.elements.game.value = "own";
});
root.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.(".chip");
  event.dataTransfer?.setData("text/plain", dragged?.textContent ?? "");
});
root.addEventListener("dragover", (event) => {
  if (dragged && event.target.closest?.("[data-board]")) event.preventDefault();
});
root.addEventListener("drop", (event) => {
  const place = event.target.closest?.("[data-board]");
  if (!dragged || !place) return;
  event.preventDefault();
  fieldOf(dragged).value = place.dataset.board;
  arrange();
  dragged = null;
});

// Where the page puts something else under the mouse, a press within this time was meant for
// what stood there before, unless the mouse has moved.
const REACTION = 700;
const NEAR = 12; // pixels
let [pointer, changedAt, heedFrom] = [[-1, -1], [-1, -1], 0];
const underMouse = () => {
  const found = document.elementFromPoint(...pointer)?.closest("button, a, summary, label");
  return [found, found?.textContent];
};
document.addEventListener("pointermove", ({ clientX, clientY }) => {
  pointer = [clientX, clientY];
  if (Math.hypot(clientX - changedAt[0], clientY - changedAt[1]) > NEAR) heedFrom = 0;
});
document.addEventListener(
  "click",
  (event) => {
    if (!event.detail || performance.now() >= heedFrom) return; // the keyboard has no mouse
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

class ClassPage extends Follower {
  rest = 250;

  get version() {
    return Number(root.dataset.version);
  }

  takes(form) {
    return "stays" in form.dataset || "taps" in form.dataset;
  }

  isBusy(form) {
    return this.sending.has(form);
  }

  send(form, button) {
    return "taps" in form.dataset ? taps.add(form, button) : super.send(form, button);
  }

  // Put the page that our own server made in place of this one. The table of a match follows
  // its room by itself; another table is another page.
  show(parsed, answer, sent) {
    const fresh = parsed.getElementById("class");
    if (!fresh || fresh.dataset.room !== root.dataset.room) return location.reload();
    const [table, next] = [root, fresh].map((one) => one.querySelector("#room"));
    if (next?.firstElementChild && !table.firstElementChild) return location.reload();
    next?.replaceChildren(...[...table.childNodes].map((one) => one.cloneNode(true)));
    // What is wrong with the form of a round stays there until it is sent again.
    const form = root.querySelector("#round");
    if (!answer && form?.querySelector("[aria-invalid]")) {
      fresh.querySelector("#round").replaceWith(form.cloneNode(true));
      fresh.prepend(root.querySelector("#wrong").cloneNode(true));
    }
    const [before, under] = [heading()?.textContent, underMouse()];
    put(root, fresh, heading);
    const top = "header.top"; // it says how many are at the door
    put(document.querySelector(top), parsed.querySelector(top), heading);
    const above = underMouse();
    if (above[0] && above.some((one, at) => one !== under[at])) {
      [changedAt, heedFrom] = [pointer, performance.now() + REACTION];
    }
    document.title = parsed.title;
    this.changed();
    const now = heading()?.textContent;
    const wrong = root.querySelector("#wrong");
    if (wrong) say(wrong.textContent);
    else if (now && now !== before) say(now);
    if (!sent) return;
    // To what came of a form that was sent, wherever on the page it stands.
    if (wrong) (root.querySelector("[aria-invalid]") ?? wrong).scrollIntoView({ block: "center" });
    else if (sent.form.dataset.stays === "top") {
      heading()?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    // So many come in at once: it goes on by itself.
    if (answer.status === 429 && sent.form.id === "join") {
      setTimeout(() => sent.form.requestSubmit(), 1000 + 3000 * Math.random());
    }
  }

  changed() {
    taps.show();
    arrange();
  }

  fail() {} // it is said that the connection is lost
}

// What was refused without a script is shown at the address of what was asked for.
if (root.dataset.at) history.replaceState(null, "", root.dataset.at);
const page = new ClassPage(root, location.href);
const taps = new Taps(page);
page.changed();
page.start();
