"""What lies on the board at one moment, as far as a drawing needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Position:
    """The pieces to draw on a board. Routes and places are their indices on the board; seats count from 0."""

    seats: int = 0
    owners: Mapping[int, int] = field(default_factory=dict)  # route -> seat
    closed: frozenset[int] = frozenset()  # routes closed because a parallel one is taken
    stations: Mapping[int, int] = field(default_factory=dict)  # place -> seat
    ports: Mapping[int, int] = field(default_factory=dict)  # place -> seat
    passengers: Mapping[int, tuple[str, ...]] | None = None  # place -> colours; None: as many as at the start, unseen
    highlight: frozenset[int] = frozenset()  # routes that glow
    marked_places: frozenset[int] = frozenset()
