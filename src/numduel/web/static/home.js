// Home: shows another game as soon as it is chosen, and opens one room for one move.

import { checkWhileTyping } from "./check.js";
import { typeAnywhere } from "./keys.js";
import { showWaitingMatch } from "./matches.js";
import { morph } from "./morph.js";
import { recallName } from "./name.js";
import { say } from "./say.js";

const home = document.getElementById("home");

let asked = 0;
let watched = null;

function prepare() {
  const form = document.getElementById("typed");
  if (form && form !== watched) checkWhileTyping(form);
  watched = form;
  recallName();
}

// Fetch the page of another game, and put it in place: the focus stays.
async function show(query) {
  const number = ++asked;
  const address = `/?${query}`;
  try {
    const answer = await fetch(address, { cache: "no-store" });
    const text = await answer.text();
    const parsed = new DOMParser().parseFromString(text, "text/html");
    const fresh = parsed.getElementById("home");
    if (number !== asked || !fresh) return;
    const focused = document.activeElement;
    morph(home, fresh);
    if (focused && !focused.isConnected) document.getElementById("turn").focus();
    const typed = document.getElementById("move");
    if (typed) typed.value = "";
    document.title = parsed.title;
    history.replaceState(null, "", home.dataset.address || address);
    prepare();
    const numbers = [...home.querySelectorAll("#board li")].map((one) => one.textContent.trim());
    const wrong = home.querySelector("#setup .wrong")?.textContent;
    const turn = document.getElementById("turn").textContent;
    say(wrong || `${numbers.join(", ").replace(/\s+/g, " ")}. ${turn}.`);
  } catch {
    location.assign(address);
  }
}

home.addEventListener("change", (event) => {
  const form = event.target.form;
  if (form?.id === "setup") show(new URLSearchParams(new FormData(form)));
});

home.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  const posts = (button?.getAttribute("formmethod") ?? form.method) === "post";
  if (!posts && form.id !== "setup") return; // it leads elsewhere
  if (!posts) {
    event.preventDefault();
    show(new URLSearchParams(new FormData(form, button)));
    return;
  }
  // One click too many would open another room.
  if (form.getAttribute("aria-busy") === "true") {
    event.preventDefault();
    return;
  }
  form.setAttribute("aria-busy", "true");
  const quick = document.createElement("input");
  quick.type = "hidden";
  quick.name = "quick";
  quick.value = "1";
  form.append(quick);
});
// Whoever comes back by the back button can play again.
window.addEventListener("pageshow", () => {
  for (const form of home.querySelectorAll("form")) form.removeAttribute("aria-busy");
});

// A card shows its game in place.
home.addEventListener("click", (event) => {
  const card = event.target.closest("a.game");
  if (!card || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(new URLSearchParams(card.search));
});

prepare();
typeAnywhere();
showWaitingMatch();
