// Python and the web application in it. Pages and the service worker talk to it over one channel.

import { keptFiles } from "./kept_files.js";
import { landlord } from "./lodged_engine.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const FOLDER = "/kept";
const NAMES = ["rooms.sqlite", "rooms.sqlite-journal"];
const { base, program, steps } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const channel = new BroadcastChannel(`branchline ${base}`);
let bridge;

// Every host can serve what is compressed already, whether it compresses or not.
const plainFetch = self.fetch.bind(self);
self.fetch = async (what, options) => {
  const url = String(what.url ?? what);
  if (!url.endsWith("pyodide.asm.wasm")) return plainFetch(what, options);
  const packed = await plainFetch(`${url}.gz`);
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
    const found = await bridge.answer(method, url, JSON.stringify([...headers, ...more]), body);
    const [status, said, content] = found.toJs({ create_pyproxies: false });
    found.destroy();
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
  step();
  const begin = python.runPython(`
import sys
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
}

start().catch((error) => {
  console.error(error);
  postMessage({ failed: String(error) });
});
