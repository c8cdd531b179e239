"""A move told: what kind it was and what it was about, for whoever puts it into words."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from branchline.boards import COLOURS, Board, Place, Route, Ticket
from branchline.bots import Position
from branchline.game.actions import DECKS, action_text
from branchline.game.cards import card_name
from branchline.plain_data import JsonObject
from branchline.rules import state as at

_KINDS = (
    (at.CLAIM, "claim"),
    (at.STATION, "station"),
    (at.PORT, "port"),
    (at.TAKE, "take"),
    (at.BLIND, "blind"),
    (at.REFILL_FROM, "refill"),
    (at.DRAW_TICKETS, "tickets"),
    (at.SWAP_PIECES, "swap"),
    (at.PASS, "pass"),
    (at.PAY_EXTRA, "pay"),
    (at.WITHDRAW, "withdraw"),
    (at.MIX, "mix"),
    (at.PAY_COLOUR, "payment"),
    (at.PICK_PASSENGER, "passenger"),
    (at.WITH_WILDS, "payment"),
    (at.KEEP, "keep"),
    (at.TRAINS_IN_FLEET, "fleet"),
    (at.SWAP_FOR, "swap"),
)
KINDS = tuple(dict.fromkeys(kind for _, kind in _KINDS))
"""The kinds of moves."""


@dataclass(frozen=True)
class Move:
    """A move that was made or could have been made."""

    kind: str  # one of `KINDS`
    text: str  # the action as the game writes it, and the card where only its place is written
    route: Route | None = None
    place: Place | None = None
    card: str = ""  # taken from the market
    word: str = ""  # a deck, or the colour of a passenger
    count: int = 0  # tickets kept, trains of a fleet

    @classmethod
    def of(cls, position: Position, action: int) -> Move:
        """Return the move that an action makes in this position."""
        first, kind = next(entry for entry in reversed(_KINDS) if entry[0] <= action)
        n = action - first
        board, text = position.board, action_text(position.board, position.state, action)
        about: JsonObject = {}
        if kind == "claim":
            about["route"] = board.routes[n]
        elif kind in ("station", "port"):
            about["place"] = board.places[n]
        elif kind == "take":
            about["card"] = card_name(int(position.state.market[n]))
            text = f"{text} ({about['card']})"
        elif kind in ("blind", "refill"):
            about["word"] = DECKS[n]
        elif kind == "keep":
            about["count"] = n.bit_count()
        elif kind == "fleet":
            about["count"] = n
        elif kind == "passenger" and n < len(COLOURS):
            about["word"] = COLOURS[n]
        return cls(kind, text, **about)


def told(record: Any) -> JsonObject:
    """Return a record of words, numbers and things of the board as a JSON object; things are their numbers on the
    board.
    """
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return {
        name: value.index if isinstance(value, (Place, Route, Ticket)) else value
        for name, value in values.items()
        if value is not None
    }


def heard(kind: type, data: Any, board: Board) -> Any:
    """Return the record of this kind that `told` wrote."""
    numbered: JsonObject = {"route": board.routes, "place": board.places, "ticket": board.tickets}
    return kind(**{name: numbered[name][value] if name in numbered else value for name, value in data.items()})
