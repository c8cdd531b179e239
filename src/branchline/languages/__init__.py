"""The languages of the pages, and what programs must know of each beside its translations: a file named by its code."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = {"en": "English", "pl": "Polski", "cs": "Čeština", "de": "Deutsch"}
"""The languages of the pages, in which a board may name itself and its places too."""

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Language:
    """One language."""

    forms: int
    """How many forms a word has beside a number: one and other, or one, few and many (other)."""
    spoken: str
    """What a browser that listens is told, such as `de-DE`."""
    decimal_point: bool
    """Whether fractions are written with a point; False: with a comma."""
    small_words: str
    """Words that a question has whatever it is about, in plain letters, with spaces between them."""
    headings: Mapping[str, Mapping[str, str]]
    """By table (`both`: of routes and tickets; `place`: of all that name one): by our column, what it is called in
    tables typed elsewhere, in plain letters, with spaces between the words."""
    colours: Mapping[str, str]
    """The same for our colours."""
    kinds: Mapping[str, Mapping[str, str]]
    """By table, the same for our kinds."""
    yes: str
    no: str


@functools.cache
def language(code: str) -> Language:
    """Return what is known of a language."""
    return Language(**tomllib.loads((FOLDER / f"{code}.toml").read_text(encoding="utf-8")))
