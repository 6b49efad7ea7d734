// The arrow keys go through a replay; the turn that is shown is in view in the list of turns.

const KEYS = { ArrowLeft: "previous", ArrowRight: "next" };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = document.querySelector(`[data-go="${KEYS[event.key]}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});

const list = document.querySelector(".turns");
const current = list?.querySelector("[aria-current]");
if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
