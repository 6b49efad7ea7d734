// Home: shows another game as soon as it is chosen, and opens one room for one move.

import { asking, say } from "./follow.js";
import { recallName, showWaitingMatch } from "./kept.js";
import "./typing.js";

const home = document.getElementById("home");
const turn = () => document.getElementById("turn");

const show = asking(home, "/", turn, (url) => {
  const typed = document.getElementById("move");
  if (typed) typed.value = "";
  history.replaceState(null, "", home.dataset.address || url);
  recallName();
  const numbers = [...home.querySelectorAll("#board li")].map((one) => one.textContent.trim());
  const wrong = home.querySelector("#setup .wrong")?.textContent;
  say(wrong || `${numbers.join(", ").replace(/\s+/g, " ")}. ${turn().textContent}.`);
});

home.addEventListener("change", (event) => {
  const form = event.target.form;
  if (form?.id === "setup") show(new FormData(form));
});

home.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  const posts = (button?.getAttribute("formmethod") ?? form.method) === "post";
  if (!posts && form.id !== "setup") return; // it leads elsewhere
  if (!posts) {
    event.preventDefault();
    return show(new FormData(form, button));
  }
  // One click too many would open another room.
  if (form.getAttribute("aria-busy") === "true") return event.preventDefault();
  form.setAttribute("aria-busy", "true");
  const quick = document.createElement("input");
  Object.assign(quick, { type: "hidden", name: "quick", value: "1" });
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
  show(card.search);
});

recallName();
showWaitingMatch();
