// A table without others whose server cannot be reached goes on in this browser, on the site that the server has for that;
// what was played there comes back when this page is opened again.

import { drop, handed, here, isHere, keep, siteIsHere } from "../core/browser/handed.js";
import { notice, texts } from "../core/browser/page.js";

const room = document.body.dataset.room;
const AGAIN = 3000; // ms until the course is sent again
const FINAL = [400, 422]; // the course is none of this game, and never will be

export function followCopy() {
  keepCopy();
  if (isHere || !text()) return;
  readySite();
  bringBack();
}

const text = () => document.getElementById("copy").textContent;

// After every message: what is kept here is never older than what the page shows.
export function keepCopy() {
  const entry = handed(room);
  if (isHere) {
    if (entry?.left !== undefined && text()) keep(room, { ...entry, played: text() });
  } else if (text()) {
    keep(room, { ...entry, version: document.getElementById("copy").dataset.version, copy: text() });
  } else if (entry && !entry.played) {
    drop(room); // it is over
  }
}

// All files of the site, so that it is here when it is needed.
async function readySite() {
  if (!("serviceWorker" in navigator) || navigator.connection?.saveData) return;
  try {
    const registration = await navigator.serviceWorker.register(`${here}/service-worker.js`, { scope: `${here}/`, updateViaCache: "none" });
    const worker = registration.active ?? registration.waiting ?? registration.installing;
    if (worker.state !== "activated") {
      await new Promise((done) => worker.addEventListener("statechange", () => worker.state === "activated" && done()));
    }
    navigator.serviceWorker.addEventListener("message", async ({ data }) => {
      if (!data.kept) return;
      await navigator.serviceWorker.ready; // the server's own: without it this address shows nothing when the server is gone
      document.documentElement.dataset.siteKept = "";
    });
    worker.postMessage("keep all");
  } catch (error) {
    console.warn(error); // without it the table waits for its server, as any other
  }
}

// While the server cannot be reached.
export async function offerToGoOn() {
  if (isHere || !handed(room) || !(await siteIsHere())) return;
  if (!document.body.classList.contains("offline")) return; // it is back already
  say(texts.go_on, `${here}/t/${room}`, texts.play_here);
}

function say(sentence, to, label) {
  notice(sentence, true);
  const way = Object.assign(document.createElement("a"), { className: "button", href: to, textContent: label });
  document.getElementById("notice").append(" ", way);
}

async function bringBack() {
  const { left, played } = handed(room) ?? {};
  if (!played) return;
  const form = new FormData();
  form.set("csrf", document.getElementById("copy").dataset.csrf);
  form.set("version", left);
  form.set("file", played);
  try {
    const answer = await fetch(`${location.pathname}/course`, { method: "POST", body: form, headers: { accept: "application/json" } });
    if (!answer.ok && !FINAL.includes(answer.status)) throw new Error(`${answer.status}`);
    arrived(played, await answer.json());
  } catch (error) {
    console.warn(error);
    setTimeout(bringBack, AGAIN);
  }
}

function arrived(played, { why, said, to, label, version }) {
  const entry = handed(room);
  if (entry.played === played) delete entry.played; // or else it went on there meanwhile
  if (entry.played || text()) keep(room, { ...entry, left: version ?? entry.left });
  else drop(room); // it is over
  if (to) say(said, to, label);
  else if (why || said) notice(why || said);
}
