"""Writes the web application as static files: pages are made by Python in the visitor's browser.

index.html                the frame around all pages
home.LANGUAGE.html        the first page, made now, to be read while Python is on its way
service-worker.js         answers requests for pages by asking Python; keeps all files
static/DIGEST/…           as a server has them
site/VERSION/…            Pyodide, the program, and the scripts that start them
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gzip
import hashlib
import itertools
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from branchline.boards import builtin_boards, load_board
from branchline.draw import stored
from branchline.site import parts
from branchline.site.bridge import PRERENDERED, Bridge
from branchline.site.compiling import LIBRARY, compiled
from branchline.site.in_browser import in_head
from branchline.site.packing import bare, bare_library, packed
from branchline.site.parts import SiteError
from branchline.web.core.pages import app_shell, assets, render, thumbnail, translation
from branchline.web.core.pages.translation import CATALOGUES, LANGUAGES
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store
from branchline.web.site import page as site_page

PACKAGE = Path(__file__).parent.parent
SCRIPTS = Path(__file__).parent / "files"
LEFT_OUT = (
    "commands/", "envs/", "training/", "engine/", "runtime/records.py", "runtime/compiler.py",
    "site/files/", "site/node/", "site/compiling.py", "web/api/", "web/app.py", "web/serving/",
)  # fmt: skip
"""Parts of the package that no browser runs."""
NOT_SHIPPED = (".pyc", ".pyi", ".po", ".typed")
WHOLE = ("bots/", *(f"draw/{name}.py" for name in stored.SOURCES))
"""Python of the package that is read as text too: by the registry of the bots, and for the names of layouts."""
DATABASE = "site/empty.sqlite"
"""Where the program finds an empty database."""
LATER = (
    "bots/networks/belief_networks.npz", "bots/networks/policy_networks.npz", "bots/networks/value_networks.npz",
    *(f"web/locale/{code}/LC_MESSAGES/{name}.mo" for code in LANGUAGES if code != "en" for name in CATALOGUES),
    "workshop/data/gazetteer.npz", "workshop/data/world.json.gz",
)  # fmt: skip
"""Large files of the package that not everybody needs: Python fetches them when it reads them."""
STEPS = 4  # of starting Python, see `python_worker.js`
MARK = "branchline-site"
"""A file with this name says that a folder is a site, which may be written anew."""


def build(folder: Path, base: str = "/", server: str | None = None) -> dict[str, int]:
    """Write the site for an address whose path is `base`; return the files with the bytes that are fetched of each.

    `server`: the path before all others of the server whose games go on there, and come back from there.

    Raise `SiteError` if the folder holds other things, or something that is shipped is missing.
    """
    if not (base.startswith("/") and base.endswith("/")) or "//" in base:
        raise SiteError(f"--base {base}: expected the path of an address, such as / or /games/")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise SiteError(f"{folder} holds other things; name a new folder, or an empty one")
    files = dict(_files(base, server))
    try:
        _write(folder, files)
    except OSError as error:
        raise SiteError(f"{folder} cannot be written: {error}") from None
    return {path: len(content) for path, content in files.items()}


def _files(base: str, server: str | None) -> Iterator[tuple[str, bytes]]:
    root = base.rstrip("/")
    inner = dict(_started())
    version = _digest(inner)
    shipped = {f"site/{version}/{name}": content for name, content in inner.items()}
    for name, file in assets.files().items():
        shipped[assets.url(name, root).removeprefix(base)] = file.read_bytes()
    script = f"{base}site/{version}/page.js"
    shipped |= {f"home.{code}.html": text.encode() for code, text in _homes(base, script).items()}
    shipped["manifest.webmanifest"] = app_shell.manifest("en", "", root).encode()
    settings: dict[str, object] = {
        "base": base,
        "version": version,
        "later": {name: later_name(name) for name in LATER},
        "steps": STEPS,
    }
    if server is not None:
        settings["handed"] = assets.url(f"{assets.BROWSER}/handed.js", root)
    shipped["index.html"] = site_page.frame(root, f"{base}site/{version}", settings).encode()
    facts = {
        "version": _digest(shipped),
        "base": base,
        "server": None if server is None else f"{server}/",
        "shell": ["index.html"],
        "files": {
            path: base64.b64encode(hashlib.sha256(content).digest()).decode() for path, content in shipped.items()
        },
    }
    worker = (SCRIPTS / "service_worker.js").read_text("utf-8")
    shipped["service-worker.js"] = f"const SITE = {json.dumps(facts)};\n{worker}".encode()
    shipped[MARK] = b"made by `branchline site`, which may write this folder anew\n"
    yield from sorted(shipped.items())


def _digest(files: Mapping[str, bytes]) -> str:
    hashed = hashlib.sha256()
    for name, content in sorted(files.items()):
        hashed.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return hashed.hexdigest()[:12]


def _started() -> Iterator[tuple[str, bytes]]:
    """Yield what starts Python, and Python itself."""
    scripts = {file.name: file.read_bytes() for file in sorted(SCRIPTS.glob("*.*")) if file.name != "service_worker.js"}
    yield from scripts.items()
    program, python = _program(), parts.pyodide()
    for name in LATER:
        yield later_name(name), program.pop(f"branchline/{name}")
    python[LIBRARY] = bare_library(python[LIBRARY], parts.UNUSED_LIBRARY)
    ahead = compiled(program, tuple(f"branchline/{name}" for name in WHOLE), python, scripts)
    if ahead is not None:
        program, python[LIBRARY] = ahead
    yield "program.packed", packed(program)
    for name, content in python.items():
        if name.endswith((".wasm", ".zip")):  # browsers unpack it: not every host compresses
            yield f"pyodide/{name}.packed", gzip.compress(content, 9, mtime=0)
        else:
            yield f"pyodide/{name}", content


def later_name(path: str) -> str:
    """Return what a file of the package is called that is fetched when Python reads it."""
    return path.replace("/", ".")


def _program() -> dict[str, bytes]:
    """Return the files of branchline and of what it needs. Pages ask the host for static files: Python need only know
    what imports what.
    """
    contents = dict(parts.packages())
    for file in sorted(PACKAGE.rglob("*")):
        path = file.relative_to(PACKAGE).as_posix()
        if (
            file.is_file()
            and not path.startswith(LEFT_OUT)
            and "__pycache__" not in path
            and file.suffix not in NOT_SHIPPED
            and not (path.startswith("web/") and file.suffix == ".html")
        ):
            content = file.read_bytes()
            if file.suffix == ".py" and not path.startswith(WHOLE):
                content = bare(content)
            elif path.startswith("web/") and file.suffix in assets.KINDS:
                content = b"\n".join(line[0].encode() for line in assets.IMPORT.finditer(content.decode("latin-1")))
            contents[f"branchline/{path}"] = content
    contents[f"branchline/{assets.GIVEN.relative_to(PACKAGE).as_posix()}"] = assets.digest().encode()
    for language, catalogue in itertools.product(LANGUAGES, CATALOGUES):
        if language != "en":
            file = translation.source_of(language, catalogue).with_suffix(".mo")
            contents[f"branchline/{file.relative_to(PACKAGE).as_posix()}"] = translation.compiled(language, catalogue)
    for name in builtin_boards():
        board = load_board(name)
        file = thumbnail.SHIPPED / f"{board.digest}.thumbnail"
        contents[f"branchline/{file.relative_to(PACKAGE).as_posix()}"] = thumbnail.drawn(board).encode()
    contents[f"branchline/{DATABASE}"] = _empty_database()
    contents |= _templates()
    return contents


def _templates() -> dict[str, bytes]:
    """Return the templates of the pages as Python."""
    with tempfile.TemporaryDirectory(prefix="branchline-site-") as folder:
        render.make_templates(Path(folder))
        within = render.MADE.relative_to(PACKAGE).as_posix()
        return {f"branchline/{within}/{file.name}": file.read_bytes() for file in sorted(Path(folder).iterdir())}


def _empty_database() -> bytes:
    """Return a database with all tables and without rows: making it in a browser takes long."""
    with tempfile.TemporaryDirectory(prefix="branchline-site-") as folder:
        file = Path(folder) / "empty.sqlite"
        Store(f"sqlite:///{file}").close()
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("VACUUM")
        return file.read_bytes()


def _homes(base: str, script: str) -> dict[str, str]:
    """Return, by language, the first page as somebody sees it who has not been here before."""
    with tempfile.TemporaryDirectory(prefix="branchline-site-") as folder:
        return asyncio.run(_visited(Path(folder), base, script))


async def _visited(folder: Path, base: str, script: str) -> dict[str, str]:
    settings = Settings(database=f"sqlite:///{folder / 'rooms.sqlite'}", path=base.rstrip("/"), webhooks="off")
    bridge = Bridge(settings, "localhost", "https")
    await bridge.open()
    try:
        return {language: await _home(bridge, base, language, script) for language in LANGUAGES}
    finally:
        await bridge.close()


async def _home(bridge: Bridge, base: str, language: str, script: str) -> str:
    status, headers, body = await bridge.request("GET", base, [("accept-language", language)], b"")
    if status != 200:
        raise SiteError(f"the first page could not be made: {body.decode(errors='replace')[:500]}")
    policy = dict(headers)["content-security-policy"].split("; frame-ancestors")[0]
    text = body.decode()
    csrf = site_page.form_token_in(text)
    head = f'<meta http-equiv="content-security-policy" content="{policy}">{in_head(base, script)}'
    return text.replace(csrf, PRERENDERED).replace("<head>", f"<head>{head}", 1)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    if (folder / MARK).is_file():
        for old in folder.iterdir():
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
