// Runs Python of a site outside a browser: node in_node.mjs FOLDER LATER < program; what it leaves as `said` is printed.
// FOLDER holds the files of site/VERSION/; LATER, as JSON, says by their paths what those are called that Python fetches.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const [folder, later] = process.argv.slice(2);
const { loadPyodide } = await import(join(folder, "pyodide/pyodide.mjs"));
const { landlord } = await import(join(folder, "lodged_engine.js"));
const { place } = await import(join(folder, "kept_files.js"));
const unpacked = (name) => new Uint8Array(gunzipSync(readFileSync(join(folder, name))));
for (const name of ["pyodide.asm.wasm", "python_stdlib.zip"]) writeFileSync(join(folder, "pyodide", name), unpacked(`pyodide/${name}.packed`));

process.on("uncaughtException", told);
try {
  const python = await loadPyodide({ indexURL: join(folder, "pyodide/"), fullStdLib: false });
  place(python.FS, "/program", unpacked("program.packed"));
  for (const [path, name] of Object.entries(JSON.parse(later))) {
    place(python.FS, "/program/branchline", archived(path, readFileSync(join(folder, name))));
  }
  globalThis.branchlineEngine = landlord(python._module.memory);
  python.runPython('import sys; sys.path.insert(0, "/program"); from branchline.site import begin; begin.begin()');
  await python.runPythonAsync(readFileSync(0, "utf8"));
  process.stdout.write(python.globals.get("said"), () => process.exit(0)); // a pipe takes 64 kB at once
} catch (error) {
  told(error);
}

// One file as an archive.
function archived(path, content) {
  const index = Buffer.from(JSON.stringify([[path, content.length]]));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(index.length);
  return new Uint8Array(Buffer.concat([length, index, content]));
}

// Without the line of minified code where it happened.
function told(error) {
  console.error(error.stack ?? error);
  process.exit(1);
}
