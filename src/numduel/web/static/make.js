// Make your own: the rule and its map follow each tap.

import "./copy.js";
import { asking, say } from "./follow.js";

const make = document.getElementById("make");
const form = document.getElementById("rule-form");

const show = asking(make, "/make", () => null, (url, sent) => {
  for (const field of form.querySelectorAll("input")) {
    if (field.type === "checkbox") field.checked = field.defaultChecked;
    // What was typed meanwhile stays.
    else if (field.value === sent.get(field.name)) field.value = field.defaultValue;
  }
  history.replaceState(null, "", url);
  say(make.querySelector(".wrong, .notice")?.textContent || make.querySelector("#says").textContent);
});

make.addEventListener("change", (event) => {
  const { name, value, checked } = event.target;
  if (event.target.form !== form) return;
  // Any amount allows every other: whoever picks another wants that one.
  const any = form.querySelector("input[value=any]");
  if (checked && name !== "misere" && value !== "any") any.checked = false;
  show(new FormData(form));
});
make.addEventListener("submit", (event) => {
  event.preventDefault();
  show(new FormData(form));
});
