// Counts the clocks down between two looks at the room. The server keeps the time.

let shownAt = performance.now();

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

export function runClocks() {
  restartClocks();
  setInterval(tick, 250);
}
