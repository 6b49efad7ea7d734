// Remembers, in this browser alone, the rooms where somebody plays, and leads back to the last.

const KEY = "numduel-rooms";
const MOST = 5;

function rooms() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

function keep(codes) {
  try {
    if (codes.length) localStorage.setItem(KEY, JSON.stringify(codes.slice(0, MOST)));
    else localStorage.removeItem(KEY);
  } catch {
    // A private window forgets.
  }
}

// The room is shown: remember it while its match goes on and we have a seat.
export function rememberMatch(code, { seat, over }) {
  const others = rooms().filter((one) => one !== code);
  keep(seat && over === "no" ? [code, ...others] : others);
}

// A link to the last match that still goes on, in the free place beside the name of the site.
export async function showWaitingMatch() {
  for (const code of rooms()) {
    try {
      const answer = await fetch(`/room/${code}/version`, { cache: "no-store" });
      if (!answer.ok) return;
      const { version, over } = await answer.json();
      if (version && !over) return show(code);
      keep(rooms().filter((one) => one !== code));
    } catch {
      return;
    }
  }
}

function show(code) {
  const link = document.createElement("a");
  link.className = "waiting-match";
  link.href = `/room/${code}`;
  link.textContent = "Your match is waiting";
  document.querySelector(".brand").after(link);
}
