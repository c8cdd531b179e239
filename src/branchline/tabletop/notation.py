"""What is noted of a game: its players, what is known from the start, and its turns."""

from __future__ import annotations

from dataclasses import dataclass, field

from branchline.boards import Board, Place, Route, Ticket

LONGEST_NAME = 40
ANY_DECK = -1

DRAW, CLAIM, WITHDRAW, STATION, PORT, TICKETS, SWAP, PASS = (
    "draw",
    "claim",
    "withdraw",
    "station",
    "port",
    "tickets",
    "swap",
    "pass",
)
WORDS = (DRAW, CLAIM, WITHDRAW, STATION, PORT, TICKETS, SWAP, PASS)
"""What a turn can be, as a notation says it."""


@dataclass(frozen=True)
class CardDrawn:
    """One card of a turn: taken openly, drawn blind, or nobody noted how."""

    kind: int | None = None  # of card, where it is known
    openly: bool = False  # from the market
    deck: int = ANY_DECK  # of a card drawn blind
    refill: int = ANY_DECK  # from which deck its place in the market was filled
    sweeps: int = 0  # how often the market was swept after it
    blind: bool = False  # noted to be drawn from a deck


@dataclass(frozen=True)
class Choice:
    """What a seat kept of an offer of tickets: how many or which, and the mix it announced; None: not noted."""

    mix: int | None = None  # from the first deck
    kept: int | None = None
    tickets: tuple[Ticket, ...] = ()


@dataclass(frozen=True)
class Turn:
    """One turn, as far as it was noted."""

    line: int  # counted from 1
    seat: int
    what: str  # one of WORDS
    drawn: tuple[CardDrawn, ...] = ()
    route: Route | None = None
    place: Place | None = None
    paid: tuple[tuple[int, int], ...] | None = None  # kinds of cards and numbers; None: not noted
    turned: tuple[int, ...] | None = None  # kinds turned at a tunnel
    passengers: tuple[tuple[int, int], ...] = ()  # place and colour
    choice: Choice = field(default_factory=Choice)
    swapped: int = -1  # the action that swaps


@dataclass(frozen=True)
class Start:
    """What is known of a seat before its first turn."""

    choice: Choice = field(default_factory=Choice)
    fleet: int | None = None  # trains
    line: int = 0


@dataclass(frozen=True)
class Notation:
    """A game as it was noted."""

    board: Board
    names: tuple[str, ...]
    turns: tuple[Turn, ...]
    starts: tuple[Start, ...]  # by seat
    held: tuple[tuple[Ticket, ...] | None, ...]  # by seat: the tickets at the end; None: not noted
    held_lines: tuple[int, ...]  # where they stand

    @property
    def first_seat(self) -> int:
        """Who begins."""
        return self.turns[0].seat if self.turns else 0
