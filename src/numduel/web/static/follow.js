// Follows what our own server says: fetches a page, turns this one into it in place, so that what
// stays keeps its focus, its scroll and what was typed, and reads out what has changed.

// Each sentence that is read out is a line of its own, so that no later one takes the place of one
// that is still to be read.
const KEPT = 6;

export function say(text) {
  const news = document.getElementById("news");
  news.append(Object.assign(document.createElement("p"), { textContent: text }));
  while (news.childElementCount > KEPT) news.firstElementChild.remove();
}

// Say whether the server answers, when that changes.
const connection = document.getElementById("connection");

export function connected(yes) {
  if (!connection || yes === connection.hidden) return;
  connection.hidden = yes;
  say(yes ? "Connected again." : "Connection lost. Trying again.");
}

export const parse = (text) => new DOMParser().parseFromString(text, "text/html");
export const sleep = (time) => new Promise((done) => setTimeout(done, time));

// A part of the page, `root`. What leads to the same page is fetched from `at`, its forms are sent
// in the background, and what comes of it is put in place.
export class Part {
  moment = 0; // grows with all that is asked for, and with what was changed
  sending = new Set(); // forms that change something
  waits = []; // after which it is sent again when the connection fails

  constructor(root, at = location.pathname) {
    Object.assign(this, { root, at });
    root.addEventListener("submit", (event) => {
      const { target: form, submitter: button } = event;
      this.leaves = "leaves" in form.dataset; // the news would be that the page is gone
      if (this.leaves || !this.takes(form, button)) return;
      event.preventDefault();
      if (button?.ariaDisabled !== "true") this.send(form, button);
    });
  }

  takes(form, button) {
    const { pathname } = new URL(button?.getAttribute("formaction") ?? form.action, location);
    return `${pathname}/`.startsWith(`${this.root.dataset.at ?? this.at}/`);
  }

  isBusy() {
    return this.sending.size > 0;
  }

  // Send a form: not while another is on its way. What only asks may be overtaken.
  async send(form, button) {
    if (this.isBusy(form)) return;
    const body = new URLSearchParams(new FormData(form, button));
    const sent = { form, body, typed: document.getElementById("move")?.value };
    if (button) button.ariaBusy = "true";
    if (form.method === "post") {
      this.sending.add(form);
      await this.go(form.action, sent, { method: "POST", body });
      this.sending.delete(form);
    } else await this.go(`${this.at}?${body}`, sent);
    if (button) button.ariaBusy = null;
  }

  // Fetch the address, and show it unless something else was asked for meanwhile.
  async go(address, sent, how) {
    const mine = ++this.moment;
    try {
      const answer = await this.fetch(address, how);
      const page = parse(await answer.text());
      if (how) this.moment++;
      else if (mine !== this.moment) return;
      this.show(page, answer, sent);
      // A move leaves its field, unless somebody typed on meanwhile.
      const field = answer.ok && sent?.body.has("move") && document.getElementById("move");
      if (field && field.value === sent.typed) field.value = "";
    } catch {
      this.fail(address);
    }
  }

  async fetch(address, how) {
    const headers = { "X-Numduel-Part": this.root.id };
    for (const wait of [...this.waits, 0]) {
      const answer = await fetch(address, { headers, ...how }).catch(() => null);
      connected(answer !== null);
      if (answer) return answer;
      await sleep(wait * (0.75 + Math.random() / 2));
    }
    throw new Error("no answer");
  }

  fail(address) {
    location.assign(address);
  }

  // Put this page in place; its address is the one that it gives itself, if any.
  show(page, answer) {
    put(this.root, page.getElementById(this.root.id));
    document.title = page.title;
    history.replaceState(null, "", this.root.dataset.address || answer.url);
  }
}

// Turn this part of the page into a fresh one. What had the focus keeps it, even where it was moved;
// if it is gone, `next()` gets it.
export function put(old, fresh, next = () => document.querySelector("#turn, #where")) {
  const focused = document.activeElement;
  const inside = old.contains(focused) && focused !== old;
  morph(old, fresh);
  if (!inside || document.activeElement === focused) return;
  (focused.isConnected ? focused : next())?.focus({ preventScroll: true });
}

// Children are paired by id or data-key, else in order.
const keyOf = (node) => (node.nodeType === 1 ? node.id || node.dataset.key || "" : "");

function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== 1) return (old.nodeValue = fresh.nodeValue);
  setAttributes(old, fresh);
  // A table within a class follows its room by itself.
  if (old.nodeName !== "TEXTAREA" && !old.dataset.code) morphChildren(old, fresh);
  const chosen = old.nodeName === "SELECT" && fresh.querySelector("option[selected]");
  if (chosen && old !== document.activeElement) old.value = chosen.value;
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
}

function morphChildren(old, fresh) {
  const wanted = new Set([...fresh.childNodes].map(keyOf));
  const known = new Map();
  for (const child of [...old.childNodes]) {
    // Those that are not wanted any more do not stand in the way.
    if (!wanted.has(keyOf(child)) && keyOf(child)) child.remove();
    else known.set(keyOf(child), child);
  }
  let at = old.firstChild;
  for (const next of fresh.childNodes) {
    const match = keyOf(next) ? known.get(keyOf(next)) : at;
    if (match?.nodeName !== next.nodeName || keyOf(match) !== keyOf(next)) {
      old.insertBefore(document.importNode(next, true), at);
      continue;
    }
    if (match === at) at = at.nextSibling;
    else old.insertBefore(match, at);
    morph(match, next);
  }
  while (old.childNodes.length > fresh.childNodes.length) old.lastChild.remove();
}
