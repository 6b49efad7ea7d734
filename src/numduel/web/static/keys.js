// Digits typed anywhere on the page go to the field for a move.

export function typeAnywhere() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !/^[0-9]$/.test(event.key)) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    document.getElementById("move")?.focus();
  });
}
