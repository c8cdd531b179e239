"""One decision judged: how good was what was done, what would have been better, and what luck followed.

A chance to win is the share of imagined games that are won from there on: worlds that agree with what the seat knew,
played to their end by planners (`bots.search`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from branchline.analysis.moves import Move, heard, told
from branchline.atlas import Board, BranchlineError
from branchline.bots import Position
from branchline.bots import memory as memories
from branchline.bots.reasons import Reason, reason, sentence
from branchline.bots.search import Budget, Estimate, Search
from branchline.rules import kernel

DOUBT = 2.0  # standard errors by which a move must be better to be called so


class AnalysisError(BranchlineError):
    """A game that cannot be analysed."""


@dataclass
class Moment:
    """A decision as it was put, and what became of it."""

    step: int  # actions before it
    position: Position
    played: int
    revealed: str = ""  # what chance brought: "cards", "tickets", "tunnels", or "" for nothing
    next: Any = None  # what the seat knew when another was asked, a redacted state; None: it was asked again, or nobody


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
    """What the search says of a decision."""

    played: Option
    better: Option | None  # the best there was, where it is better beyond the noise
    after: float | None  # the chance when it is known what chance brought; None: nothing, or the seat was asked again
    worlds: int  # imagined games behind the chance of what was played


class Judge:
    """Looks at decisions, one after the other; one for each thread."""

    def __init__(self, rollouts: int) -> None:
        """`rollouts`: games played out to find the better move, and so many again to compare it with what was done."""
        self._rollouts = rollouts
        self._search = Search()

    def judge(self, moment: Moment, seed: int) -> Judgement:
        """All about one decision."""
        self.memory = kernel.record_in(memories.new_memory())
        self._search.begin_with(moment.position, self.memory, seed, moment.played)
        self._search.spend(Budget(rollouts=self._rollouts))
        self._search.compare(self._rollouts // 2)
        found, best = self._search.estimates()[0], self._search.best(DOUBT)
        played = self._option(moment, found, found.won)
        better = None
        if best.action != found.action:
            better = self._option(moment, best, max(best.won, found.won))
        after = self._chance(moment, seed) if moment.revealed and moment.next is not None else None
        return Judgement(played, better, after, found.worlds)

    def _option(self, moment: Moment, found: Estimate, chance: float) -> Option:
        position, action = moment.position, found.action
        return Option(Move.of(position, action), chance, reason(self, position, action))

    def _chance(self, moment: Moment, seed: int) -> float:
        """The chance to win when it is known what came of the action."""
        before = moment.position
        self._search.begin_without(Position(before.board, moment.next, before.seat, ()), seed)
        self._search.compare(self._rollouts // 2)
        return self._search.estimates()[0].won
