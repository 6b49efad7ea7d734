// Make your own: the rule and its map follow each tap.

import { copy, showCopyButtons } from "./copy.js";
import { morph } from "./morph.js";
import { say } from "./say.js";

const make = document.getElementById("make");
const form = document.getElementById("rule-form");
const [first, last] = [form.elements.from, form.elements.to];
let asked = 0;

async function show() {
  const number = ++asked;
  const sent = new FormData(form);
  const address = `/make?${new URLSearchParams(sent)}`;
  try {
    const answer = await fetch(address);
    const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = parsed.getElementById("make");
    if (number !== asked) return;
    if (!fresh) throw new Error("no such page");
    morph(make, fresh);
    for (const field of form.querySelectorAll("input")) {
      if (field.type === "checkbox") field.checked = field.defaultChecked;
      // What was typed meanwhile stays.
      else if (field.value === sent.get(field.name)) field.value = field.defaultValue;
    }
    document.title = parsed.title;
    history.replaceState(null, "", answer.url);
    showCopyButtons(make);
    say(make.querySelector(".wrong, .notice")?.textContent || make.querySelector("#says").textContent);
  } catch {
    location.assign(address);
  }
}

make.addEventListener("change", (event) => {
  const { name, value, checked } = event.target;
  if (event.target.form !== form) return;
  const ranges = event.target === first || event.target === last;
  if (ranges && !first.value !== !last.value) return; // the other end is still to come
  // Any amount allows every other: whoever picks another wants that one.
  const any = form.querySelector("input[value=any]");
  if (checked && name !== "misere" && value !== "any") any.checked = false;
  show();
});
make.addEventListener("submit", (event) => {
  event.preventDefault();
  show();
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-copy]");
  if (button) copy(button);
});
showCopyButtons(make);
