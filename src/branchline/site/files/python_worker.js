// Python and the web application in it. Pages and the service worker talk to it over one channel.

import { keptFiles } from "./kept_files.js";
import { landlord } from "./lodged_engine.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const FOLDER = "/kept";
const NAMES = ["rooms.sqlite", "rooms.sqlite-journal"];
const settings = new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data), { once: true }));
const { base, version, program, later, steps } = await settings; // not in the address: what is kept forgets it
const COMPILED = `compiled ${base} ${version}`; // the cache, and the name in it
const COMPILED_FILE = new URL("compiled.zip", import.meta.url).href;
const channel = new BroadcastChannel(`branchline ${base}`);
let bridge;

// Every host can serve what is compressed already, whether it compresses or not.
const plainFetch = self.fetch.bind(self);
self.fetch = async (what, options) => {
  const url = String(what.url ?? what);
  if (!url.endsWith("pyodide.asm.wasm")) return plainFetch(what, options);
  const packed = await plainFetch(`${url}.packed`);
  if (!packed.ok) return packed;
  const plain = packed.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain, { headers: { "content-type": "application/wasm" } });
};

const asked = new Set(); // so that a question which is asked twice is answered once

channel.onmessage = async ({ data }) => {
  if (data.who && bridge) channel.postMessage({ state: "ready" });
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

let done = 0;
function step() {
  done += 1;
  postMessage({ done, of: steps });
}

async function start() {
  const [python, code] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href, fullStdLib: false }).finally(step),
    plainFetch(new URL(program, import.meta.url)).then((found) => found.arrayBuffer()).finally(step),
  ]);
  self.branchlineEngine = landlord(python._module.memory);
  const lasting = await keptFiles(python.FS, FOLDER, NAMES, base, (what) => postMessage({ trouble: what }));
  if (!lasting) postMessage({ trouble: "forgets" });
  python.FS.mkdirTree("/program");
  python.unpackArchive(code, "zip", { extractDir: "/program" });
  const compiled = await (await caches.open(COMPILED)).match(COMPILED_FILE);
  if (compiled) python.unpackArchive(await compiled.arrayBuffer(), "zip", { extractDir: "/program" });
  for (const path of later) fetchWhenRead(python.FS, `/program/branchline/${path}`);
  step();
  const begin = python.runPython(`
import os, sys
for folder, _, files in os.walk("/program"):
    for file in files:
        if file.endswith(".py"):
            os.utime(f"{folder}/{file}", (0, 0))  # as when what is compiled was kept
sys.path.insert(0, "/program")
from branchline.site import begin
begin.begin()
from branchline.site.in_browser import open_bridge
open_bridge`);
  step();
  bridge = await begin(`${FOLDER}/${NAMES[0]}`, base, location.host, location.protocol.slice(0, -1), new URL("page.js", import.meta.url).pathname);
  step();
  channel.postMessage({ state: "ready" });
  postMessage({ ready: true });
  if (!compiled) await keepCompiled(python);
}

// What Python has compiled of the program, for the next start: compiling takes most of the first one.
async function keepCompiled(python) {
  const archive = python.runPython(`
import io, pathlib, zipfile
made = io.BytesIO()
with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
    for file in pathlib.Path("/program").rglob("*.pyc"):
        archive.write(file, file.relative_to("/program"))
made.getvalue()`);
  const bytes = archive.toJs();
  archive.destroy?.();
  try {
    for (const name of await caches.keys()) {
      if (name.startsWith(`compiled ${base} `) && name !== COMPILED) await caches.delete(name);
    }
    await (await caches.open(COMPILED)).put(COMPILED_FILE, new Response(bytes));
  } catch (error) {
    console.warn(error); // without room it is compiled again
  }
}

// A file of the program that is fetched when Python reads it: few people need it, and it is large.
function fetchWhenRead(FS, path) {
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
    request.open("GET", new URL(path.slice(path.lastIndexOf("/") + 1), import.meta.url), false);
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
