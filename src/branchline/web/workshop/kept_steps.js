// The steps of drafts that this browser keeps (IndexedDB), until the server has them, and what can be taken back.

import { storedAs } from "../core/browser/address.js";

export async function openKept() {
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
