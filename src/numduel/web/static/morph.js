// Turns one piece of a page into another, in place: what stays keeps its focus,
// its scroll and what was typed. Children are paired by id or data-key, else in order.

const keyOf = (node) => (node.nodeType === 1 ? node.id || node.dataset.key || "" : "");

const fits = (old, fresh) =>
  old.nodeType === fresh.nodeType && old.nodeName === fresh.nodeName && keyOf(old) === keyOf(fresh);

export function morph(old, fresh) {
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
