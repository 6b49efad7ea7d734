// Hears of new versions: by a WebSocket, by asking at the same address where there is none. Then
// what has changed is looked at.

import { say, sleep } from "./follow.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;
const ASK_EVERY = 2500; // without a WebSocket
const ASK_BESIDE = 25000; // with one, in case it sleeps
const TRIES = 5; // to see what was told of
const REST = 250; // between two of them

const connection = document.getElementById("connection");

// Say whether the server answers, when that changes.
export function connected(yes) {
  if (yes === connection.hidden) return;
  connection.hidden = yes;
  connection.textContent = yes ? "" : "Connection lost. Trying again…";
  say(yes ? "Connected again." : "Connection lost. Trying again.");
}

// Looks at the page at `at` whenever there is another version than the one that is shown. What
// extends this has `version`, and `show(text, true)` for what was fetched. `present(here)` hears who
// is at the seats: true, false for away, null while not known.
export class Follower {
  constructor(root, at, { rest = 0, present = () => {} } = {}) {
    Object.assign(this, { root, at, rest, present, failures: 0, quietUntil: 0 });
    this.wanted = this.version;
    this.answered = 0; // changes of ours that the server has answered
  }

  start() {
    this.connect();
    this.plan();
    const wake = () => document.visibilityState === "visible" && this.now();
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("online", wake);
    window.addEventListener("pageshow", (event) => event.persisted && this.now());
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    // Browsers complain of one that is closed before it is open; leaving the page ends it too.
    if (this.socket?.readyState !== 0) this.socket?.close();
  }

  // We have sat down: connect again as who we are now.
  renew() {
    if (this.socket?.readyState === 0) {
      this.socket.addEventListener("open", () => this.renew());
      return;
    }
    this.failures = -1;
    this.socket?.close();
  }

  now() {
    if (this.stopped) return;
    this.ask();
    this.connect();
  }

  connect() {
    if (this.stopped || this.socket?.readyState < 2) return;
    let opened = false;
    try {
      this.socket = new WebSocket(new URL(this.root.dataset.live, location.href.replace("http", "ws")));
    } catch {
      return;
    }
    this.socket.onopen = () => {
      opened = true;
      this.failures = 0;
      connected(true);
      this.plan();
    };
    this.socket.onmessage = (event) => {
      const { version, here } = JSON.parse(event.data);
      if (here) this.present(here);
      else this.want(version);
    };
    this.socket.onclose = () => {
      this.failures++;
      this.present([null, null]);
      if (this.stopped) return;
      // Each waits a different time, so that not all come back at once.
      const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.failures);
      setTimeout(() => this.connect(), longest * (0.5 + Math.random() / 2));
      if (opened) this.ask(); // else what is planned already stays planned
    };
  }

  plan() {
    clearTimeout(this.timer);
    if (this.stopped) return;
    const wait = this.socket?.readyState === 1 ? ASK_BESIDE : ASK_EVERY;
    this.timer = setTimeout(() => this.ask(), wait * (0.9 + Math.random() / 5));
  }

  async ask() {
    try {
      const answer = await fetch(this.root.dataset.live, { cache: "no-store" });
      if (answer.status !== 429) connected(answer.ok);
      if (answer.ok) this.want((await answer.json()).version);
    } catch {
      connected(false);
    }
    this.plan();
  }

  // Version 0: what is followed is gone.
  want(version) {
    if (version === 0) return location.reload();
    this.wanted = version;
    this.look();
  }

  // One look at a time. When one fails, the next news tries again.
  async look() {
    if (this.busy) return;
    this.busy = true;
    try {
      for (let tries = 0; tries < TRIES && this.wanted !== this.version; ) {
        await sleep(Math.max(tries * REST, this.quietUntil - performance.now()));
        const [wanted, answered, before] = [this.wanted, this.answered, this.version];
        const answer = await fetch(this.at, { cache: "no-store" });
        if (answer.status === 404) location.reload();
        if (!answer.ok) return;
        const text = await answer.text();
        // What was asked for before a change of ours does not know of it: ask again.
        if (answered !== this.answered) continue;
        this.show(text, true);
        if (wanted === this.wanted && this.version > wanted) this.wanted = this.version;
        tries = this.version === before ? tries + 1 : 0;
        await sleep(this.rest);
      }
    } catch {
      // What is shown stays.
    } finally {
      this.busy = false;
    }
  }
}
