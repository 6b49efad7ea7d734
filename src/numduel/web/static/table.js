// The part of a room's page that changes: put in place, and told of.

import { parse, put } from "./follow.js";
import { Follower } from "./live.js";
import { say } from "./say.js";

// Numbers count down to where a move left them, for eyes that like motion. What stands on the
// page is right at once; only what is painted follows.
const COUNTED = 9999;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const placed = (root) => [...root.querySelectorAll("#board .number")];
const place = (number) => number.parentElement.dataset.key;

const numbersIn = (root) => new Map(placed(root).map((one) => [place(one), one.textContent]));

function countDown(root, before) {
  for (const number of calm.matches ? [] : placed(root)) {
    const [from, to] = [before.get(place(number)), number.textContent].map(Number);
    if (!(from > to) || from > COUNTED) continue;
    number.style.setProperty("--count", to);
    number.classList.add("counting");
    const time = { duration: 500, easing: "ease-out" };
    const done = () => number.classList.remove("counting");
    number.animate({ "--count": [from, to] }, time).onfinish = done;
  }
}

export class Table extends Follower {
  // `changed()` is called after each change, `present(here)` when somebody comes or goes.
  constructor(root, changed, present) {
    super(root, `${root.dataset.at}/table`, { present });
    this.changed = changed;
    this.tallest = 0;
    this.keepHeight();
  }

  // A quick computer lets people see their own move first.
  waitForEyes() {
    this.quietUntil = performance.now() + 800;
  }

  get element() {
    return this.root.firstElementChild;
  }

  get version() {
    return Number(this.root.firstElementChild.dataset.version);
  }

  get ply() {
    return Number(this.element.dataset.ply);
  }

  // Put this markup, which our own server made, in place of what is there.
  show(html, tell = true) {
    const fresh = parse(html).getElementById("table");
    if (!fresh || Number(fresh.dataset.version) < this.version) return;
    const before = { said: this.text("#said"), ply: this.ply, round: this.element.dataset.round };
    const was = this.element.dataset.over;
    const refused = this.root.querySelector("#asked")?.dataset.refused;
    const numbers = numbersIn(this.root);
    const scrolled = scrollY;
    put(this.element, fresh, () => this.place);
    const ended = this.element.dataset.over === "yes" && was === "no";
    countDown(this.root, numbers);
    document.title = `${this.element.dataset.title} · numduel`;
    if (before.round !== this.element.dataset.round) this.tallest = 0;
    this.keepHeight();
    // For a moment the page was shorter, and one that was scrolled to its end may have moved.
    if (scrollY !== scrolled) scrollTo({ top: scrolled, behavior: "instant" });
    this.changed();
    // The end is seen by whoever has scrolled away.
    if (ended) this.root.querySelector("#turn").scrollIntoView({ block: "center" });
    const answered = !this.root.querySelector("#asked") && this.element.dataset.over === "no";
    if (refused && answered && this.ply === before.ply) {
      this.root.querySelector("#said").prepend(`${refused} `);
    }
    const said = this.text("#said");
    const back = this.ply < before.ply && before.round === this.element.dataset.round;
    if (tell && (said !== before.said || back)) say(`${back ? "Taken back. " : ""}${said}`);
  }

  // What an element says; signs that only eyes need are left out.
  text(selector) {
    const found = this.root.querySelector(selector)?.cloneNode(true);
    for (const sign of found?.querySelectorAll('[aria-hidden="true"]') ?? []) sign.remove();
    return found?.textContent.trim() ?? "";
  }

  // Where the next move is made, or the heading: the focus goes there from what is gone.
  get place() {
    return this.root.querySelector("#moves") ?? this.root.querySelector("#turn");
  }

  moveFocus() {
    this.place?.focus({ preventScroll: true });
  }

  // The place for the buttons does not shrink within a match, so that nothing below it jumps.
  keepHeight() {
    const moves = this.root.querySelector("#moves");
    if (!moves) return;
    moves.style.minHeight = "";
    this.tallest = Math.max(this.tallest, moves.offsetHeight);
    moves.style.minHeight = `${this.tallest}px`;
  }
}
