// Evenings that shall be kept on the server: noted in this browser first, and sent as soon as there is a network.

import { address, storedAs } from "../core/browser/address.js";

const WAITING = storedAs("branchline evenings-waiting");

export function noteEvening(id, record) {
  const waiting = { ...waitingEvenings(), [id]: { at: Date.now() / 1000, record } };
  localStorage.setItem(WAITING, JSON.stringify(waiting));
}

function waitingEvenings() {
  try {
    const waiting = JSON.parse(localStorage.getItem(WAITING));
    return waiting && typeof waiting === "object" ? waiting : {};
  } catch {
    return {};
  }
}

// "kept": nothing waits any longer; "waiting": no network, or the server is away; otherwise the server's reason.
// Of several open pages one sends at a time. Together, each could be given a cookie of its own: only the last one counts,
// and an evening sent with another is not seen until the second page has sent it too, or never if that page is closed.
// Browsers have locks only with TLS, or on the server's own machine.
export function sendEvenings() {
  return navigator.locks ? navigator.locks.request(WAITING, sendWaiting) : sendWaiting();
}

async function sendWaiting() {
  const waiting = Object.entries(waitingEvenings());
  if (!waiting.length) return "kept";
  let refused = "";
  let away = false;
  try {
    const answer = await fetch(address("/evenings/form.json"), { cache: "no-store" });
    if (!answer.ok) return "waiting";
    const { csrf } = await answer.json();
    for (const [id, { at, record }] of waiting) {
      const sent = await fetch(address("/evenings"), { method: "POST", body: new URLSearchParams({ csrf, id, at: String(at), position: JSON.stringify(record) }) });
      if (sent.status === 429) return "waiting";
      if (!sent.ok && sent.status !== 400) {
        away = true; // it waits on, but does not hold up the others
        continue;
      }
      if (!sent.ok) refused = (await sent.json().catch(() => ({}))).why || String(sent.status);
      const left = waitingEvenings();
      if (left[id]?.at === at) delete left[id];
      localStorage.setItem(WAITING, JSON.stringify(left));
    }
  } catch {
    return "waiting";
  }
  return away ? "waiting" : refused || "kept";
}
