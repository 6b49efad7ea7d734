// Hears of new versions: by a WebSocket, by asking at the same address where there is none. Then
// what has changed is looked at.

import { connected, parse, Part, sleep } from "./follow.js";

const BEAT = 2500; // asked for at each without a WebSocket
const BESIDE = 10; // with one at every tenth, in case it sleeps
const BACK = 1000; // at most, before one that was lost is opened again: not all come back at once

// Looks at the page at `at` whenever there is another version than the one that is shown. What
// extends this has `version`, and `show(page)` for what was fetched.
export class Follower extends Part {
  failures = 0;
  quietUntil = 0;
  rest = 0; // between two looks, however much goes on

  async start() {
    this.wanted = this.version;
    const wake = () => document.visibilityState === "visible" && this.now();
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("online", wake);
    window.addEventListener("pageshow", (event) => event.persisted && this.now());
    this.connect();
    for (let beats = 1; ; beats++) {
      await sleep(BEAT * (0.9 + Math.random() / 5));
      if (this.stopped) return;
      if (this.socket?.readyState !== 1 || beats % BESIDE === 0) await this.ask();
      if (beats % 2 ** Math.min(this.failures, 3) === 0) this.connect(); // ever more seldom
    }
  }

  stop() {
    this.stopped = true;
    // Browsers complain of one that is closed before it is open; leaving the page ends it too.
    if (this.socket?.readyState === 1) this.socket.close();
  }

  // We have sat down: connect again as who we are now.
  renew() {
    if (this.socket?.readyState === 0) this.socket.addEventListener("open", () => this.renew());
    else this.socket?.close();
  }

  // Hear who is at the seats: true, false for away, null while not known.
  present() {}

  now() {
    if (this.stopped) return;
    this.ask();
    this.connect();
  }

  connect() {
    if (this.stopped || this.socket?.readyState < 2) return;
    try {
      this.socket = new WebSocket(new URL(this.root.dataset.live, location.href.replace("http", "ws")));
    } catch {
      return;
    }
    this.socket.onopen = () => {
      this.failures = 0;
      connected(true);
    };
    this.socket.onmessage = (event) => {
      const { version, here } = JSON.parse(event.data);
      if (here) this.present(here);
      else this.want(version);
    };
    this.socket.onclose = () => {
      if (!this.failures++) setTimeout(() => this.now(), BACK * Math.random());
      this.present([null, null]);
    };
  }

  async ask() {
    try {
      const answer = await fetch(this.root.dataset.live);
      if (answer.status !== 429) connected(answer.ok);
      if (answer.ok) this.want((await answer.json()).version);
    } catch {
      connected(false);
    }
  }

  // Version 0: what is followed is gone. Null: look, whatever is shown.
  want(version) {
    if (version === 0) return location.reload();
    this.wanted = version;
    this.look();
  }

  // One look at a time, for each version that is told of. When one fails, the next news tries again.
  async look() {
    if (this.looks) return;
    this.looks = true;
    try {
      for (let seen; this.wanted !== this.version && this.wanted !== seen; ) {
        await sleep(this.quietUntil - performance.now());
        const { wanted, moment } = this;
        const answer = await fetch(this.at);
        if (answer.status === 404) location.reload();
        if (!answer.ok) return;
        const page = parse(await answer.text());
        // What was asked for before a change of ours does not know of it: ask again.
        if (moment !== this.moment) continue;
        this.show(page);
        seen = wanted;
        await sleep(this.rest);
      }
    } catch {
      // What is shown stays.
    } finally {
      this.looks = false;
    }
  }
}
