"""Text out of bytes that somebody saved somewhere: UTF-8, UTF-16, or a code page of Windows, Unix, DOS and old Macs.

A byte order mark, zero bytes and UTF-8's own rules leave no doubt. Code pages do: there the letters decide, by how
often the languages that a page was made for use them, so that the same bytes are always read in the same way. Short
texts can be read in several ways: whoever reports a guess shows some of the words as they were read.
"""

from __future__ import annotations

import codecs
import contextlib
import functools
import itertools
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)

_CENTRAL = ("ąęłóśżćńź", "íáéěřšžýčůúťďňó", "áíéúčšžýľťôňóäďĺŕ", "áéöóőüíúű", "üäößé", "čšžćđ", "ăîâşţ")
_WESTERN = (
    "üäößé",
    "éèàêçâôîùûœëïü",
    "óíáñéúü",
    "ãçáéíóêõâúà",
    "àèòùìé",
    "åøæéö",
    "äöåé",
    "áíðéþúóæöý",
    "éëïöü",
)
_CYRILLIC = ("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", "оаинвіетрслкудмпзяьбгйчхцжїюшщєфґ", "ђћљњџјаоиенртсвудкмпгбзлчшжцхф")
_GREEK = ("αοιτεσνηυρπκμλςίόάέγδήωχύώθφβξζψϊϋ",)
_TURKISH = ("ıüşçğöİâî",)
_BALTIC = ("ėšįųžūčęą", "āīšēņūļžģķč", "äõüöšž")
_HEBREW = ("יולהאמרתבשנכםעדחפקטןגצסזךץףצ",)
_ARABIC = ("اليمنرتبوةعدسفهكقحجشصطخىأذضزغإئثءظؤآ",)


@dataclass(frozen=True)
class _Page:
    """A code page: what Python and people call it, and the letters of its languages, the commonest first."""

    codec: str
    name: str
    languages: Sequence[str]
    rarity: float  # how much less often files come in it, as a logarithm


_PAGES = (
    _Page("cp1252", "Windows-1252", _WESTERN, 0.7),
    _Page("cp1250", "Windows-1250", _CENTRAL, 0.0),
    _Page("iso8859_2", "ISO-8859-2", _CENTRAL, 1.0),
    _Page("cp1251", "Windows-1251", _CYRILLIC, 1.0),
    _Page("cp1253", "Windows-1253", _GREEK, 1.0),
    _Page("cp1254", "Windows-1254", _TURKISH, 1.0),
    _Page("cp1255", "Windows-1255", _HEBREW, 2.0),
    _Page("cp1256", "Windows-1256", _ARABIC, 2.0),
    _Page("cp1257", "Windows-1257", _BALTIC, 2.0),
    _Page("koi8_u", "KOI8-U", _CYRILLIC, 2.0),
    _Page("cp852", "DOS 852", _CENTRAL, 2.0),
    _Page("cp850", "DOS 850", _WESTERN, 2.0),
    _Page("cp866", "DOS 866", _CYRILLIC, 2.0),
    _Page("mac_roman", "Mac Roman", _WESTERN, 2.0),
    _Page("mac_latin2", "Mac Central European", _CENTRAL, 2.0),
    _Page("mac_cyrillic", "Mac Cyrillic", _CYRILLIC, 2.0),
)
_DOS = ("cp852", "cp850", "cp866")
_MAC = ("mac_roman", "mac_latin2", "mac_cyrillic")

_FOREIGN = re.compile(r"[^\x00-\x7f]")
_BETWEEN_WORDS = re.compile(r"""[\s,;:|"()]""")
_LONGEST = 20  # letters before and after such a letter that are shown
_WORDS = 3  # that are shown of a guess
_SAMPLE = 16_000  # bytes by which a code page is told
_BETWEEN = "–—’·"  # that stand between letters in sound text
_BESIDE = "„“”‘‚«»‹›…¡¿"  # that stand beside them
_CLOSING = "”…"  # after which no word begins
_SIGNS = "°€£§©×½²\xa0"  # that follow no letter
_OWN, _OTHER, _LEAST = 0.85, 0.15, 1e-6  # shares of one language, of the others of its page, of everything else
_DOUBT = -4.5  # the mean logarithm of a letter from which a text is none


