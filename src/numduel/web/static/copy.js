// Buttons that copy what a field holds. Without scripts, the field can be selected.

import { say } from "./say.js";

export function showCopyButtons(root) {
  for (const button of root.querySelectorAll("button[data-copy]")) button.hidden = false;
}

export async function copy(button) {
  const field = document.getElementById(button.dataset.copy);
  let done = false;
  try {
    await navigator.clipboard.writeText(field.value);
    done = true;
  } catch {
    // No clipboard on plain http: select the text, so that a key copies it.
    field.focus();
    field.select();
    done = document.execCommand("copy");
    if (done) button.focus();
  }
  button.textContent = done ? "Copied" : "Press Ctrl+C";
  say(done ? "Copied." : "The text is selected. Press Ctrl and C to copy it.");
  setTimeout(() => (button.textContent = "Copy"), 2500);
}
