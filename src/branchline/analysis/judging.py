"""One decision judged: how good was what was done, and what would have been better.

The seat's own view decides: worlds that agree with what it knew (`bots.search.rollout`), played to their end by
planners. What might be better is chosen first, as `search` does it. How much better it is, then, is found out with
fresh luck: the best of several noisy figures is always too high, and so every seat would be found to have given chance
away.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.analysis import mistakes
from branchline.analysis.comparison import Comparison, compare
from branchline.analysis.moves import Move, heard, told
from branchline.analysis.playouts import Figures, Playouts, chances_of, even_chance, lead_of, mean_and_error
from branchline.boards import Board, BranchlineError
from branchline.bots import Position
from branchline.bots.api import memory as memories
from branchline.bots.search.reasons import Reason, reason, sentence
from branchline.bots.search.search import Search
from branchline.plain_data import JsonObject
from branchline.rules import kernel
from branchline.rules import state as at
from branchline.rules.state import State

FIRST = 6  # worlds in which all options are tried at the beginning of a game
LATE = 24  # and at its end, at most: what decides is rarer then, and a game is played out sooner
TICKETS = 48  # for tickets that are offered: there are many options, and what is kept decides over the whole game
CHOSEN = 48  # worlds, at least, behind the choice of the best other option
PAIRS = 48  # worlds in which it is compared with what was done, at first; then twice as many each time
FEWEST = 3  # worlds, however large the game
SHARP = 0.2  # of chance: what one world is uncertain by
WEIGHTY = 4  # times the rollouts, at most, go into what weighs most
SHARP_FAULT = 0.04  # what such a decision is at fault; see `mistakes.fault`
COMPARED = 1 << 21  # added to a seed: luck that has chosen nothing
SHARP_LEAD = 2.5  # points; a loss of lead is known well enough


class AnalysisError(BranchlineError):
    """A game that cannot be analysed."""


@dataclass
class Moment:
    """A decision as it was put."""

    step: int  # actions before it
    position: Position
    played: int
    state: State  # the whole state, of which the position shows what the seat knew
    revealed: str = ""  # what chance brought then: "cards", "tickets", "tunnels", or "" for nothing
    left: float = 1.0  # of the game


@dataclass(frozen=True)
class Option:
    """An option of a decision, with its chance to win."""

    move: Move
    chance: float  # 0 to 1
    reason: Reason | None  # why one would do that, as a planner sees it

    @property
    def why(self) -> str:
        """The reason in one line; "" for details."""
        return sentence(self.reason) if self.reason else ""

    def as_dict(self) -> JsonObject:
        """Return the option as plain data."""
        because = told(self.reason) | {"text": self.why} if self.reason else None
        return {"move": told(self.move), "chance": self.chance, "reason": because}

    @classmethod
    def from_dict(cls, data: Any, board: Board) -> Option:
        """Read what `as_dict` wrote."""
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
    lead: float  # points of lead given away
    lead_error: float  # one standard error of that
    planned: float  # points of lead by which the planner's choice was ahead
    planned_error: float  # one standard error of that
    missed: Move | None  # what it was compared with: what looked better, or else the planner's choice
    worlds: int  # imagined games behind the chance of what was played
    compared: Comparison | None = None  # what was better with what was played, where that was a mistake


class _Trial:
    """What came of some options in the same worlds."""

    def __init__(self, points: Figures, moment: Moment) -> None:
        self.points, self.worlds = points, len(points)
        self.chances = chances_of(points, moment.left)
        self.own = self.chances[:, :, moment.position.seat]
        self.leads = lead_of(points, moment.position.seat)

    def promise(self) -> tuple[Figures, Figures]:
        """Return by how much each option beats the first in what `search` goes by, chance and lead; and the error."""
        value = (self.own + even_chance(self.leads)) / 2
        return mean_and_error(value - value[:, :1])

    def given_away(self) -> tuple[Figures, Figures]:
        """Return the points of lead by which each option is ahead of the first, and the error."""
        return mean_and_error(self.leads - self.leads[:, :1])


class Judge:
    """Looks at decisions, one after the other; one for each thread."""

    def __init__(self, rollouts: int, share: float = 1.0) -> None:
        """Begin; `rollouts` is the most worlds for a comparison, `share` that of the usual ones, less than 1 for a
        long game.
        """
        self._rollouts, self._share = rollouts, share
        self.search, self._playouts = Search(), Playouts()

    def judge(self, moment: Moment, seed: int) -> Judgement:
        """Return all about one decision, whatever was judged before; worlds are numbered from the seed on."""
        position = moment.position
        self.memory = kernel.record_in(memories.new_memory())  # with the planner's thoughts, for `reason`
        planned = self.search.begin_with(position, self.memory, seed, moment.played)
        actions = tuple(estimate.action for estimate in self.search.estimates())
        self._playouts.look(position.board, position.state, position.seat)
        trial, other = self._choose(moment, actions, seed)
        if other is None and planned != moment.played:
            other = planned
        nothing, real = (0.0,) * int(position.state.seats), len(actions) > 1
        if other is None:
            played = self._option(moment, moment.played, float(trial.own[:, 0].mean()))
            return Judgement(played, None, real, 0.0, nothing, nothing, 0.0, 0.0, 0.0, 0.0, None, trial.worlds)
        compared = tuple(dict.fromkeys((moment.played, other, planned)))
        mine = compared.index(planned)
        trial = self._compare(moment, compared, mine, seed)
        chance, best = map(float, trial.own.mean(axis=0)[:2])
        effects, errors = (
            tuple(map(float, figures)) for figures in mean_and_error(trial.chances[:, 0] - trial.chances[:, 1])
        )
        measured, error = best - chance, errors[position.seat]
        behind = mistakes.expected(measured, error)
        leads, lead_errors = trial.given_away()
        mistake = mistakes.size_of(behind) and mistakes.size(measured, error)
        share = behind / measured if measured else 0.0
        return Judgement(
            played=self._option(moment, moment.played, chance),
            better=self._option(moment, other, chance + behind) if mistake else None,
            real=True,
            behind=behind,
            effect=tuple(share * effect for effect in effects) if mistake else nothing,
            errors=errors,
            lead=float(leads[1]),
            lead_error=float(lead_errors[1]),
            planned=float(leads[mine]),
            planned_error=float(lead_errors[mine]),
            missed=Move.of(position, other),
            worlds=trial.worlds,
            compared=compare(position, other, moment.played, seed + COMPARED) if mistake else None,
        )

    def _choose(self, moment: Moment, actions: tuple[int, ...], seed: int) -> tuple[_Trial, int | None]:
        """Return the most promising other option, or None; after each round half of them drop out, and those behind."""
        usual = TICKETS if _offered(moment) else min(LATE, FIRST / math.sqrt(max(moment.left, 0.01)))
        worlds = self._worlds(usual)
        points = self._playouts.points(actions, range(seed, seed + worlds))
        while True:
            trial = _Trial(points, moment)
            ahead, error = trial.promise()
            promising = [n for n in range(1, len(actions)) if ahead[n] + error[n] > 0]
            promising.sort(key=lambda n: -ahead[n])
            kept = [0, *promising[: max(1, len(actions) // 2)]]
            if len(kept) == 1:
                return trial, None
            actions, points = tuple(actions[n] for n in kept), points[:, kept]
            if len(kept) == 2 and worlds >= min(self._worlds(CHOSEN), self._rollouts):
                return trial, actions[1] if ahead[kept[1]] > error[kept[1]] else None
            further = self._playouts.points(actions, range(seed + worlds, seed + 2 * worlds))
            points, worlds = np.concatenate([points, further]), 2 * worlds

    def _worlds(self, usual: float) -> int:
        return max(FEWEST, round(usual * self._share))

    def _compare(self, moment: Moment, actions: tuple[int, ...], planned: int, seed: int) -> _Trial:
        """Return the result in fresh worlds of what was done, something better and the planner's choice."""
        fresh, worlds = seed + (1 << 20), min(self._worlds(PAIRS), self._rollouts)
        points = self._playouts.points(actions, range(fresh, fresh + worlds))
        trial = _Trial(points, moment)
        while self._needs_more(trial, planned):
            further = self._playouts.points(actions, range(fresh + worlds, fresh + 2 * worlds))
            points, worlds = np.concatenate([points, further]), 2 * worlds
            trial = _Trial(points, moment)
        return trial

    def _needs_more(self, trial: _Trial, planned: int) -> bool:
        """Return whether to look at twice as many worlds: up to `rollouts` for what is unclear, then for what
        matters.
        """
        worlds = 2 * trial.worlds
        if worlds <= self._rollouts:
            return self._unclear(trial)
        return worlds <= WEIGHTY * self._rollouts and self._weighs(trial, planned)

    def _weighs(self, trial: _Trial, planned: int) -> bool:
        """Return whether so much depends on it that it has to be known better still.

        That is a large mistake, or something that the planner would not have done: both count in full.
        """
        behind, error = mean_and_error(trial.own[:, 1] - trial.own[:, 0])
        leads, errors = trial.given_away()
        lead, unsure = float(leads[planned]), float(errors[planned])
        blame = unsure * mistakes.openness(float(trial.own[:, 1].mean())) * mistakes.slope(lead)
        large = behind > mistakes.LARGE and error > SHARP / math.sqrt(self._rollouts)
        return bool(large or (lead > unsure and blame > SHARP_FAULT))

    def _unclear(self, trial: _Trial) -> bool:
        """Return whether it may be a mistake and is not known exactly, or may cost points and is not known roughly.

        A lead counts for as much as the game is open.
        """
        behind, error = mean_and_error(trial.own[:, 1] - trial.own[:, 0])
        leads, errors = trial.given_away()
        rough = errors * mistakes.openness(float(trial.own[:, 1].mean())) > SHARP_LEAD
        may_be = behind + mistakes.DOUBT * error > mistakes.SMALL and error > SHARP / math.sqrt(self._rollouts)
        return bool(may_be or np.any(rough & (leads + errors > 0)))

    def _option(self, moment: Moment, action: int, chance: float) -> Option:
        position = moment.position
        return Option(Move.of(position, action), chance, reason(self, position, action))


def _offered(moment: Moment) -> bool:
    """Return whether tickets are offered."""
    return bool(moment.position.state.question == at.KEEP_TICKETS)
