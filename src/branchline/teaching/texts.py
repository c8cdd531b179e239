"""TOML files of lessons and rules: their texts are in English, pages translate them. Errors say where what is wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from branchline.boards import BranchlineError
from branchline.boards.faults import did_you_mean, shown
from branchline.plain_data import JsonObject

LONGEST_TEXT = 240  # letters of a paragraph


class LessonError(BranchlineError):
    """A lesson file or one of the rules that cannot be used: which, where in it, what was expected."""


def toml_of(file: Path, name: str) -> dict[str, object]:
    """Return what a file holds. Raise `LessonError`, which calls the file `name`."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # a TOMLDecodeError says line and column
        raise LessonError(f"{name}: {error}") from None


class Reader:
    """Takes values apart, and says where what was expected."""

    def __init__(self, name: str) -> None:
        """Make a reader of a file, as errors name it."""
        self.name = name

    def fail(self, where: str, why: str) -> NoReturn:
        """Raise a `LessonError`."""
        raise LessonError(f"{self.name}: {where + ': ' if where else ''}{why}")

    def known(self, where: str, table: Mapping[str, object], keys: Sequence[str]) -> None:
        """Check that only these keys are there."""
        for key in table:
            if key not in keys:
                near = did_you_mean(key, keys)
                self.fail(where, f"unknown key {shown(key)}{near or '; there are ' + ', '.join(keys)}")

    def rows(self, where: str, table: Mapping[str, Any], key: str) -> list[JsonObject]:
        """Return the tables under a key; none if it is missing."""
        tables = table.get(key, [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self.fail(f"{where}: {key}" if where else key, "expected tables")
        return list(tables)

    def words(self, where: str, value: object) -> tuple[str, ...]:
        """Return a list of texts that are not empty."""
        if not isinstance(value, list) or not all(isinstance(text, str) and text for text in value):
            self.fail(where, f"expected a list of texts, not {shown(value)}")
        return tuple(value)

    def number(self, where: str, value: object) -> int:
        """Return a whole number."""
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(where, f"expected a whole number, not {shown(value)}")
        return value

    def text(self, where: str, value: object, longest: int = LONGEST_TEXT) -> str:
        """Return a text that is not empty and not too long for people to read it."""
        if not isinstance(value, str) or not value.strip():
            self.fail(where, f"expected a text, not {shown(value)}" if value else "there is no text")
        if len(value) > longest:
            self.fail(where, f"{len(value)} letters; at most {longest} are read")
        return value
