// Compiles the Python of a site by the very Python that runs it: node compile.mjs FOLDER. In FOLDER lie Pyodide, the scripts
// of the site and `program`, the program as an archive; `library.zip` and `compiled`, an archive, are written there.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const { loadPyodide } = await import(join(folder, "pyodide/pyodide.mjs"));
const { landlord } = await import(join(folder, "lodged_engine.js"));
const { place } = await import(join(folder, "kept_files.js"));

const COMPILED = `
import json, marshal, os, sys, zipfile
from importlib.util import MAGIC_NUMBER

sys.path.insert(0, "/program")
from branchline.site import begin
begin.begin()
from branchline.site.in_browser import prepare
prepare()

HEAD = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)  # by its digest, which nobody checks
LIBRARY = "/lib/python314.zip/"
imported = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
imported |= {os.path.join(at, name) for at, _, names in os.walk("/program/branchline/web/core/pages/made_templates") for name in names}

def compiled(source, name):
    return HEAD + marshal.dumps(slim(compile(source, name, "exec", dont_inherit=True)))

# Without the places of all that is in a line: what happened is told by the first lines of functions.
def slim(code):
    units = len(code.co_code) // 2
    lines = bytes((0xEF, 0)) * (units // 8) + (bytes((0xE7 + units % 8, 0)) if units % 8 else b"")
    constants = tuple(slim(one) if isinstance(one, type(code)) else one for one in code.co_consts)
    return code.replace(co_linetable=lines, co_consts=constants)

index, contents = [], []
for path in sorted(imported & {os.path.join(at, name) for at, _, names in os.walk("/program") for name in names}):
    name = path.removeprefix("/program/")
    with open(path, "rb") as file:
        contents.append(compiled(file.read(), name))
    index.append([name, len(contents[-1])])
head = json.dumps(index).encode()
with open("/compiled", "wb") as file:
    file.write(len(head).to_bytes(4, "little") + head + b"".join(contents))

with zipfile.ZipFile(LIBRARY[:-1]) as before, zipfile.ZipFile("/library.zip", "w") as after:
    for name in sorted(before.namelist()):
        content, used = before.read(name), LIBRARY + name in imported
        entry = zipfile.ZipInfo(name + "c" if used else name, (1980, 1, 1, 0, 0, 0))
        after.writestr(entry, compiled(content, name) if used else content)
`;

try {
  const python = await loadPyodide({ indexURL: join(folder, "pyodide/"), fullStdLib: false, env: { PYTHONHASHSEED: "0", HOME: "/home" } });
  place(python.FS, "/program", new Uint8Array(readFileSync(join(folder, "program"))));
  globalThis.branchlineEngine = landlord(python._module.memory);
  python.runPython(COMPILED);
  for (const name of ["library.zip", "compiled"]) writeFileSync(join(folder, name), python.FS.readFile(`/${name}`));
  process.exit(0);
} catch (error) {
  console.error(String(error.message).slice(-2000));
  process.exit(1);
}
