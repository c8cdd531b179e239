"""The rules by their ids, in one file, `rulebook/rules.toml`: what each says, where it is printed, what implements it.

`docs/rules_index.md` is written from it (`make rulings`). `tests/rules/test_rules_index.py` compares it with the ids
that code and tests cite.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from branchline.documents import rewritten
from branchline.teaching.texts import LessonError, Reader, toml_of

FILE = Path(__file__).parent / "rulebook" / "rules.toml"
CHECKOUT = Path(__file__).parents[3]
PAGE = CHECKOUT / "docs" / "rules_index.md"

_KEYS = ("id", "text", "rulebook", "functions", "uncited")


@dataclass(frozen=True)
class Rule:
    """One rule of the rulebooks."""

    id: str
    text: str
    rulebook: tuple[str, ...]  # editions and sections: "Europe: Tunnels"
    functions: tuple[str, ...]  # where to begin to read, as "rules.tunnels.asks_more"
    uncited: str = ""  # why no source file cites it

    @property
    def chapter(self) -> str:
        """The id without its number."""
        return self.id.partition("-")[0]


@functools.cache
def chapters() -> dict[str, str]:
    """Return the titles of the chapters by prefix, in the order of the file. Raise `LessonError`."""
    reader = Reader(FILE.name)
    rows = reader.rows("", toml_of(FILE, FILE.name), "chapter")
    return {str(row["prefix"]): str(row["title"]) for row in rows}


@functools.cache
def rules() -> dict[str, Rule]:
    """Return all rules by id, in the order of the file. Raise `LessonError`."""
    reader = Reader(FILE.name)
    by_id: dict[str, Rule] = {}
    for n, row in enumerate(reader.rows("", toml_of(FILE, FILE.name), "rule"), 1):
        rule = _rule(reader, n, row)
        if rule.id in by_id:
            raise LessonError(f"{reader.name}: {rule.id} is defined twice")
        by_id[rule.id] = rule
    return by_id


def _rule(reader: Reader, n: int, row: dict[str, object]) -> Rule:
    where = f"rule {n}"
    reader.known(where, row, _KEYS)
    name, text, uncited = (str(row.get(key, "")) for key in ("id", "text", "uncited"))
    if not text or name.partition("-")[0] not in chapters():
        raise LessonError(f"{reader.name}: {where}: needs text, and an id that begins with {', '.join(chapters())}")
    rulebook = reader.words(f"{name}: rulebook", row.get("rulebook"))
    return Rule(name, text, rulebook, reader.words(f"{name}: functions", row.get("functions")), uncited)


def next_id(chapter: str) -> str:
    """Return the id that the next rule of a chapter takes."""
    numbers = [int(rule.id.partition("-")[2] or 0) for rule in rules().values() if rule.chapter == chapter]
    return f"{chapter}-{max(numbers, default=0) + 1}"


def cited_by_tests(name: str) -> tuple[str, ...]:
    """Return the ids that a test cites by its name: `test_ROUTE_2_5_all_payments` cites ROUTE-2 and ROUTE-5."""
    match = re.match(r"test_(?:[a-z_]+_)?([A-Z]{3,5})((?:_(?:and_)?\d+)*)_", name)
    if match is None:
        return ()
    numbers = re.findall(r"\d+", match[2])
    return tuple(f"{match[1]}-{number}" for number in numbers) or (match[1],)


def files_of_tests(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return, for each id, the files below a folder whose tests cite it by their names."""
    files: dict[str, set[str]] = {}
    for path in folder.rglob("test_*.py"):
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            for rule in cited_by_tests(name):
                files.setdefault(rule, set()).add(path.relative_to(folder.parent).as_posix())
    return {rule: tuple(sorted(test_files)) for rule, test_files in files.items()}


def page(written: str, tests: Path) -> str:
    """Return `docs/rules_index.md` with its tables anew for this folder of tests, and the rest as it is."""
    return rewritten(written, lambda _name: _tables(files_of_tests(tests)))


def _tables(files: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    for prefix, title in chapters().items():
        yield from (f"\n## {prefix}: {title}", "", f"The next free id is `{next_id(prefix)}`.", "")
        yield from ("| id | rule | rulebook | functions | tests |", "|---|---|---|---|---|")
        for rule in rules().values():
            if rule.chapter == prefix:
                cells = (
                    f"`{rule.id}`",
                    f"{rule.text} {rule.uncited}".strip(),
                    "; ".join(rule.rulebook),
                    ", ".join(f"`{function}`" for function in rule.functions),
                    ", ".join(f"`{file}`" for file in files.get(rule.id, ())),
                )
                yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8"), CHECKOUT / "tests"), encoding="utf-8")
