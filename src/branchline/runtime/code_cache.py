"""Where native code is kept between starts. Numba is not needed to ask.

It belongs to exactly one state of the sources in one place, one compiler and one kind of processor, and lies in a
folder of its own.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import platform
import sys
from pathlib import Path

from branchline.cache import cache_folder

failure: OSError | None = None
"""Why something that this process compiled could not be kept, as on a full disk. It is used all the same."""


@functools.cache
def folder() -> Path | None:
    """Return the folder for these sources; None where no folder can be written to."""
    return cache_folder(_version())


def _version() -> str:
    """Return a name for exactly these sources in this place, this compiler and this kind of processor.

    Numba looks at the file of the called function only; a change in a function it calls would go unnoticed. It does not
    find code again that was compiled from the same sources in another place.
    """
    from importlib import metadata  # slow to import

    package = Path(__file__).parent.parent
    versions = [str(package), sys.implementation.cache_tag or "", _processor()]
    for name in ("numba", "llvmlite", "numpy"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions.append(metadata.version(name))
    digest = hashlib.sha256(" ".join(versions).encode())
    for layer in ("runtime", "boards", "rules", "bots", "arena", "envs", "training"):
        for source in sorted((package / layer).rglob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _processor() -> str:
    """Return what tells apart processors for which different code is compiled."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    return "\n".join(
        sorted({line for line in lines if line.startswith(("model name", "flags", "Features", "CPU part"))})
    )
