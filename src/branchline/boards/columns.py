"""The columns of the tables of a board folder: what each holds, and what it is when it is left out.

A column is declared once. The reader, the imports of the workshop and the tables of `docs/board_format.md` follow it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from branchline.boards.board import COLOURS, GRAY, LABEL_SIDES, PLACE_KINDS, ROUTE_KINDS
from branchline.boards.limits import MAX_LENGTH, MAX_POINTS, MAX_STANDING
from branchline.boards.rows import Row
from branchline.languages import LANGUAGES

Value = TypeVar("Value")

FARTHEST_NUDGE = 400.0


class Column(Generic[Value]):
    """A column, which knows its name from the table that it is declared in."""

    name: str

    def __init__(self, meaning: str, *, default: Value | None = None, said: str = "") -> None:
        """Declare a column with its `meaning` in English; empty: the column before it explains this one too.

        `said`: what it is when it is left out, in words; empty: the first line of the table must name the column.
        """
        self.meaning = meaning
        self.default = default
        self.said = said

    def __set_name__(self, table: type, name: str) -> None:
        """Take the name of the attribute."""
        self.name = name


class Cell(Column[str]):
    """A text."""

    def read(self, row: Row) -> str:
        """Return what stands there, without blanks around it."""
        return row.text(self.name)


class Whole(Column[int]):
    """A whole number."""

    def __init__(self, meaning: str, low: int, high: int, *, default: int | None = None) -> None:
        """Declare a number between two limits."""
        super().__init__(meaning, default=default, said="" if default is None else str(default))
        self.low, self.high = low, high

    def read(self, row: Row, *, up_to: int | None = None) -> int:
        """Return the number; `up_to` is a tighter limit."""
        return row.number(self.name, self.low, self.high if up_to is None else up_to, self.default)


class Real(Column[float]):
    """A number with a decimal point if need be."""

    def __init__(self, meaning: str, low: float, high: float, *, default: float | None = None, said: str = "") -> None:
        """Declare a number between two limits."""
        super().__init__(meaning, default=default, said=said)
        self.low, self.high = low, high

    def read(self, row: Row, *, default: float | None = None) -> float:
        """Return the number; `default` is for an empty cell."""
        return row.decimal(self.name, self.low, self.high, self.default if default is None else default)


class YesNo(Column[bool]):
    """Yes or no; left out: no."""

    def __init__(self, meaning: str) -> None:
        """Declare what yes means."""
        super().__init__(meaning, default=False, said="no")

    def read(self, row: Row) -> bool:
        """Return whether it says yes."""
        return row.flag(self.name)


class Choice(Column[str]):
    """One of a few words."""

    def __init__(self, meaning: str, words: tuple[str, ...], *, default: str | None = None, said: str = "") -> None:
        """Declare the words."""
        super().__init__(meaning, default=default, said=said or default or "")
        self.words = words

    def read(self, row: Row) -> str:
        """Return the word."""
        return row.word(self.name, self.words, self.default)


class Columns:
    """The columns that a table must and may have; each table is a class of this kind."""

    all: ClassVar[Mapping[str, Column[object]]]
    needed: ClassVar[tuple[str, ...]]
    optional: ClassVar[tuple[str, ...]]
    known: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, further: Mapping[str, Column[str]] | None = None) -> None:
        """Collect the columns; `further` are those whose names are data. Every table may have a column `source`."""
        for name, column in (further or {}).items():
            column.__set_name__(cls, name)
        cls.all = {name: column for name, column in vars(cls).items() if isinstance(column, Column)} | dict(
            further or {}
        )
        cls.needed = tuple(name for name, column in cls.all.items() if not column.said)
        cls.optional = (*(name for name in cls.all if name not in cls.needed), "source")
        cls.known = cls.needed + cls.optional


class Cities(Columns):
    """`cities.csv`: the places."""

    name = Cell("as printed; no two names may be equal without their accents")
    kind = Choice(
        "`city`; `country`: a dead end, nothing passes through; `waypoint`: a junction, on no ticket, takes no port",
        PLACE_KINDS,
        default="city",
    )
    port = YesNo("`yes` where a port may be built")
    lat = Real("degrees north and east", -90, 90, said="required without `layout.csv`")
    lon = Real("", -180, 180, said="required without `layout.csv`")
    aliases = Cell(
        "other names that people may type, separated by <code>&#124;</code>; spellings without accents always work",
        said="none",
    )
    nudge_x = Real(
        "how far the drawing moves the place, in px to the right and down",
        -FARTHEST_NUDGE,
        FARTHEST_NUDGE,
        default=0.0,
        said="0",
    )
    nudge_y = Real("", -FARTHEST_NUDGE, FARTHEST_NUDGE, default=0.0, said="0")
    label = Choice(
        "the side on which its name stands, unless it would cover a place or leave the map: "
        "`n`, `ne`, `e`, `se`, `s`, `sw`, `w`, `nw`",
        LABEL_SIDES,
        default="",
        said="where there is most room",
    )


class Layout(Columns):
    """`layout.csv`: where the places lie on a drawn sheet."""

    name = Cell("every place, once")
    x = Real("its position on the sheet, 0 to 1 from the left and the top", 0, 1)
    y = Real("", 0, 1)


class Passengers(Columns):
    """`passengers.csv`: where passengers stand at the start."""

    city = Cell("number of passengers at the start; places not listed have none")
    count = Whole("", 0, MAX_STANDING)


_IN_LANGUAGES = {
    language: Cell("" if number else "its name in that language", said="as printed")
    for number, language in enumerate(LANGUAGES)
}


class Names(Columns, further=_IN_LANGUAGES):
    """`names.csv`: what other languages call the places."""

    name = Cell("the place, spelled as in cities.csv")


class Routes(Columns):
    """`routes.csv`: the lines between the places."""

    city_a = Cell("the two ends, spelled as in cities.csv, in any order")
    city_b = Cell("")
    length = Whole("number of spaces; for a subway (one space), its price in cards", 1, MAX_LENGTH)
    colour = Choice("a colour of the cards, or `gray`: any one colour", (*COLOURS, GRAY))
    kind = Choice("`rail`, `tunnel`, `ferry`, `sea`, `tram` or `subway`", ROUTE_KINDS, default="rail")
    wilds = Whole("number of wild symbols; at least 1 on a ferry, 0 elsewhere", 0, MAX_LENGTH, default=0)
    pairs = Whole(
        "number of spaces of difficult terrain on a rail route; each costs a pair of cards", 0, MAX_LENGTH, default=0
    )
    wraps = YesNo("`yes` if the route crosses the edge of a round map")


class Exits(Columns):
    """`exits.csv`: points on the map where routes into a country end."""

    country = Cell("the two ends of a route into a country")
    city = Cell("")
    lat = Real("the point where the drawing of the route ends", -90, 90)
    lon = Real("", -180, 180)
    note = Cell("your own notes", said="none")


class Tickets(Columns):
    """`tickets.csv`: the tickets."""

    city_a = Cell("the places to join")
    city_b = Cell("")
    value = Whole("points won if the places are joined, lost if not", 1, MAX_POINTS)
    deck = Cell("name of its deck", said="required with two decks")


class Tours(Columns):
    """`tours.csv`: tickets with more than two places."""

    cities = Cell("3 to 8 cities in printed order, as in `Lagos>Luanda>Djibouti`")
    value_in_order = Whole("points if one trail visits them in this order", 1, MAX_POINTS)
    value_any_order = Whole("points if they are joined in any order", 1, MAX_POINTS)
    penalty = Whole("points lost if they are not joined, written without a minus sign", 0, MAX_POINTS)
    deck = Cell("name of its deck", said="required with two decks")


TABLES: Mapping[str, type[Columns]] = {
    "cities": Cities,
    "routes": Routes,
    "tickets": Tickets,
    "tours": Tours,
    "passengers": Passengers,
    "exits": Exits,
    "layout": Layout,
    "names": Names,
}
"""The tables of a board folder; a file is called as its table, with `.csv`."""
