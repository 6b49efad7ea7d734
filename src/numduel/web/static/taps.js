// What a pupil taps, guesses and votes: shown at once, sent in order, one at a time. Each says
// what is wanted, so sending it again is harmless: that is what happens when the connection fails.

import { connected, parse, sleep } from "./follow.js";

const WAIT = 500;
const NEXT = { none: "trap", trap: "no-trap", "no-trap": "none" };
const WORDS = {
  none: ["", ", not guessed"],
  trap: ["trap", ", you say: a trap"],
  "no-trap": ["no", ", you say: no trap"],
};

export class Taps {
  waiting = [];
  sending = false;

  constructor(page) {
    this.page = page;
  }

  add(form, button) {
    const body = new URLSearchParams(new FormData(form, button));
    if (`${this.waiting.at(-1)?.body}` === `${body}`) return; // pressed twice
    this.waiting.push({ where: form.action, body, name: button.name, value: button.value });
    this.show();
    if (!this.sending) this.send();
  }

  // Show what is on its way, on a page whose maker has not heard of it.
  show() {
    for (const { name, value } of this.waiting) {
      if (name === "guess") this.showGuess(...value.split(":"));
      else this.showVote(value);
    }
  }

  showGuess(number, said) {
    const button = document.querySelector(`#class-map [data-key="${number}"] .guess`);
    if (!button) return;
    button.value = `${number}:${NEXT[said]}`;
    const { classList } = button.parentElement;
    for (const one of ["trap", "no-trap"]) classList.toggle(`says-${one}`, one === said);
    button.querySelector("small").textContent = WORDS[said][0] || button.dataset.met;
    button.lastElementChild.textContent = button.dataset.says + WORDS[said][1];
  }

  showVote(move) {
    for (const button of document.querySelectorAll("#vote button")) {
      button.classList.toggle("mine", button.value === move);
      button.ariaPressed = button.value === move ? "true" : null;
    }
  }

  async send() {
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

  // After the last tap the page is looked at again; a refusal says by itself how things stand.
  async answered(answer) {
    this.page.moment++;
    if (answer.type !== "opaqueredirect") return this.page.show(parse(await answer.text()), answer);
    if (!this.waiting.length) this.page.want(null);
  }
}
