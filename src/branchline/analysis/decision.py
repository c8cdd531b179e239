"""One decision of a game as the analysis sees it; the same move missed several times counts once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from branchline.analysis import mistakes
from branchline.analysis.comparison import Comparison
from branchline.analysis.judging import Option
from branchline.analysis.moves import Move, heard, told
from branchline.boards import Board
from branchline.plain_data import JsonObject

WAITING = frozenset(("claim", "station", "port", "tickets", "swap"))
"""Moves that can still be made a turn later; a card or a colour is another one then."""


@dataclass(frozen=True)
class Decision:
    """A decision of a game. Chances are those of its seat, given what it knew."""

    step: int  # actions before it: the number of the moment in the replay
    seat: int
    turn: int  # turns ended before it
    real: bool  # there was something to decide; what was forced, or a detail, counts nothing
    played: Option  # with the chance to win after this choice
    better: Option | None  # what would have been better, where it was a mistake
    behind: float  # chance given away as far as is known, whether or not it was a mistake; below 0 now and then
    effect: tuple[float, ...]  # chance that the mistake brought each seat; they add up to 0
    errors: tuple[float, ...]  # one standard error of `behind`, and of what it is for each other seat
    lead: float  # points of lead given away, as measured
    lead_error: float  # one standard error of that
    planned: float  # points of lead by which the planner's choice was ahead, as measured; 0 if it was played
    planned_error: float  # one standard error of that
    missed: Move | None  # what it was compared with, for `lead`, whether or not it was a mistake
    revealed: str  # what chance brought then: "cards", "tickets", "tunnels", or "": nothing
    worlds: int  # imagined games behind the chance of what was played
    compared: Comparison | None = None  # what was better with what was played; None also in older analyses
    again: bool = False  # the same move was missed at another time, when it was dearer: that counts, this nothing

    @property
    def best(self) -> float:
        """The chance after the best option."""
        return (self.better or self.played).chance

    @property
    def lost(self) -> float:
        """The chance that the mistake gave away; 0 if it was no mistake."""
        return self.behind if self.better else 0.0

    @property
    def error(self) -> float:
        """The standard error of the chance given away."""
        return self.errors[self.seat]

    @property
    def fault(self) -> float:
        """The fault of the decision, 0 to 1, by points of lead, so it does not matter who is ahead."""
        lead = 0.0 if self.again else max(0.0, mistakes.expected(self.lead, self.lead_error))
        beyond_doubt = self.planned > mistakes.DOUBT * self.planned_error
        return mistakes.fault(mistakes.charged(lead, self.planned if beyond_doubt else 0.0))

    @property
    def weight(self) -> float:
        """The weight of the decision in the accuracy, 0 to 1: the more open the game, the higher."""
        return mistakes.openness(self.played.chance + max(0.0, self.behind))

    @property
    def mistake(self) -> str:
        """The size of the mistake: "small", "medium", "large", or "" for none. See `branchline.analysis.mistakes`."""
        return mistakes.size_of(self.lost)

    def as_dict(self) -> JsonObject:
        """Return the decision as plain data."""
        return {
            "step": self.step,
            "seat": self.seat,
            "turn": self.turn,
            "real": self.real,
            "played": self.played.as_dict(),
            "better": self.better.as_dict() if self.better else None,
            "mistake": self.mistake,
            "lost": self.lost,
            "behind": self.behind,
            "effect": list(self.effect),
            "errors": list(self.errors),
            "lead": self.lead,
            "lead_error": self.lead_error,
            "planned": self.planned,
            "planned_error": self.planned_error,
            "missed": told(self.missed) if self.missed else None,
            "again": self.again,
            "revealed": self.revealed,
            "worlds": self.worlds,
            "compared": self.compared.as_dict() if self.compared else None,
        }

    @classmethod
    def from_dict(cls, data: Any, board: Board) -> Decision:
        """Read what `as_dict` wrote."""
        return cls(
            step=int(data["step"]),
            seat=int(data["seat"]),
            turn=int(data["turn"]),
            real=bool(data["real"]),
            played=Option.from_dict(data["played"], board),
            better=Option.from_dict(data["better"], board) if data["better"] else None,
            behind=float(data["behind"]),
            effect=tuple(map(float, data["effect"])),
            errors=tuple(map(float, data["errors"])),
            lead=float(data["lead"]),
            lead_error=float(data["lead_error"]),
            planned=float(data["planned"]),
            planned_error=float(data["planned_error"]),
            missed=heard(Move, data["missed"], board) if data["missed"] else None,
            again=bool(data["again"]),
            revealed=str(data["revealed"]),
            worlds=int(data["worlds"]),
            compared=Comparison.from_dict(data.get("compared"), board),
        )


def counted_once(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Return the same decisions, but count a move that a seat misses turn after turn once, where it cost most.

    Each time, the move is compared with never making it; to count it every time would take one loss for many.
    """
    counted, dearest = list(decisions), dict[Any, int]()
    for n, decision in enumerate(decisions):
        dearest.pop((decision.seat, decision.played.move), None)  # made at last: it can be missed anew
        if decision.missed is None or decision.missed.kind not in WAITING:
            continue
        before = dearest.setdefault((decision.seat, decision.missed), n)
        if before != n:
            less, worse = sorted((before, n), key=lambda m: (decisions[m].better is not None, decisions[m].behind))
            dearest[decision.seat, decision.missed] = worse
            nothing = (0.0,) * len(decision.effect)
            counted[less] = replace(counted[less], better=None, compared=None, effect=nothing, again=True)
    return tuple(counted)
