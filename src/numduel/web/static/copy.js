// Buttons that copy what a field holds, or hand it to the share sheet where there is one.
// Without scripts, the field can be selected.

import { say } from "./say.js";

const shares = (button) => "share" in button.dataset && "share" in navigator;
const word = (button) => (shares(button) ? "Share" : "Copy");

export function showCopyButtons() {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    if (!button.hidden) continue; // it may say that it has copied
    button.hidden = false;
    button.textContent = word(button);
  }
}

async function copy(button) {
  const field = document.getElementById(button.dataset.copy);
  let done = false;
  if (shares(button)) {
    try {
      return await navigator.share({ title: button.dataset.share, url: field.value });
    } catch (error) {
      if (error.name === "AbortError") return; // closed without a choice
    }
  }
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
  setTimeout(() => (button.textContent = word(button)), 2500);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-copy]");
  if (button) copy(button);
});
showCopyButtons();
