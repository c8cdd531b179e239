"""What printed boards show, to set beside the figures of another board.

The ranges of the editions are in `editions.json`, written by `python -m branchline.arena.balance` (`make balance`)
together with `docs/balance.md`. Those of `OFFICIAL` are measured on eight maps of the publisher by others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from branchline.plain_data import JsonObject
from branchline.rules.catalogue import SCORE_PARTS, SWAPS, Part

FILE = Path(__file__).with_name("editions.json")

OFFICIAL: Mapping[str, tuple[float, float]] = {
    "crowded": (8, 19),
    "traffic": (1.4, 3.1),
    "idle": (0.07, 0.21),
    "pieces": (0.57, 0.76),
    "longest_ticket": (0.47, 0.47),
}
"""Known of eight printed maps of the publisher: fewest and most."""


@dataclass(frozen=True)
class Figure:
    """What a figure is called, and how it is written."""

    name: str  # in English; the key of pages in other languages
    digits: int = 1
    percent: bool = False
    signed: bool = False

    def shown(self, value: float) -> str:
        """Return a value as text, with a true minus sign."""
        text = f"{100 * value if self.percent else value:{'+' if self.signed else ''}.{self.digits}f}"
        text = text.replace("-", "\N{MINUS SIGN}")
        return f"{text} %" if self.percent else text


PERCENT = {"digits": 0, "percent": True}

MAP_FIGURES: Mapping[str, Figure] = {
    "crowded": Figure("Crowded connections with all seats taken", 0),
    "traffic": Figure("Tickets over a double connection per ticket over a single one", 2),
    "idle": Figure("Connections no ticket needs", **PERCENT),  # type: ignore[arg-type]
    "pieces": Figure("Pieces of all seats per space", **PERCENT),  # type: ignore[arg-type]
    "longest_ticket": Figure("Longest ticket per piece of a player", 2),
    "kept": Figure("Share of offered tickets that are kept", **PERCENT),  # type: ignore[arg-type]
    "never_kept": Figure("Tickets never kept", 0),
    "done": Figure("Share of kept tickets that are completed", **PERCENT),  # type: ignore[arg-type]
    "net": Figure("Net value of a ticket, median"),
    "off": Figure("Average deviation of net values from tickets of the same length"),
}
"""The figures of map and tickets, in the order in which they are shown."""


def _points_from(part: Part) -> Figure:
    return Figure(f"Points from {part.label.lower()}", digits=0, percent=True)


SEAT_FIGURES: Mapping[str, Figure] = {
    "turns": Figure("Turns per player"),
    "score": Figure("Score", 0),
    "spread": Figure("Spread of scores (standard deviation)"),
    "margin": Figure("Winner’s lead over second place"),
    "first_wins": Figure("Win share of the first player (1 is even)", 2),
    "first_lead": Figure("Points of the first player, compared with the average", signed=True),
    "last_wins": Figure("Win share of the last player (1 is even)", 2),
    "used": Figure("Routes claimed per game", **PERCENT),  # type: ignore[arg-type]
    "unused": Figure("Connections claimed in fewer than 5 % of games", **PERCENT),  # type: ignore[arg-type]
    "contested": Figure("Contested connections per game"),
    "blocked": Figure("Blocks per game", 2),
    "passing": Figure("Blocks on the blocker’s own way", **PERCENT),  # type: ignore[arg-type]
    "detour": Figure("Extra spaces a blocked plan needs", 2),
    "dropped": Figure("Tickets given up per block", 2),
    "blocker_wins": Figure("Win share of blockers (1 is even)", 2),
    "victim_wins": Figure("Win share of blocked players (1 is even)", 2),
    "racer_wins": Figure("Win share of a racer (1 is even)", 2),
    "tickets_held": Figure("Tickets held at the end"),
    "tickets_done": Figure("Of these, completed", **PERCENT),  # type: ignore[arg-type]
    **{f"from_{part.name}": _points_from(part) for part in SCORE_PARTS if part != SCORE_PARTS[SWAPS]},
}
"""The figures for one number of seats, likewise."""


@cache
def editions() -> Mapping[str, Any]:
    """Return the figures of the editions, as they were measured: by edition `map` and, by number of seats, `seats`."""
    measured: JsonObject = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {"editions": {}}
    return measured


def range_of(name: str, seats: int | None = None) -> tuple[float, float] | None:
    """Return the limits of a figure on the editions: of the map, or with `seats` seats; None where none has it.

    Where no edition is for so many seats, all numbers of seats count.
    """
    boards = list(editions()["editions"].values())
    if seats is None:
        return _span([figures["map"].get(name) for figures in boards])
    at = [figures["seats"].get(str(seats), {}).get(name) for figures in boards]
    return _span(at) or _span([table.get(name) for figures in boards for table in figures["seats"].values()])


def _span(values: Sequence[float | None]) -> tuple[float, float] | None:
    known = [value for value in values if value is not None]
    return (min(known), max(known)) if known else None


def spelt(figure: Figure, span: tuple[float, float] | None) -> str:
    """Return a range as text, or a dash if there is none."""
    if span is None:
        return "–"
    low, high = (figure.shown(end) for end in span)
    return low if low == high else f"{low} … {high}"
