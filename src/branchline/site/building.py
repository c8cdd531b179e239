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
import gzip
import hashlib
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from branchline.boards import builtin_boards, load_board
from branchline.site import parts
from branchline.site.bridge import PRERENDERED, Bridge
from branchline.site.in_browser import in_head
from branchline.site.parts import SiteError
from branchline.web.core.pages import app_shell, assets, thumbnail, translation
from branchline.web.core.pages.translation import LANGUAGES
from branchline.web.core.settings import Settings
from branchline.web.site import page as site_page

PACKAGE = Path(__file__).parent.parent
SCRIPTS = Path(__file__).parent / "files"
LEFT_OUT = (
    "commands/", "envs/", "training/", "engine/", "runtime/records.py", "runtime/compiler.py",
    "site/files/", "web/api/", "web/app.py", "web/serving/",
)  # fmt: skip
"""Parts of the package that no browser runs."""
NOT_SHIPPED = (".pyc", ".pyi", ".po", ".typed")
LATER = ("workshop/data/gazetteer.npz", "workshop/data/world.json.gz")
"""Large files of the package that only the workshop reads: Python fetches them when it does."""
STEPS = 5  # of starting Python, see `python_worker.js`
EARLY = (1980, 1, 1, 0, 0, 0)  # the time of all files in archives: the same sources give the same bytes
MARK = "branchline-site"
"""A file with this name says that a folder is a site, which may be written anew."""


def build(folder: Path, base: str = "/") -> dict[str, int]:
    """Write the site for an address whose path is `base`; return the files with the bytes that are fetched of each.

    Raise `SiteError` if the folder holds other things, or something that is shipped is missing.
    """
    if not (base.startswith("/") and base.endswith("/")) or "//" in base:
        raise SiteError(f"--base {base}: expected the path of an address, such as / or /games/")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise SiteError(f"{folder} holds other things; name a new folder, or an empty one")
    files = dict(_files(base))
    try:
        _write(folder, files)
    except OSError as error:
        raise SiteError(f"{folder} cannot be written: {error}") from None
    return {path: len(content) for path, content in files.items()}


def _files(base: str) -> Iterator[tuple[str, bytes]]:
    root = base.rstrip("/")
    inner = dict(_started())
    version = _digest(inner)
    shipped = {f"site/{version}/{name}": content for name, content in inner.items()}
    for name, file in assets.files().items():
        shipped[assets.url(name, root).removeprefix(base)] = file.read_bytes()
    script = f"{base}site/{version}/page.js"
    shipped |= {f"home.{code}.html": text.encode() for code, text in _homes(base, script).items()}
    shipped["manifest.webmanifest"] = app_shell.manifest("en", "", root).encode()
    settings = {"base": base, "version": version, "program": "program.zip", "later": LATER, "steps": STEPS}
    shipped["index.html"] = site_page.frame(root, f"{base}site/{version}", settings).encode()
    facts = {
        "version": _digest(shipped),
        "base": base,
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
    for file in sorted(SCRIPTS.glob("*.*")):
        if file.name != "service_worker.js":
            yield file.name, file.read_bytes()
    yield "program.zip", _program()
    for name in LATER:
        yield Path(name).name, (PACKAGE / name).read_bytes()
    for name, content in parts.pyodide().items():
        if name.endswith(".wasm"):  # browsers unpack it: not every host compresses
            yield f"pyodide/{name}.packed", gzip.compress(content, 9, mtime=0)
        else:
            yield f"pyodide/{name}", content


def _program() -> bytes:
    """Return branchline and what it needs as one archive."""
    contents = dict(parts.packages())
    for file in sorted(PACKAGE.rglob("*")):
        path = file.relative_to(PACKAGE).as_posix()
        if (
            file.is_file()
            and not path.startswith(LEFT_OUT)
            and "__pycache__" not in path
            and file.suffix not in NOT_SHIPPED
        ):
            contents[f"branchline/{path}"] = file.read_bytes()
    for later in LATER:
        del contents[f"branchline/{later}"]
    for language in LANGUAGES:
        if language != "en":
            file = translation.source_of(language).with_suffix(".mo")
            contents[f"branchline/{file.relative_to(PACKAGE).as_posix()}"] = translation.compiled(language)
    for name in builtin_boards():
        board = load_board(name)
        file = thumbnail.SHIPPED / f"{board.digest}.thumbnail"
        contents[f"branchline/{file.relative_to(PACKAGE).as_posix()}"] = thumbnail.drawn(board).encode()
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, text in sorted(contents.items()):
            archive.writestr(zipfile.ZipInfo(path, EARLY), text, zipfile.ZIP_DEFLATED, 9)
    return content.getvalue()


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
