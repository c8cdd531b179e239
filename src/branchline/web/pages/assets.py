"""Static files: each has its digest in its address, to be kept for a year and still be the new one."""

from __future__ import annotations

import functools
import hashlib
import posixpath
import re
from pathlib import Path

STATIC = Path(__file__).parent.parent / "static"
FOR_EVER = "public, max-age=31536000, immutable"
FOR_A_WHILE = "public, max-age=300"


@functools.cache
def digest() -> str:
    """Of all static files together: modules import each other by relative addresses, so all change as one."""
    said = hashlib.sha256()
    for file in sorted(STATIC.rglob("*")):
        if file.is_file():
            said.update(file.relative_to(STATIC).as_posix().encode() + b"\0" + file.read_bytes())
    return said.hexdigest()[:12]


def url(name: str) -> str:
    """The address of a static file, as in `url("table.js")`."""
    return f"/static/{digest()}/{name}"


def imports(name: str) -> list[str]:
    """The modules that a module needs, those that they need among them."""
    found = [name]
    for module in found:  # it grows meanwhile
        written = re.findall(r'^import .* from "(\..+)";$', (STATIC / module).read_text("utf-8"), re.MULTILINE)
        needed = (posixpath.normpath(f"{posixpath.dirname(module)}/{other}").lstrip("/") for other in written)
        found += [other for other in needed if other not in found]
    return found[1:]
