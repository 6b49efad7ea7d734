// A series of puzzles: how far this browser came at best.

import { read, write } from "./kept.js";

const series = document.querySelector("[data-solved]");
if (series) {
  const solved = Number(series.dataset.solved);
  const { best = 0 } = read("series");
  if (solved > best) write("series", { best: solved });
  const told = solved > best && best ? `A new best: ${solved}.` : `Your best: ${Math.max(solved, best)}.`;
  const shown = document.getElementById("best");
  if (solved || best) shown.textContent = told;
  shown.classList.toggle("felt", solved > best);
}
