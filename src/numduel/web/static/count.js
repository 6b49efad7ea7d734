// Numbers count down to where a move left them, for eyes that like motion. What stands on the
// page is right at once; only what is painted follows.

const COUNTED = 9999;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const settle = (element) => getComputedStyle(element).getPropertyValue("--count");
const shown = (element) => element.textContent.trim();

export function numbersIn(root) {
  const found = new Map();
  for (const one of root.querySelectorAll("#board li")) {
    const number = one.querySelector(".number");
    if (number) found.set(one.dataset.key, shown(number));
  }
  return found;
}

export function countDown(root, before) {
  if (calm.matches) return;
  for (const one of root.querySelectorAll("#board li")) {
    const number = one.querySelector(".number");
    const from = Number(before.get(one.dataset.key));
    const to = Number(shown(number));
    if (!(from > to) || from > COUNTED) continue;
    number.classList.remove("counting");
    number.style.setProperty("--count", from);
    settle(number); // it begins there, at once
    number.classList.add("counting");
    settle(number);
    number.style.setProperty("--count", to);
    const done = () => number.classList.remove("counting");
    number.addEventListener("transitionend", done, { once: true });
    setTimeout(done, 700);
  }
}
