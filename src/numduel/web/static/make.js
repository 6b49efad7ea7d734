// Make your own: the rule and its map follow each tap.

import "./copy.js";
import { Part, say } from "./follow.js";

const make = document.getElementById("make");

class Make extends Part {
  show(page, answer, { form, body }) {
    super.show(page, answer);
    for (const field of form.querySelectorAll("input")) {
      if (field.type === "checkbox") field.checked = field.defaultChecked;
      // What was typed meanwhile stays.
      else if (field.value === body.get(field.name)) field.value = field.defaultValue;
    }
    say(make.querySelector(".wrong, .notice")?.textContent || make.querySelector("#says").textContent);
  }
}

const part = new Make(make);

make.addEventListener("change", ({ target: { form, name, value, checked } }) => {
  if (form?.id !== "rule-form") return;
  // Any amount allows every other: whoever picks another wants that one.
  if (checked && name !== "misere" && value !== "any") form.querySelector("[value=any]").checked = false;
  part.send(form);
});
