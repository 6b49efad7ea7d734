// Hears of new versions: by a WebSocket, by asking at the same address where there is none. Then
// what has changed is looked at.

import { connected, parse, Part, sleep } from "./follow.js";

const BEAT = 2500; // asked for at each without a WebSocket
const BESIDE = 10; // with one at every tenth, in case it sleeps
const BACK = 1000; // at most, before one that was lost is opened again: not all come back at once

// Looks at the page at `at` whenever there is another version than the one that is shown, which
// stands on the part or on what it holds. What extends this has `show(page)` for what was fetched,
// and may have `present(here)`, who is at the seats: true, false for away, null while not known.
export class Follower extends Part {
  failures = 0;
  looks = Promise.resolve(); // settled when all is looked at
  restsUntil = 0;

  get version() {
    const { dataset, firstElementChild } = this.root;
    return Number(dataset.version ?? firstElementChild.dataset.version);
  }

  async start() {
    const wake = () => document.hidden || this.now();
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("online", wake);
    this.connect();
    for (let beats = 1; ; beats++) {
      await sleep(BEAT * (0.9 + Math.random() / 5));
      if (this.socket?.readyState !== 1 || beats % BESIDE === 0) await this.ask();
      if (beats % 2 ** Math.min(this.failures, 3) === 0) this.connect(); // ever more seldom
    }
  }

  // We have sat down: connect again as who we are now.
  renew() {
    if (this.socket?.readyState === 0) this.socket.addEventListener("open", () => this.renew());
    else this.socket?.close();
  }

  now() {
    if (this.leaves) return;
    this.ask();
    this.connect();
  }

  connect() {
    if (this.socket?.readyState < 2) return;
    try {
      this.socket = new WebSocket(new URL(this.root.dataset.live, location.href.replace("http", "ws")));
    } catch {
      return; // there are none, or an old Safari takes "self" for pages alone
    }
    this.socket.onopen = () => {
      this.failures = 0;
      connected(true);
    };
    this.socket.onmessage = (event) => {
      const { version, here } = JSON.parse(event.data);
      if (here) this.present?.(here);
      else this.want(version);
    };
    this.socket.onclose = () => {
      if (!this.failures++) setTimeout(() => this.now(), BACK * Math.random());
      this.present?.([null, null]);
    };
  }

  async ask() {
    const answer = await fetch(this.root.dataset.live).catch(() => null);
    if (answer?.status !== 429) connected(Boolean(answer?.ok));
    const told = answer?.ok && (await answer.json().catch(() => null));
    if (told) this.want(told.version);
  }

  // Version 0: what is followed is gone. Null: look, whatever is shown. When a look fails, what is
  // shown stays, and the next news tries again.
  want(version) {
    if (this.leaves) return;
    if (version === 0) return location.reload();
    this.wanted = version;
    this.looks = this.looks.then(() => this.look()).catch(() => {});
  }

  // Nothing is looked at for so long.
  rest(time) {
    this.restsUntil = performance.now() + time;
  }

  async look() {
    if (this.wanted === undefined || this.wanted === this.version) return;
    await sleep(this.restsUntil - performance.now());
    const { moment } = this;
    this.wanted = undefined; // but for news that comes from now on
    const answer = await fetch(this.at);
    if (answer.status === 404) location.reload();
    if (!answer.ok) return;
    const page = parse(await answer.text());
    // What was asked for before a change of ours does not know of it: ask again.
    if (moment !== this.moment) return this.want(null);
    this.show(page);
  }
}
