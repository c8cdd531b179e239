"""Random play, many games in one go: for benchmarks, tests and as the simplest opponent there is."""

from __future__ import annotations

from branchline.boards.tables import WORD, BoardTables
from branchline.rules import chance, scoring, setup, turn
from branchline.rules.chance import Lucky
from branchline.rules.kernel import popcount, rule
from branchline.rules.sets import nth
from branchline.rules.state import ACTION_WORDS, OVER, Scratch, State, States


@rule
def new_game(board: BoardTables, state: State, scratch: Scratch, seats: int, seed: int) -> None:
    """Set up a game from a seed, at its first question; the state must be empty (all zeros)."""
    setup.prepare(board, state, seats, seed)
    setup.deal(board, state, scratch)


@rule
def random_action(lucky: Lucky, scratch: Scratch) -> int:
    """Return one of the legal actions of the scratch, each equally likely, by the luck of a state or a memory."""
    count = 0
    for word in range(ACTION_WORDS):
        count += popcount(scratch.legal[word])
    skipped = chance.below(lucky, count)
    for word in range(ACTION_WORDS):
        bits_here = popcount(scratch.legal[word])
        if skipped < bits_here:
            return word * WORD + nth(scratch.legal[word], skipped)
        skipped -= bits_here
    return -1


@rule
def play_out(board: BoardTables, state: State, scratch: Scratch) -> int:
    """Play at random to the end and score; the number of actions."""
    actions = 0
    while state.question != OVER:
        turn.legal(board, state, scratch)
        turn.apply(board, state, scratch, random_action(state, scratch))
        actions += 1
    scoring.score(board, state, scratch)
    return actions


@rule
def play_many(
    board: BoardTables, states: States, empty: States, scratch: Scratch, seats: int, seed: int, games: int
) -> int:
    """Play `games` random games in `states[0]`, with seeds from `seed` on, and return the number of actions taken."""
    actions = 0
    for n in range(games):
        states[0] = empty[0]
        new_game(board, states[0], scratch, seats, seed + n)
        actions += play_out(board, states[0], scratch)
    return actions
