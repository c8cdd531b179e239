// Python with the program in it. The first start imports the program; how Python's memory looks then is kept, and later
// starts begin with it.

import { place, unpacked } from "./kept_files.js";
import { landlord } from "./lodged_engine.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const STARTED_FILE = new URL("started.packed", import.meta.url).href;
const GROWTH = 1 << 20;
const SPARE = 1 << 26; // bytes that must be free before what only saves time is kept
const IMPORTS = `
import sys
sys.path.insert(0, "/program")
from branchline.site import begin
begin.begin()
from branchline.site.in_browser import prepare
prepare()`;

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

// Returns Python, and its memory if that is not kept yet; `step` is called three times.
export async function startedPython({ base, version, later }, step) {
  const before = await startedBefore(startedCache(base, version));
  const [python, files] = await Promise.all([
    interpreter(before).finally(step),
    plainFetch(new URL("program.packed", import.meta.url)).then(unpacked).finally(step),
  ]);
  place(python.FS, "/program", files);
  for (const [path, name] of Object.entries(later)) fetchWhenRead(python.FS, `/program/branchline/${path}`, name);
  self.branchlineEngine = landlord(python._module.memory);
  if (!before) python.runPython(IMPORTS);
  const memory = before ? null : python.makeMemorySnapshot();
  python.runPython("import random\nrandom.seed()"); // not as when the memory was kept
  step();
  return { python, memory };
}

async function interpreter(before) {
  const size = before?.length;
  const python = await loadPyodide({
    indexURL: new URL("pyodide/", import.meta.url).href,
    fullStdLib: false,
    ...(before ? { _loadSnapshot: before, createPyodideModule: (settings) => roomyModule(settings, size) } : { _makeSnapshot: true }),
  });
  delete python._api.config._loadSnapshot; // or that memory would be there twice
  return python;
}

// With room for a memory of this size: what Emscripten has put there is written over.
async function roomyModule(settings, size) {
  const { default: createPyodideModule } = await import("./pyodide/pyodide.asm.mjs");
  const module = await createPyodideModule(settings);
  while (module.HEAP8.length < size) module._malloc(GROWTH);
  module.HEAP8.fill(0);
  return module;
}

export function startedCache(base, version) {
  return `started ${base} ${version}`;
}

async function startedBefore(cache) {
  try {
    const kept = await (await caches.open(cache)).match(STARTED_FILE);
    return kept ? await unpacked(kept) : null;
  } catch (error) {
    console.warn(error);
    return null;
  }
}

export async function keepStarted(memory, { base, version }) {
  const cache = startedCache(base, version);
  try {
    const { quota, usage } = await navigator.storage.estimate();
    if (quota - usage < SPARE) return;
    for (const name of await caches.keys()) {
      if (name.startsWith(`started ${base} `) && name !== cache) await caches.delete(name);
    }
    const compressed = new Blob([memory]).stream().pipeThrough(new CompressionStream("gzip"));
    await (await caches.open(cache)).put(STARTED_FILE, new Response(compressed));
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
