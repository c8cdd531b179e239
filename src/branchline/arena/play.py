"""Whole games between bots, in one compiled loop: set up, ask, redact, choose, apply, score, note the result.

A game's luck comes from its own seed, so that no game depends on any other one. Nothing is allocated on the way.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from branchline.arena import audit
from branchline.arena.choosers import Choosers
from branchline.arena.choosers import ask as ask_bot
from branchline.boards.limits import MAX_ROUTES, MAX_SEATS, MAX_TICKETS
from branchline.boards.tables import BoardTables
from branchline.bots.api.memory import Memories, forget
from branchline.rules import chance, knowledge, playout, scoring, turn
from branchline.rules.catalogue import PARTS
from branchline.rules.kernel import rule
from branchline.rules.sets import is_answer
from branchline.rules.state import ACTION_WORDS, FAILED, OVER, Scratch, State, States
from branchline.runtime.structs import Int8, Int16, Int32, Int64, Matrix, Records, Struct, Vector, layout


class GameRow(Struct):
    """What is kept of a game."""

    pairing: Int64  # which line-up of a tournament; in a series there is one, 0
    number: Int64  # which game of that line-up
    block: Int64  # games of one block have the same seed, and the bots in rotated seats
    seed: Int64
    seats: Int8
    first_seat: Int8
    turns: Int16
    actions: Int32
    announced: Int8  # 1: it ended for want of pieces, as it should; 0: nobody could do a thing
    fault: Int32  # an action that was not legal, + 1; NO_ACTION; NO_END; 0: none
    fault_seat: Int8
    broken: Int8  # the law of `audit.LAWS` found broken after the last action; 0: none, or not audited
    # per seat
    entrant: Annotated[Vector, np.int8, MAX_SEATS]  # who of the line-up sat there
    parts: Annotated[Matrix, np.int16, PARTS, MAX_SEATS]  # the parts of the score, as `rules.catalogue` lists them
    total: Annotated[Vector, np.int16, MAX_SEATS]
    tickets_done: Annotated[Vector, np.int16, MAX_SEATS]
    tickets_held: Annotated[Vector, np.int16, MAX_SEATS]
    trail: Annotated[Vector, np.int16, MAX_SEATS]
    winner: Annotated[Vector, np.int8, MAX_SEATS]
    # per route and ticket of the board
    route_owner: Annotated[Vector, np.int8, MAX_ROUTES]  # seat, NOBODY or CLOSED
    ticket: Annotated[Vector, np.int8, MAX_TICKETS]  # 2 · the seat that held it, + 1 if it was done; -1: nobody did


GameRows = Records[GameRow]

GAME = layout(GameRow)

NO_ACTION, NO_END = -1, -2
MOST_TURNS = 5_000
"""More than the rules allow (END-2): games of random bots have never taken 400. A table may be given a lower limit."""

SEED_BITS = 0x3FFFFFFF


@rule
def game_seed(seed: int, block: int) -> int:
    """Return the seed of a block of games: 60 bits, stirred from the seed of the series and the block's number."""
    low = chance.mixed(seed & chance.LOW)
    high = chance.mixed((seed >> 32) & chance.LOW)
    low = chance.mixed(low ^ (block & chance.LOW))
    high = chance.mixed(high ^ low ^ ((block >> 32) & chance.LOW))
    return ((high & SEED_BITS) << 30) | (low & SEED_BITS)


@rule
def bot_seed(seed: int, entrant: int) -> int:
    """Return the seed of one bot in a game."""
    return game_seed(seed, 1 + entrant)


class Workspace(NamedTuple):
    """The records on which games are played, made once for all of them."""

    board: BoardTables
    states: States
    state: State  # the record in `states`
    seens: States
    seen: State  # the record in `seens`: what the asked seat may know
    empty: States
    scratch: Scratch
    memories: Memories  # of the line-up


class Terms(NamedTuple):
    """Which games of a series are to be played."""

    seats: int
    period: int  # so many games have the same seed
    seed: int
    first: int  # the number of the first one
    audited: int
    most_turns: int


@rule
def sit_down(memories: Memories, number: int, seed: int, seats: int, period: int, game: GameRow) -> None:
    """Note which game this is, who sits where, and give every entrant its luck. Memories belong to entrants."""
    game.number = number
    game.block = number // period
    game.seed = seed
    game.seats = seats
    game.actions = 0
    game.fault = 0
    game.broken = 0
    for seat in range(seats):
        entrant = (seat + number) % seats
        game.entrant[seat] = entrant
        forget(memories[entrant], bot_seed(seed, entrant))


