"""The form and the document explain the same keys in the same words."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from branchline.boards import builtin_boards
from branchline.boards.catalogue import BUILTIN
from branchline.workshop.keys import SECTIONS, Key

PAGE = (Path(__file__).parents[2] / "docs" / "board_format.md").read_text(encoding="utf-8")
DOCUMENT = PAGE[PAGE.index("## board.toml") : PAGE.index("### The backdrop")]
ROW = re.compile(r"^\| (`.+?) \| (.+?) \| (.*?) ?\|$", re.MULTILINE)


def rows() -> set[tuple[tuple[str, ...], str, str]]:
    return {
        (tuple(re.findall(r"`(\w+)`", names)), meaning, default) for names, meaning, default in ROW.findall(DOCUMENT)
    }


def said(key: Key) -> tuple[tuple[str, ...], str, str]:
    return key.names, key.meaning, key.default


def test_the_form_says_what_the_document_says() -> None:
    assert {said(key) for section in SECTIONS for key in section.keys} == rows()


def test_the_form_has_every_section_of_the_document() -> None:
    there = set(re.findall(r"`\[([\w.]+)\]`", DOCUMENT))
    assert {".".join(section.path) for section in SECTIONS if section.path} == there


@pytest.mark.parametrize("name", builtin_boards())
def test_every_key_of_an_edition_is_in_the_form(name: str) -> None:
    rules = tomllib.loads((BUILTIN / name / "board.toml").read_text(encoding="utf-8"))
    for section in SECTIONS:
        here = rules
        for part in section.path:
            here = here.get(part, {})
        inner = {one.path[-1] for one in SECTIONS if one.path[:-1] == section.path and one.path}
        known = {key for one in section.keys for key in one.names}
        if section.keys:
            assert set(here) <= known | inner


def test_what_an_optional_section_begins_with_are_its_own_keys() -> None:
    for section in SECTIONS:
        if section.keys and section.usual:
            assert set(section.usual) <= {name for key in section.keys for name in key.names}
