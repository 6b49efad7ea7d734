// A class: each of its pages follows the class, and what is pressed is sent without leaving it.

import { parse, put, say } from "./follow.js";
import { connected, Follower } from "./live.js";
import { Taps } from "./taps.js";

const REST = 250; // between two looks, however much goes on

const root = document.getElementById("class");

// What stands above all else; the heading of a table that is put away does not count.
const heading = () => [...root.querySelectorAll("h1")].find((one) => one.checkVisibility());

// Pairing by hand: names are dragged from board to board. The fields beside them do the same for a
// keyboard, and hold what is sent.
let dragged = null;

const fieldOf = (chip) => document.getElementById(chip.dataset.field);

// Names stand where their fields say.
function arrange(pairs) {
  for (const chip of pairs.querySelectorAll(".chip")) {
    const place = pairs.querySelector(`[data-board="${fieldOf(chip).value}"]`);
    if (place && chip.parentElement !== place) place.append(chip);
  }
}

function makePairs(root) {
  const pairs = root.querySelector("#pairs");
  if (!pairs) return;
  pairs.hidden = root.querySelector("#pairing").value !== "hand";
  arrange(pairs);
}

document.addEventListener("change", (event) => {
  if (event.target.closest("#round")) makePairs(document);
});
document.addEventListener("input", (event) => {
  const { id, form, value } = event.target;
  if (id === "own" && value) form.elements.game.value = "own";
});
document.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.(".chip");
  event.dataTransfer?.setData("text/plain", dragged?.textContent ?? "");
});
document.addEventListener("dragover", (event) => {
  if (dragged && event.target.closest?.("[data-board]")) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  const place = event.target.closest?.("[data-board]");
  if (!dragged || !place) return;
  event.preventDefault();
  fieldOf(dragged).value = place.dataset.board;
  arrange(place.closest("#pairs"));
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
  get version() {
    return Number(root.dataset.version);
  }

  // Put the page that our own server made in place of this one. The table of a match follows
  // its room by itself; another table is another page.
  show(text, news = false) {
    const parsed = parse(text);
    const fresh = parsed.getElementById("class");
    if (!fresh || fresh.dataset.room !== root.dataset.room) return location.reload();
    const [table, next] = [root, fresh].map((one) => one.querySelector("#room"));
    if (next?.firstElementChild && !table.firstElementChild) return location.reload();
    next?.replaceChildren(...[...table.childNodes].map((one) => one.cloneNode(true)));
    // What is wrong with the form of a round stays there until it is sent again.
    const form = root.querySelector("#round");
    if (news && form?.querySelector("[aria-invalid]")) {
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
    changed();
    const now = heading()?.textContent;
    const wrong = root.querySelector("#wrong")?.textContent;
    if (wrong) say(wrong);
    else if (now && now !== before) say(now);
  }
}

// What was refused without a script is shown at the address of what was asked for.
if (root.dataset.at) history.replaceState(null, "", root.dataset.at);
const page = new ClassPage(root, location.href, { rest: REST });

// After the last tap the page is looked at again; a refusal says by itself how things stand.
const taps = new Taps(root, async (answer) => {
  page.answered++;
  if (answer.status === 404) return location.reload();
  if (answer.type !== "opaqueredirect") return page.show(await answer.text());
  if (taps.waiting.length) return;
  root.dataset.version = "";
  page.look();
});

function changed() {
  taps.show();
  makePairs(root);
}

// To what came of a form that was sent, wherever on the page it stands.
function lead(form) {
  const wrong = root.querySelector("#wrong");
  if (wrong) (root.querySelector("[aria-invalid]") ?? wrong).scrollIntoView({ block: "center" });
  else if (form.dataset.stays === "top") {
    heading()?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

root.addEventListener("submit", async (event) => {
  const form = event.target;
  if ("leaves" in form.dataset) return page.stop(); // the news would be that the class is gone
  const button = event.submitter;
  if (button?.getAttribute("aria-disabled") === "true") return event.preventDefault();
  if ("taps" in form.dataset) {
    event.preventDefault();
    return taps.add(form, button);
  }
  if (!("stays" in form.dataset)) return;
  event.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  try {
    const body = new URLSearchParams(new FormData(form, button));
    const answer = await fetch(form.action, { method: "POST", body });
    connected(true);
    page.answered++;
    if (answer.status === 404) return location.reload();
    page.show(await answer.text());
    lead(form);
    // So many come in at once: it goes on by itself.
    if (answer.status === 429 && form.id === "join") {
      setTimeout(() => form.requestSubmit(), 1000 + 3000 * Math.random());
    }
  } catch {
    connected(false);
  } finally {
    form.removeAttribute("aria-busy");
  }
});
changed();
page.start();
