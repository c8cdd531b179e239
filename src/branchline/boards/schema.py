"""The sections of `board.toml` with their keys, from the records of `boards.board` that hold them.

The reader (`boards.rulebook`), the form and the writer of the workshop and the tables of `docs/board_format.md` all go
by this list.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from typing import get_type_hints

from branchline.boards.board import (
    Board,
    CardRules,
    EndRules,
    Looks,
    PassengerRules,
    PieceRules,
    PortRules,
    StationRules,
    TicketDraw,
    TicketRules,
)
from branchline.boards.keys import Flag, Key, Number


@dataclass(frozen=True)
class Entry:
    """One key, or several that are explained together: a row of the document and of the form."""

    names: tuple[str, ...]
    key: Key


@dataclass(frozen=True)
class KeySection:
    """A section of `board.toml`. An optional one begins with `usual` when a board gets it in the workshop."""

    path: str  # dotted; empty: the top of the file
    record: type  # its keys are rows of this class
    title: str  # for the form
    held: str = ""  # the attribute of `Board`, dotted, that holds the record; empty: the board itself
    usual: Mapping[str, object] | None = None  # None: every board has it

    @property
    def keys(self) -> tuple[tuple[str, Key], ...]:
        """Its keys with the attributes that they fill, in the order of the record."""
        rows = rows_of(self.record)
        return tuple(row for row in rows if row[1].section == self.path) or rows_without_section(self.record)

    @property
    def own(self) -> bool:
        """Whether all of the record is in this section, so that without it there is none."""
        return bool(self.held) and all(key.section != self.path for _, key in rows_of(self.record))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The rows of the document and of the form."""
        entries: list[Entry] = []
        for attribute, key in self.keys:
            names = key.names or (attribute,)
            if key.meaning:
                entries.append(Entry(names, key))
            elif key.form:
                entries[-1] = Entry(entries[-1].names + names, entries[-1].key)
        return tuple(entries)


@functools.cache
def rows_of(record: type) -> tuple[tuple[str, Key], ...]:
    """Return all keys of a record, with the attributes that they fill."""
    hints = get_type_hints(record, include_extras=True)
    return tuple(
        (attribute, key)
        for attribute, hint in hints.items()
        for key in getattr(hint, "__metadata__", ())
        if isinstance(key, Key)
    )


def rows_without_section(record: type) -> tuple[tuple[str, Key], ...]:
    """Return the keys that are in the section of the record itself."""
    return tuple(row for row in rows_of(record) if not row[1].section)


SECTIONS: tuple[KeySection, ...] = (
    KeySection("", Board, "Name and notes"),
    KeySection("seats", Board, "Seats"),
    KeySection("cards", CardRules, "Cards", "cards"),
    KeySection("tickets", TicketRules, "Ticket decks", "ticket_rules"),
    KeySection("tickets.first", TicketDraw, "Tickets at the start", "ticket_rules.first"),
    KeySection("tickets.later", TicketDraw, "Tickets later", "ticket_rules.later"),
    KeySection("pieces", PieceRules, "Pieces per player", "pieces"),
    KeySection("fleet", PieceRules, "Fleet chosen at the start", "pieces", {"choose": 50, "swap_price": 1}),
    KeySection(
        "passengers",
        PassengerRules,
        "Passengers",
        "passengers",
        {"colours": ["red", "yellow", "green", "blue", "white", "black"], "each": 10, "most": 20, "second": 10},
    ),
    KeySection("parallel", Board, "Parallel routes", usual={"one_line_up_to_seats": 3}),
    KeySection("tunnels", Board, "Tunnels", usual={"cards_turned": 3}),
    KeySection("stations", StationRules, "Stations", "stations", {"prices": [1, 2, 3], "kept_bonus": 4}),
    KeySection("points", Board, "Points for routes"),
    KeySection("points_subway", Board, "Points for subway routes", usual={"1": 1, "2": 2, "3": 4, "4": 7}),
    KeySection(
        "ports",
        PortRules,
        "Ports",
        "ports",
        {"each_seat": 3, "train_cards": 2, "ship_cards": 2, "points": [0, 20, 30, 40], "unbuilt": -4},
    ),
    KeySection("ending", EndRules, "End of the game", "ending"),
    KeySection("bonuses", Board, "Bonuses", usual={"longest_trail": 10}),
    KeySection("map", Looks, "Drawing", "map", {}),
    KeySection("titles", Board, "Title in other languages", usual={}),
)
"""In the order of a rulebook, in which files are written; a section comes after the one around it."""


def section_at(path: str) -> KeySection:
    """Return the section with this dotted name."""
    return next(section for section in SECTIONS if section.path == path)


def numbers(board: Board) -> Iterator[tuple[str, int]]:
    """Yield the whole numbers and flags of a board with the attributes that hold them, for the tables of the rules."""
    for section in SECTIONS:
        record: object = board
        for attribute in section.held.split(".") if section.held else ():
            record = getattr(record, attribute)
        if is_dataclass(record):
            for attribute, key in section.keys:
                value = getattr(record, attribute)
                if isinstance(key, Number | Flag) and isinstance(value, int):
                    yield attribute, value
