"""`python -m branchline.engine.page`: writes the tables of `docs/engine.md` from the code; above them it is by hand."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from branchline.engine import layouts
from branchline.engine.entry_points import ENTRY_POINTS, EntryPoint

PAGE = Path(__file__).parents[3] / "docs" / "engine.md"
BEGIN = "<!-- The tables below are written by `make engine-page`. -->\n"

_FIELD = re.compile(r'\(\s*"(\w+)",')
_COMMENT = re.compile(r"#\s*(.*)$", re.MULTILINE)
_NUMBER = re.compile(r"^([A-Z][A-Z_]*) = .*?#\s*(.*)$", re.MULTILINE)


def page(written: str) -> str:
    """Return the page with what is written by hand as it is, and the tables anew."""
    by_hand, found, _ = written.partition(BEGIN)
    if not found:
        raise ValueError(f"{PAGE}: the line {BEGIN.strip()!r} is missing")
    return by_hand + BEGIN + "\n" + "\n".join(_tables())


def _tables() -> Iterator[str]:
    yield "## Entry points\n"
    yield "| entry point and its arguments | gives | |\n|---|---|---|"
    yield from map(_entry_point, ENTRY_POINTS)
    yield "\n## Layouts"
    for name, layout in layouts.LAYOUTS.items():
        yield f"\n### {name}\n\n{layout.itemsize:,} bytes.\n"
        yield "| field | numbers | at byte | |\n|---|---|---:|---|"
        comments = _comments(layouts.SOURCES[name])
        for field, (kind, offset, *axes) in layouts.described(layout)["fields"].items():
            wide = f" × {' × '.join(map(str, axes))}" if axes else ""
            yield f"| `{field}` | {kind}{wide} | {offset} | {comments.get(field, '')} |"
    yield "\n## Numbers"
    for group, numbers in layouts.numbers().items():
        yield f"\n### {group}\n"
        yield "| | | |\n|---|---:|---|"
        comments = dict(_NUMBER.findall(_source(group)))
        for name, number in numbers.items():
            yield f"| `{name}` | {number} | {_cell(comments.get(name, ''))} |"
    yield ""


def _entry_point(entry: EntryPoint) -> str:
    function = getattr(entry.rule, "py_func", entry.rule)
    said = (inspect.getdoc(function) or "").partition("\n\n")[0]
    gives = {"int": "i64", "float": "f64", "bool": "i32"}.get(str(inspect.signature(function).return_annotation), "")
    handed = ", ".join(f"{name}: {kind}" for name, kind in layouts.parameters(entry))
    return f"| `{entry.name}` ({handed}) | {gives} | {_cell(said)} |"


def _comments(module: ModuleType) -> dict[str, str]:
    """Return what is said of the fields of the layouts in a module, behind each or at the end of its lines."""
    source = inspect.getsource(module)
    places = list(_FIELD.finditer(source))
    found: dict[str, str] = {}
    for place, following in zip(places, [*places[1:], None], strict=True):
        text = source[place.end() : following.start() if following else source.find("\n", place.end())]
        behind, _, below = text.partition("\n")
        comment = _COMMENT.search(behind) or (_COMMENT.search(below) if behind.strip() == "" else None)
        if comment:
            found.setdefault(place[1], _cell(comment[1]))
    return found


def _source(group: str) -> str:
    module = {"tables": "board", "state": "state"}.get(group)
    return inspect.getsource(layouts.SOURCES[module]) if module else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")
