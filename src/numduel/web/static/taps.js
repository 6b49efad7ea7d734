// What a pupil taps, guesses and votes: shown at once, sent in order, one at a time. Each says
// what is wanted, so sending it again is harmless: that is what happens when the connection fails.

import { connected, parse, sleep } from "./follow.js";
import { Follower } from "./live.js";

const WAIT = 500;

export class Tapped extends Follower {
  waiting = [];
  last = Promise.resolve(); // settled when all is sent

  tap(form, button) {
    const body = new URLSearchParams(new FormData(form, button));
    if (`${this.waiting.at(-1)}` === `${body}`) return; // pressed twice
    this.waiting.push(body);
    this.showTaps();
    this.last = this.last.finally(() => this.sendTap(form.action, body));
  }

  // Show what is on its way, on a page whose maker has not heard of it.
  showTaps() {
    for (const body of this.waiting) {
      if (body.has("guess")) this.showGuess(...body.get("guess").split(":"));
      else this.showVote(body.get("move"));
    }
  }

  showGuess(number, said) {
    const map = document.getElementById("class-map");
    const button = map?.querySelector(`[data-key="${number}"] .guess`);
    if (!button) return;
    const [word, heard, next] = JSON.parse(map.dataset.guesses)[said];
    button.value = `${number}:${next}`;
    const cell = button.parentElement;
    cell.className = cell.className.replace(/says-\S+/, `says-${said}`);
    button.querySelector("small").textContent = word || button.dataset.met;
    button.lastElementChild.textContent = button.dataset.says + heard;
  }

  showVote(move) {
    for (const button of document.querySelectorAll("#vote button")) {
      button.ariaPressed = button.value === move ? "true" : null;
    }
  }

  async sendTap(where, body) {
    const how = { method: "POST", body, redirect: "manual", keepalive: true };
    for (;;) {
      const answer = await fetch(where, how).catch(() => null);
      if (answer && answer.status !== 429 && answer.status < 500) return this.sent(answer);
      connected(false);
      await sleep(WAIT * (0.75 + Math.random() / 2));
    }
  }

  // The page that it leads to is looked at once, after the last; a refusal says how things stand.
  async sent(answer) {
    connected(true);
    this.waiting.shift();
    this.moment++;
    if (answer.type !== "opaqueredirect") this.show(parse(await answer.text()), answer);
    else if (!this.waiting.length) this.want(null);
  }
}
