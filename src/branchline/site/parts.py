"""What a site ships besides branchline: Pyodide, fetched from npm and kept, and packages that are installed here."""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import io
import json
import tarfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from branchline.cache import cache_folder
from branchline.errors import BranchlineError
from branchline.languages import LANGUAGES
from branchline.site.packing import bare, bare_locale, bare_locales
from branchline.whole_file import write_whole

PYODIDE = "314.0.7"
ADDRESS = f"https://registry.npmjs.org/pyodide/-/pyodide-{PYODIDE}.tgz"
SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
LOCK = "pyodide-lock.json"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", LOCK)
PATIENCE = 60.0  # seconds with a registry that does not answer
MOST = 30_000_000  # bytes of Pyodide

PACKAGES = (
    "alembic", "anyio", "babel", "fsrs", "glicko2-py", "itsdangerous", "jinja2", "mako", "markupsafe",
    "python-multipart", "segno", "sqlalchemy", "starlette", "typing-extensions",
)  # fmt: skip
"""Distributions whose Python the pages need; what of them is compiled has a twin in plain Python."""

NOT_NEEDED = (
    *("alembic/testing/", "alembic/templates/", "anyio/_backends/_trio.py", "anyio/pytest_plugin.py"),
    *("babel/locale-data/", "babel/global.dat", "jinja2/testsuite/", "mako/ext/", "mako/testing/", "segno/cli.py"),
    *("sqlalchemy/testing/", "sqlalchemy/dialects/mysql/", "sqlalchemy/dialects/oracle/", "sqlalchemy/dialects/mssql/"),
    *("sqlalchemy/orm/", "sqlalchemy/ext/a", "sqlalchemy/ext/b", "sqlalchemy/ext/declarative/", "sqlalchemy/ext/h"),
    *("sqlalchemy/ext/i", "sqlalchemy/ext/m", "sqlalchemy/ext/o", "sqlalchemy/ext/s", "starlette/testclient.py"),
)
"""Files of theirs that begin like this are left out."""
UNUSED_LIBRARY = (
    "_pydatetime.py", "_pyrepl/", "_pyio.py", "asyncio/__main__.py", "asyncio/proactor", "asyncio/tools.py",
    "asyncio/windows", "concurrent/interpreters/", "concurrent/futures/interpreter.py", "ctypes/_aix.py",
    "ctypes/macholib/", "ctypes/wintypes.py", "logging/config.py", "logging/handlers.py", "multiprocessing/dummy/",
    "multiprocessing/managers.py", "multiprocessing/pool.py", "multiprocessing/shared", "multiprocessing/popen",
    "pyodide/console.py", "tarfile.py", "timeit.py", "urllib/robotparser.py",
    "antigravity.py", "bdb.py", "cProfile.py", "cmd.py", "code.py", "compileall.py", "curses/",
    "dbm/", "doctest.py", "encodings/big5", "encodings/cp1", "encodings/cp5", "encodings/cp7", "encodings/cp8",
    "encodings/cp9", "encodings/euc", "encodings/gb", "encodings/hp_", "encodings/hz", "encodings/iso2022",
    "encodings/johab", "encodings/koi8", "encodings/kz", "encodings/mac_", "encodings/ptcp", "encodings/shift",
    "encodings/tis", "ensurepip/", "filecmp.py", "fileinput.py", "ftplib.py", "getpass.py", "http/cookiejar.py",
    "http/server.py", "idlelib/", "imaplib.py", "lib2to3/", "mailbox.py", "mailcap.py", "modulefinder.py", "netrc.py",
    "nntplib.py", "optparse.py", "pdb.py", "pickletools.py", "plistlib.py", "poplib.py", "profile.py", "pstats.py",
    "pyclbr.py", "pydoc", "rlcompleter.py", "sched.py", "shelve.py", "smtplib.py", "socketserver.py", "symtable.py",
    "tabnanny.py", "this.py", "tkinter/", "trace.py", "tracemalloc.py", "turtle", "unittest/", "venv/", "wave.py",
    "webbrowser.py", "wsgiref/", "xml/dom/", "xmlrpc/", "zipapp.py",
)  # fmt: skip
"""Files of Python's own library that begin like this are left out: nothing here imports them."""
LOCALES = ("root", "en_001", *LANGUAGES)
"""What Babel knows of the languages of the pages."""


class SiteError(BranchlineError):
    """A site cannot be made."""


def pyodide() -> dict[str, bytes]:
    """Return the files of Pyodide; raise `SiteError` if they are neither kept nor can be fetched."""
    archive = _archive()
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        members = {}
        for name in FILES:
            member = packed.extractfile(f"package/{name}")
            assert member is not None
            members[name] = member.read()
    members[LOCK] = json.dumps(json.loads(members[LOCK]) | {"packages": {}}).encode()  # none of them is shipped
    return members


def _archive() -> bytes:
    folder = cache_folder("pyodide")
    kept = folder / f"pyodide-{PYODIDE}.tgz" if folder else None
    if kept is not None and kept.is_file() and _is_sound(before := kept.read_bytes()):
        return before
    try:
        with urllib.request.urlopen(ADDRESS, timeout=PATIENCE) as answer:
            content: bytes = answer.read(MOST)
    except OSError as error:
        raise SiteError(
            f"Pyodide {PYODIDE} is not here yet and cannot be fetched from {ADDRESS} ({error}); "
            "try again with a network: from then on it is kept"
        ) from None
    if not _is_sound(content):
        raise SiteError(f"what came from {ADDRESS} is not Pyodide {PYODIDE}: its digest is another one")
    if kept is not None:
        write_whole(kept, content, lasting=False)
    return content


def _is_sound(content: bytes) -> bool:
    return base64.b64encode(hashlib.sha512(content).digest()).decode() == SHA512


def packages() -> Iterator[tuple[str, bytes]]:
    """Yield the files of all packages by their paths, in order."""
    for name in PACKAGES:
        try:
            files = importlib.metadata.files(name)
        except importlib.metadata.PackageNotFoundError:
            raise SiteError(f"the package {name} is missing: pip install 'branchline[web]'") from None
        for file in sorted(files or (), key=str):
            path = PurePosixPath(file.as_posix())
            if path.suffix == ".py" and _is_needed(path.as_posix()):
                yield path.as_posix(), bare(Path(str(file.locate())).read_bytes())
        if name == "babel":
            yield from _locales(files or ())


def _is_needed(path: str) -> bool:
    return not path.startswith((*NOT_NEEDED, "../")) and "/tests/" not in path and "__pycache__" not in path


def _locales(files: list[importlib.metadata.PackagePath] | tuple[()]) -> Iterator[tuple[str, bytes]]:
    for file in files:
        path = PurePosixPath(file.as_posix())
        if path.name == "global.dat":
            yield path.as_posix(), bare_locales(Path(str(file.locate())).read_bytes(), LOCALES)
        elif path.parent.name == "locale-data" and path.stem in LOCALES:
            yield path.as_posix(), bare_locale(Path(str(file.locate())).read_bytes())
