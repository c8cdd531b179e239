"""Folders of compiled code, for tests of cold starts."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from branchline.runtime import code_cache


def almost_complete(folder: Path) -> dict[str, str]:
    """An environment with a cache of its own: everything is compiled there, but nobody has noticed yet.

    A process with it starts cold, and the one that compiles in its background is done within seconds.
    """
    here = code_cache.folder()
    assert here is not None
    if not code_cache.is_complete():
        subprocess.run([sys.executable, "-m", "branchline", "compile"], check=True, stdout=subprocess.DEVNULL)
    shutil.copytree(here, folder / here.name, ignore=shutil.ignore_patterns(code_cache.COMPLETE))
    return cold(folder)


def cold(folder: Path) -> dict[str, str]:
    """An environment with an empty cache."""
    around = {name: value for name, value in os.environ.items() if name != "BRANCHLINE_INTERPRET"}
    return around | {"BRANCHLINE_CACHE": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}


@contextlib.contextmanager
def held_up(folder: Path) -> Iterator[Callable[[], None]]:
    """Nothing is compiled into this cache until the function that comes is called: of two that compile, one waits."""
    (version,) = folder.iterdir()
    with (version / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield lambda: fcntl.flock(lock, fcntl.LOCK_UN)
