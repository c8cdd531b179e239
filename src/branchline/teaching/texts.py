"""Texts in TOML files, all languages side by side: lessons, articles of the rules. Errors say where what is wrong."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from branchline.boards import BranchlineError
from branchline.boards.faults import did_you_mean, shown
from branchline.languages import LANGUAGES
from branchline.plain_data import JsonObject

Text = Mapping[str, str]
"""What is said, by the code of the language."""

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

    def __init__(self, name: str, shared: Mapping[str, Text]) -> None:
        """Make a reader of a file, as errors name it; `shared` holds texts that it may name by a key."""
        self.name, self.shared = name, shared

    def fail(self, where: str, why: str) -> Any:
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

    def words(self, where: str, value: Any) -> tuple[str, ...]:
        """Return a list of texts that are not empty."""
        if not isinstance(value, list) or not all(isinstance(text, str) and text for text in value):
            self.fail(where, f"expected a list of texts, not {shown(value)}")
        return tuple(value)

    def number(self, where: str, value: Any) -> int:
        """Return a whole number."""
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(where, f"expected a whole number, not {shown(value)}")
        return int(value)

    def texts(self, where: str, value: object, what: str = "") -> tuple[Text, ...]:
        """Return one paragraph or a list of them."""
        paragraphs = value if isinstance(value, list) else [value]
        return tuple(self.text(f"{where} {n}", paragraph, what=what) for n, paragraph in enumerate(paragraphs, 1))

    def text(self, where: str, value: Any, longest: int = LONGEST_TEXT, what: str = "") -> Text:
        """Return a text in all languages: a table of them, or the key of a shared one. `{what}` is filled in."""
        if isinstance(value, str):
            if value not in self.shared:
                self.fail(where, f"no text has the key {shown(value)}{did_you_mean(value, self.shared)}")
            value = self.shared[value]
        if not isinstance(value, Mapping):
            self.fail(where, f"expected a text in {', '.join(LANGUAGES)}, or the key of one in texts.toml")
        self.known(where, value, tuple(LANGUAGES))
        for language in LANGUAGES:
            translated = value.get(language)
            if not isinstance(translated, str) or not translated.strip():
                self.fail(where, f"there is no text in {language}")
            if len(translated) > longest:
                self.fail(where, f"{len(translated)} letters in {language}; at most {longest} are read")
        return {
            language: value[language].replace("{what}", what) if what else value[language] for language in LANGUAGES
        }
