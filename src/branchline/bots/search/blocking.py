"""Routes to claim because others want them.

Whoever claims a route that another seat's plan needs costs it the way round, or the ticket. What others plan is hidden
with their hands and tickets; but in imagined worlds, dealt by what they have built, some routes are planned again and
again.
"""

from __future__ import annotations

from branchline.boards.tables import WORD, BoardTables
from branchline.bots.api import memory
from branchline.bots.api.memory import Memories
from branchline.bots.planner import candidates, planner
from branchline.bots.search import beliefs
from branchline.bots.search.trials import Trials
from branchline.rules import turn
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import Scratch, State, States
from branchline.runtime.structs import Vector

WORLDS = 8  # in which the others' plans are looked at
BLOCKS = 6  # routes to claim: those that others plan in most of them


@rule
def add_blocks(
    board: BoardTables,
    known: States,
    worlds: States,
    world: State,
    scratch: Scratch,
    memories: Memories,
    notes: Trials,
    seat: int,
    seed: int,
) -> None:
    """Add the claims that others seem to want most to the candidates in the notes.

    These know what is believed, and count no route as wanted yet. `known[0]` is what the seat knows, `world` the record
    in `worlds`.
    """
    for n in range(WORLDS):
        beliefs.imagine(board, known, worlds, world, notes, seat, seed + n)
        for other in range(world.seats):
            if other != seat:
                memory.forget(memories[other], seed)
                planner.want(board, world, memories[other], other)
                note_plan(board, memories[other].plan, notes.wanted)
    worlds[0] = known[0]
    turn.legal(board, world, scratch)
    notes.count = candidates.with_claims(board, scratch, notes.wanted, BLOCKS, notes.action, notes.count)


@rule
def note_plan(board: BoardTables, planned: Vector, wanted: Vector) -> None:
    """Count the routes of a set once more."""
    for word in range(board.route_words):
        bits = planned[word]
        while bits != 0:
            wanted[word * WORD + lowest(bits)] += 1
            bits &= bits - 1