class UndecodableError(ValueError):
    """Bytes that are no text, as far as can be told."""

    def __init__(self, line: int, *, byte: str = "", encoding: str = "") -> None:
        """Make the error of a `byte` in a line, as in `0x81`; or of damage to the `encoding`; or else of a zero
        byte.
        """
        self.line, self.byte, self.encoding = line, byte, encoding
        super().__init__(line, byte, encoding)

    def __str__(self) -> str:
        """Return what is wrong, worded to follow the name of a file."""
        if self.encoding:
            return f"not UTF-8 text: it begins as {self.encoding}, but is damaged"
        return f"not UTF-8 text (byte {self.byte})" if self.byte else "not text: it holds a zero byte"


@dataclass(frozen=True)
class Decoded:
    """A text, what it was written with, and whether that had to be guessed."""

    text: str
    encoding: str  # for people: UTF-8, Windows-1250
    line: int = 0  # of the first byte that is not UTF-8, where the encoding was guessed; else 0
    byte: str = ""  # that byte, as in `0xb3`
    words: tuple[str, ...] = ()  # as they were read there, for people to judge

    @property
    def guessed(self) -> bool:
        """Whether the letters had to tell."""
        return self.line > 0


def decoded(content: bytes, *, dos: bool = False) -> Decoded:
    """Read text, whatever it was written with, without its byte order mark; raise `UndecodableError` for anything else.

    `dos`: prefer the code pages of DOS, as names in zip files have them.
    """
    for mark, codec, name in _MARKS:
        if content.startswith(mark):
            return Decoded(_strictly(content[len(mark) :], codec, name), name)
    if codec := _unmarked_utf16(content):
        return Decoded(_strictly(content, codec, "UTF-16"), "UTF-16")
    if (at := content.find(b"\0")) >= 0:
        raise UndecodableError(_line(content, at))
    try:
        return Decoded(content.decode("utf-8"), "UTF-8")
    except UnicodeDecodeError as error:
        line, byte = _line(content, error.start), f"{content[error.start]:#04x}"
        sample = content[max(0, error.start - 1) : error.start + _SAMPLE]
    page = _page_of(sample, dos)
    with contextlib.suppress(UnicodeDecodeError):  # what comes after the sample may be anything
        if page is not None:
            text = content.decode(page.codec)
            return Decoded(text, page.name, line, byte, _words(text))
    raise UndecodableError(line, byte=byte)


def _words(text: str) -> tuple[str, ...]:
    """Return the first words with letters that had to be guessed."""
    words: dict[str, None] = {}
    for match in itertools.islice(_FOREIGN.finditer(text), 50):
        at = match.start()
        before = _BETWEEN_WORDS.split(text[max(0, at - _LONGEST) : at])[-1]
        words[before + match[0] + _BETWEEN_WORDS.split(text[at + 1 : at + _LONGEST])[0]] = None
    return tuple(words)[:_WORDS]


def _line(content: bytes, at: int) -> int:
    """Return the number of the line with this byte; old Macs end lines with a carriage return alone."""
    return content.count(b"\n" if b"\n" in content else b"\r", 0, at) + 1


def _strictly(content: bytes, codec: str, name: str) -> str:
    try:
        text = content.decode(codec)
    except UnicodeDecodeError as error:
        line = content[: error.start].decode(codec, "replace").count("\n") + 1
        raise UndecodableError(line, encoding=name) from None
    return text.removeprefix("\ufeff")


