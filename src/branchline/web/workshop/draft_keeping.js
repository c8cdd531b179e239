// Keeps the steps of a draft: in this browser at once (IndexedDB), on the server soon. A step has a mark by which the
// server knows it again, so that it is never taken twice; steps of tabs that have crashed are found by the next one.

import { storedAs } from "../core/browser/address.js";
import { applied, fitted, readDraft } from "./draft.js";

const SOON = 350; // ms after a step
const NEWS = 20_000; // ms between looks for what others have saved
const PATIENCE = [2_000, 5_000, 10_000, 30_000]; // ms before a server that was away is asked again
const AT_ONCE = 40; // steps in one save
const LARGEST = 700_000; // letters of one save

// `told(state)`: how it stands: saved, saving, away, often, refused, expired. `changed(lost)`: the draft is another one.
export async function keeping({ path, id, csrf, version, content, mayEdit, told, changed }) {
  const kept = await openKept();
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(storedAs(`branchline draft ${id}`)) : null;
  let base = readDraft(content);
  let pending = []; // [mark, step, key in the browser], in order
  let draft = base;
  let sending = null;
  let timer;
  let failures = 0;

  // What another tab or a crash has left; the server may have it already.
  async function recover() {
    const unsent = await kept.steps(id);
    if (!unsent.length) return;
    await takeNews(); // which of them it has
    const lost = [];
    for (const { key, mark, step } of unsent) {
      if (seen.has(mark) || pending.some(([waiting]) => waiting === mark)) {
        if (seen.has(mark)) kept.drop([key]);
        continue;
      }
      const fit = fitted(draft, step);
      if (!fit) {
        lost.push(step.name);
        kept.drop([key]);
      } else if (fit.edits.length) {
        draft = applied(draft, fit);
        pending.push([mark, fit, key]);
      } else kept.drop([key]);
    }
    if (pending.length || lost.length) changed(lost);
    if (pending.length) later(0);
  }

  const seen = new Set(); // marks of steps that the server has

  function add(step) {
    draft = applied(draft, step);
    const mark = newMark();
    const entry = [mark, step, null];
    pending.push(entry);
    told("saving");
    kept.add({ draft: id, mark, step }).then((key) => {
      entry[2] = key;
      if (seen.has(mark) && key !== null) kept.drop([key]); // saved meanwhile
    });
    later(SOON);
  }

  function later(wait) {
    clearTimeout(timer);
    timer = setTimeout(() => send(), wait);
  }

  function send() {
    sending ??= sent().finally(() => (sending = null));
    return sending;
  }

  async function sent() {
    while (pending.length) {
      const batch = [];
      let size = 0;
      for (const [mark, step] of pending.slice(0, AT_ONCE)) {
        size += JSON.stringify(step).length;
        if (batch.length && size > LARGEST) break;
        batch.push([mark, step]);
      }
      told("saving");
      const body = new FormData();
      body.set("csrf", csrf);
      body.set("version", version);
      body.set("steps", JSON.stringify(batch));
      const answer = await fetch(`${path}/save`, { method: "POST", body }).catch(() => null);
      if (!answer || answer.status === 429 || answer.status >= 500) {
        told(answer?.status === 429 ? "often" : "away");
        later(PATIENCE[Math.min(failures++, PATIENCE.length - 1)]);
        return;
      }
      failures = 0;
      if (answer.status === 409) {
        missed(await answer.json());
      } else if (answer.ok) {
        const { version: now } = await answer.json();
        for (const [mark, step] of batch) {
          base = applied(base, step);
          seen.add(mark);
        }
        version = now;
        drop(batch.map(([mark]) => mark));
        channel?.postMessage(version);
      } else if (answer.status === 400) {
        told("refused", (await answer.json().catch(() => ({}))).why);
        return; // the next step, which may take this one back, tries again
      } else {
        told(answer.status === 413 ? "refused" : "expired", (await answer.json().catch(() => ({}))).why);
        return;
      }
    }
    told("saved");
  }

  function drop(marks) {
    const gone = pending.filter(([mark]) => marks.includes(mark));
    pending = pending.filter(([mark]) => !marks.includes(mark));
    kept.drop(gone.map(([, , key]) => key).filter((key) => key !== null));
  }

  // Somebody else was quicker: their steps first, then ours on top of them.
  function missed({ version: now, steps, draft: content }) {
    if (content) base = readDraft(content);
    for (const [mark, step] of steps ?? []) {
      base = applied(base, step);
      seen.add(mark);
    }
    version = now;
    drop((steps ?? []).map(([mark]) => mark));
    draft = base;
    const lost = [];
    for (const entry of [...pending]) {
      const fit = fitted(draft, entry[1]);
      if (fit?.edits.length) {
        draft = applied(draft, fit);
        entry[1] = fit;
      } else {
        if (!fit) lost.push(entry[1].name);
        drop([entry[0]]);
      }
    }
    changed(lost);
  }

  async function takeNews() {
    try {
      const answer = await fetch(`${path}/since/${version}`);
      if (!answer.ok) return;
      const news = await answer.json();
      if (sending || news.version === version) return;
      missed(news);
    } catch {
      // the server is away: the next look
    }
  }

  channel?.addEventListener("message", ({ data }) => data !== version && !sending && takeNews());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      if (pending.length) send();
    } else takeNews();
  });
  addEventListener("online", () => (pending.length ? later(0) : takeNews()));
  setInterval(() => !document.hidden && !sending && !pending.length && takeNews(), NEWS);
  addEventListener("beforeunload", (event) => {
    if (pending.some(([, , key]) => key === null)) event.preventDefault(); // this browser keeps nothing
  });

  return {
    get draft() {
      return draft;
    },
    get version() {
      return version;
    },
    get waiting() {
      return pending.length > 0;
    },
    add,
    recover: mayEdit ? recover : async () => {},
    settled: async () => {
      while (pending.length) {
        await send();
        if (pending.length) throw new Error("away");
      }
    },
    history: () => kept.history(id),
    keepHistory: (history) => kept.keepHistory(id, history),
  };
}

function newMark() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// --- this browser

async function openKept() {
  let database;
  try {
    database = await new Promise((resolve, reject) => {
      const request = indexedDB.open(storedAs("branchline workshop"), 1);
      request.onupgradeneeded = () => {
        const steps = request.result.createObjectStore("steps", { keyPath: "key", autoIncrement: true });
        steps.createIndex("draft", "draft");
        request.result.createObjectStore("history");
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error("blocked"));
    });
  } catch {
    database = null; // a private window: the server alone keeps the steps
  }
  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const store = (name, mode) => database.transaction(name, mode).objectStore(name);
  const safely = async (ask, otherwise) => {
    try {
      return database ? await ask() : otherwise;
    } catch {
      return otherwise; // full, or closed by the browser
    }
  };
  return {
    add: (entry) => safely(() => done(store("steps", "readwrite").add(entry)), null),
    steps: (draft) => safely(() => done(store("steps", "readonly").index("draft").getAll(draft)), []),
    drop: (keys) =>
      safely(async () => {
        const steps = store("steps", "readwrite");
        await Promise.all(keys.map((key) => done(steps.delete(key))));
      }),
    history: (draft) => safely(() => done(store("history", "readonly").get(draft)), undefined),
    keepHistory: (draft, history) => safely(() => done(store("history", "readwrite").put(history, draft))),
  };
}
