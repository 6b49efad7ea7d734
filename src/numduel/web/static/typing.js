// The field for a move: says while somebody types whether it can be played. The server decides again.

import { say } from "./follow.js";

const PAUSE = 350;
let timer = 0; // of the check that is wanted now
let usual = "";

async function check(form, help) {
  const mine = timer;
  const move = form.elements.move.value.trim();
  // Who types ahead will play on another board.
  if (!move || form.querySelector("#send").ariaDisabled === "true") return;
  try {
    const answer = await fetch(`/check?${new URLSearchParams({ board: form.dataset.board, move })}`);
    const { ok, says } = await answer.json();
    if (!answer.ok || mine !== timer) return;
    help.textContent = says;
    help.dataset.ok = ok ? "yes" : "no";
    say(says);
  } catch {
    // Without an answer the usual words stay.
  }
}

function stop() {
  clearTimeout(timer);
  timer = 0;
}

// Whoever plays the move hears of it from the server, and once.
document.addEventListener("submit", ({ target }) => target.id === "typed" && stop());

document.addEventListener("input", ({ target }) => {
  if (target.id !== "move") return;
  stop();
  const [help, wrong] = ["#move-help", "#move-wrong"].map((id) => target.form.querySelector(id));
  if (help.dataset.ok) help.textContent = usual;
  else usual = help.textContent;
  delete help.dataset.ok;
  target.removeAttribute("aria-invalid");
  wrong.textContent = "";
  timer = setTimeout(check, PAUSE, target.form, help);
});

// Digits typed anywhere on the page go to the field for a move.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !/^[0-9]$/.test(event.key)) return;
  if (!event.target.closest("input, select, textarea")) document.getElementById("move")?.focus();
});
