// Pairing by hand: names are dragged from board to board. The fields beside the names do the
// same for a keyboard, and hold what is sent.

let dragged = null;

const fieldOf = (chip) => document.getElementById(chip.dataset.field);

// Names stand where their fields say.
function arrange(pairs) {
  for (const chip of pairs.querySelectorAll(".chip")) {
    const place = pairs.querySelector(`[data-board="${fieldOf(chip).value}"]`);
    if (place && chip.parentElement !== place) place.append(chip);
  }
}

export function makePairs(root) {
  const pairs = root.querySelector("#pairs");
  if (!pairs) return;
  const by = root.querySelector("#pairing");
  pairs.hidden = by.value !== "hand";
  arrange(pairs);
}

document.addEventListener("change", (event) => {
  if (event.target.closest("#round")) makePairs(document);
});
document.addEventListener("dragstart", (event) => {
  dragged = event.target.closest?.(".chip");
  event.dataTransfer?.setData("text/plain", dragged?.textContent ?? "");
});
document.addEventListener("dragover", (event) => {
  if (dragged && event.target.closest?.("[data-board]")) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  const place = event.target.closest?.("[data-board]");
  if (!dragged || !place) return;
  event.preventDefault();
  fieldOf(dragged).value = place.dataset.board;
  arrange(place.closest("#pairs"));
  dragged = null;
});
