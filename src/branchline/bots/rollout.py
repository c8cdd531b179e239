"""Playing games on to their end from imagined worlds, and noting what came of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from branchline.atlas.limits import MAX_SEATS, MAX_TICKETS
from branchline.bots import beliefs, planner
from branchline.bots.candidates import MOST
from branchline.rules import chance, knowledge, scoring, turn
from branchline.rules.kernel import rule
from branchline.rules.state import OVER

MARGIN = 30.0  # points ahead with which a near miss counts 73 % of its half
NO_ACTION = -1  # as a candidate: let the game go on as it stands
ALL_SEEING = -1  # as a seat: somebody who sees all but the order of the decks

NOTES = np.dtype(
    [
        ("action", np.int32, MOST),  # the candidates, the planner's own first
        ("count", np.int16),
        ("alive", np.int8, MOST),  # 1: still in the running
        ("belief", np.float64, (MAX_SEATS, MAX_TICKETS)),  # how likely each hidden ticket is with each other seat
        # sums over the worlds in which each was tried
        ("worlds", np.int64, MOST),
        ("won", np.float64, MOST),  # games won; a shared victory is a part of one
        ("value", np.float64, MOST),
        ("ahead", np.float64, MOST),  # value less that of the first candidate in the same world
        ("ahead_squared", np.float64, MOST),
        # what came of each in the world that was tried last
        ("share", np.float64, (MOST, MAX_SEATS)),  # of the victory
        ("total", np.int16, (MOST, MAX_SEATS)),  # points
    ],
    align=True,
)
"""What a search notes."""


@rule
def try_out(
    board: Any,
    known: Any,
    worlds: Any,
    world: Any,
    games: Any,
    game: Any,
    scratch: Any,
    memories: Any,
    notes: Any,
    seat: int,
    seed: int,
) -> None:
    """Imagine a world by this seed and play each candidate that is alive out in it.

    `known[0]` is what the seat knows, the whole state if it is ALL_SEEING; `world` is the record in `worlds`, `game`
    that in `games`.
    """
    worlds[0] = known[0]
    if seat == ALL_SEEING:
        knowledge.shuffle_decks(board, world, seed)
    else:
        knowledge.imagine(board, world, seat, seed)
        beliefs.exchange(board, world, seat, notes)
    own = 0.0
    for c in range(notes.count):
        if notes.alive[c]:
            games[0] = worlds[0]
            for other in range(game.seats):
                chance.seed(memories[other], seed)
                memories[other].planned = 0
            play_on(board, game, scratch, memories, notes.action[c])
            for other in range(game.seats):
                notes.share[c, other] = won(game, scratch, other)
                notes.total[c, other] = scratch.total[other]
            if seat == ALL_SEEING:
                continue
            value = value_of(game, scratch, seat)
            if c == 0:
                own = value
            notes.worlds[c] += 1
            notes.won[c] += won(game, scratch, seat)
            notes.value[c] += value
            notes.ahead[c] += value - own
            notes.ahead_squared[c] += (value - own) * (value - own)


@rule
def play_on(board: Any, state: Any, scratch: Any, memories: Any, action: int) -> None:
    """Do this, let the planner finish the game for all seats, and score it in the scratch record."""
    if action != NO_ACTION:
        turn.apply(board, state, scratch, action)
    while state.question != OVER:
        turn.legal(board, state, scratch)
        asked = state.seat
        turn.apply(board, state, scratch, planner.choose(board, state, scratch, memories[asked], asked))
    scoring.score(board, state, scratch)


@rule
def value_of(state: Any, scratch: Any, seat: int) -> float:
    """Half for having won, half for by how much, 0 to 1: near misses tell more than the result alone."""
    best = -30_000
    for other in range(state.seats):
        if other != seat:
            best = max(best, scratch.total[other])
    near = 1.0 / (1.0 + math.exp(-(scratch.total[seat] - best) / MARGIN))
    return 0.5 * won(state, scratch, seat) + 0.5 * near


@rule
def won(state: Any, scratch: Any, seat: int) -> float:
    """1 for a victory, a part of it for one that is shared."""
    winners = 0
    for other in range(state.seats):
        winners += scratch.winner[other]
    return scratch.winner[seat] / max(1, winners)
