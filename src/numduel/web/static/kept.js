// What this browser keeps for its visitor, and nobody else sees: an object under a name.
// Where a browser keeps nothing, everything works as on the first visit.

export function read(name) {
  try {
    const kept = JSON.parse(localStorage.getItem(`numduel.${name}`));
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}

export function write(name, value) {
  try {
    if (Object.keys(value).length) localStorage.setItem(`numduel.${name}`, JSON.stringify(value));
    else localStorage.removeItem(`numduel.${name}`);
  } catch {
    // Nothing is kept, and nothing is lost but that.
  }
}

// The first name that was used last stands in fields for one, until somebody changes it there.
export function recallName(page) {
  const { first = "" } = read("name");
  for (const field of page.querySelectorAll('input[name="name"]')) field.defaultValue ||= first;
}

document.addEventListener("submit", ({ target: form }) => {
  const first = form.elements.name?.value.trim();
  if (first !== undefined) write("name", first ? { first } : {});
});

// The rooms where somebody plays, the last first.
const MOST = 5;
const rooms = () => Object.values(read("rooms"));

// The room is shown: remember it while its match goes on and we have a seat. A contest that ends
// counts once: whoever wins goes on with the next rung of its game.
export function rememberMatch(code, { seat, over, round, game, start, rival, won, call }) {
  const others = rooms().filter((one) => one !== code);
  write("rooms", seat && over === "no" ? [code, ...others].slice(0, MOST) : others);
  if (!game) return;
  write("last", { game, start });
  const { [game]: before = {}, ...games } = read("games");
  const match = `${code} ${round}`;
  if (over === "no" || before.match === match) return;
  const { played = 0, right = 0, beaten = "" } = before; // rungs are in the order of their words
  const now = { match, played: played + 1, right: right + (call === "right"), beaten: won === "yes" && rival > beaten ? rival : beaten };
  write("games", { ...games, [game]: now });
}

// A link to the last match that still goes on, in place of the line that tells newcomers what this is.
export async function showWaitingMatch() {
  for (const code of rooms()) {
    const answer = await fetch(`/api/rooms/${code}/live`).catch(() => null);
    if (!answer?.ok) return;
    const { version, over } = await answer.json();
    if (version && !over) {
      const link = { className: "waiting-match", textContent: "Your match is waiting" };
      const made = Object.assign(document.createElement("a"), link, { href: `/room/${code}` });
      return document.getElementById("what").replaceChildren(made);
    }
    write("rooms", rooms().filter((one) => one !== code));
  }
}

// How many puzzles of a series were solved in a row at best; also when one has just ended.
export function showBest() {
  const { best = 0 } = read("series");
  const ended = document.querySelector("[data-solved]");
  const solved = Number(ended?.dataset.solved ?? 0);
  const place = document.getElementById("best");
  const words = !ended ? "Your best series" : solved > best && best ? "A new best" : "Your best";
  if (solved || best) place.textContent = `${words}: ${Math.max(solved, best)}.`;
  place.classList.toggle("felt", solved > best);
  if (solved > best) write("series", { best: solved });
}

// The days of the daily duel, each with what was played and how it ended: how many were solved in a
// row, where today's may still come, and the last two weeks.
export function showDays() {
  const days = read("days");
  const list = [...document.querySelectorAll(".days > li")];
  const is = (day, what) => days[day]?.[what] === "yes";
  for (const item of list) {
    if (!is(item.dataset.day, "over")) continue;
    const solved = is(item.dataset.day, "solved");
    item.classList.add(solved ? "right" : "missed");
    item.title = `${item.dataset.date}: ${solved ? "solved" : "not solved"}`;
    item.firstElementChild.textContent = item.title;
  }
  const today = list.at(-1).dataset.day;
  const before = (count) => new Date(Date.parse(today) - count * 86_400_000).toISOString().slice(0, 10);
  const first = is(today, "over") ? 0 : 1;
  let at = first;
  while (is(before(at), "solved") && !is(before(at), "late")) at++;
  const count = at - first;
  const row = count > 1 ? `${count} days in a row` : count ? "1 day solved" : "";
  const told = first ? ["Today's duel is waiting", row] : [row || "No streak yet"];
  document.getElementById("in-a-row").textContent = told.filter(Boolean).join(". ");
  document.querySelector('.nav a[href="/daily"]')?.classList.toggle("waiting", first === 1);
  const done = document.getElementById("today");
  if (done) done.textContent = first ? "" : is(today, "solved") ? " ✓ solved" : " – not solved";
}

// Ticks for the steps of tutorials that were solved: of each game, the numbers of its steps.
function showLessons() {
  const done = read("lessons");
  const solved = (key) => (Array.isArray(done[key]) ? done[key] : []);
  const steps = document.querySelector(".steps[data-lesson]");
  const { lesson: key, done: now } = steps?.dataset ?? {};
  if (now) {
    done[key] = [...new Set([...solved(key), Number(now)])].sort((a, b) => a - b);
    write("lessons", done);
  }
  steps?.querySelectorAll("a").forEach((link, at) => {
    if (!solved(key).includes(at + 1)) return;
    link.classList.add("done");
    link.insertAdjacentHTML("beforeend", '<span class="visually-hidden">, done</span>');
  });
  for (const place of document.querySelectorAll(".ticks[data-lesson]")) {
    const { lesson, count } = place.dataset;
    const all = Array.from({ length: count }, (_, at) => at + 1);
    const open = all.filter((step) => !solved(lesson).includes(step));
    const some = `${count - open.length} of ${count} steps done`;
    if (open.length < count) place.textContent = open.length ? some : `✓ All ${count} steps done`;
    const link = place.closest("li")?.querySelector("a.primary");
    if (!link || !open.length || open.length === all.length) continue;
    link.search = `?step=${open[0]}`;
    link.firstChild.textContent = "Go on";
  }
}

showLessons();
if (document.getElementById("best")) showBest();
