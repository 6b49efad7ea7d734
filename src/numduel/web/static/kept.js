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

// The first name that was used last. Each field is filled in once: whoever empties it wants it empty.
const filled = new WeakSet();

export function recallName() {
  for (const field of document.querySelectorAll('input[name="name"]')) {
    if (!filled.has(field) && !field.value) field.value = read("name").first ?? "";
    filled.add(field);
  }
}

document.addEventListener(
  "submit",
  (event) => {
    const field = event.target.querySelector('input[name="name"]');
    if (field) write("name", field.value.trim() ? { first: field.value.trim() } : {});
  },
  true,
);

// The rooms where somebody plays, the last first.
const MOST = 5;
const rooms = () => Object.values(read("rooms"));

// The room is shown: remember it while its match goes on and we have a seat.
export function rememberMatch(code, { seat, over }) {
  const others = rooms().filter((one) => one !== code);
  write("rooms", seat && over === "no" ? [code, ...others].slice(0, MOST) : others);
}

// A link to the last match that still goes on, in the free place beside the name of the site.
export async function showWaitingMatch() {
  for (const code of rooms()) {
    try {
      const answer = await fetch(`/api/rooms/${code}/live`, { cache: "no-store" });
      if (!answer.ok) return;
      const { version, over } = await answer.json();
      if (version && !over) {
        const link = document.createElement("a");
        link.className = "waiting-match";
        link.href = `/room/${code}`;
        link.textContent = "Your match is waiting";
        return document.querySelector(".brand").after(link);
      }
      write("rooms", rooms().filter((one) => one !== code));
    } catch {
      return;
    }
  }
}
