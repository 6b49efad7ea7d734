// Ticks for the steps of tutorials that were solved in this browser. They stay here.

import { read, write } from "./kept.js";

const done = read("lessons"); // each game with the numbers of its steps that are done
const solved = (key) => (Array.isArray(done[key]) ? done[key] : []);

const steps = document.querySelector(".steps[data-lesson]");
const now = document.querySelector("[data-done]");
if (steps && now) {
  const key = steps.dataset.lesson;
  done[key] = [...new Set([...solved(key), Number(now.dataset.done)])].sort((a, b) => a - b);
  write("lessons", done);
}

steps?.querySelectorAll("a").forEach((link, at) => {
  if (!solved(steps.dataset.lesson).includes(at + 1)) return;
  link.classList.add("done");
  link.insertAdjacentHTML("beforeend", '<span class="visually-hidden">, done</span>');
});

for (const place of document.querySelectorAll(".ticks[data-lesson]")) {
  const { lesson, count } = place.dataset;
  const number = solved(lesson).filter((step) => step >= 1 && step <= count).length;
  if (number === Number(count)) place.textContent = `✓ All ${count} steps done`;
  else if (number) {
    place.textContent = `${number} of ${count} steps done`;
    const link = place.closest("li")?.querySelector("a.primary");
    let next = 1;
    while (solved(lesson).includes(next)) next++;
    if (!link) continue;
    link.search = `?step=${next}`;
    link.firstChild.textContent = "Go on";
  }
}
