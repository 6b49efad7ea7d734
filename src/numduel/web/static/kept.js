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
    localStorage.setItem(`numduel.${name}`, JSON.stringify(value));
  } catch {
    // Nothing is kept, and nothing is lost but that.
  }
}
