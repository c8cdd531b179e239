"""Compiles the Python of a site ahead of time, by the Python of the site itself, which Node runs: most of a first start
is compiling otherwise. Without Node the sources are shipped.

Only what a start imports is compiled, since compiled code is twice as large as its source.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from branchline.site.packing import archive, unpacked

log = logging.getLogger("branchline.site")

SCRIPT = Path(__file__).parent / "node" / "compile.mjs"
LIBRARY = "python_stdlib.zip"
PATIENCE = 600.0  # seconds, on a busy machine
READ_SOURCES = ("anyio/__init__.py", "anyio/_lazyimport.py")
"""Python whose source is read when it is imported."""


def compiled(
    program: Mapping[str, bytes], whole: tuple[str, ...], pyodide: Mapping[str, bytes], scripts: Mapping[str, bytes]
) -> tuple[dict[str, bytes], bytes] | None:
    """Return the program and Python's library with compiled code in place of sources, or None where Node is missing.

    What begins like `whole` keeps its source. `scripts`: those that start the site.
    """
    node = shutil.which("node")
    if node is None:
        return None
    with tempfile.TemporaryDirectory(prefix="branchline-site-") as name:
        folder = Path(name)
        for path, content in {**{f"pyodide/{path}": content for path, content in pyodide.items()}, **scripts}.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_bytes(content)
        (folder / "program").write_bytes(archive(program))
        (folder / "package.json").write_text('{"type": "module"}')
        try:
            subprocess.run([node, SCRIPT, folder], check=True, capture_output=True, text=True, timeout=PATIENCE)
        except (OSError, subprocess.SubprocessError) as error:
            log.warning("nothing is compiled ahead: %s %s", error, getattr(error, "stderr", ""))
            return None
        codes = unpacked((folder / "compiled").read_bytes())
        library = (folder / "library.zip").read_bytes()
    found = dict(program)
    for path, code in codes.items():
        if not path.startswith((*whole, *READ_SOURCES)):
            del found[path]
            found[f"{path}c"] = code
    return found, library
