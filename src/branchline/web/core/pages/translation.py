"""The words of the pages: English in the source, other languages from `locale/` (gettext), read straight from the .po.

A sentence is written once, in English, where it is used: `words("{name} takes a card: {card}", name=…)`. If a field is
Markup, so is the answer, and the other fields are escaped.
"""

from __future__ import annotations

import functools
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel import Locale
from markupsafe import Markup, escape

from branchline.languages import LANGUAGES as LANGUAGES

LOCALE = Path(__file__).parents[2] / "locale"


def N_(text: str) -> str:
    """Mark a text that is translated later, when it is used."""
    return text


class Several(NamedTuple):
    """A sentence about a number, the field `count`: in English for one, and for any other."""

    one: str
    several: str


def N_many(singular: str, several: str) -> Several:
    """Mark a sentence about a number that is translated later, when it is used."""
    return Several(singular, several)


class Translator:
    """One language: call it with an English text."""

    def __init__(self, language: str, catalogue: NullTranslations) -> None:
        """Make the translator of a language and its translations."""
        self.language = language
        self._catalogue = catalogue

    def __call__(self, text: str | Several, **fields: object) -> str:
        """Return the text in this language, its fields filled in; of a `Several` the form that goes with `count`."""
        if isinstance(text, Several):
            count = fields["count"]
            assert isinstance(count, int)
            return _filled(self._catalogue.ngettext(*text, count), fields)
        return _filled(self._catalogue.gettext(text), fields)

    def many(self, singular: str, several: str, count: int, **fields: object) -> str:
        """Return the plural form for a number, which is the field `count`."""
        return _filled(self._catalogue.ngettext(singular, several, count), {"count": count, **fields})

    def forms(self, text: Several, most: int) -> list[str]:
        """Return the sentence for each number from 0 to `most`, its fields not filled in."""
        return [self._catalogue.ngettext(*text, count) for count in range(most + 1)]

    def for_browser(self, text: str | Several) -> str | dict[str, str]:
        """Return a text for a script to fill in: a `Several` in all forms, named as by `Intl.PluralRules`."""
        if not isinstance(text, Several):
            return self(text)
        category = Locale(self.language).plural_form
        return {category(count): form for count, form in enumerate(self.forms(text, _ALL_FORMS))}

    def listed(self, texts: list[str] | tuple[str, ...]) -> str:
        """Return texts as a list in words: `Anna, Ben and Cleo`."""
        if len(texts) < 2:
            return "".join(texts)
        words = self  # so that the translators' tool sees the sentence
        return words("{first} and {last}", first=_joined(texts[:-1]), last=texts[-1])


_ALL_FORMS = 5
"""Among the numbers up to this are all plural forms of our languages."""


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
    """Return the translator of a language; the English one for a language that we do not have."""
    if language == "en" or language not in LANGUAGES:
        return Translator("en", NullTranslations())
    ready = source_of(language).with_suffix(".mo")  # which a site ships: reading the source takes long there
    content = ready.read_bytes() if ready.is_file() else compiled(language)
    return Translator(language, GNUTranslations(BytesIO(content)))


def source_of(language: str) -> Path:
    """Return the file of a language, as translators write it."""
    return LOCALE / language / "LC_MESSAGES" / "branchline.po"


def compiled(language: str) -> bytes:
    """Return the sentences of a language as `gettext` looks them up."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with source_of(language).open("rb") as file:
        catalogue = read_po(file, locale=language)
    content = BytesIO()
    write_mo(content, catalogue)
    return content.getvalue()
