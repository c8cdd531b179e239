// Shown by the service worker in place of a page that the network did not bring: asks until the server answers, and then
// for that page.

import { address, cookieName, pathIn } from "./address.js";
import { handed, here, siteIsHere } from "./handed.js";

const FIRST = 2000; // milliseconds between two tries
const LONGEST = 15_000;

const sections = [...document.querySelectorAll("section[lang]")];
const spoken = sections.map((section) => section.lang);
const wanted = [cookie("language"), ...navigator.languages.map((code) => code.split("-")[0].toLowerCase())];
const language = wanted.find((code) => spoken.includes(code)) ?? spoken[0];
for (const section of sections) section.hidden = section.lang !== language;
document.documentElement.lang = language;
document.documentElement.dataset.theme = cookie("theme") || "auto";

const table = pathIn(location.pathname)?.match(/^\/t\/(\w+)$/)?.[1];
if (table && handed(table) && (await siteIsHere())) {
  for (const offer of document.querySelectorAll("[data-go-on]")) {
    offer.hidden = false;
    offer.querySelector("a").href = `${here}/t/${table}`;
  }
}

// What was kept works all the same.
for (const request of await kept()) {
  const { pathname } = new URL(request.url);
  for (const link of document.querySelectorAll(`[data-kept="${CSS.escape(pathname)}"]`)) link.hidden = false;
}
for (const list of document.querySelectorAll("[data-works]")) list.hidden = !list.querySelector("[data-kept]:not([hidden])");
for (const note of document.querySelectorAll("[data-none]")) note.hidden = !note.parentElement.querySelector("[data-works][hidden]");

let wait = FIRST;
setTimeout(ask, wait);
addEventListener("online", again);
for (const button of document.querySelectorAll("[data-again]")) {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    again();
  });
}

async function ask() {
  try {
    if ((await fetch(address("/readyz"), { cache: "no-store" })).ok) return again();
  } catch {
    // still away
  }
  wait = Math.min(wait * 1.5, LONGEST);
  setTimeout(ask, wait * (0.7 + 0.6 * Math.random())); // not all who wait at the same moment
}

function again() {
  if (location.pathname === address("/offline")) location.assign(address("/"));
  else location.reload();
}

async function kept() {
  try {
    const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return requests.flat();
  } catch {
    return []; // a browser that keeps nothing
  }
}

function cookie(name) {
  return document.cookie.match(`(?:^|; )${cookieName(name)}=(\\w+)`)?.[1] ?? "";
}
