"""Messages that know how they were made: an English text, its template and what was filled in.

A message is stated once, in English, where it is needed: `worded("unknown place {name}", name=…)`. It reads as that
text anywhere; a page that speaks another language looks the template up and fills it in again.
"""

from __future__ import annotations

from collections.abc import Iterable

JOINERS = "\u200c\u200d"
"""Between letters and emoji that are written as one; they do nothing else."""

LONGEST_VALUE = 600  # letters of one foreign text in a message


FORMAT = "its format is invalid"
CLOSED = "the system could not open it"
"""What other languages say in place of the reasons of libraries."""


class Message(str):
    """An English text with its `template` and `values`: texts, numbers, other messages, or tuples of these."""

    template: str
    values: dict[str, object]


class Term(str):
    """A word of the files, such as a colour or a column, that the forms of a page may have another word for."""

    __slots__ = ()


def worded(template: str, **values: object) -> Message:
    """Return the message of a template (as for `str.format`).

    A tuple is written with commas; long foreign texts are cut.
    """
    kept = {name: _kept(value) for name, value in values.items()}
    message = Message(template.format(**{name: joined(value) for name, value in kept.items()}) if kept else template)
    message.template, message.values = template, kept
    return message


def freely(text: str, template: str) -> Message:
    """Return a text of a library that has only English, and what a page says in its place in other languages."""
    message = Message(clipped(text, LONGEST_VALUE))
    message.template, message.values = template, {}
    return message


def terms(words: Iterable[str]) -> tuple[Term, ...]:
    """Return words that stand in the files, to be kept in all languages."""
    return tuple(map(Term, words))


def joined(value: object) -> object:
    """Return a tuple as one text; anything else as it is."""
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value


def _kept(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(_kept(part) for part in value)
    if isinstance(value, str | int | float):
        return clipped(value, LONGEST_VALUE) if isinstance(value, str) and not isinstance(value, Message) else value
    return clipped(str(value), LONGEST_VALUE)


def clipped(text: str, longest: int) -> str:
    """Return a foreign text fit to be shown: short, nothing unprintable."""
    if len(text) <= longest and text.isprintable():
        return text
    start = "".join(
        letter if letter.isprintable() or letter in JOINERS else "\N{REPLACEMENT CHARACTER}"
        for letter in text[:longest]
    )
    return start + "…" * (len(text) > longest)
