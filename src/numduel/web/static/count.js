// Numbers count down to where a move left them, for eyes that like motion. What stands on the
// page is right at once; only what is painted follows.

const COUNTED = 9999;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const placed = (root) => [...root.querySelectorAll("#board .number")];
const place = (number) => number.parentElement.dataset.key;

export const numbersIn = (root) => new Map(placed(root).map((one) => [place(one), one.textContent]));

export function countDown(root, before) {
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
