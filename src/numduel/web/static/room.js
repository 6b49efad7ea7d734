// A room: the table is put in place when it changes, what is done there is sent in the background,
// and clocks and who is here are shown between two looks.

import "./copy.js";
import { put, say } from "./follow.js";
import { read, recallName, rememberMatch } from "./kept.js";
import { Follower } from "./live.js";
import "./typing.js";

const EYES = 800; // a quick computer lets people see their own move first
const COUNTED = 9999; // no number above this counts down
const HERE = { true: "here", false: "away" };
const FAILED = {
  undefined: "Connection lost. Your move may not have arrived. Try again.",
  429: "Too many requests at once. Wait a moment, then try again.",
};

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const root = document.getElementById("room");
const find = (selector) => root.querySelector(selector);
const told = () => root.firstElementChild.dataset; // what the table says of itself
const text = (selector) => find(selector)?.textContent.trim() ?? "";

// Where the next move is made, or the heading: the focus goes there from what is gone.
const place = () => find("#moves") ?? find("#turn");

// Numbers count down to where a move left them, for eyes that like motion. What stands on the
// page is right at once; only what is painted follows.
const numbers = () => [...root.querySelectorAll("#board .number")];

function countDown(before) {
  numbers().forEach((number, at) => {
    const [from, to] = [before[at], number.textContent].map(Number);
    if (calm.matches || !(from > to) || from > COUNTED) return;
    number.style.setProperty("--count", to);
    number.classList.add("counting");
    const time = { duration: 500, easing: "ease-out" };
    const done = () => number.classList.remove("counting");
    number.animate({ "--count": [from, to] }, time).onfinish = done;
  });
}

// Clocks are counted down here. The server keeps the time.
let shownAt = 0;

function tick() {
  for (const clock of root.querySelectorAll(".clock[data-left]")) {
    const used = clock.dataset.runs === "yes" ? (performance.now() - shownAt) / 1000 : 0;
    const left = Math.max(0, Number(clock.dataset.left) - used);
    const whole = Math.floor(left);
    const shown = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    if (clock.textContent !== shown) clock.textContent = shown;
    clock.toggleAttribute("data-low", left < 20);
  }
}

// The place for the buttons does not shrink within a match, so that nothing below it jumps.
function keepHeight(height = 0) {
  document.documentElement.style.setProperty("--moves", `${height}px`);
}

class Table extends Follower {
  waits = [700, 1500, 3000]; // all says which version of the room it answers: sent twice, it is done once
  known = [null, null];

  // Who of two friends is here and who is away. It is not read out by itself: what the other player
  // did matters more.
  present(here) {
    this.known = here;
    for (const one of root.querySelectorAll(".presence")) {
      one.dataset.is = HERE[here[one.dataset.seat - 1]] ?? "";
      one.textContent = one.dataset.is;
    }
  }

  changed() {
    keepHeight(find("#moves")?.offsetHeight);
    this.present(this.known);
    rememberMatch(root.dataset.code, told());
    const games = read("games"); // the first that was not climbed is shown
    for (const link of root.querySelectorAll("#goals > a")) link.hidden = games[link.dataset.game]?.beaten >= "level:5";
    shownAt = performance.now();
    tick();
    const history = find("#history");
    if (history) history.scrollTop = told().over === "yes" ? 0 : history.scrollHeight;
  }

  send(form, button) {
    if (form.method === "post") this.rest(EYES);
    return super.send(form, button);
  }

  // Put this markup, which our own server made, in place of what is there.
  show(page, answer, sent) {
    if (answer?.status === 404 || answer?.redirected) return location.reload();
    recallName(page);
    const fresh = page.getElementById("table");
    if (!fresh) return answer && this.fail(null, answer.status);
    if (sent?.form.method === "post" && answer.ok) this.rest(EYES);
    if (Number(fresh.dataset.version) >= this.version) this.turnInto(fresh, answer?.ok ?? true);
    if (sent) this.tell(sent, answer.ok);
  }

  turnInto(fresh, tell) {
    const before = { ...told() };
    const [said, refused] = [text("#said"), find("#asked")?.dataset.refused];
    const counted = numbers().map((one) => one.textContent);
    put(root.firstElementChild, fresh, place);
    const { over, ply, round, seat, title } = told();
    document.title = `${title} · numduel`;
    countDown(counted);
    if (before.round !== round) keepHeight();
    if (before.seat !== seat) this.renew();
    this.changed();
    // The end of a match is shown to whoever has scrolled away.
    if (before.over !== over && over === "yes") find("#turn").scrollIntoView({ block: "center" });
    if (refused && !find("#asked") && over === "no" && ply === before.ply) {
      find("#said").prepend(`${refused} `);
    }
    const back = Number(ply) < Number(before.ply) && before.round === round;
    if (tell && (back || text("#said") !== said)) say(`${back ? "Taken back. " : ""}${text("#said")}`);
  }

  // A move that was refused stays in its field, in focus.
  tell({ form: { id } }, ok) {
    if (id === "ask-hint") return say(text("#hint-text"));
    if (ok) return;
    say(text("#move-wrong") || text("#wrong .lines"));
    if (id !== "typed") return;
    find("#move")?.focus();
    find("#move")?.select();
  }

  fail(_, status) {
    const said = FAILED[status] ?? "That did not work. Try again in a moment.";
    find("#move-wrong")?.replaceChildren(said);
    say(said);
  }
}

const table = new Table(root, `${root.dataset.at}/table`);
recallName(root);
table.changed();
// The first move came from another page: let it be seen before the answer.
if (new URLSearchParams(location.search).has("seen")) {
  history.replaceState(null, "", root.dataset.at);
  place()?.focus({ preventScroll: true });
  table.rest(EYES);
}
setInterval(tick, 250);
table.start();
