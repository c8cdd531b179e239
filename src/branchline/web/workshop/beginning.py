"""New drafts: from an edition, from files, or an empty map of a region."""

from __future__ import annotations

import base64
import binascii
import functools
import math
from collections.abc import Mapping
from pathlib import Path

from branchline.boards import Fault, builtin_boards
from branchline.boards.catalogue import BUILTIN
from branchline.boards.letters import cut, line_of
from branchline.boards.wording import worded
from branchline.web.workshop.saving import SaveError, read_json
from branchline.workshop import Draft, read_draft, region, uploads
from branchline.workshop.beginning import empty_draft

LONGEST_TITLE = 60
Bounds = tuple[float, float, float, float]


def begun(fields: Mapping[str, str]) -> tuple[Draft, tuple[Fault, ...]]:
    """Return the draft that a form asks for, and what of its files could not be kept. Raise `BranchlineError`."""
    way = fields.get("from", "")
    if way == "edition":
        return of_edition(fields.get("board", "")), ()
    if way == "files":
        return of_files(fields.get("files", ""))
    title = cut(line_of(fields.get("title", "")), LONGEST_TITLE, LONGEST_TITLE)
    if not title:
        raise SaveError(worded("a board needs a title"))
    return empty_draft(title, bounds_in(fields.get("bounds", ""))), ()


@functools.cache
def of_edition(name: str) -> Draft:
    """Return an edition as a draft. Raise `SaveError`."""
    if name not in builtin_boards():
        raise SaveError("there is no edition of that name")
    folder: Path = BUILTIN / name
    files = {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.iterdir()) if file.is_file()}
    return read_draft(files)[0]


def of_files(text: str, onto: Draft | None = None) -> tuple[Draft, tuple[Fault, ...]]:
    """Return a draft of files that a page has read (JSON: name → base64); single tables take the place of those of
    `onto`.
    """
    data = read_json(text)
    if not isinstance(data, dict) or not data or not all(isinstance(content, str) for content in data.values()):
        raise SaveError(worded("none of the files could be read"))
    try:
        contents = {str(name)[:200]: base64.b64decode(text, validate=True) for name, text in data.items()}
    except (binascii.Error, ValueError):
        raise SaveError(worded("none of the files could be read")) from None
    return uploads.opened(contents, onto)


def bounds_in(text: str) -> Bounds:
    """Return the bounds of a region, from `west,south,east,north`. Raise `BranchlineError`."""
    try:
        west, south, east, north = (float(bound) for bound in text.split(","))
    except ValueError:
        west = south = east = north = math.nan
    if not all(map(math.isfinite, (west, south, east, north))):
        raise SaveError("expected the bounds of a region: west, south, east, north")
    return region.checked((west, south, east if east > west else east + 360, north))
