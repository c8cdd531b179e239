// The names of those who play at this phone, as they were typed last: whoever was dealt to is counted, too.

import { storedAs } from "./address.js";

const KEY = storedAs("branchline count-names");

export function rememberedNames() {
  try {
    const names = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return []; // this browser keeps nothing
  }
}

export function rememberNames(names) {
  try {
    localStorage.setItem(KEY, JSON.stringify(names.map((name) => name.trim())));
  } catch {
    // then they are typed again
  }
}
