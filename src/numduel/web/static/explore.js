// A button that copies the whole number.

import { copy, showCopyButtons } from "./copy.js";

showCopyButtons(document);
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-copy]");
  if (button) copy(button);
});