@rule
def play_games(workspace: Workspace, choosers: Choosers, games: GameRows, terms: Terms) -> None:
    """Play `len(games)` games.

    The line-up of `choosers` moves on by one seat from game to game. An audited game is looked over after every action
    and stops where a law is broken.
    """
    board, states, state, seens, seen, empty, scratch, memories = workspace
    seats, period, seed, first, audited, most_turns = terms
    for n in range(len(games)):
        game = games[n]
        passengers = begin(
            board, states, state, empty, scratch, memories, game, first + n, seats, period, seed, audited
        )
        going = True
        while going:
            turn.legal(board, state, scratch)
            seat = state.seat
            seens[0] = empty[0]
            knowledge.redact(board, state, seen, seat)
            entrant = game.entrant[seat]
            action = ask_bot(choosers, entrant, board, seen, scratch, memories[entrant], seat)
            turn.legal(board, state, scratch)
            going = goes_on(board, state, scratch, game, action, passengers, audited) and in_bounds(
                state, game, most_turns
            )
        note_result(board, state, scratch, game, audited)


@rule
def play_random_games(
    board: BoardTables,
    states: States,
    state: State,
    empty: States,
    scratch: Scratch,
    memories: Memories,
    games: GameRows,
    seats: int,
    seed: int,
    first: int,
    audited: int,
) -> None:
    """Play the same games as `play_games` with random bots only, which need not be shown what they do not look at."""
    for n in range(len(games)):
        game = games[n]
        passengers = begin(board, states, state, empty, scratch, memories, game, first + n, seats, 1, seed, audited)
        going = True
        while going:
            turn.legal(board, state, scratch)
            action = playout.random_action(memories[game.entrant[state.seat]], scratch)
            going = goes_on(board, state, scratch, game, action, passengers, audited)
        note_result(board, state, scratch, game, audited)


@rule
def begin(
    board: BoardTables,
    states: States,
    state: State,
    empty: States,
    scratch: Scratch,
    memories: Memories,
    game: GameRow,
    number: int,
    seats: int,
    period: int,
    seed: int,
    audited: int,
) -> int:
    """Sit down and set the game up, at its first question; how many passengers there are, for the audit."""
    states[0] = empty[0]
    own_seed = game_seed(seed, number // period)
    sit_down(memories, number, own_seed, seats, period, game)
    playout.new_game(board, state, scratch, seats, own_seed)
    return audit.passengers_in_play(board, state) if audited else 0


@rule
def goes_on(
    board: BoardTables, state: State, scratch: Scratch, game: GameRow, action: int, passengers: int, audited: int
) -> bool:
    """Do what the asked seat answered, if that is legal by the scratch, and look it over; whether the game goes on."""
    if not is_answer(scratch, action):
        game.fault = action + 1 if action >= 0 else NO_ACTION
        game.fault_seat = state.seat
        return False
    turn.apply(board, state, scratch, action)
    game.actions += 1
    if audited:
        look_over(board, state, scratch, game, passengers)
    return state.question != OVER and game.broken == 0


@rule
def in_bounds(state: State, game: GameRow, most_turns: int) -> bool:
    """Return whether the game is within its limit of turns, and note it if not.

    Games of random bots need not be asked.
    """
    if state.turns >= most_turns:
        game.fault = NO_END
        return False
    return True


@rule
def look_over(board: BoardTables, state: State, scratch: Scratch, game: GameRow, passengers: int) -> None:
    """Note the first law that does not hold in this position."""
    game.broken = audit.broken_law(board, state, passengers)
    if game.broken == 0 and state.question != OVER:
        turn.legal(board, state, scratch)
        legal = 0
        for word in range(ACTION_WORDS):
            legal |= scratch.legal[word]
        if legal == 0:
            game.broken = audit.SOMETHING_TO_DO


@rule
def note_result(board: BoardTables, state: State, scratch: Scratch, game: GameRow, audited: int) -> None:
    """Score the game and note what is kept of it."""
    scoring.score(board, state, scratch)
    if audited and game.broken == 0 and game.fault == 0 and not audit.scores_agree(board, state, scratch):
        game.broken = audit.SUM
    game.first_seat = state.first_seat
    game.turns = state.turns
    game.announced = 1 if state.turns_to_go == 0 else 0
    for seat in range(state.seats):
        for part in range(PARTS):
            game.parts[part, seat] = scratch.parts[part, seat]
        game.total[seat] = scratch.total[seat]
        game.tickets_done[seat] = scratch.tickets_done[seat]
        game.tickets_held[seat] = state.tickets_held[seat, 0] + state.tickets_held[seat, 1]
        game.trail[seat] = scratch.trail[seat]
        game.winner[seat] = scratch.winner[seat]
    for route in range(board.routes):
        game.route_owner[route] = state.route_owner[route]
    for ticket in range(board.tickets):
        at = state.ticket_at[ticket]
        game.ticket[ticket] = 2 * at + (scratch.ticket_result[ticket] != FAILED) if at >= 0 else -1


@rule
def ask(board: BoardTables, state: State, seens: States, seen: State, empty: States, scratch: Scratch) -> None:
    """Put before the asked seat what it may know, and the legal actions."""
    seens[0] = empty[0]
    knowledge.redact(board, state, seen, state.seat)
    turn.legal(board, state, scratch)
