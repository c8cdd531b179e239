"""Routes to claim because others want them.

Whoever claims a route that another seat's plan needs costs it the way round, or the ticket. What others plan is hidden
with their hands and tickets; but in imagined worlds, dealt by what they have built, some routes are planned again and
again.
"""

from __future__ import annotations

from typing import Any

from branchline.atlas.tables import WORD
from branchline.bots import beliefs, planner
from branchline.bots.candidates import added, has
from branchline.rules import chance, knowledge, turn
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal, lowest
from branchline.rules.state import CLAIM

WORLDS = 8  # in which the others' plans are looked at
BLOCKS = 6  # routes to claim: those that others plan in most of them


@rule
def add_blocks(
    board: Any, known: Any, worlds: Any, world: Any, scratch: Any, memories: Any, notes: Any, seat: int, seed: int
) -> None:
    """Add the claims that others seem to want most to the candidates in the notes, which know what is believed.

    `known[0]` is what the seat knows, `world` the record in `worlds`.
    """
    for route in range(board.routes):
        notes.wanted[route] = 0
    for n in range(WORLDS):
        worlds[0] = known[0]
        knowledge.imagine(board, world, seat, seed + n)
        beliefs.exchange(board, world, seat, notes)
        for other in range(world.seats):
            if other != seat:
                chance.seed(memories[other], seed)
                memories[other].planned = 0
                planner.want(board, world, memories[other], other)
                note_plan(board, memories[other], notes.wanted)
    worlds[0] = known[0]
    turn.legal(board, world, scratch)
    notes.count = with_blocks(board, scratch, notes.wanted, notes.action, notes.count)


@rule
def with_blocks(board: Any, scratch: Any, wanted: Any, candidates: Any, count: int) -> int:
    """Add the claims that others want most, by how often each route is `wanted`; how many candidates there are then."""
    for _ in range(BLOCKS):
        best = -1
        for route in range(board.routes):
            better = wanted[route] > 0 and (best < 0 or wanted[route] > wanted[best])
            if better and is_legal(scratch, CLAIM + route) and not has(candidates, count, CLAIM + route):
                best = route
        if best < 0:
            return count
        count = added(candidates, count, CLAIM + best)
    return count


@rule
def note_plan(board: Any, memory: Any, wanted: Any) -> None:
    """Count the routes of a plan once more."""
    for word in range(board.route_words):
        bits = memory.plan[word]
        while bits != 0:
            wanted[word * WORD + lowest(bits)] += 1
            bits &= bits - 1
