"""What came out of a series: standings of the bots, and how much the seat matters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from branchline.arena import statistics
from branchline.arena.errors import SeriesError
from branchline.arena.statistics import Estimate
from branchline.arena.table import Games
from branchline.boards import Board
from branchline.boards.faults import shown
from branchline.bots.api.tuned_weights import Weights
from branchline.plain_data import JsonObject
from branchline.rules.catalogue import SCORE_PARTS

COMPONENTS = tuple(part.name for part in SCORE_PARTS)
"""The parts of a score, in the order of the score sheet."""

ROWS_AT_ONCE = 10_000


@dataclass(frozen=True)
class Standing:
    """How one bot did, over all the seats it had."""

    bot: str
    places: int  # seats of the line-up it has
    appearances: int  # games times places
    wins: float  # a victory shared by k seats counts 1/k
    shared_wins: int  # how many of its victories were shared
    win_share: Estimate  # of all games
    expected: float  # the share it would have if all played alike
    score: Estimate
    components: dict[str, float]  # mean of each part of the score
    tickets_done: float
    tickets_held: float

    def as_dict(self) -> JsonObject:
        """Return the standing as data for JSON."""
        return {
            "bot": self.bot,
            "places": self.places,
            "appearances": self.appearances,
            "wins": round(self.wins, 4),
            "shared_wins": self.shared_wins,
            "win_share": self.win_share.as_dict(),
            "expected": round(self.expected, 4),
            "score": self.score.as_dict(),
            "components": {name: round(value, 4) for name, value in self.components.items()},
            "tickets_done": round(self.tickets_done, 4),
            "tickets_held": round(self.tickets_held, 4),
        }


@dataclass(frozen=True)
class Order:
    """What it is worth to play first, second, …, whoever sits there."""

    position: int  # 1: has the first turn
    wins: float
    win_share: Estimate
    score: Estimate
    advantage: Estimate  # points more than the mean of the table

    def as_dict(self) -> JsonObject:
        """Return the order as data for JSON."""
        return {
            "position": self.position,
            "wins": round(self.wins, 4),
            "win_share": self.win_share.as_dict(),
            "score": self.score.as_dict(),
            "advantage": self.advantage.as_dict(),
        }


@dataclass(frozen=True)
class Results:
    """A series that was played, whole or in part; or all games of a tournament."""

    board: Board
    bots: tuple[str, ...]  # by number, as `entrant` counts: in a series one for each seat of the line-up
    seed: int
    asked: int  # games asked for
    games: Games = field(repr=False)  # one record of `play.GAME` for each game, by number
    seats: int = 2
    seconds: float = 0.0
    jobs: int = 1
    stopped: bool = False  # by Ctrl-C
    weights: Mapping[str, Weights] = field(default_factory=dict)  # of those bots that use any

    @property
    def played(self) -> int:
        """How many games were played."""
        return len(self.games)

    def column(self, name: str) -> npt.NDArray[np.integer]:
        """Return a field of all games; of a field per seat, only the seats in use.

        Raise `SeriesError` for another name.
        """
        known = (*(name for name in self.games.dtype.names or () if name != "parts"), *COMPONENTS)
        if not isinstance(name, str) or name not in known:
            raise SeriesError(f"name: there is no field {shown(name)}; there are {', '.join(known)}")
        column = self.games["parts"][:, COMPONENTS.index(name)] if name in COMPONENTS else self.games[name]
        return column[:, : self.seats] if column.ndim > 1 else column

    @cached_property
    def wins(self) -> npt.NDArray[np.float64]:
        """For each game and seat: 1 for the winner, 1/k for each of k who share the victory."""
        winner = self.column("winner").astype(float)
        shares: npt.NDArray[np.float64] = winner / np.maximum(1.0, winner.sum(axis=1, keepdims=True))
        return shares

    @property
    def turns(self) -> Estimate:
        """Turns of each seat in a game."""
        return statistics.mean(self.column("turns") / self.seats, self.column("block"))

    @property
    def actions(self) -> float:
        """Decisions in a game, the mean."""
        return float(np.mean(self.column("actions"))) if self.played else 0.0

    @property
    def shared_victories(self) -> int:
        """Games with more than one winner."""
        return int((self.column("winner").sum(axis=1) > 1).sum())

    @property
    def dried_up(self) -> int:
        """Games that ended because nobody could do a thing."""
        return int((self.column("announced") == 0).sum())

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """One for each different bot, the best first."""
        sorted_standings = [self._standing(name) for name in dict.fromkeys(self.bots)]
        return tuple(sorted(sorted_standings, key=lambda standing: -standing.win_share.mean / standing.expected))

    def _standing(self, name: str) -> Standing:
        entrants = [n for n, bot in enumerate(self.bots) if bot == name]
        sat = np.isin(self.column("entrant"), entrants)
        there = sat.any(axis=1)  # in a tournament not in every game
        block = self.column("block")[there]
        won = np.where(sat, self.wins, 0.0).sum(axis=1)[there]
        shared = sat & (self.column("winner") == 1) & (self.column("winner").sum(axis=1, keepdims=True) > 1)
        places = sat.sum(axis=1)[there]

        def per_game(name: str) -> npt.NDArray[np.float64]:
            means: npt.NDArray[np.float64] = np.where(sat, self.column(name), 0).sum(axis=1)[there] / places
            return means

        def mean_of(name: str) -> float:
            return float(np.mean(per_game(name))) if there.any() else 0.0

        return Standing(
            bot=name,
            places=len(entrants),
            appearances=int(sat.sum()),
            wins=float(won.sum()),
            shared_wins=int(shared.sum()),
            win_share=statistics.share(won, block),
            expected=float(places.mean()) / self.seats if there.any() else len(entrants) / self.seats,
            score=statistics.mean(per_game("total"), block),
            components={part: mean_of(part) for part in COMPONENTS},
            tickets_done=mean_of("tickets_done"),
            tickets_held=mean_of("tickets_held"),
        )

    @cached_property
    def order(self) -> tuple[Order, ...]:
        """One for each position in the order of play. Seats are rotated, so it is the position that tells."""
        return tuple(self._order(position) for position in range(self.seats))

    def _order(self, position: int) -> Order:
        seat = (self.column("first_seat").astype(int) + position) % self.seats
        row = np.arange(self.played)
        block = self.column("block")
        total = self.column("total").astype(float)
        won = self.wins[row, seat]
        return Order(
            position=position + 1,
            wins=float(won.sum()),
            win_share=statistics.share(won, block),
            score=statistics.mean(total[row, seat], block),
            advantage=statistics.mean(total[row, seat] - total.mean(axis=1), block),
        )

    def as_dict(self) -> JsonObject:
        """Return everything for JSON except the games themselves."""
        return {
            "edition": self.board.id,
            "board_digest": self.board.digest,
            "rules_version": self.board.rules_version,
            "bots": list(self.bots),
            "weights": {name: used.as_dict() for name, used in self.weights.items()},
            "seats": self.seats,
            "seed": self.seed,
            "games_asked": self.asked,
            "games": self.played,
            "stopped": self.stopped,
            "seconds": round(self.seconds, 3),
            "jobs": self.jobs,
            "turns": self.turns.as_dict(),
            "actions": round(self.actions, 4),
            "shared_victories": self.shared_victories,
            "dried_up": self.dried_up,
            "intervals": statistics.METHOD,
            "standings": [standing.as_dict() for standing in self.standings],
            "order": [place.as_dict() for place in self.order],
        }

    def columns(self) -> JsonObject:
        """Return the games one by one as columns: an entry for each game and seat."""
        once = ("pairing", "number", "block", "seed", "seats", "first_seat", "turns", "actions", "announced")
        each = (*COMPONENTS, "total", "winner", "tickets_done", "tickets_held", "trail")
        columns: JsonObject = {"edition": np.full(self.played * self.seats, self.board.id)}
        columns |= {name: np.repeat(self.column(name), self.seats) for name in once}
        columns["seat"] = np.tile(np.arange(self.seats), self.played)
        columns["bot"] = np.array(self.bots)[self.column("entrant").ravel()]
        return columns | {name: self.column(name).ravel() for name in each}

    def rows(self) -> Iterator[JsonObject]:
        """Yield the same as rows of plain values."""
        columns = self.columns()
        for first in range(0, self.played * self.seats, ROWS_AT_ONCE):
            part = [column[first : first + ROWS_AT_ONCE].tolist() for column in columns.values()]
            for values in zip(*part, strict=True):
                yield dict(zip(columns, values, strict=True))
