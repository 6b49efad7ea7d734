// Follows what our own server says: fetches a page, turns this one into it in place, so that what
// stays keeps its focus, its scroll and what was typed, and reads out what has changed.

// Each sentence that is read out is a line of its own, so that no later one takes the place of one
// that is still to be read.
const KEPT = 6;

export function say(text) {
  const news = document.getElementById("news");
  const line = document.createElement("p");
  line.textContent = text;
  news.append(line);
  while (news.childElementCount > KEPT) news.firstElementChild.remove();
}

export const parse = (text) => new DOMParser().parseFromString(text, "text/html");
export const sleep = (time) => new Promise((done) => setTimeout(done, time));

// Turn this part of the page into a fresh one. What had the focus keeps it, even where it was moved;
// if it is gone, `next()` gets it.
export function put(old, fresh, next) {
  const focused = document.activeElement;
  const inside = old.contains(focused) && focused !== old;
  morph(old, fresh);
  if (!inside || document.activeElement === focused) return;
  (focused.isConnected ? focused : next())?.focus({ preventScroll: true });
}

// A page that shows what is asked for, at once: `show(query)` fetches the page at `path` with that
// query, and puts its part `root` in place. `shown(url, query)` is called then.
export function asking(root, path, next, shown) {
  let asked = 0;
  return async (query) => {
    const number = ++asked;
    const address = `${path}?${new URLSearchParams(query)}`;
    try {
      const answer = await fetch(address, { cache: "no-store" });
      const parsed = parse(await answer.text());
      if (number !== asked) return;
      put(root, parsed.getElementById(root.id), next);
      document.title = parsed.title;
      shown(answer.url, query);
    } catch {
      location.assign(address);
    }
  };
}

// Children are paired by id or data-key, else in order.
const keyOf = (node) => (node.nodeType === 1 ? node.id || node.dataset.key || "" : "");

const fits = (old, fresh) =>
  old.nodeType === fresh.nodeType && old.nodeName === fresh.nodeName && keyOf(old) === keyOf(fresh);

function morph(old, fresh) {
  if (old.nodeType !== 1) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  if (!old.isEqualNode(fresh)) {
    setAttributes(old, fresh);
    if (old.nodeName !== "TEXTAREA") morphChildren(old, fresh);
  }
}

function setAttributes(old, fresh) {
  // What somebody opened stays open, and what was typed stays typed.
  const own = old.nodeName === "DETAILS" ? ["open"] : ["autofocus"];
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !own.includes(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) === value || own.includes(name)) continue;
    old.setAttribute(name, value);
    if (name === "value" && old !== document.activeElement) old.value = value;
    if (name === "checked") old.checked = true;
  }
  if (old.nodeName === "SELECT" && old !== document.activeElement) {
    const chosen = fresh.querySelector("option[selected]");
    if (chosen) queueMicrotask(() => (old.value = chosen.value));
  }
}

function morphChildren(old, fresh) {
  const known = new Map();
  for (const child of old.childNodes) if (keyOf(child)) known.set(keyOf(child), child);
  const wanted = new Set([...fresh.childNodes].map(keyOf).filter(Boolean));
  let at = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    const key = keyOf(next);
    // Old children that are not wanted any more do not stand in the way.
    while (at && keyOf(at) && !wanted.has(keyOf(at))) at = drop(at);
    let match = key ? known.get(key) : at && !keyOf(at) && fits(at, next) ? at : null;
    if (match && !fits(match, next)) match = null;
    if (match) {
      if (match === at) at = at.nextSibling;
      else old.insertBefore(match, at);
      morph(match, next);
    } else {
      old.insertBefore(document.importNode(next, true), at);
    }
  }
  while (at) at = drop(at);
}

function drop(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}
