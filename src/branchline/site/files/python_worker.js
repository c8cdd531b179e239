// Python and the web application in it. Pages and the service worker talk to it over one channel.

import { keptFiles, place, unpacked } from "./kept_files.js";
import { landlord } from "./lodged_engine.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const FOLDER = "/kept";
const NAMES = ["rooms.sqlite", "rooms.sqlite-journal"];
const settings = new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data), { once: true }));
const { base, version, later, steps, handed } = await settings; // not in the address: what is kept forgets it
const STARTED = `started ${base} ${version}`; // the cache, and the name in it
const STARTED_FILE = new URL("started.packed", import.meta.url).href;
const GROWTH = 1 << 20;
const SPARE = 1 << 26; // bytes that must be free before what only saves time is kept
const LOOK = 2000; // ms between looks whether there is room again
const channel = new BroadcastChannel(`branchline ${base}`);
let bridge;
let hasRoom = null; // whether the kept files can grow
let trouble = ""; // what everybody is told of this browser

// Every host can serve what is compressed already, whether it compresses or not.
const plainFetch = self.fetch.bind(self);
self.fetch = async (what, options) => {
  const url = String(what.url ?? what);
  if (!/\.(wasm|zip)$/.test(url)) return plainFetch(what, options);
  const packed = await plainFetch(`${url}.packed`);
  if (!packed.ok) return packed;
  const plain = packed.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain, { headers: { "content-type": url.endsWith(".wasm") ? "application/wasm" : "application/zip" } });
};

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
    bridge.dial(data.dial, data.url, location.origin, (what, value) => channel.postMessage({ said: data.dial, what, value }));
  } else if (data.hear) {
    bridge.hear(data.hear, data.text);
  } else if (data.hangUp) {
    bridge.hang_up(data.hangUp);
  } else if (data.cookie) {
    bridge.set_cookie(data.cookie);
  }
};

async function answer({ method, url, headers, body }) {
  const more = [["origin", location.origin], ["sec-fetch-site", "same-origin"], ["accept-language", navigator.languages.join(",")]];
  try {
    const [status, said, content] = await bridge.answer(method, url, JSON.stringify([...headers, ...more]), body);
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
  caches.delete(STARTED).catch(console.warn);
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

// The first start imports the program; how Python's memory looks then is kept, and later starts begin with it.
async function start() {
  const before = await startedBefore();
  const [python, files] = await Promise.all([
    interpreter(before).finally(step),
    plainFetch(new URL("program.packed", import.meta.url)).then(unpacked).finally(step),
  ]);
  place(python.FS, "/program", files);
  for (const [path, name] of Object.entries(later)) fetchWhenRead(python.FS, `/program/branchline/${path}`, name);
  self.branchlineEngine = landlord(python._module.memory);
  if (!before) python.runPython(IMPORTS);
  const started = before ? null : python.makeMemorySnapshot();
  step();
  hasRoom = await keptFiles(python.FS, FOLDER, NAMES, base, complain);
  if (!hasRoom) complain("forgets");
  const open = python.runPython(OPEN);
  bridge = await open(`${FOLDER}/${NAMES[0]}`, base, location.host, location.protocol.slice(0, -1), new URL("page.js", import.meta.url).pathname, Boolean(handed));
  step();
  channel.postMessage({ state: "ready" });
  postMessage({ ready: true });
  if (started) await keepStarted(started);
  postMessage({ started: true });
}

const IMPORTS = `
import sys
sys.path.insert(0, "/program")
from branchline.site import begin
begin.begin()
import branchline.site.in_browser`;
const OPEN = `
import random
random.seed()  # not as when the memory was kept
from branchline.site.in_browser import open_bridge
open_bridge`;

function interpreter(before) {
  return loadPyodide({
    indexURL: new URL("pyodide/", import.meta.url).href,
    fullStdLib: false,
    ...(before ? { _loadSnapshot: before, createPyodideModule: (settings) => roomyModule(settings, before.length) } : { _makeSnapshot: true }),
  });
}

// With room for a memory of this size: what Emscripten has put there is written over.
async function roomyModule(settings, size) {
  const { default: createPyodideModule } = await import("./pyodide/pyodide.asm.mjs");
  const module = await createPyodideModule(settings);
  while (module.HEAP8.length < size) module._malloc(GROWTH);
  module.HEAP8.fill(0);
  return module;
}

async function startedBefore() {
  try {
    const kept = await (await caches.open(STARTED)).match(STARTED_FILE);
    return kept ? await unpacked(kept) : null;
  } catch (error) {
    console.warn(error);
    return null;
  }
}

async function keepStarted(memory) {
  try {
    const { quota, usage } = await navigator.storage.estimate();
    if (quota - usage < SPARE) return;
    for (const name of await caches.keys()) {
      if (name.startsWith(`started ${base} `) && name !== STARTED) await caches.delete(name);
    }
    const compressed = new Blob([memory]).stream().pipeThrough(new CompressionStream("gzip"));
    await (await caches.open(STARTED)).put(STARTED_FILE, new Response(compressed));
  } catch (error) {
    console.warn(error); // without room everything is imported again
  }
}

// A file of the program that is fetched when Python reads it: few people need it, and it is large.
function fetchWhenRead(FS, path, name) {
  FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  FS.writeFile(path, "");
  const { node } = FS.lookupPath(path);
  const { getattr } = node.node_ops;
  const { open } = node.stream_ops;
  let here = false;
  const fetched = () => {
    if (here) return;
    here = true;
    const request = new XMLHttpRequest();
    request.open("GET", new URL(name, import.meta.url), false);
    request.responseType = "arraybuffer";
    request.send();
    const bytes = new Uint8Array(request.response);
    node.contents = bytes;
    node.usedBytes = bytes.length;
  };
  node.node_ops = { ...node.node_ops, getattr: (one) => (fetched(), getattr(one)) };
  node.stream_ops = { ...node.stream_ops, open: (stream) => (fetched(), open?.(stream)) };
}

start().catch((error) => {
  console.error(error);
  postMessage({ failed: String(error) });
});
