// Buttons that copy what a field holds, or hand it to the share sheet where there is one. Without
// scripts, the field can be selected: the sheet of styles hides the button, and says what it does.

import { say } from "./follow.js";

document.documentElement.classList.toggle("shares", "share" in navigator);

async function shared({ dataset }, value) {
  if (!("share" in dataset)) return false;
  try {
    await navigator.share(dataset.share ? { title: dataset.share, url: value } : { text: value });
    return true;
  } catch (error) {
    return error.name === "AbortError"; // closed without a choice; else there is no sheet
  }
}

async function copied(field, button) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // No clipboard on plain http: select the text, so that a key copies it.
    field.focus();
    field.select();
    const done = document.execCommand("copy");
    if (done) button.focus();
    return done;
  }
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("button[data-copy]");
  const field = document.getElementById(button?.dataset.copy);
  if (!field || (await shared(button, field.value))) return;
  const done = await copied(field, button);
  button.dataset.told = done ? "Copied" : "Press Ctrl+C";
  say(done ? "Copied." : "The text is selected. Press Ctrl and C to copy it.");
  setTimeout(() => delete button.dataset.told, 2500);
});
