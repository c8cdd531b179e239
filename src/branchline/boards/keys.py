"""The kinds of keys of `board.toml`: what each holds, and how it is read.

A key is declared once, where its value is kept: `kept_bonus: Annotated[int, Number("points for each …", -200, 200)]` in
`boards.board`. The reader, its faults, the form of the workshop and `docs/board_format.md` follow from that row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar

from branchline.boards.limits import LONGEST_TITLE, MAX_LENGTH, MAX_POINTS
from branchline.boards.sections import Section
from branchline.boards.wording import Message, worded
from branchline.languages import LANGUAGES

Before = Mapping[str, Any]
"""What has been read so far, by attribute: of the same record, then of those around it."""


@dataclass(frozen=True)
class Key:
    """A row of the schema."""

    meaning: str  # in English, for the form and the document; empty: the key before it explains this one too
    _: KW_ONLY
    names: tuple[str, ...] = ()  # in the file; left out: the name of the attribute
    section: str = ""  # of an attribute that is kept elsewhere than the rest of its section
    said: str = ""  # the default in words, where it is not written as it is
    counts: bool = True  # whether it can change a game, and so belongs to the digest of a board
    default: object = None  # what it is when it is left out of its section; None: it is needed

    form: ClassVar[str] = "text"  # the kind of its field in the form; empty: its section has a form of its own
    joint: ClassVar[str] = ", "  # between several names in the document
    nothing: ClassVar[object] = None  # what it is without its section

    def read(self, section: Section, name: str, before: Before) -> object:
        """Return what the section says under this name, or note a fault and return something harmless."""
        raise NotImplementedError

    def read_all(self, section: Section, names: tuple[str, ...], before: Before) -> object:
        """Return the value of the key, or a tuple with the value of each of several names."""
        values = tuple(self.read(section, name, before) for name in names)
        return values[0] if len(values) == 1 else values

    @property
    def default_said(self) -> str:
        """What it is when it is left out, in words; empty: it is needed."""
        return self.said or ("" if self.default is None else str(self.default).lower())


@dataclass(frozen=True)
class Number(Key):
    """A whole number."""

    low: int
    high: int
    _: KW_ONLY
    default: int | None = None
    up_to: Callable[[Before], int] | None = None  # a tighter limit than `high`, by what was read before

    form = "number"
    nothing = 0

    def read(self, section: Section, name: str, before: Before) -> int:
        """Return a whole number between the limits."""
        return section.number(name, self.low, self.up_to(before) if self.up_to else self.high, self.default)


@dataclass(frozen=True)
class Pieces(Number):
    """One of several kinds of pieces, each a key of its own."""

    joint = " or "

    def read_all(self, section: Section, names: tuple[str, ...], before: Before) -> tuple[int, ...]:
        """Return how many there are of each kind that is given."""
        return tuple(self.read(section, name, before) for name in names if name in section)


@dataclass(frozen=True)
class Numbers(Key):
    """A list of whole numbers."""

    low: int
    high: int
    most: int

    form = "numbers"

    def read(self, section: Section, name: str, before: Before) -> tuple[int, ...]:
        """Return one to `most` whole numbers between the limits."""
        return section.numbers(name, self.low, self.high, self.most)


@dataclass(frozen=True)
class Decimal(Key):
    """A number for the drawing, which may be left out and is kept as it is written."""

    low: float
    high: float

    form = "decimal"

    def read(self, section: Section, name: str, before: Before) -> object:
        """Return what is given; a wrong one is noted."""
        section.decimals(name, self.low, self.high)
        return section.entries.get(name)


@dataclass(frozen=True)
class Decimals(Decimal):
    """A list of so many numbers for the drawing."""

    count: int

    form = "numbers"

    def read(self, section: Section, name: str, before: Before) -> object:
        """Return what is given; a wrong one is noted."""
        section.decimals(name, self.low, self.high, self.count)
        return section.entries.get(name)


@dataclass(frozen=True)
class Edges(Key):
    """For routes over the edge of the map: spaces in the west, spaces in the east, height of the cut."""

    form = "edges"

    def read(self, section: Section, name: str, before: Before) -> object:
        """Return what is given; a wrong one is noted."""
        if edges := section.section(name, optional=True):
            for route, share in edges.entries.items():
                edges.decimals(route, 0, MAX_LENGTH, 3 if isinstance(share, list) and len(share) == 3 else 2)
        return section.entries.get(name)


@dataclass(frozen=True)
class Flag(Key):
    """True or false; left out: false."""

    _: KW_ONLY
    default: bool = False

    form = "flag"
    nothing = False

    def read(self, section: Section, name: str, before: Before) -> bool:
        """Return true or false."""
        return section.flag(name, self.default)


@dataclass(frozen=True)
class Text(Key):
    """Some words on one line."""

    longest: int
    _: KW_ONLY
    default: str | None = None

    def read(self, section: Section, name: str, before: Before) -> str:
        """Return a text of at most `longest` characters."""
        return section.text(name, self.longest, self.default)


@dataclass(frozen=True)
class Texts(Key):
    """A list of texts; left out: none."""

    most: int
    longest: int

    form = "lines"
    nothing = ()

    def read(self, section: Section, name: str, before: Before) -> tuple[str, ...]:
        """Return at most `most` texts of at most `longest` characters."""
        return section.texts(name, self.most, self.longest)


@dataclass(frozen=True)
class Word(Key):
    """One of a few words, which are kept as others."""

    words: Mapping[str, str]  # in the file → in the record
    fewer: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # those that a section allows, if not all

    form = "word"

    def read(self, section: Section, name: str, before: Before) -> str:
        """Return the word of the record."""
        return self.words[section.word(name, self.fewer.get(section.name, tuple(self.words)))]


@dataclass(frozen=True)
class Words(Key):
    """A list of different words out of a few."""

    words: tuple[str, ...]
    what: Message  # one of them is
    _: KW_ONLY
    fewest: int = 1
    sorted: bool = False  # kept in the order of `words`, not in that of the file

    form = "words"
    nothing = ()

    def read(self, section: Section, name: str, before: Before) -> tuple[str, ...]:
        """Return the words that are given."""
        chosen = section.words(name, self.words, self.what, self.fewest)
        return tuple(word for word in self.words if word in chosen) if self.sorted else chosen


@dataclass(frozen=True)
class Share(Key):
    """A number, or one for each of two decks: `hand = 4`, or `hand = { train = 3, ship = 7 }`."""

    high: int

    form = "share"

    def read(self, section: Section, name: str, before: Before) -> tuple[int, ...]:
        """Return the number for each deck."""
        numbers = self._by_deck(section, name, ("train", "ship"))
        return (section.number(name, 0, self.high), 0) if numbers is None else numbers

    def _by_deck(self, section: Section, name: str, decks: tuple[str, ...]) -> tuple[int, ...] | None:
        """Return the number for each deck where they are given by deck, else None."""
        if not isinstance(section.entries.get(name), dict) or not (inner := section.section(name)):
            return None
        numbers = tuple(inner.number(deck, 0, self.high, default=0) for deck in decks)
        inner.close()
        return numbers


@dataclass(frozen=True)
class Deal(Share):
    """The same for the ticket decks of a board; nothing where a mix is announced."""

    def read(self, section: Section, name: str, before: Before) -> tuple[int, ...]:
        """Return the number for each ticket deck."""
        if "mix" in section and name not in section:
            return ()
        decks: tuple[str, ...] = before["decks"]
        numbers = self._by_deck(section, name, decks)
        if numbers is not None:
            return numbers
        number = section.number(name, 1, self.high)
        if len(decks) > 1 and name in section.entries:
            problem = worded(
                "[{name}] deal: say from which deck, as in deal = {{ {example} }}",
                name=section.name,
                example=f"{decks[0]} = {number}",
            )
            section.wrong(name, problem)
        return (number, *(0 for _ in decks[1:]))


@dataclass(frozen=True)
class Mix(Number):
    """A number of tickets that the seat divides between the decks; 0 where the deal is fixed."""

    def read(self, section: Section, name: str, before: Before) -> int:
        """Return the number, if there is one."""
        return super().read(section, name, before) if name in section else 0


@dataclass(frozen=True)
class Lengths(Key):
    """A section of points by length: `4 = 7`. Lengths left out do not exist on this board."""

    form = ""
    nothing = ()

    def read(self, section: Section, name: str, before: Before) -> tuple[int, ...]:
        """Return the points of each length from 0 to the longest."""
        lengths = [length for length in range(1, MAX_LENGTH + 1) if str(length) in section]
        points = {length: section.number(str(length), 1, MAX_POINTS) for length in lengths}
        return tuple(points.get(length, 0) for length in range(max(lengths, default=-1) + 1))


@dataclass(frozen=True)
class Titles(Key):
    """A section of titles by language."""

    form = ""
    nothing = ()

    def read(self, section: Section, name: str, before: Before) -> tuple[tuple[str, str], ...]:
        """Return the title in each language that is given."""
        languages = [language for language in LANGUAGES if language in section]
        return tuple((language, section.text(language, LONGEST_TITLE)) for language in languages)
