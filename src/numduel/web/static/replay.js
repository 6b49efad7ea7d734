// A replay: turns change in place, by links, by the arrow keys, or by themselves once asked.

import "./copy.js";
import { Part, say } from "./follow.js";

const KEYS = { ArrowLeft: "previous", ArrowRight: "next" };
const PAUSE = 1500;

const root = document.getElementById("replay") ?? document.querySelector("main");
const at = (go) => root.querySelector(`[data-go="${go}"]`);
let timer = 0;

class Replay extends Part {
  show(page, answer) {
    super.show(page, answer);
    if (!timer) say(root.querySelector("#happened, .said").textContent);
    shown();
  }
}

const part = new Replay(root);

function shown() {
  const list = root.querySelector(".turns");
  const current = list?.querySelector("[aria-current]");
  if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  if (timer) play(Boolean(at("next")));
}

// Play on, or stop.
function play(on) {
  clearTimeout(timer);
  timer = on ? setTimeout(() => at("next") && part.go(at("next").href), PAUSE) : 0;
  document.getElementById("play")?.replaceChildren(on ? "Stop" : "Play the match");
}

root.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (event.target.id === "play") {
    if (!timer && !at("next")) at("first").click();
    play(!timer);
  } else if (link?.pathname === location.pathname && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault();
    play(false);
    part.go(link.href);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = at(KEYS[event.key]);
  if (!link) return;
  event.preventDefault();
  link.click();
});
shown();
