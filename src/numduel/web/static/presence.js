// Shows on the seats of friends who is here and who is away. It is not read out by itself: what
// the other player did matters more.

const WORDS = new Map([
  [true, "here"],
  [false, "away"],
]);
let known = [null, null];

export function present(here) {
  known = here;
  showPresence();
}

export function showPresence() {
  for (const place of document.querySelectorAll(".presence")) {
    const word = WORDS.get(known[place.dataset.seat - 1]) ?? "";
    place.textContent = word;
    place.dataset.is = word;
  }
}
