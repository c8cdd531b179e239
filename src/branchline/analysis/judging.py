"""One decision judged: how good was what was done, and what would have been better.

The seat's own view decides: worlds that agree with what it knew (`bots.rollout`), played to their end by planners.
What might be better is chosen first, as `search` does it. How much better it is, then, is found out with fresh luck:
the best of several noisy figures is always too high, and so every seat would be found to have given chance away.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from branchline.analysis import mistakes
from branchline.analysis.moves import Move, heard, told
from branchline.analysis.playouts import Chances, Playouts
from branchline.atlas import Board, BranchlineError
from branchline.bots import Position
from branchline.bots import memory as memories
from branchline.bots.reasons import Reason, reason, sentence
from branchline.bots.search import Search
from branchline.rules import kernel

FIRST = 6  # worlds in which all options are tried
CHOSEN = 48  # worlds, at least, behind the choice of the best other option
PAIRS = 32  # worlds in which it is compared with what was done, at first; then twice as many each time
SHARP = 0.2  # of chance: what one world is uncertain by


class AnalysisError(BranchlineError):
    """A game that cannot be analysed."""


@dataclass
class Moment:
    """A decision as it was put."""

    step: int  # actions before it
    position: Position
    played: int
    state: Any  # the whole state, of which the position shows what the seat knew
    revealed: str = ""  # what chance brought then: "cards", "tickets", "tunnels", or "" for nothing
    left: float = 1.0  # of the game


@dataclass(frozen=True)
class Option:
    """One answer, with the chance to win it gave."""

    move: Move
    chance: float  # 0 to 1
    reason: Reason | None  # why one would do that, as a planner sees it

    @property
    def why(self) -> str:
        """The reason in one line; "" for details."""
        return sentence(self.reason) if self.reason else ""

    def as_dict(self) -> dict[str, Any]:
        """For machines."""
        because = told(self.reason) | {"text": self.why} if self.reason else None
        return {"move": told(self.move), "chance": self.chance, "reason": because}

    @classmethod
    def from_dict(cls, data: Any, board: Board) -> Option:
        """What `as_dict` wrote."""
        because = {name: value for name, value in (data["reason"] or {}).items() if name != "text"}
        return cls(
            heard(Move, data["move"], board),
            float(data["chance"]),
            heard(Reason, because, board) if because else None,
        )


@dataclass(frozen=True)
class Judgement:
    """What the playouts say of a decision."""

    played: Option
    better: Option | None  # the best there was, where doing something else was a mistake
    real: bool  # there was something to decide: more than one option worth trying
    behind: float  # chance given away as far as is known; noise may leave it below 0
    effect: tuple[float, ...]  # chance that the mistake brought each seat; they add up to 0
    errors: tuple[float, ...]  # one standard error of `behind`, and of what it is for the other seats
    worlds: int  # imagined games behind the chance of what was played


@dataclass
class _Trial:
    """What came of some options in the same worlds."""

    seat: int
    found: Chances
    ahead: Any = field(init=False)  # of the first option, for each
    error: Any = field(init=False)  # one standard error of that

    def __post_init__(self) -> None:
        own = self.found[:, :, self.seat]
        ahead = own - own[:, :1]
        self.ahead = ahead.mean(axis=0)
        self.error = ahead.std(axis=0) / math.sqrt(max(1, len(ahead) - 1))


class Judge:
    """Looks at decisions, one after the other; one for each thread."""

    def __init__(self, rollouts: int) -> None:
        """`rollouts`: worlds, at most, in which what was done is compared with something better."""
        self._rollouts = rollouts
        self._search, self._playouts = Search(), Playouts()
        self.memory = kernel.record_in(memories.new_memory())  # with the planner's thoughts, for `reason`

    def judge(self, moment: Moment, seed: int) -> Judgement:
        """All about one decision; worlds are numbered from the seed on."""
        position = moment.position
        self._search.begin_with(position, self.memory, seed, moment.played)
        actions = tuple(one.action for one in self._search.estimates())
        self._playouts.look(position.board, position.state, position.seat)
        trial, other = self._choose(moment, actions, seed)
        nothing, better = (0.0,) * int(position.state.seats), None
        if other is None:
            played = self._option(moment, moment.played, float(trial.found[:, 0, position.seat].mean()))
            return Judgement(played, None, len(actions) > 1, 0.0, nothing, nothing, len(trial.found))
        trial = self._compare(moment, (moment.played, other), seed)
        chance, best = (float(one) for one in trial.found[:, :, position.seat].mean(axis=0))
        behind, effects = float(trial.ahead[1]), trial.found[:, 0] - trial.found[:, 1]
        errors = tuple(map(float, effects.std(axis=0) / math.sqrt(max(1, len(effects) - 1))))
        effect = nothing
        if mistakes.size(behind, errors[position.seat]):
            better = self._option(moment, other, best)
            effect = tuple(map(float, effects.mean(axis=0)))
        played = self._option(moment, moment.played, chance)
        return Judgement(played, better, True, behind, effect, errors, len(trial.found))

    def _choose(self, moment: Moment, actions: tuple[int, ...], seed: int) -> tuple[_Trial, int | None]:
        """The most promising other option, or None; half of them drop out after each round, and what falls behind."""
        seat, worlds = moment.position.seat, FIRST
        found = self._playouts.chances(actions, range(seed, seed + worlds), moment.left)
        while True:
            trial = _Trial(seat, found)
            promising = [n for n in range(1, len(actions)) if trial.ahead[n] + trial.error[n] > 0]
            promising.sort(key=lambda n: -trial.ahead[n])
            kept = [0, *promising[: max(1, len(actions) // 2)]]
            if len(kept) == 1:
                return trial, None
            actions, found = tuple(actions[n] for n in kept), found[:, kept]
            if len(kept) == 2 and worlds >= min(CHOSEN, self._rollouts):
                return _Trial(seat, found), actions[1] if trial.ahead[kept[1]] > trial.error[kept[1]] else None
            more = self._playouts.chances(actions, range(seed + worlds, seed + 2 * worlds), moment.left)
            found, worlds = np.concatenate([found, more]), 2 * worlds

    def _compare(self, moment: Moment, pair: tuple[int, int], seed: int) -> _Trial:
        """Both in fresh worlds: the more, the less is clear about them."""
        fresh, worlds = seed + (1 << 20), min(PAIRS, self._rollouts)
        found = self._playouts.chances(pair, range(fresh, fresh + worlds), moment.left)
        while True:
            trial = _Trial(moment.position.seat, found)
            most, error = trial.ahead[1] + mistakes.DOUBT * trial.error[1], trial.error[1]
            if 2 * worlds > self._rollouts or most < mistakes.SMALL or error < SHARP / math.sqrt(self._rollouts):
                return trial
            more = self._playouts.chances(pair, range(fresh + worlds, fresh + 2 * worlds), moment.left)
            found, worlds = np.concatenate([found, more]), 2 * worlds

    def _option(self, moment: Moment, action: int, chance: float) -> Option:
        position = moment.position
        return Option(Move.of(position, action), chance, reason(self, position, action))
