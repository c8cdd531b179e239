// Counts that this browser keeps: each is written at every change, so a crash or a second tab loses nothing.

import { storedAs } from "../address.js";

const KEY = storedAs("branchline count ");
const MOST = 200;

export const newId = () => [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(36).padStart(2, "0")).join("").slice(0, 12);

const isCount = (key) => key?.startsWith(KEY);

export const idOf = (key) => (isCount(key) ? key.slice(KEY.length) : null);

// All counts, the latest first: {id, changed, record}.
export function keptCounts() {
  const counts = [];
  try {
    for (let n = 0; n < localStorage.length; n += 1) {
      const id = idOf(localStorage.key(n));
      const count = id && keptCount(id);
      if (count) counts.push(count);
    }
  } catch {
    return []; // this browser keeps nothing
  }
  return counts.sort((a, b) => b.changed - a.changed);
}

export function keptCount(id) {
  try {
    const count = JSON.parse(localStorage.getItem(KEY + id));
    return count && typeof count.record === "object" && count.record ? { ...count, id } : null;
  } catch {
    return null;
  }
}

// False: the browser does not keep it.
export function keep(id, record) {
  try {
    localStorage.setItem(KEY + id, JSON.stringify({ changed: Date.now(), record }));
    for (const old of keptCounts().slice(MOST)) forgetCount(old.id);
    return true;
  } catch {
    return false;
  }
}

export function forgetCount(id) {
  try {
    localStorage.removeItem(KEY + id);
  } catch {
    // it was never kept
  }
}

// Another tab has changed a count: it is told which.
export function followOthers(changed) {
  addEventListener("storage", (event) => {
    const id = idOf(event.key);
    if (id) changed(id);
  });
}
