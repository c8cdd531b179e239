"""A coach: what is best for a seat and why, where to look first, and whether what it is about to do gives much away.

It sees what the seat may know, a bot's `Position`, and nothing else. Chances are those of an analysis: shares of games
won when planners play on from imagined worlds (`bots.search`). While rules are interpreted that would take minutes;
then the planner alone is asked, which answers at once and knows no chances.
"""

from __future__ import annotations

from dataclasses import dataclass

from branchline.analysis.mistakes import DOUBT, MEDIUM
from branchline.analysis.moves import Move
from branchline.atlas import Board, Place
from branchline.bots import Position
from branchline.bots import memory as memories
from branchline.bots.reasons import Reason, reason
from branchline.bots.search import Budget, Search
from branchline.rules import kernel
from branchline.rules.state import KEEP, TAKE

QUESTIONS = frozenset({"turn", "second_card", "keep_tickets", "mix", "refill", "tunnel", "passenger", "fleet"})
"""The kinds of `game.Question` that it answers. How a route is paid for is a detail."""

BUDGET = Budget(rollouts=300, seconds=3.0)  # to find the best move
COMPARED = Budget(rollouts=120, seconds=1.5)  # to find what else could have been done
WORLDS = 100  # at least, in which two moves are compared
WARNED_FROM = MEDIUM  # of chance: what gives away less is not worth a word


@dataclass(frozen=True)
class Advice:
    """The best move that was found."""

    action: int
    move: Move
    reason: Reason | None  # None: there is none but that it wins more
    chance: float | None = None  # to win, 0 to 1; None: the planner's own choice, nothing was played out
    region: tuple[Place, ...] = ()  # the part of the map it is in; empty where it is about no place
    kept: tuple[int, ...] = ()  # of tickets on offer, the numbers of those to keep
    slot: int = 0  # of a card of the market, from 1

    @property
    def marks(self) -> tuple[str, ...]:
        """What the move is on the table: `route-12`, `place-3`, `slot-1`, `deck-train`, `deck-ticket`, `offer-0`."""
        move = self.move
        if self.kept:
            return tuple(f"offer-{n}" for n in self.kept)
        if move.route is not None:
            return (f"route-{move.route.index}",)
        if move.place is not None:
            return (f"place-{move.place.index}",)
        pressed = {"take": f"slot-{self.slot}", "blind": f"deck-{move.word}", "tickets": "deck-ticket"}
        return (pressed[move.kind],) if move.kind in pressed else ()


@dataclass(frozen=True)
class Caution:
    """A move that gives much away."""

    chance: float  # to win with it, 0 to 1
    better: Advice  # with a chance that is higher by `WARNED_FROM` at least

    @property
    def lost(self) -> float:
        """The chance given away."""
        return (self.better.chance or 0.0) - self.chance


class Coach:
    """Looks at questions, one after the other; one for each thread."""

    def __init__(self) -> None:
        """With nothing to do yet."""
        self.memory = kernel.record_in(memories.new_memory())  # with the planner's thoughts, for `reason`
        self._search = Search()

    def advise(self, position: Position, seed: int = 0) -> Advice:
        """The best move, by what its seat knows; interpreted, the planner's choice."""
        self._search.begin(position, self.memory, seed)
        if kernel.INTERPRETED:
            return self._advice(position, self._search.estimates()[0].action, None)
        self._search.spend(BUDGET)
        best = self._search.best()
        return self._advice(position, best.action, best.won)

    def caution(self, position: Position, action: int, seed: int = 0) -> Caution | None:
        """Why one might think again before a legal action; None: it gives little away, or nobody can tell.

        Interpreted nobody can.
        """
        if kernel.INTERPRETED or len(position.legal) < 2:
            return None
        self._search.begin_with(position, self.memory, seed, action)
        self._search.spend(COMPARED)
        self._search.compare(WORLDS)
        own, best = self._search.estimates()[0], self._search.best(DOUBT)
        if best.won - own.won < WARNED_FROM:  # both were tried in the same worlds
            return None
        return Caution(own.won, self._advice(position, best.action, best.won))

    def _advice(self, position: Position, action: int, chance: float | None) -> Advice:
        move, why = Move.of(position, action), reason(self, position, action)
        ends = (move.route.a, move.route.b) if move.route is not None else (move.place,) if move.place else ()
        held = action - KEEP if move.kind == "keep" else 0
        return Advice(
            action,
            move,
            why,
            chance,
            region=_around(position.board, ends),
            kept=tuple(n for n in range(held.bit_length()) if held >> n & 1),
            slot=action - TAKE + 1 if move.kind == "take" else 0,
        )


def _around(board: Board, ends: tuple[Place, ...]) -> tuple[Place, ...]:
    """Some places and their neighbours, in the order of the board."""
    near = {end for route in board.routes for end in (route.a, route.b) if {route.a, route.b} & set(ends)}
    return tuple(place for place in board.places if place in near or place in ends)
