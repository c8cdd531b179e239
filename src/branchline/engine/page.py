"""`python -m branchline.engine.page`: writes the tables of `docs/engine.md` from the code."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from branchline.boards import tables
from branchline.documents import rewritten
from branchline.engine import layouts
from branchline.engine.entry_points import ENTRY_POINTS, EntryPoint
from branchline.rules import state
from branchline.runtime.structs import Struct

PAGE = Path(__file__).parents[3] / "docs" / "engine.md"

_FIELD = re.compile(r"^(?: {4}#: (.*)\n)? {4}(\w+): .*?(?:  # (.*))?$", re.MULTILINE)
_NUMBER = re.compile(r"^([A-Z][A-Z_]*) = .*?#\s*(.*)$", re.MULTILINE)


def page(written: str) -> str:
    """Return the page with what is written by hand as it is, and the tables anew."""
    tables = {"entry points": _entry_points, "layouts": _layouts, "numbers": _numbers}
    return rewritten(written, lambda name: tables[name]())


def _entry_points() -> Iterator[str]:
    yield "| entry point and its arguments | gives | |\n|---|---|---|"
    yield from map(_entry_point, ENTRY_POINTS)


def _layouts() -> Iterator[str]:
    for name, layout in layouts.LAYOUTS.items():
        yield f"\n### {name}\n\n{layout.itemsize:,} bytes.\n"
        yield "| field | numbers | at byte | |\n|---|---|---:|---|"
        comments = _comments(layouts.STRUCTS[name])
        for field, (kind, offset, *axes) in layouts.described(layout)["fields"].items():
            wide = f" × {' × '.join(map(str, axes))}" if axes else ""
            yield f"| `{field}` | {kind}{wide} | {offset} | {comments.get(field, '')} |"


def _numbers() -> Iterator[str]:
    for group, numbers in layouts.numbers().items():
        yield f"\n### {group}\n"
        yield "| | | |\n|---|---:|---|"
        comments = dict(_NUMBER.findall(_source(group)))
        for name, number in numbers.items():
            yield f"| `{name}` | {number} | {_cell(comments.get(name, ''))} |"


def _entry_point(entry: EntryPoint) -> str:
    function = getattr(entry.rule, "py_func", entry.rule)
    text = (inspect.getdoc(function) or "").partition("\n\n")[0]
    gives = {"int": "i64", "float": "f64", "bool": "i32"}.get(str(inspect.signature(function).return_annotation), "")
    handed = ", ".join(f"{name}: {kind}" for name, kind in layouts.parameters(entry))
    return f"| `{entry.name}` ({handed}) | {gives} | {_cell(text)} |"


def _comments(struct: type[Struct]) -> dict[str, str]:
    """Return what is said of the fields of a layout, behind each or, after `#:`, above it."""
    comments: dict[str, str] = {}
    for declared in struct.__mro__[:-2]:
        for above, name, behind in _FIELD.findall(inspect.getsource(declared)):
            if above or behind:
                comments[name] = _cell(above or behind)
    return comments


def _source(group: str) -> str:
    module = {"tables": tables, "state": state}.get(group)
    return inspect.getsource(module) if module else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")
