"""The course of a game for somebody who sees everything but the order of the decks.

Whatever a seat knows, the hands and tickets are what they are. The chances of all seats are found by playing the game
out from its true states, with decks shuffled anew; all of them meet the same shuffles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.analysis.judging import Moment
from branchline.analysis.playouts import Figures, Playouts, chances_of, mean_and_error
from branchline.bots.search.rollout import ALL_SEEING, NO_ACTION
from branchline.plain_data import JsonObject
from branchline.rules.state import TURN

ROUGH = 12  # worlds for each moment, at first
BOTH_SIDES = 2.5  # as many worlds, before and after a draw of tickets or a tunnel
LUCK = ("tickets", "tunnels")  # looked at draw by draw; what the cards brought is what is left


@dataclass(frozen=True)
class Fortune:
    """What one kind of luck brought the seats, in chance: it adds up to 0."""

    kind: str  # "deal", "tickets" or "tunnels"
    brought: tuple[float, ...]
    errors: tuple[float, ...]  # one standard error of each

    def as_dict(self) -> JsonObject:
        """Return the fortune as data for JSON."""
        return vars(self) | {"brought": list(self.brought), "errors": list(self.errors)}

    @classmethod
    def from_dict(cls, data: Any) -> Fortune:
        """Return what `as_dict` wrote."""
        return cls(str(data["kind"]), tuple(map(float, data["brought"])), tuple(map(float, data["errors"])))


Course = tuple[tuple[int, tuple[float, ...]], ...]
"""(actions done, the chance of each seat), from the first question to the last turn."""


class Watch:
    """The chances at the beginning of each turn, and at the beginning of the game."""

    def __init__(self, moments: list[Moment], seed: int) -> None:
        """Begin to watch those decisions of a game that begin a turn."""
        self._seed = seed
        self._moments = [moment for n, moment in enumerate(moments) if n == 0 or moment.position.question == TURN]
        self._found: dict[int, list[Figures]] = {moment.step: [] for moment in self._moments}

    @property
    def moments(self) -> list[Moment]:
        """Those that are watched."""
        return self._moments

    def look(self, playouts: Playouts, moment: Moment, worlds: int) -> None:
        """Play so many worlds out from a moment, in all."""
        done = sum(map(len, self._found[moment.step]))
        playouts.look(moment.position.board, moment.state, ALL_SEEING)
        seeds = range(self._seed + done, self._seed + worlds)
        self._found[moment.step].append(chances_of(playouts.points((NO_ACTION,), seeds)[:, 0], moment.left))

    def course(self) -> Course:
        """Return the course as far as it is known."""
        known = ((step, np.concatenate(chances)) for step, chances in self._found.items() if chances)
        return tuple((step, tuple(map(float, chance.mean(axis=0)))) for step, chance in known)

    def deal(self) -> Fortune:
        """Return what the first cards, tickets and the order of play brought."""
        chances = np.concatenate(self._found[self._moments[0].step])
        return Fortune("deal", *_of_seats(chances - 1 / chances.shape[1]))


def fortune(
    playouts: Playouts, moment: Moment, following: Moment, worlds: int, seed: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return how what came in one moment, against what could have come, changed the chances of the seats, with
    errors.
    """
    seeds = range(seed, seed + worlds)
    playouts.look(moment.position.board, moment.state, ALL_SEEING)
    before = chances_of(playouts.points((moment.played,), seeds)[:, 0], moment.left)
    playouts.look(moment.position.board, following.state, ALL_SEEING)
    after = chances_of(playouts.points((NO_ACTION,), seeds)[:, 0], moment.left)
    return _of_seats(after - before)


def summed(kind: str, seats: int, fortunes: list[tuple[tuple[float, ...], tuple[float, ...]]]) -> Fortune:
    """Return the sum of all of a kind."""
    brought, errors = np.zeros(seats), np.zeros(seats)
    for mean, error in fortunes:
        brought += mean
        errors += np.square(error)
    return Fortune(kind, tuple(map(float, brought)), tuple(map(float, np.sqrt(errors))))


def _of_seats(chances: Figures) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the mean over all worlds for each seat, and one standard error of each."""
    mean, error = mean_and_error(chances)
    return tuple(map(float, mean)), tuple(map(float, error))
