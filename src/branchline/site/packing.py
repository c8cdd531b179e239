"""Packs the program for the way to a browser: one archive, without what only its readers need.

An archive is a list of files as JSON, with its length in four bytes before it, and then their contents, all of it
compressed at once by gzip. `files/kept_files.js` unpacks it.
"""

from __future__ import annotations

import ast
import gzip
import io
import json
import pickle
import zipfile
from collections.abc import Mapping
from pathlib import PurePosixPath

EARLY = (1980, 1, 1, 0, 0, 0)  # the time of all files in archives: the same sources give the same bytes
STRIPPED_NODES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
LOCALE_PARTS = (
    "compact_currency_formats", "compact_decimal_formats", "compound_unit_patterns", "currency_formats",
    "currency_names", "currency_names_plural", "currency_symbols", "date_fields", "datetime_skeletons",
    "interval_formats", "languages", "meta_zones", "scripts", "territories", "time_zones", "unit_display_names",
    "unit_patterns", "variants", "zone_formats",
)  # fmt: skip
"""What Babel knows of a language and no page asks for: the names of currencies, countries, units, time zones."""
GLOBAL_PARTS = ("language_aliases", "parent_exceptions", "script_aliases", "territory_aliases", "variant_aliases")
"""What Babel needs of all languages together to find one of them."""


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return files as one compressed archive."""
    return gzip.compress(archive(files), 9, mtime=0)


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return files as one archive; those of a kind stand together, which compresses better."""
    names = sorted(files, key=lambda name: (PurePosixPath(name).suffix, name))
    index = json.dumps([[name, len(files[name])] for name in names]).encode()
    return b"".join([len(index).to_bytes(4, "little"), index, *(files[name] for name in names)])


def unpacked(content: bytes) -> dict[str, bytes]:
    """Return the files of an archive."""
    at = 4 + int.from_bytes(content[:4], "little")
    found = {}
    for name, size in json.loads(content[4:at]):
        found[name] = content[at : at + size]
        at += size
    return found


def bare(source: bytes) -> bytes:
    """Return Python source without comments and docstrings; as it is if this Python cannot read it."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return source
    for node in ast.walk(tree):
        if isinstance(node, STRIPPED_NODES):
            node.body = [line for line in node.body if not _is_text(line)] or [ast.Pass()]
    return ast.unparse(tree).encode()


def _is_text(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)


def bare_library(library: bytes, left_out: tuple[str, ...]) -> bytes:
    """Return a zip of Python sources without those that begin like `left_out`, bare and uncompressed.

    Python reads it faster this way, and it is compressed as a whole for the way.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(library)) as before, zipfile.ZipFile(made, "w") as after:
        for name in sorted(before.namelist()):
            if name.startswith(left_out):
                continue
            content = before.read(name)
            after.writestr(zipfile.ZipInfo(name, EARLY), bare(content) if name.endswith(".py") else content)
    return made.getvalue()


def bare_locale(content: bytes) -> bytes:
    """Return what Babel knows of a language, without what no page asks for."""
    known = pickle.loads(content)
    return pickle.dumps({part: value for part, value in known.items() if part not in LOCALE_PARTS}, 4)


def bare_locales(content: bytes, languages: tuple[str, ...]) -> bytes:
    """Return what Babel knows of all languages, without what no page asks for."""
    known = pickle.loads(content)
    found = {part: value if part in GLOBAL_PARTS else {} for part, value in known.items()}
    found["likely_subtags"] = {code: whole for code, whole in known["likely_subtags"].items() if code in languages}
    return pickle.dumps(found, 4)
