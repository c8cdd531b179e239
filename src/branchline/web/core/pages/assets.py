"""Static files: each has its digest in its address, to be kept for a year and still be the new one."""

from __future__ import annotations

import functools
import hashlib
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path

from branchline.runtime.engine_file import FILE as ENGINE

STATIC = Path(__file__).parents[2]
"""Each file is called by its path from here, as in `table/table.js`; scripts import each other by the same paths."""
BROWSER = "core/browser"
"""The folder of what several pages share."""
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".wav": "audio/wav",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
}
"""What is sent of these folders: files with these endings, and nothing else."""
GIVEN = Path(__file__).with_name("assets.digest")
"""Holds the digest where not all of the files are whole, as on a site, whose host has them."""
IMPORT = re.compile(r'^import .* from "(\..+)";$', re.MULTILINE)
FOR_EVER = "public, max-age=31536000, immutable"
FOR_A_WHILE = "public, max-age=300"


@functools.cache
def files() -> Mapping[str, Path]:
    """Return all static files by name, including the engine, which browsers run as Python does."""
    paths = {file.relative_to(STATIC).as_posix(): file for file in STATIC.rglob("*") if file.suffix in KINDS}
    return dict(sorted((paths | {f"{BROWSER}/{ENGINE.name}": ENGINE}).items()))


@functools.cache
def _by_last_name() -> Mapping[str, str]:
    shortest_last = sorted(files(), key=len, reverse=True)
    return {posixpath.basename(name): name for name in shortest_last}


def now_called(name: str) -> str:
    """Return the name of a file that was in another folder in earlier versions; empty: there is none."""
    return _by_last_name().get(posixpath.basename(name), "")


@functools.cache
def digest() -> str:
    """Return the digest of all static files together: modules import each other by relative addresses, so all change
    as one.
    """
    if GIVEN.is_file():
        return GIVEN.read_text("ascii")
    hashed = hashlib.sha256()
    for name, file in files().items():
        hashed.update(name.encode() + b"\0" + file.read_bytes())
    return hashed.hexdigest()[:12]


def url(name: str, root: str = "") -> str:
    """Return the address of a static file, as in `url("table/table.js")`; `root` is the path before all others."""
    return f"{root}/static/{digest()}/{name}"


def imports(name: str) -> list[str]:
    """Return the modules that a module needs, directly or indirectly."""
    modules = [name]
    for module in modules:  # it grows meanwhile
        written = IMPORT.finditer((STATIC / module).read_text("utf-8"))
        needed = (posixpath.normpath(f"{posixpath.dirname(module)}/{other[1]}").lstrip("/") for other in written)
        modules += [other for other in needed if other not in modules]
    return modules[1:]
