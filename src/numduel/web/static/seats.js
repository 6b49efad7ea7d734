// What changes on the seats between two looks at the room: the clocks, and who is here.

// Clocks are counted down here. The server keeps the time.
let shownAt = 0;
setInterval(tick, 250);

export function restartClocks() {
  shownAt = performance.now();
  tick();
}

function tick() {
  for (const clock of document.querySelectorAll(".clock[data-left]")) {
    const used = clock.dataset.runs === "yes" ? (performance.now() - shownAt) / 1000 : 0;
    const left = Math.max(0, Number(clock.dataset.left) - used);
    const whole = Math.floor(left);
    const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
    clock.toggleAttribute("data-low", left < 20);
  }
}

// Who of two friends is here and who is away. It is not read out by itself: what the other player
// did matters more.
const WORDS = { true: "here", false: "away" };
let known = [null, null];

export function present(here) {
  known = here;
  showPresence();
}

export function showPresence() {
  for (const place of document.querySelectorAll(".presence")) {
    const word = WORDS[known[place.dataset.seat - 1]] ?? "";
    place.textContent = word;
    place.dataset.is = word;
  }
}
