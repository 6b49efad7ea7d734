// The puzzle of the day as a habit: what is solved stays so, the first answer of each day, days in a
// row, and a text to share. All of it stays in this browser.

import { parse } from "./follow.js";
import { read, write } from "./kept.js";

const DAY = 86_400_000;
const SHOWN = 14;
const first = read("puzzles"); // each day with whether its first answer was right
const solved = read("solved"); // the address of each day's puzzle that is solved, with the answer

// A puzzle that is solved stays so: show what the answer was told, not the question.
async function showSolved({ dataset }) {
  const { puzzle, answer } = dataset;
  if (answer !== undefined) {
    solved[puzzle] = answer;
    write("solved", solved);
  } else if ("new" in dataset && typeof solved[puzzle] === "string") {
    try {
      const body = new URLSearchParams({ answer: solved[puzzle] });
      const page = parse(await (await fetch(puzzle, { method: "POST", body })).text());
      if (page.querySelector("[data-answer]")) {
        document.querySelector("main").replaceWith(page.querySelector("main"));
      }
    } catch {
      // It can be solved again.
    }
  }
}

const question = document.querySelector("[data-puzzle]");
if (question) await showSolved(question);

function dayBefore(day, count = 1) {
  return new Date(Date.parse(day) - count * DAY).toISOString().slice(0, 10);
}

// The days in a row with a right first answer; today's may still come.
function streakOf(today) {
  let day = first[today] === undefined ? dayBefore(today) : today;
  let count = 0;
  for (; first[day] === true; day = dayBefore(day)) count += 1;
  return count;
}

const inDays = (count) => (count === 1 ? "1 day" : `${count} days`);

const share = document.getElementById("share");
if (share?.dataset.day) {
  const { day } = share.dataset;
  const right = share.dataset.solved === "yes";
  if (first[day] === undefined) {
    first[day] = right;
    write("puzzles", first);
  }
  const lines = share.value.split("\n");
  const row = streakOf(day) > 1 ? ` ${inDays(streakOf(day))} in a row.` : "";
  if (first[day]) lines[1] = `Solved on the first try.${row} Can you?`;
  else if (right) lines[1] = "Solved, but not on the first try. Can you?";
  share.value = lines.join("\n");
}

function element(name, className, ...inside) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...inside);
  return made;
}

const DAYS = {
  true: ["right", "solved on the first try"],
  false: ["missed", "not solved on the first try"],
};

function dayOf(today, back) {
  const day = dayBefore(today, back);
  const [kind, said] = DAYS[first[day]] ?? ["", "not played"];
  return element("li", kind, element("span", "visually-hidden", `${day}: ${said}`));
}

const panel = document.querySelector(".streak");
if (panel) {
  const { today } = panel.dataset;
  if (first[today] !== undefined) document.getElementById("counts")?.remove();
  panel.querySelector("p").remove();
  const answered = Object.keys(first).filter((day) => day <= today);
  const right = answered.filter((day) => first[day] === true).length;
  const told = {
    true: "You solved today's puzzle on the first try.",
    false: "Your first answer today was wrong. There is a new puzzle tomorrow.",
    undefined: "Today's puzzle is waiting for your first answer.",
  };
  const days = Array.from({ length: SHOWN }, (_, at) => dayOf(today, SHOWN - 1 - at));
  const tally = `The last two weeks. In all: ${right} of ${inDays(answered.length)} solved on the first try.`;
  panel.append(
    element("p", "in-a-row", streakOf(today) ? `${inDays(streakOf(today))} in a row` : "No streak yet"),
    element("p", "", told[first[today]]),
    element("ol", "days", ...days),
    element("p", "soft small", tally),
  );
}
