// Sends what is done in a room. Everything says which version of the room it answers, so
// sending it again is harmless: that is what happens when the connection fails.

import { sleep } from "./follow.js";
import { connected } from "./live.js";
import { say } from "./say.js";

const WAITS = [700, 1500, 3000];
const LOST = "Connection lost. Your move may not have arrived. Try again.";

export class Sender {
  constructor(table) {
    Object.assign(this, { table, busy: "", next: null });
  }

  // Send the form in the background; the page changes in place. While something is on its way,
  // nothing else is sent: but a move that is made while somebody looks at a hint is sent after it.
  async submit(form, button, body = new URLSearchParams(new FormData(form, button))) {
    if (this.busy) {
      if (this.busy === "get" && form.method === "post") this.next ??= [form, button, body];
      return;
    }
    this.busy = form.method;
    const post = form.method === "post";
    const typed = document.getElementById("move")?.value;
    const where = post ? form.action : `${this.table.root.dataset.at}/table?${body}`;
    const marked = button ?? form;
    marked.setAttribute("aria-busy", "true");
    if (post) this.table.waitForEyes();
    try {
      const answer = await this.send(where, post ? body : null);
      connected(true);
      if (answer.status === 404 || answer.redirected) return location.reload();
      const text = await answer.text();
      if (post) this.table.answered++;
      if (!text.includes('id="table"')) return this.fail(form, answer);
      if (answer.ok && post) this.table.waitForEyes();
      this.table.show(text, answer.ok);
      this.told(form, answer.ok, typed);
    } catch {
      connected(false);
      this.fail(form);
    } finally {
      this.busy = "";
      marked.removeAttribute("aria-busy");
      const next = this.next;
      this.next = null;
      if (next) this.submit(...next);
    }
  }

  async send(where, body) {
    const options = { headers: { "X-Numduel-Part": "table" }, cache: "no-store" };
    if (body) Object.assign(options, { method: "POST", body });
    for (const wait of [...WAITS, null]) {
      try {
        return await fetch(where, options);
      } catch (error) {
        if (wait === null) throw error;
        connected(false);
        await sleep(wait * (0.75 + Math.random() / 2));
      }
    }
  }

  // A move that was played leaves the field empty, unless somebody typed on meanwhile;
  // one that was not stays, in focus.
  told(form, ok, typed) {
    const field = document.getElementById("move");
    if (form.id === "ask-hint") return say(this.table.text("#hint-text"));
    if (ok) {
      const moved = form.id === "typed" || form.id === "moves";
      if (moved && field?.value === typed) field.value = "";
      return;
    }
    say(this.table.text("#move-wrong") || this.table.text("#wrong"));
    if (form.id === "typed" && field) {
      field.focus();
      field.select();
    }
  }

  fail(form, answer) {
    const said = !answer
      ? LOST
      : answer.status === 429
        ? "Too many requests at once. Wait a moment, then try again."
        : "That did not work. Try again in a moment.";
    document.getElementById("move-wrong")?.replaceChildren(said);
    say(said);
  }
}
