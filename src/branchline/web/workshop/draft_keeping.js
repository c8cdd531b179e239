// Keeps the steps of a draft: in this browser at once (IndexedDB), on the server soon. A step has a mark by which the
// server knows it again, so that it is never taken twice; steps of tabs that have crashed are found by the next one.

import { storedAs } from "../core/browser/address.js";
import { applied, fitted, readDraft } from "./draft.js";
import { openKept } from "./kept_steps.js";

const SOON = 350; // ms after a step
const NEWS = 20_000; // ms between looks for what others have saved
const PATIENCE = [2_000, 5_000, 10_000, 30_000]; // ms before a server that was away is asked again
const AT_ONCE = 40; // steps in one save
const LARGEST = 700_000; // letters of one save

// `told(state)`: how it stands: saved, saving, away, often, refused, expired. `changed(lost)`: the draft is another one.
export async function keeping(options) {
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(storedAs(`branchline draft ${options.id}`)) : null;
  const keeper = new Keeper({ ...options, kept: await openKept(), saved: (version) => channel?.postMessage(version) });
  channel?.addEventListener("message", ({ data }) => data !== keeper.version && !keeper.sending && keeper.takeNews());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      if (keeper.waiting) keeper.send();
    } else keeper.takeNews();
  });
  addEventListener("online", () => (keeper.waiting ? keeper.later(0) : keeper.takeNews()));
  setInterval(() => !document.hidden && !keeper.sending && !keeper.waiting && keeper.takeNews(), NEWS);
  addEventListener("beforeunload", (event) => {
    if (keeper.onlyHere) event.preventDefault(); // this browser keeps nothing
  });
  return keeper;
}

// The steps of one draft, from the hand to the server. `kept`: where this browser keeps them, see `openKept`;
// `saved(version)`: the server has some more.
export class Keeper {
  #pending = []; // [mark, step, key in the browser], in order
  #seen = new Set(); // marks of steps that the server has
  #failures = 0;
  #sending = null;
  #base; // the draft as the server has it
  #timer;

  constructor({ path, id, csrf, version, content, mayEdit, told, changed, kept, saved }) {
    Object.assign(this, { path, id, csrf, version, mayEdit, told, changed, kept, saved });
    this.#base = readDraft(content);
    this.draft = this.#base;
  }

  get waiting() {
    return this.#pending.length > 0;
  }

  get sending() {
    return this.#sending !== null;
  }

  // Whether a step is neither in this browser nor on the server.
  get onlyHere() {
    return this.#pending.some(([, , key]) => key === null);
  }

  add(step) {
    this.draft = applied(this.draft, step);
    const mark = newMark();
    const entry = [mark, step, null];
    this.#pending.push(entry);
    this.told("saving");
    this.kept.add({ draft: this.id, mark, step }).then((key) => {
      entry[2] = key;
      if (this.#seen.has(mark) && key !== null) this.kept.drop([key]); // saved meanwhile
    });
    this.later(SOON);
  }

  // What another tab or a crash has left; the server may have it already.
  async recover() {
    const unsent = this.mayEdit ? await this.kept.steps(this.id) : [];
    if (!unsent.length) return;
    await this.takeNews(); // which of them it has
    const lost = [];
    for (const { key, mark, step } of unsent) {
      if (this.#seen.has(mark) || this.#pending.some(([waiting]) => waiting === mark)) {
        if (this.#seen.has(mark)) this.kept.drop([key]);
        continue;
      }
      const fit = fitted(this.draft, step);
      if (!fit) {
        lost.push(step.name);
        this.kept.drop([key]);
      } else if (fit.edits.length) {
        this.draft = applied(this.draft, fit);
        this.#pending.push([mark, fit, key]);
      } else this.kept.drop([key]);
    }
    if (this.waiting || lost.length) this.changed(lost);
    if (this.waiting) this.later(0);
  }

  // All steps are on the server; raises where it is away.
  async settled() {
    while (this.waiting) {
      await this.send();
      if (this.waiting) throw new Error("away");
    }
  }

  history() {
    return this.kept.history(this.id);
  }

  keepHistory(history) {
    return this.kept.keepHistory(this.id, history);
  }

  later(wait) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), wait);
  }

  send() {
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = null));
    return this.#sending;
  }

  async #sendAll() {
    while (this.waiting) {
      const batch = this.#batch();
      this.told("saving");
      const body = new FormData();
      body.set("csrf", this.csrf);
      body.set("version", this.version);
      body.set("steps", JSON.stringify(batch));
      const answer = await fetch(`${this.path}/save`, { method: "POST", body }).catch(() => null);
      if (!(await this.#answered(answer, batch))) return;
    }
    this.told("saved");
  }

  // As many of the first steps as one save takes.
  #batch() {
    const batch = [];
    let size = 0;
    for (const [mark, step] of this.#pending.slice(0, AT_ONCE)) {
      size += JSON.stringify(step).length;
      if (batch.length && size > LARGEST) break;
      batch.push([mark, step]);
    }
    return batch;
  }

  // Whether the next steps can be sent now.
  async #answered(answer, batch) {
    if (!answer || answer.status === 429 || answer.status >= 500) {
      this.told(answer?.status === 429 ? "often" : "away");
      this.later(PATIENCE[Math.min(this.#failures++, PATIENCE.length - 1)]);
      return false;
    }
    this.#failures = 0;
    if (answer.status === 409) {
      this.#missed(await answer.json());
      return true;
    }
    if (!answer.ok) {
      // the next step tries again: it may take back one that was refused
      const refused = answer.status === 400 || answer.status === 413;
      this.told(refused ? "refused" : "expired", (await answer.json().catch(() => ({}))).why);
      return false;
    }
    const { version } = await answer.json();
    this.#take(batch, version);
    this.saved(version);
    return true;
  }

  // The server has these steps.
  #take(steps, version) {
    for (const [mark, step] of steps) {
      this.#base = applied(this.#base, step);
      this.#seen.add(mark);
    }
    this.version = version;
    this.#drop(steps.map(([mark]) => mark));
  }

  #drop(marks) {
    const gone = this.#pending.filter(([mark]) => marks.includes(mark));
    this.#pending = this.#pending.filter(([mark]) => !marks.includes(mark));
    this.kept.drop(gone.map(([, , key]) => key).filter((key) => key !== null));
  }

  // Somebody else was quicker: their steps first, then ours on top of them.
  #missed({ version, steps, draft: content }) {
    if (content) this.#base = readDraft(content);
    this.#take(steps ?? [], version);
    this.draft = this.#base;
    const lost = [];
    for (const entry of [...this.#pending]) {
      const fit = fitted(this.draft, entry[1]);
      if (fit?.edits.length) {
        this.draft = applied(this.draft, fit);
        entry[1] = fit;
      } else {
        if (!fit) lost.push(entry[1].name);
        this.#drop([entry[0]]);
      }
    }
    this.changed(lost);
  }

  async takeNews() {
    try {
      const answer = await fetch(`${this.path}/since/${this.version}`);
      if (!answer.ok) return;
      const news = await answer.json();
      if (this.sending || news.version === this.version) return;
      this.#missed(news);
    } catch {
      // the server is away: the next look
    }
  }
}

function newMark() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
