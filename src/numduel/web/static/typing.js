// The field for a move: says while somebody types whether it can be played. The server decides again.

import { say, sleep } from "./follow.js";

const PAUSE = 350;
let typed = 0; // how often, to hear of what was typed last alone
let usual = "";

document.addEventListener("input", async ({ target: field }) => {
  if (field.id !== "move") return;
  const mine = ++typed;
  const { form } = field;
  const [help, wrong] = ["#move-help", "#move-wrong"].map((id) => form.querySelector(id));
  if (help.dataset.ok) help.textContent = usual;
  else usual = help.textContent;
  delete help.dataset.ok;
  field.removeAttribute("aria-invalid");
  wrong.textContent = "";
  await sleep(PAUSE);
  const move = field.value.trim();
  // Who types ahead will play on another board.
  if (mine !== typed || !move || form.querySelector("#send").ariaDisabled === "true") return;
  const asks = new URLSearchParams({ board: form.dataset.board, move });
  const answer = await fetch(`/check?${asks}`).catch(() => null);
  const told = answer?.ok && (await answer.json().catch(() => null));
  if (!told || mine !== typed) return; // without an answer the usual words stay
  help.textContent = told.says;
  help.dataset.ok = told.ok ? "yes" : "no";
  say(told.says);
});

// Whoever plays the move hears of it from the server, and once.
document.addEventListener("submit", ({ target }) => target.id === "typed" && typed++);

// Digits typed anywhere on the page go to the field for a move.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !/^[0-9]$/.test(event.key)) return;
  if (!event.target.closest("input, select, textarea")) document.getElementById("move")?.focus();
});
