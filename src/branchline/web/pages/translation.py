"""The words of the pages: English in the source, other languages from `locale/` (gettext), read straight from the .po.

A sentence is written once, in English, where it is used: `words("{name} takes a card: {card}", name=…)`. If a field is
Markup, so is the answer, and the other fields are escaped.
"""

from __future__ import annotations

import functools
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from markupsafe import Markup, escape

LOCALE = Path(__file__).parent.parent / "locale"

LANGUAGES = {"en": "English", "pl": "Polski", "cs": "Čeština", "de": "Deutsch"}
"""Every language by its code, under its own name."""


def N_(text: str) -> str:
    """Marks a text that is translated later, when it is used."""
    return text


class Translator:
    """One language: call it with an English text."""

    def __init__(self, language: str, catalogue: NullTranslations) -> None:
        """Of a language and its translations."""
        self.language = language
        self._catalogue = catalogue

    def __call__(self, text: str, **fields: object) -> str:
        """The text in this language, its fields filled in."""
        return _filled(self._catalogue.gettext(text), fields)

    def many(self, one: str, several: str, count: int, **fields: object) -> str:
        """The form that goes with a number, which is the field `count`."""
        return _filled(self._catalogue.ngettext(one, several, count), {"count": count, **fields})

    def listed(self, texts: list[str] | tuple[str, ...]) -> str:
        """`Anna, Ben and Cleo`."""
        if len(texts) < 2:
            return "".join(texts)
        words = self  # so that the translators' tool sees the sentence
        return words("{first} and {last}", first=_joined(texts[:-1]), last=texts[-1])


def _joined(texts: list[str] | tuple[str, ...]) -> str:
    if any(isinstance(text, Markup) for text in texts):
        return Markup(", ").join(texts)
    return ", ".join(texts)


def _filled(text: str, fields: dict[str, object]) -> str:
    if not fields:
        return text
    if any(isinstance(field, Markup) for field in fields.values()):
        return Markup(text.format_map({name: escape(field) for name, field in fields.items()}))
    return text.format_map(fields)


@functools.cache
def translator_for(language: str) -> Translator:
    """The words of a language; English for one that we do not speak."""
    source = LOCALE / language / "LC_MESSAGES" / "branchline.po"
    if language == "en" or language not in LANGUAGES or not source.is_file():
        return Translator("en", NullTranslations())
    with source.open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translator(language, GNUTranslations(compiled))
