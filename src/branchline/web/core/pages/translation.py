"""The words of the pages, and of lessons and rules: English in the source, other languages from `locale/` (gettext).

A sentence is written once, in English, where it is used: `words("{name} takes a card: {card}", name=…)`. If a field is
Markup, so is the answer, and the other fields are escaped.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import struct
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel import Locale
from markupsafe import Markup, escape

from branchline.cache import cache_folder
from branchline.languages import LANGUAGES as LANGUAGES
from branchline.whole_file import write_whole

LOCALE = Path(__file__).parents[2] / "locale"
PAGES, TEACHING = CATALOGUES = ("branchline", "teaching")
"""The files of a language: the words of the pages; lessons, articles of the rules and rulings."""


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
def translator_for(language: str, catalogue: str = PAGES) -> Translator:
    """Return the translator of a language; the English one for a language that we do not have."""
    if language == "en" or language not in LANGUAGES:
        return Translator("en", NullTranslations())
    ready = source_of(language, catalogue).with_suffix(".mo")  # which a site ships: reading the source takes long there
    return Translator(language, _read(ready) if ready.is_file() else _kept(language, catalogue))


def source_of(language: str, catalogue: str = PAGES) -> Path:
    """Return a file of a language, as translators write it."""
    return LOCALE / language / "LC_MESSAGES" / f"{catalogue}.po"


def _kept(language: str, catalogue: str) -> GNUTranslations:
    """Return the sentences of a language: compiled at an earlier start, or now."""
    folder = cache_folder("words")
    if folder is None:
        return GNUTranslations(BytesIO(compiled(language, catalogue)))
    digest = hashlib.sha256(source_of(language, catalogue).read_bytes()).hexdigest()[:24]
    kept = folder / f"{language}.{catalogue}.{digest}.mo"
    with contextlib.suppress(OSError, ValueError, struct.error):  # there is none, or it is cut off
        return _read(kept)
    content = compiled(language, catalogue)
    with contextlib.suppress(OSError):  # as on a full disk: next time it is made again
        write_whole(kept, content, lasting=False)
    return GNUTranslations(BytesIO(content))


def _read(file: Path) -> GNUTranslations:
    return GNUTranslations(BytesIO(file.read_bytes()))


def compiled(language: str, catalogue: str) -> bytes:
    """Return the sentences of a language as `gettext` looks them up."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with source_of(language, catalogue).open("rb") as file:
        sentences = read_po(file, locale=language)
    content = BytesIO()
    write_mo(content, sentences)
    return content.getvalue()
