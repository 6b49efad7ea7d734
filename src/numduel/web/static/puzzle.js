// A series of puzzles: how far this browser came at best.

import { read, showBest, write } from "./kept.js";

showBest();
const series = document.querySelector("[data-solved]");
if (series) {
  const solved = Number(series.dataset.solved);
  const { best = 0 } = read("series");
  if (solved > best) write("series", { best: solved });
  showBest(solved > best && best ? "A new best" : "Your best");
  document.getElementById("best").classList.toggle("felt", solved > best);
}
