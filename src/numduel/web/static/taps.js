// What a pupil taps, guesses and votes: shown at once, sent in order, one at a time. Each says
// what is wanted, so sending it again is harmless: that is what happens when the connection fails.

import { sleep } from "./follow.js";
import { connected } from "./live.js";

const WAIT = 500;
const NEXT = { none: "trap", trap: "no-trap", "no-trap": "none" };
const WORDS = {
  none: ["", ", not guessed"],
  trap: ["trap", ", you say: a trap"],
  "no-trap": ["no", ", you say: no trap"],
};

export class Taps {
  // `answered(answer)` hears each answer.
  constructor(root, answered) {
    Object.assign(this, { root, answered, waiting: [], sending: false });
  }

  add(form, button) {
    const body = new URLSearchParams(new FormData(form, button));
    if (`${this.waiting.at(-1)?.body}` === `${body}`) return; // pressed twice
    this.waiting.push({ where: form.action, body, name: button.name, value: button.value });
    this.show();
    this.send();
  }

  // Show what is on its way, on a page whose maker has not heard of it.
  show() {
    for (const { name, value } of this.waiting) {
      if (name === "guess") this.showGuess(...value.split(":"));
      else this.showVote(value);
    }
  }

  showGuess(number, said) {
    const button = this.root.querySelector(`#class-map [data-key="${number}"] .guess`);
    if (!button) return;
    button.value = `${number}:${NEXT[said]}`;
    const { classList } = button.parentElement;
    for (const one of ["trap", "no-trap"]) classList.toggle(`says-${one}`, one === said);
    button.querySelector("small").textContent = WORDS[said][0] || button.dataset.met;
    button.lastElementChild.textContent = button.dataset.says + WORDS[said][1];
  }

  showVote(move) {
    for (const button of this.root.querySelectorAll("#vote button")) {
      const mine = button.value === move;
      button.classList.toggle("mine", mine);
      if (mine) button.setAttribute("aria-pressed", "true");
      else button.removeAttribute("aria-pressed");
    }
  }

  async send() {
    if (this.sending) return;
    this.sending = true;
    while (this.waiting.length) {
      const { where, body } = this.waiting[0];
      try {
        // The page that it leads to is looked at once, after the last.
        const how = { method: "POST", body, redirect: "manual", keepalive: true };
        const answer = await fetch(where, how);
        if (answer.status === 429 || answer.status >= 500) throw new Error("busy");
        connected(true);
        this.waiting.shift();
        await this.answered(answer);
      } catch {
        connected(false);
        await sleep(WAIT * (0.75 + Math.random() / 2));
      }
    }
    this.sending = false;
  }
}
