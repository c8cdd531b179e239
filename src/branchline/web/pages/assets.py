"""Static files: each has its digest in its address, to be kept for a year and still be the new one."""

from __future__ import annotations

import functools
import hashlib
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path

from branchline.runtime.engine import FILE as ENGINE

STATIC = Path(__file__).parent.parent / "static"
FOR_EVER = "public, max-age=31536000, immutable"
FOR_A_WHILE = "public, max-age=300"


@functools.cache
def files() -> Mapping[str, Path]:
    """All static files by their names; the engine, which browsers run as Python does, is one of them."""
    found = {file.relative_to(STATIC).as_posix(): file for file in STATIC.rglob("*") if file.is_file()}
    return dict(sorted((found | {ENGINE.name: ENGINE}).items()))


@functools.cache
def digest() -> str:
    """Of all static files together: modules import each other by relative addresses, so all change as one."""
    said = hashlib.sha256()
    for name, file in files().items():
        said.update(name.encode() + b"\0" + file.read_bytes())
    return said.hexdigest()[:12]


def url(name: str, root: str = "") -> str:
    """The address of a static file, as in `url("table.js")`; `root`: what stands before every path."""
    return f"{root}/static/{digest()}/{name}"


def imports(name: str) -> list[str]:
    """The modules that a module needs, those that they need among them."""
    found = [name]
    for module in found:  # it grows meanwhile
        written = re.findall(r'^import .* from "(\..+)";$', (STATIC / module).read_text("utf-8"), re.MULTILINE)
        needed = (posixpath.normpath(f"{posixpath.dirname(module)}/{other}").lstrip("/") for other in written)
        found += [other for other in needed if other not in found]
    return found[1:]
