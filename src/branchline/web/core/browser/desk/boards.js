// The boards that this page may ask for, each fetched once, and kept for when there is no network.

import { address } from "../address.js";
import { notice } from "../notice.js";
import { boardOf } from "./board.js";
import { say, start } from "./words.js";

const boards = new Map(); // edition: board, as soon as it was asked for

const addressOf = (edition) => address(`/count/${edition}.json?language=${start.language}`);

// A board, or null; then it has been said why.
export async function boardNamed(edition) {
  if (!start.boards.some((board) => board.edition === edition)) {
    notice(say("unknown_edition"), true);
    return null;
  }
  if (!boards.has(edition)) boards.set(edition, fetchBoard(edition));
  const board = await boards.get(edition);
  if (!board) {
    boards.delete(edition);
    notice(say("no_board"), true);
  }
  return board;
}

async function fetchBoard(edition) {
  try {
    const answer = await fetch(addressOf(edition));
    return answer.ok ? boardOf(await answer.json()) : null;
  } catch {
    return null;
  }
}

// The worker keeps what it hands on: the page, and all editions, so that any can be had without a network.
export async function keepForLater(page) {
  if (!navigator.serviceWorker) return;
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
  for (const goal of [page, ...start.boards.map((board) => addressOf(board.edition))]) await fetch(goal).catch(() => null);
  document.body.toggleAttribute("data-offline", true); // from now on the network may go
}
