"""A coach: what is best for a seat and why, where to look first, and whether what it is about to do gives much away.

It sees what the seat may know, a bot's `Position`, and nothing else. Chances are those of an analysis: shares of games
won when planners play on from imagined worlds (`bots.search`). Where the question is how to pay or what to swap, the
planner alone is asked, which answers at once and knows no chances.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from branchline.analysis.comparison import Comparison, compare
from branchline.analysis.mistakes import DOUBT, MEDIUM
from branchline.analysis.moves import Move
from branchline.boards import Board, Place
from branchline.bots import Position
from branchline.bots.api import memory as memories
from branchline.bots.planner.planner import PlannerBot
from branchline.bots.search.reasons import Reason, reason
from branchline.bots.search.search import Budget, Search
from branchline.game import Game
from branchline.game.payments import Payment, chosen_payment
from branchline.rules import kernel
from branchline.rules import state as at
from branchline.rules.state import State
from branchline.teaching.looking import meaning

PAYING = frozenset({at.COLOUR, at.WILDS, at.SHIP_WILDS, at.DOUBLES, at.MARKED, at.PAIR})
"""The questions of `rules.state` about how something is paid for."""

DETAILS = PAYING | {at.SWAP}
"""The questions that the planner answers alone; of how something is paid for it warns of nothing."""

BUDGET = Budget(rollouts=500, seconds=3.0)  # to find the best move
COMPARED = Budget(rollouts=120, seconds=1.5)  # to find what else could have been done
WORLDS = 100  # at least, in which two moves are compared; more while one seems better but may not be
MOST_WORLDS = 4 * WORLDS
FRESH = 1 << 40  # added to a seed for luck that has chosen nothing
WARNED_FROM = MEDIUM  # of chance: what gives away less is not worth a word


@dataclass(frozen=True)
class Advice:
    """The best move that was found."""

    action: int
    move: Move
    reason: Reason | None  # None: there is none but that it wins more
    chance: float | None = None  # to win, 0 to 1; None: the planner's own choice, nothing was played out
    compared: Comparison | None = None  # with the next best move, or with the one it warns of
    region: tuple[Place, ...] = ()  # the part of the map it is in; empty where it is about no place
    kept: tuple[int, ...] = ()  # of tickets on offer, the numbers of those to keep
    slot: int = 0  # of a card of the market, from 1
    payment: Payment | None = None  # for what costs cards, where there are several ways to pay
    swapped: tuple[int, str] | None = None  # how many pieces to swap, and for which kind

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
        """Begin with nothing to do."""
        self.search = Search()
        self._forget()

    def advise(self, position: Position, seed: int = 0) -> Advice:
        """Return the best move by what its seat knows; for `DETAILS`, the planner's choice."""
        self._forget()
        if position.question in PAYING:
            return self._how_to_pay(position)
        if position.question == at.SWAP:
            return self._what_to_swap(position)
        self.search.begin(position, self.memory, seed)
        self.search.spend(BUDGET)
        best = self.search.best()
        advice = self.explained(position, best.action, best.won)
        wanted = meaning(position, best.action)
        others = [
            estimate
            for estimate in self.search.estimates()
            if estimate.worlds and meaning(position, estimate.action) != wanted
        ]
        if not others:
            return advice
        next_best = max(others, key=lambda estimate: estimate.value)
        return replace(advice, compared=compare(position, best.action, next_best.action, seed + FRESH))

    def caution(self, position: Position, action: int, seed: int = 0) -> Caution | None:
        """Return why to think again before a legal action, or None where it gives little away or that is unknown."""
        if len(position.legal) < 2 or position.question in PAYING:
            return None
        self._forget()
        self.search.begin_with(position, self.memory, seed, action)
        self.search.spend(COMPARED)
        self.search.forget()
        worlds = WORLDS
        self.search.compare(worlds)
        while worlds < MOST_WORLDS and self.search.best(DOUBT).action == action != self.search.best().action:
            worlds *= 2
            self.search.compare(worlds)
        own, best = self.search.estimates()[0], self.search.best(DOUBT)
        if best.won - own.won < WARNED_FROM:  # both were tried in the same worlds
            return None
        better = self.explained(position, best.action, best.won)
        compared = compare(position, best.action, action, seed + FRESH)
        return Caution(own.won, replace(better, compared=compared))

    def explained(self, position: Position, action: int, chance: float | None = None) -> Advice:
        """Return a legal action as advice, after `advise` or `caution` looked at the position: its subject and its
        reason.
        """
        move, why = Move.of(position, action), reason(self, position, action)
        ends = (move.route.a, move.route.b) if move.route is not None else (move.place,) if move.place else ()
        held = action - at.KEEP if move.kind == "keep" else 0
        return Advice(
            action,
            move,
            why,
            chance,
            region=_around(position.board, ends),
            kept=tuple(n for n in range(held.bit_length()) if held >> n & 1),
            slot=action - at.TAKE + 1 if move.kind == "take" else 0,
            payment=self._payment(position, action) if move.kind in ("claim", "station", "port", "pay") else None,
            swapped=self._swapped(position) if move.kind == "swap" else None,
        )

    def _forget(self) -> None:
        """Begin anew: what was asked before may have been about another game, or another board."""
        self.memory = kernel.record_in(memories.new_memory())  # with the planner's thoughts, for `reason`
        self._planner: PlannerBot = PlannerBot()

    def _how_to_pay(self, position: Position) -> Advice:
        """Return the planner's way to go on with a payment."""
        payment = self._payment(position, None)
        action = payment.answers[0] if payment else position.legal[0]
        return Advice(action, Move.of(position, action), None, payment=payment)

    def _what_to_swap(self, position: Position) -> Advice:
        """Return the planner's swap."""
        count, kind = self._swapped(position)
        action = at.SWAP_FOR + at.MAX_SWAP * position.board.pieces.names.index(kind) + count - 1
        planned, there = self._planner.memory.plan_pieces, position.state.pieces
        lacking = any(planned[kind] > there[position.seat, kind] for kind in range(2))
        return Advice(action, Move.of(position, action), Reason("swap") if lacking else None, swapped=(count, kind))

    def _payment(self, position: Position, action: int | None) -> Payment | None:
        """Return how the planner would pay for an action or go on with a payment, or None where there is one way
        only.
        """

        def chosen(state: State, legal: tuple[int, ...]) -> int:
            return self._planner.choose(replace(position, state=state, legal=legal))

        payment = chosen_payment(position.board, kernel.buffer_of(position.state), action, chosen)
        return payment if payment.answers else None

    def _swapped(self, position: Position) -> tuple[int, str]:
        """Return how many pieces the planner would swap, and for which kind: it plans the turn, then sees what is
        lacking.
        """
        answer, buffer = 0, kernel.buffer_of(position.state)
        for question in (at.TURN, at.SWAP):
            buffer["question"] = question
            legal = Game.resume(position.board, buffer).legal.numbers
            answer = self._planner.choose(replace(position, state=kernel.record_in(buffer), legal=legal))
        kind, count = divmod(answer - at.SWAP_FOR, at.MAX_SWAP)
        return count + 1, position.board.pieces.names[kind]


def _around(board: Board, ends: tuple[Place, ...]) -> tuple[Place, ...]:
    """Return some places and their neighbours, in the order of the board."""
    near = {end for route in board.routes for end in (route.a, route.b) if {route.a, route.b} & set(ends)}
    return tuple(place for place in board.places if place in near or place in ends)
