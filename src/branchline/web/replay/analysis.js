// The analysis while it is made: the page is fetched again, and what has grown is put in its place.

import { put } from "../core/browser/fragments.js";

const PAUSE = 2000;

async function again() {
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return; // whoever loads the page hears why
    const analysis = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("found");
    put({ found: analysis.outerHTML });
    if (!analysis.querySelector("progress")) return;
  } catch {
    // without a network there is nothing new
  }
  setTimeout(again, PAUSE);
}

setTimeout(again, PAUSE);
