// Remembers the first name that was used last in this browser, and fills it in.

const KEY = "numduel-name";

const known = new WeakSet();

// Each field is filled in once: whoever empties it wants it empty.
export function recallName() {
  for (const field of document.querySelectorAll('input[name="name"]')) {
    if (!known.has(field) && !field.value) field.value = read();
    known.add(field);
  }
}

// Private windows may refuse to keep anything.
function read() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

document.addEventListener(
  "submit",
  (event) => {
    const field = event.target.querySelector('input[name="name"]');
    if (!field) return;
    try {
      localStorage.setItem(KEY, field.value.trim());
    } catch {
      // Then it is asked for again.
    }
  },
  true,
);
