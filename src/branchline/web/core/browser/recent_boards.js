// The boards of the workshop that this browser has opened, the latest first.

import { pathIn, storedAs } from "./address.js";

const RECENT = storedAs("branchline workshop recent");
const MOST = 40;

export function recentBoards() {
  try {
    const boards = JSON.parse(localStorage.getItem(RECENT));
    return Array.isArray(boards) ? boards.filter((board) => pathIn(board?.path)?.startsWith("/workshop/")) : [];
  } catch {
    return []; // nothing is kept, or it is no JSON
  }
}

// `edit`: whether the link at `path` allows changes.
export function rememberBoard({ id, path, title, edit }) {
  const others = recentBoards().filter((board) => board.id !== id);
  try {
    localStorage.setItem(RECENT, JSON.stringify([{ id, path, title, at: Date.now(), edit }, ...others].slice(0, MOST)));
  } catch {
    // this browser keeps nothing
  }
}
