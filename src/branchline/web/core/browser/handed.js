// Games that go on in this browser while it cannot reach its server. Pages of the server and those of its site, which lie
// below it (`/here`), find them by the same names.
//
// For each table: `copy`, the game as its page shows it, at the `version` of the room; once it went on here also `left`,
// the version from which it did, and `played`, the game as it is here, until the server has it.

import { root } from "./address.js";

const HERE = "here";
const MOST = 20; // tables

export const isHere = root.split("/").at(-1) === HERE;
export const server = isHere ? root.slice(0, -HERE.length - 1) : root;
export const here = [server, HERE].join("/");

const KEPT = server ? `${server} branchline handed ` : "branchline handed ";

export function handed(room) {
  try {
    return JSON.parse(localStorage.getItem(KEPT + room));
  } catch {
    return null; // nothing is kept, or it is no JSON
  }
}

// False: this browser keeps nothing, or has no room.
export function keep(room, entry) {
  const text = JSON.stringify({ ...entry, at: Date.now() });
  try {
    for (const other of rooms().slice(MOST - 1)) if (other !== room && !handed(other).played) drop(other);
    localStorage.setItem(KEPT + room, text);
    return true;
  } catch {
    return false;
  }
}

export function drop(room) {
  localStorage.removeItem(KEPT + room);
}

// The tables, the latest first.
export function rooms() {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(KEPT)).map((name) => name.slice(KEPT.length));
  const at = new Map(names.map((room) => [room, handed(room)?.at ?? 0]));
  return names.sort((one, other) => at.get(other) - at.get(one));
}

// Whether the site is here, so that pages of it open without a network.
export async function siteIsHere() {
  const registration = await navigator.serviceWorker?.getRegistration(`${here}/`);
  return Boolean(registration?.active) && registration.scope.endsWith(`${here}/`);
}
