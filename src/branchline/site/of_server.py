"""The site on which browsers go on while they cannot reach their server: written once, and kept."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from branchline.cache import cache_folder
from branchline.site import parts
from branchline.web.core.settings import HERE

PACKAGE = Path(__file__).parent.parent
KEPT = 4  # sites: other servers of this machine may use some, and a version that is gone back to


def site_of_server(root: str, say: Callable[[str], None]) -> Path:
    """Return the folder of the site for a server whose pages are below a path; written now, unless it is kept.

    Raise `SiteError` where it cannot be written.
    """
    kept = cache_folder("sites")
    name = _name(root)
    if kept is None or not (kept / name).is_dir():
        say("Writing the pages for browsers without a network; this takes up to a minute, once for each version.")
    if kept is None:
        return _written(Path(tempfile.mkdtemp(prefix="branchline-site-")), root)
    if not (kept / name).is_dir():
        for old in sorted(kept.iterdir(), key=lambda folder: folder.stat().st_mtime)[: 1 - KEPT]:
            shutil.rmtree(old, ignore_errors=True)
        new = _written(Path(tempfile.mkdtemp(dir=kept)), root)
        try:
            new.rename(kept / name)
        except OSError:  # another server has written it meanwhile
            shutil.rmtree(new, ignore_errors=True)
    return kept / name


def _name(root: str) -> str:
    """Return a name that changes with everything that such a site is made of."""
    hashed = hashlib.sha256(repr((root, parts.PYODIDE, _versions())).encode())
    for file in sorted(PACKAGE.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            hashed.update(file.relative_to(PACKAGE).as_posix().encode() + hashlib.sha256(file.read_bytes()).digest())
    return hashed.hexdigest()[:16]


def _versions() -> list[str]:
    try:
        return [importlib.metadata.version(name) for name in parts.PACKAGES]
    except importlib.metadata.PackageNotFoundError as error:
        raise parts.SiteError(f"the package {error.name} is missing: pip install 'branchline[web]'") from None


def _written(folder: Path, root: str) -> Path:
    """Write the site in a process of its own, which imports all pages: the one that looks after others need not."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
        apart.submit(_write, folder, root).result()
    os.chmod(folder, 0o755)  # noqa: PTH101  temporary folders are for their owner alone
    return folder


def _write(folder: Path, root: str) -> None:
    from branchline.site.building import build

    build(folder, f"{root}{HERE}/", server=root)
