// The field for a move: says while somebody types whether it can be played. The server decides again.

import { say } from "./say.js";

const PAUSE = 350;

export function checkWhileTyping(form) {
  const field = form.querySelector("#move");
  const help = form.querySelector("#move-help");
  let timer = 0;
  let usual = help.textContent;
  let asked = 0;

  async function check() {
    const number = ++asked;
    const text = field.value.trim();
    // Who types ahead will play on another board.
    const ready = form.querySelector("#send").getAttribute("aria-disabled") !== "true";
    if (!text || !ready) return;
    const query = new URLSearchParams({ board: form.dataset.board, move: text });
    try {
      const answer = await fetch(`/check?${query}`);
      if (!answer.ok || number !== asked) return;
      const { ok, says } = await answer.json();
      help.textContent = says;
      help.dataset.ok = ok ? "yes" : "no";
      say(says);
    } catch {
      // Without an answer the usual words stay.
    }
  }

  // Whoever plays the move hears of it from the server, and once.
  form.addEventListener("submit", () => {
    clearTimeout(timer);
    asked++;
  });

  field.addEventListener("input", () => {
    clearTimeout(timer);
    asked++;
    if (help.dataset.ok) {
      delete help.dataset.ok;
      help.textContent = usual;
    } else {
      usual = help.textContent;
    }
    field.removeAttribute("aria-invalid");
    const wrong = form.querySelector("#move-wrong");
    if (wrong) wrong.textContent = "";
    if (field.value.trim()) timer = setTimeout(check, PAUSE);
  });
}

// Digits typed anywhere on the page go to the field for a move.
export function typeAnywhere() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !/^[0-9]$/.test(event.key)) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    document.getElementById("move")?.focus();
  });
}
