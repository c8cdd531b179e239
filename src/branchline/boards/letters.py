"""What people see of a text: its letters one by one, and none that are hidden, turn others or look like a space.

A letter as people count them may be several characters, as an emoji of a family (UAX #29, grapheme clusters).
Characters that join others are kept where a script or an emoji needs them, and taken out everywhere else.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterator
from typing import Any

MARKS = 3  # accents and the like on one letter; more of them grow over the lines above and below
LONGER = 4  # characters, at most, to a letter of a name, taken over all of it

_SCRIPTS = (
    *("Arabic", "Syriac", "Mandaic", "Nko", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya"),
    *("Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar", "Tibetan", "Balinese", "Javanese"),
)
_WRITTEN = "(?:" + "|".join(rf"\p{{Script={name}}}" for name in _SCRIPTS) + ")"

_NEEDED = (
    # between two emoji, the first with its style and colour of skin; their style; keycaps; flags of regions
    r"(?<=\p{Extended_Pictographic}\uFE0F?[\U0001F3FB-\U0001F3FF]?\uFE0F?)\u200D(?=\p{Extended_Pictographic})",
    r"(?<=\p{Extended_Pictographic}[\U0001F3FB-\U0001F3FF]?)[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F(?=\u20E3)",
    r"(?<=\U0001F3F4[\U000E0020-\U000E007E]{0,6})[\U000E0020-\U000E007F]",
    # inside a word of a script whose letters join, and behind a sign that takes the vowel away
    rf"(?<={_WRITTEN}\p{{M}}*)[\u200C\u200D](?={_WRITTEN})|(?<=\p{{Canonical_Combining_Class=9}})\u200D",
    r"(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]",
)
_BLANKS = "\u2800\u3164\uffa0\u115f\u1160\U0001d159\U00013441\U00013442"
"""Letters and signs, by their category, at which nobody sees anything: blanks of Braille, of music and of hieroglyphs,
and the fillers of Hangul."""

_UNSEEN = dict.fromkeys(
    map(ord, "\u00ad\u061c\u180e\u200b\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff")
) | dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""What comes along with copied text and changes no letter: blanks of no width, soft hyphens, marks of direction."""


@functools.cache
def _pattern(expression: str) -> Any:
    import regex  # when there are letters to look at: it takes a moment

    return regex.compile(expression)


def letters(text: str) -> list[str]:
    """Return the letters of a text, as people count them."""
    return list(text) if text.isascii() else _pattern(r"\X").findall(text)


def count(text: str) -> int:
    """Return how many letters people see."""
    return len(letters(text))


def cut(text: str, longest: int, characters: int | None = None) -> str:
    """Return as many whole letters from the start as are allowed, and as `characters` are (four to a letter by
    default).
    """
    kept: list[str] = []
    room = LONGER * longest if characters is None else characters
    for letter in letters(text)[:longest]:
        room -= len(letter)
        if room < 0:
            break
        kept.append(letter)
    return "".join(kept).strip()


def without_unseen(text: str) -> str:
    """Return a text without invisible characters that change no letter: blanks of no width, marks of direction."""
    return text if text.isascii() else text.translate(_UNSEEN)


def line_of(text: str) -> str:
    """Return a text as one line fit to be shown: visible letters, single spaces, no towers of accents.

    Empty if nothing is visible.
    """
    one_line = " ".join(_visible(" ".join(text.split())).split())
    return one_line if is_seen(one_line) else ""


def is_seen(text: str) -> bool:
    """Return whether anything is visible: a letter, digit or sign, not marks and spaces alone."""
    return any(unicodedata.category(letter)[0] not in "CMZ" and not _is_hidden(letter) for letter in text)


def is_clean(text: str) -> bool:
    """Return whether a text is one line fit to be shown as it is, accents composed or not, however wide its spaces."""
    plain = "".join(
        " " if unicodedata.category(letter)[0] == "Z" else letter for letter in unicodedata.normalize("NFC", text)
    )
    return is_seen(text) and _visible(text) == plain


def _visible(text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    if text.isascii():
        return "".join(letter for letter in text if letter.isprintable())
    needed = {match.start() for match in _pattern("|".join(_NEEDED)).finditer(text)}
    return "".join(_without_towers(text, needed))


def _without_towers(text: str, needed: set[int]) -> Iterator[str]:
    marks = 0
    for n, letter in enumerate(text):
        category = unicodedata.category(letter)[0]
        if n in needed:
            yield letter
        elif category == "Z":
            marks = 0
            yield " "
        elif category != "C" and not _is_hidden(letter):
            marks = marks + 1 if category == "M" else 0
            if marks <= MARKS:
                yield letter


@functools.lru_cache(maxsize=4096)
def _is_hidden(letter: str) -> bool:
    """Return whether a character is invisible, whatever its category says."""
    return not letter.isascii() and (
        letter in _BLANKS or bool(_pattern(r"\p{Default_Ignorable_Code_Point}").match(letter))
    )