def _unmarked_utf16(content: bytes) -> str:
    """Return the codec of UTF-16 without its mark, in which ASCII has every other byte zero, or an empty text."""
    head = content[:4000]
    if len(content) % 2 or len(head) < 4 or b"\0\0" in head:
        return ""
    zeros = head[::2].count(0), head[1::2].count(0)
    if zeros[0] == 0 and zeros[1] * 4 >= len(head):
        return "utf-16-le"
    return "utf-16-be" if zeros[1] == 0 and zeros[0] * 4 >= len(head) else ""


# ------------------------------------------------------------------------------------------------ code pages


def _page_of(content: bytes, dos: bool) -> _Page | None:
    """Return the code page under which the text looks most like words, or None if it does under none."""
    if any(byte < 32 and byte not in b"\t\n\v\f\r\x1a" for byte in set(content)):
        return None
    best, likeliest = _DOUBT, None
    for page in _PAGES:
        likely = page.codec in _DOS if dos else page.codec in _MAC and b"\r" in content and b"\n" not in content
        rarity = 0.0 if likely else page.rarity + dos
        likeness = _likeness(content, page, rarity)
        if likeness > best:
            best, likeliest = likeness, page
    return likeliest


def _likeness(content: bytes, page: _Page, rarity: float) -> float:
    """Return the mean logarithm of how often the languages of a page have the letters that are not ASCII."""
    try:
        text = content.decode(page.codec)
    except UnicodeDecodeError:
        return -math.inf
    seen: Counter[tuple[str, float]] = Counter()
    for match in _FOREIGN.finditer(text):
        at = match.start()
        small = match[0].lower() if len(match[0].lower()) == 1 else match[0]
        seen[small, _fit(text[at - 1 : at], match[0], text[at + 1 : at + 2])] += 1
    if any(unicodedata.category(letter) == "Cc" for letter, _ in seen):
        return -math.inf
    total = sum(seen.values())
    languages = _frequencies(page.languages)
    every = {
        letter: sum(frequencies.get(letter, 0.0) for frequencies in languages) / len(languages) for letter, _ in seen
    }
    best = max(
        sum(count * _logarithm(letter, fit, language, every) for (letter, fit), count in seen.items())
        for language in languages
    )
    return (best - rarity) / total


def _logarithm(letter: str, fit: float, language: Mapping[str, float], every: Mapping[str, float]) -> float:
    if letter.isalpha():
        share = _OWN * language.get(letter, 0.0) + _OTHER * every[letter]
    else:
        share = 0.2 if letter in _SIGNS else 0.06 if letter in _BESIDE or letter in _BETWEEN else 0.02
    return math.log(share * fit + _LEAST)


def _fit(before: str, letter: str, after: str) -> float:
    """Return how well a letter goes with its neighbours, 0 to 1."""
    beside = before.isalpha() + after.isalpha()
    if not letter.isalpha():
        if letter in _BETWEEN:
            return 1.0 if beside != 1 else 0.2
        if letter in _SIGNS and not before.isalpha():
            return 0.5 if after.isascii() else 1e-2
        if letter in _CLOSING and after.isalpha():
            return 1e-3
        return 0.5 if beside < 2 and letter in _BESIDE else 1e-4 if beside else 0.05
    mixed = not _is_latin(letter) and any(neighbour.isascii() and neighbour.isalpha() for neighbour in (before, after))
    if mixed:
        return 1e-3
    if before.isdigit() or after.isdigit():
        return 0.02
    if letter.isupper():
        return 0.01 if before.islower() or (before.isupper() and after.islower()) else 0.3
    return 0.05 if before.isupper() and after.isupper() else 1.0


@functools.cache
def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith("LATIN")


@functools.cache
def _frequencies(languages: Sequence[str]) -> tuple[Mapping[str, float], ...]:
    """Return how often each language has its letters, by Zipf's law: the second half as often as the first, and so
    on.
    """
    frequencies = []
    for letters in languages:
        whole = sum(1 / rank for rank in range(1, len(letters) + 1))
        frequencies.append({letter: 1 / rank / whole for rank, letter in enumerate(letters, 1)})
    return tuple(frequencies)
