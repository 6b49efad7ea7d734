// A class: each of its pages follows the class, and what is pressed is sent without leaving it.

import { put, say } from "./follow.js";
import { Tapped } from "./taps.js";

const REST = 250; // between two looks, however much goes on
const root = document.getElementById("class");

// What stands above all else; the heading of a table that is put away does not count.
const heading = () => root.querySelector("h1:not([hidden] *)");

// Pairing by hand: names are dragged from board to board. The fields beside them do the same for a
// keyboard, and hold what is sent: names stand where they say.
let dragged = null; // the field of the name that is

function arrange() {
  for (const chip of root.querySelectorAll(".chip")) {
    const board = document.getElementById(chip.dataset.field).value;
    const place = root.querySelector(`[data-board="${board}"]`);
    if (chip.parentElement !== place) place.append(chip);
  }
}

root.addEventListener("change", arrange);
root.addEventListener("input", ({ target: { id, form, value } }) => {
  if (id === "own" && value) form.elements.game.value = "own";
});
root.addEventListener("dragstart", ({ target, dataTransfer }) => {
  dragged = document.getElementById(target.dataset?.field);
  if (dragged) dataTransfer.setData("text/plain", target.textContent);
});
root.addEventListener("dragover", (event) => {
  if (dragged && event.target.closest?.("[data-board]")) event.preventDefault();
});
root.addEventListener("drop", (event) => {
  const place = event.target.closest?.("[data-board]");
  if (!dragged || !place) return;
  event.preventDefault();
  dragged.value = place.dataset.board;
  dragged = null;
  arrange();
});

// Where the page puts something else under the mouse, a press within this time was meant for
// what stood there before, unless the mouse has moved.
const REACTION = 700;
const NEAR = 12; // pixels
let [pointer, changedAt, heedFrom] = [[-1, -1], [-1, -1], 0];
const underMouse = () =>
  document.elementFromPoint(...pointer)?.closest("button, a, summary, label");
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

class ClassPage extends Tapped {
  takes(form) {
    return "stays" in form.dataset || "taps" in form.dataset;
  }

  isBusy(form) {
    return this.sending.has(form);
  }

  send(form, button) {
    return "taps" in form.dataset ? this.tap(form, button) : super.send(form, button);
  }

  // Put the page that our own server made in place of this one. The table of a match follows
  // its room by itself; another table is another page.
  show(parsed, answer, sent) {
    const fresh = parsed.getElementById("class");
    const comes = fresh?.querySelector("#table") && !root.querySelector("#table");
    if (!fresh || comes || fresh.dataset.room !== root.dataset.room) return location.reload();
    // What is wrong with the form of a round stays there until it is sent again.
    const form = root.querySelector("#round");
    if (!answer && form?.querySelector("[aria-invalid]")) {
      fresh.querySelector("#round").replaceWith(form.cloneNode(true));
      fresh.prepend(root.querySelector("#wrong").cloneNode(true));
    }
    const turns = fresh.querySelector(".turn-over") && !root.querySelector(".turn-over");
    if (turns) document.body.classList.add("turns"); // only while we look on
    const before = heading()?.textContent;
    const [under, words] = [underMouse(), underMouse()?.textContent];
    put(root, fresh, heading);
    // The one says how many are at the door, the other whether pupils may look at other pages.
    for (const end of ["header.top", "footer.bottom"]) {
      put(document.querySelector(end), parsed.querySelector(end), heading);
    }
    const above = underMouse();
    if (above && (above !== under || above.textContent !== words)) {
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
    this.rest(REST);
    this.showTaps();
    arrange();
  }

  fail() {} // it is said that the connection is lost
}

// What was refused without a script is shown at the address of what was asked for.
if (root.dataset.at) history.replaceState(null, "", root.dataset.at);
const page = new ClassPage(root, location.href);
page.changed();
page.start();
