// Dealt tables that were opened on this phone: their links, so that a closed tab is no loss.

import { pathIn, storedAs } from "../core/browser/address.js";

const KEY = storedAs("branchline deals");
const MOST = 30;

export function keptTables() {
  try {
    const tables = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(tables) ? tables.filter((table) => /^\/deal\/[\w-]+\/[\w.-]+$/.test(pathIn(table?.path))) : [];
  } catch {
    return []; // this browser keeps nothing
  }
}

// One of {path, title, name}: it comes first from now on.
export function keepTable(table) {
  try {
    const others = keptTables().filter((other) => other.path !== table.path);
    localStorage.setItem(KEY, JSON.stringify([{ ...table, at: Date.now() }, ...others].slice(0, MOST)));
  } catch {
    // the link itself still works
  }
}
