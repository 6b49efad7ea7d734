// Puts a page that our own server made in place of this one: what stays keeps its focus.

import { morph } from "./morph.js";

export const parse = (text) => new DOMParser().parseFromString(text, "text/html");
export const sleep = (time) => new Promise((done) => setTimeout(done, time));

// Turn this part of the page into a fresh one. If what had the focus is gone, `next()` gets it.
export function put(old, fresh, next) {
  const focused = document.activeElement;
  const inside = old.contains(focused) && focused !== old;
  morph(old, fresh);
  if (inside && !focused.isConnected) next()?.focus({ preventScroll: true });
}

// A page that shows what its form asks for, at once: `show(query)` fetches the page at `path` with
// that query, and puts its part `root` in place. `shown(url, asked)` is called then.
export function asking(root, path, next, shown) {
  let asked = 0;
  return async (query) => {
    const number = ++asked;
    const address = `${path}?${new URLSearchParams(query)}`;
    try {
      const answer = await fetch(address, { cache: "no-store" });
      const parsed = parse(await answer.text());
      const fresh = parsed.getElementById(root.id);
      if (number !== asked) return;
      if (!fresh) throw new Error("no such page");
      put(root, fresh, next);
      document.title = parsed.title;
      shown(answer.url, query);
    } catch {
      location.assign(address);
    }
  };
}
