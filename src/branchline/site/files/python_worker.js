// Python and the web application in it. Pages and the service worker talk to it over one channel.

import { keepStarted, startedCache, startedPython } from "./interpreter.js";
import { keptFiles } from "./kept_files.js";
import { secondPython } from "./second_python.js";

const FOLDER = "/kept";
const NAMES = ["rooms.sqlite", "rooms.sqlite-journal"];
const settings = await new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data), { once: true }));
const { base, version, steps, handed } = settings; // not in the address: what is kept forgets it
const LOOK = 2000; // ms between looks whether there is room again
const CALM = 3000; // ms: first comes whoever waits for a page
const channel = new BroadcastChannel(`branchline ${base}`);
let bridge;
let hasRoom = null; // whether the kept files can grow
let trouble = ""; // what everybody is told of this browser

const asked = new Set(); // so that a question which is asked twice is answered once

channel.onmessage = async ({ data }) => {
  if (data.who && bridge) channel.postMessage({ state: "ready" });
  if (data.who && trouble) channel.postMessage({ trouble });
  if (!bridge) return;
  if (data.ask && !asked.has(data.ask)) {
    asked.add(data.ask);
    channel.postMessage({ answer: data.ask, ...(await answer(data)) });
    asked.delete(data.ask);
  } else if (data.dial) {
    bridge.dial(data.dial, data.url, JSON.stringify(ofBrowser()), (what, value) => channel.postMessage({ said: data.dial, what, value }));
  } else if (data.hear) {
    bridge.hear(data.hear, data.text);
  } else if (data.hangUp) {
    bridge.hang_up(data.hangUp);
  } else if (data.cookie) {
    bridge.set_cookie(data.cookie);
  }
};

// What a browser adds to the headers of whatever it asks for, pages and WebSockets alike.
function ofBrowser() {
  return [["origin", location.origin], ["sec-fetch-site", "same-origin"], ["accept-language", navigator.languages.join(",")]];
}

async function answer({ method, url, headers, body }) {
  try {
    const [status, said, content] = await bridge.answer(method, url, JSON.stringify([...headers, ...ofBrowser()]), body);
    return { status, headers: JSON.parse(said), body: content };
  } catch (error) {
    console.error(error);
    return { status: 500, headers: [["content-type", "text/plain; charset=utf-8"]], body: new TextEncoder().encode(String(error)) };
  }
}

function complain(what) {
  if (what === "full" && trouble !== "full") awaitRoom();
  trouble = what;
  channel.postMessage({ trouble });
}

// Games come first, so what only makes the next start quick goes; everybody is told when there is room again.
function awaitRoom() {
  caches.delete(startedCache(base, version)).catch(console.warn);
  const looking = setInterval(() => {
    if (!hasRoom()) return;
    clearInterval(looking);
    complain("");
  }, LOOK);
}

let done = 0;
function step() {
  done += 1;
  postMessage({ done, of: steps });
}

async function start() {
  const { python, memory } = await startedPython(settings, step);
  hasRoom = await keptFiles(python.FS, FOLDER, NAMES, base, complain);
  if (!hasRoom) complain("forgets");
  self.branchlineSecondPython = secondPython(settings);
  const open = python.runPython(OPEN);
  bridge = await open(`${FOLDER}/${NAMES[0]}`, base, location.host, location.protocol.slice(0, -1), new URL("page.js", import.meta.url).pathname, Boolean(handed));
  step();
  channel.postMessage({ state: "ready" });
  postMessage({ ready: true });
  if (memory) {
    await new Promise((resolve) => setTimeout(resolve, CALM));
    await keepStarted(memory, settings);
  }
  postMessage({ started: true });
}

const OPEN = `
from branchline.site.in_browser import open_bridge
open_bridge`;

start().catch((error) => {
  console.error(error);
  postMessage({ failed: String(error) });
});
