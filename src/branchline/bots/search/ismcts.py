"""Information set Monte Carlo tree search, as a baseline beside OpenSpiel's: `IsmctsBot`.

P. Cowling, E. Powley and D. Whitehouse, "Information Set Monte Carlo Tree Search" (2012), with a single observer: each
round imagines a world that fits what the seat knows, goes down one tree by upper confidence bounds over the actions
that are legal in this world, adds one node, and has planners play the game to its end. Actions that other seats take in
secret are distinguished in the tree, as in the paper's plain form. `search` looks one action ahead only, but tries all
candidates in the same worlds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from branchline.boards.tables import WORD
from branchline.bots.api.bot import Position, another, scratch_for, seen_in
from branchline.bots.api.errors import BotError
from branchline.bots.search.rollout import ALL_SEEING, MARGIN, NO_ACTION
from branchline.bots.search.search import Budget, Worker
from branchline.copying import Copied
from branchline.rules import kernel, knowledge, scoring, turn
from branchline.rules.state import OVER, Scratch, State
from branchline.runtime.structs import Buffer

EXPLORING = 0.2  # weight of the bound; values are 0 to 1, and those of the actions of a turn lie close together


@dataclass
class Node:
    """What is known of an action at its place in the tree."""

    visits: int = 0
    available: int = 0  # rounds in which it could have been chosen
    value: float = 0.0  # sum, for the seat that chooses it
    children: dict[int, Node] = field(default_factory=dict)

    def bound(self) -> float:
        """Return the mean value, and what it may be more."""
        return self.value / self.visits + EXPLORING * math.sqrt(math.log(self.available) / self.visits)

    def rank(self) -> tuple[int, float]:
        """Return what the choice at the root goes by: visits, and where they are equal the mean value."""
        return self.visits, self.value / max(1, self.visits)


class IsmctsBot(Copied):
    """Searches a tree of actions in imagined worlds, as a baseline for comparisons."""

    name = "ismcts"
    rounds = 200

    @classmethod
    def told(cls, text: str) -> type[IsmctsBot]:
        """Return the same bot with so many rounds a move. Raise `BotError`."""
        rounds = Budget.of(text).rollouts
        if rounds is None:
            raise BotError(f"{cls.name} can be told a number of rounds, as in {cls.name}@400")
        return another(cls, (cls.told, (text,)), name=f"{cls.name}@{text}", rounds=rounds)

    def __init__(self, seed: int = 0) -> None:
        """Sit down."""
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Begin another game."""
        self._luck = np.random.default_rng(seed)
        self._worker = Worker()

    def choose(self, position: Position) -> int:
        """Return one of `position.legal`: the one tried most often, the better one of several."""
        if len(position.legal) == 1:
            return position.legal[0]
        root, known = Node(), kernel.buffer_of(position.state)
        scratch = scratch_for(position)
        for _ in range(self.rounds):
            world = kernel.copy_of(known)
            board = kernel.record_in(position.board.tables)
            knowledge.imagine(board, kernel.record_in(world), position.seat, int(self._luck.integers(1 << 60)))
            path = self._descend(root, position, world, kernel.record_in(scratch))
            values = self._play_out(position, world, kernel.record_in(scratch))
            for seat, node in path:
                node.visits += 1
                node.value += values[seat]
        return max(root.children, key=lambda action: root.children[action].rank())

    def _descend(
        self, root: Node, position: Position, world: Buffer[State], scratch: Scratch
    ) -> list[tuple[int, Node]]:
        """Choose by bounds until something new is tried; return who chose what. The world is played on."""
        board, state = kernel.record_in(position.board.tables), kernel.record_in(world)
        path, node = [], root
        while state.question != OVER:
            turn.legal(board, state, scratch)
            legal = _listed(scratch)
            known = [action for action in legal if action in node.children]
            for action in known:
                node.children[action].available += 1
            if new := [action for action in legal if action not in node.children]:
                chosen = new[int(self._luck.integers(len(new)))]
                node.children[chosen] = Node(available=1)
            else:
                chosen = max(known, key=lambda action: node.children[action].bound())
            path.append((int(state.seat), node.children[chosen]))
            turn.apply(board, state, scratch, chosen)
            if new:
                break
            node = node.children[chosen]
        return path

    def _play_out(self, position: Position, world: Buffer[State], scratch: Scratch) -> list[float]:
        """Let planners play the world to its end; return what it is worth to each seat, as `rollout.value_of`."""
        state = kernel.record_in(world)
        seats = int(state.seats)
        if state.question == OVER:
            scoring.score(kernel.record_in(position.board.tables), state, scratch)
            totals = [int(scratch.total[seat]) for seat in range(seats)]
            winners = [float(scratch.winner[seat]) for seat in range(seats)]
            shares = [one / max(1.0, sum(winners)) for one in winners]
        else:
            looked = Position(position.board, seen_in(world), ALL_SEEING, ())
            self._worker.look(looked)
            notes = self._worker.buffer
            notes["action"][0, 0], notes["count"], notes["alive"][0, 0] = NO_ACTION, 1, 1
            self._worker.try_out(looked, int(self._luck.integers(1 << 60)), 0)
            totals = [int(total) for total in notes["total"][0, 0, :seats]]
            shares = [float(share) for share in notes["share"][0, 0, :seats]]
        values = []
        for seat in range(seats):
            behind = max(total for other, total in enumerate(totals) if other != seat) - totals[seat]
            values.append(0.5 * shares[seat] + 0.5 / (1 + math.exp(behind / MARGIN)))
        return values


def _listed(scratch: Scratch) -> list[int]:
    """Return the legal actions in the scratch record."""
    return [word * WORD + bit for word, bits in enumerate(scratch.legal) for bit in range(WORD) if int(bits) >> bit & 1]
