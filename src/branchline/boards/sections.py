"""A TOML file as sections whose keys are asked for by name and kind; what is wrong is noted with its line.

A value that is wrong reads as something harmless, so that reading can go on and find the next fault.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from branchline.boards.faults import FaultList, did_you_mean, listed, quoted, shown
from branchline.boards.files import read_text
from branchline.boards.limits import MAX_LINE, MAX_TOML_BYTES
from branchline.boards.wording import FORMAT, Message, freely, terms, worded
from branchline.plain_data import JsonObject

Value = TypeVar("Value")


@dataclass
class Section:
    """One `[section]` of a TOML file. Keys not asked for are faults when it is closed."""

    file: str
    name: str  # dotted; empty for the top of the file
    entries: JsonObject
    lines: dict[str, int]  # line of each dotted key and section
    faults: FaultList
    asked: dict[str, None] = field(default_factory=dict)

    def wrong(self, key: str, message: str) -> None:
        """Note a fault of one key."""
        name = self._dotted(key)
        while name and name not in self.lines:  # then the section around it
            name = name.rpartition(".")[0]
        self.faults.add(self.file, self.lines.get(name, 0), message)

    def __contains__(self, key: str) -> bool:
        """Return whether the key is there; asking makes it a known one."""
        self.asked[key] = None
        return key in self.entries

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number from `low` to `high`."""

        def fits(value: object) -> bool:
            return type(value) is int and low <= value <= high

        expected = worded("a whole number from {low} to {high}", low=low, high=high)
        return self._value(key, fits, expected, default, low)

    def numbers(self, key: str, low: int, high: int, most: int) -> tuple[int, ...]:
        """Return a list of one to `most` whole numbers."""

        def fits(value: Any) -> bool:
            known = isinstance(value, list) and 1 <= len(value) <= most
            return known and all(type(number) is int and low <= number <= high for number in value)

        expected = worded("a list of 1 to {most} whole numbers from {low} to {high}", most=most, low=low, high=high)
        return tuple(self._value(key, fits, expected, None, [low]))

    def decimals(self, key: str, low: float, high: float, count: int = 1) -> None:
        """Check a number, or a list of `count` of them, from `low` to `high`, if it is there at all."""

        def fits(value: Any) -> bool:
            numbers = [value] if count == 1 else value if isinstance(value, list) else []
            return len(numbers) == count and all(
                type(number) in (int, float) and math.isfinite(number) and low <= number <= high for number in numbers
            )

        shape = worded("a number") if count == 1 else worded("a list of {count} numbers", count=count)
        expected = worded("{what} from {low} to {high}", what=shape, low=f"{low:g}", high=f"{high:g}")
        self._value(key, fits, expected, 0, 0)

    def text(self, key: str, longest: int, default: str | None = None) -> str:
        """Return some words on one line."""
        expected = worded("a text in quotes, at most {longest} characters", longest=longest)
        return self._value(key, lambda value: _is_text(value, longest), expected, default, "")

    def texts(self, key: str, most: int, longest: int) -> tuple[str, ...]:
        """Return a list of texts; empty if it is left out."""

        def fits(value: Any) -> bool:
            known = isinstance(value, list) and len(value) <= most
            return known and all(_is_text(item, longest) for item in value)

        expected = worded(
            "a list of at most {most} texts, each of at most {longest} characters", most=most, longest=longest
        )
        return tuple(self._value(key, fits, expected, [], []))

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Return true or false."""
        return self._value(key, lambda value: isinstance(value, bool), worded("true or false"), default, False)

    def word(self, key: str, words: Sequence[str], default: str | None = None) -> str:
        """Return one of a few words."""
        expected = listed(f'"{word}"' for word in words)
        return self._value(key, lambda value: value in words, expected, default, words[0])

    def words(self, key: str, words: Sequence[str], what: Message, fewest: int = 1) -> tuple[str, ...]:
        """Return a list of different words out of a few, in the order given."""
        expected = worded("a list of {what}s out of {known}", what=what, known=terms(words))
        entries: list[Any] = self._value(
            key, lambda value: isinstance(value, list) and len(value) >= fewest, expected, None, []
        )
        chosen: dict[str, None] = {}
        for word in entries:
            if not isinstance(word, str) or word not in words:
                near = did_you_mean(shown(word).strip('"'), words) or worded(", expected {expected}", expected=expected)
                self.wrong(
                    key,
                    worded(
                        "{key}: unknown {what} {one}{near}",
                        key=self._called(key),
                        what=what,
                        one=shown(word),
                        near=near,
                    ),
                )
            elif word in chosen:
                self.wrong(key, worded("{key}: {one} twice", key=self._called(key), one=quoted(word)))
            else:
                chosen[word] = None
        return tuple(chosen)

    def section(self, key: str, *, optional: bool = False) -> Section | None:
        """Return a section inside this one; None where it is left out, or is not a section."""
        if key not in self:
            if not optional:
                self.wrong(key, worded("section [{key}] is missing", key=self._dotted(key)))
            return None
        if not isinstance(self.entries[key], dict):
            self._unexpected(key, worded("a section [{key}]", key=self._dotted(key)))
            return None
        return Section(self.file, self._dotted(key), self.entries[key], self.lines, self.faults)

    def close(self) -> None:
        """Report the keys that nothing has asked for as unknown."""
        unknown = [key for key in self.entries if key not in self.asked]
        for key in unknown[:20]:
            is_section = isinstance(self.entries[key], dict)
            near = did_you_mean(key, self.asked) or worded("; known are {known}", known=tuple(self.asked))
            name = quoted(self._dotted(key))
            if is_section:
                self.wrong(key, worded("unknown section {key}{near}", key=name, near=near))
            else:
                self.wrong(key, worded("unknown key {key}{near}", key=name, near=near))

    def _value(
        self, key: str, fits: Callable[[object], bool], expected: str, default: Value | None, harmless: Value
    ) -> Value:
        """Return the value if it fits, or `default` if there is none; otherwise note a fault and return `harmless`."""
        if key not in self:
            if default is None:
                self.wrong(
                    key, worded("{key} is missing; expected {expected}", key=self._called(key), expected=expected)
                )
            return harmless if default is None else default
        value: Value = self.entries[key]
        if fits(value):
            return value
        self._unexpected(key, expected)
        return harmless

    def _unexpected(self, key: str, expected: str) -> None:
        self.wrong(
            key,
            worded(
                "{key} is {value}, expected {expected}",
                key=self._called(key),
                value=shown(self.entries[key]),
                expected=expected,
            ),
        )

    def _called(self, key: str) -> str:
        return f"[{self.name}] {key}" if self.name else key

    def _dotted(self, key: str) -> str:
        return f"{self.name}.{key}" if self.name else key


def _is_text(value: object, longest: int) -> bool:
    return isinstance(value, str) and 0 < len(value) <= longest and value.isprintable()


def read_sections(folder: Path, name: str, faults: FaultList) -> Section | None:
    """Return the top section of a TOML file; None where it is missing or not TOML."""
    text = read_text(folder, name, faults)
    if text is None or not is_modest(text, name, faults):
        return None
    try:
        entries = tomllib.loads(text)
    except RecursionError:
        faults.add(name, 0, worded("is not TOML: brackets are nested too deep"))
        return None
    except ValueError as error:
        message = str(error)
        place = re.search(r"\s*\(at (?:line (\d+), column \d+|end of document)\)", message)
        line = int(place[1]) if place and place[1] else text.rstrip().count("\n") + 1 if place else 0
        reason = message[: place.start()] if place else message.split(";")[0]
        faults.add(
            name, line, worded("is not TOML: {reason}", reason=freely(reason[:1].lower() + reason[1:200], FORMAT))
        )
        return None
    return Section(name, "", entries, key_lines(text), faults)


def is_modest(text: str, name: str, faults: FaultList) -> bool:
    """Return whether a text is of a size that a person would write; tomllib takes minutes over some large texts."""
    if len(text) > MAX_TOML_BYTES:
        faults.add(name, 0, worded("is larger than {most} kB", most=MAX_TOML_BYTES // 1000))
        return False
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_LINE:
            faults.add(name, number, worded("the line is longer than {most} characters", most=MAX_LINE))
            return False
    return True


_HEADER = re.compile(r"\s*\[\s*([\w.\- ]+?)\s*\]")
_KEY = re.compile(r"""\s*["']?([\w\-]+(?:\s*\.\s*[\w\-]+)*)["']?\s*=""")


def key_lines(text: str) -> dict[str, int]:
    """Return the line of each section and key, as far as they stand at the start of a line (tomllib keeps none)."""
    lines: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.split("\n"), 1):
        line = line[:200]
        if header := _HEADER.match(line):
            section = header[1].replace(" ", "")
            lines.setdefault(section, number)
        elif key := _KEY.match(line):
            lines.setdefault(f"{section}.{key[1].replace(' ', '')}".strip("."), number)
    return lines
