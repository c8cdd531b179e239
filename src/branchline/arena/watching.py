"""What can be seen of a game beyond its result: who needed which route, what was taken from whom, which tickets were
offered. It is counted while games of planning bots are played, in one record of sums for any number of games.

A seat *needs* a route while the plan for its tickets runs over it (`memory.plan`, as of its last turn). A connection,
the parallel lines between two places, is *contested* in a game in which at some moment more seats needed it than
lines of it could still be claimed. A seat is *blocked* when somebody claims a line that it needed and none of that
connection is left for it. Sums do not depend on the order of the games.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from branchline.arena import play
from branchline.arena.choosers import Choosers
from branchline.arena.choosers import ask as ask_bot
from branchline.arena.play import GameRow, GameRows, Terms, Workspace
from branchline.boards.limits import MAX_ROUTES, MAX_SEATS, MAX_TICKETS
from branchline.boards.tables import ROUTE_WORDS, WORD, BoardTables
from branchline.bots.api.memory import Memories, Memory
from branchline.bots.planner import plan
from branchline.rules import scoring, turn
from branchline.rules.kernel import popcount, rule
from branchline.rules.sets import lowest
from branchline.rules.state import FAILED, KEEP, KEEP_TICKETS, TURN, Scratch, State
from branchline.runtime.structs import Buffer, Int64, Matrix, Struct, Vector, layout

UNIT = 60  # a victory counts so much, so that one shared by 2, 3, 4 or 5 seats stays whole
BLOCKER, BLOCKED = range(2)


class Sums(Struct):
    """Sums over games."""

    games: Int64
    # per connection, at the first of its lines: in how many games …
    needed: Annotated[Vector, np.int64, MAX_ROUTES]  # some seat needed it
    sought: Annotated[Vector, np.int64, MAX_ROUTES]  # two seats or more needed it at the same time
    contested: Annotated[Vector, np.int64, MAX_ROUTES]  # more needed it than lines were left
    blocking: Annotated[Vector, np.int64, MAX_ROUTES]  # a claim of one of its lines blocked somebody
    # per route
    claimed: Annotated[Vector, np.int64, MAX_ROUTES]
    claimed_at: Annotated[Vector, np.int64, MAX_ROUTES]  # sum of the turns that a seat had had when it was claimed
    # per ticket: how often …
    offered: Annotated[Vector, np.int64, MAX_TICKETS]
    kept: Annotated[Vector, np.int64, MAX_TICKETS]
    held: Annotated[Vector, np.int64, MAX_TICKETS]  # at the end
    done: Annotated[Vector, np.int64, MAX_TICKETS]
    points: Annotated[Vector, np.int64, MAX_TICKETS]  # that it brought, or cost where it was not done
    # blocking: claims that blocked somebody, …
    passing: Int64  # … over a route that the claimer needed itself
    barging: Int64  # … over one that it did not need
    blockings: Int64  # seats blocked by these
    replanned: Int64  # of these seats, how many had another turn
    detour: Int64  # spaces that their plans then took more than before
    dropped: Int64  # tickets that they then had given up
    # seats that blocked, or were blocked, in a game: how many, how they did; by BLOCKER, BLOCKED
    seats: Annotated[Vector, np.int64, 2]
    won: Annotated[Vector, np.int64, 2]  # in 1/UNIT of a victory
    lead: Annotated[Vector, np.int64, 2]  # points above the mean of the table, times the number of seats


_SUMS = layout(Sums)


class Tally(Sums):
    """Sums over games, and what is kept of the game that is being played."""

    needed_now: Annotated[Vector, np.int8, MAX_ROUTES]
    sought_now: Annotated[Vector, np.int8, MAX_ROUTES]
    contested_now: Annotated[Vector, np.int8, MAX_ROUTES]
    blocking_now: Annotated[Vector, np.int8, MAX_ROUTES]
    free: Annotated[Vector, np.int64, ROUTE_WORDS]  # as it was before the action
    part: Annotated[Matrix, np.int8, MAX_SEATS, 2]  # who blocked, who was blocked
    waiting: Annotated[Vector, np.int8, MAX_SEATS]  # how often a seat was blocked since its last turn
    before: Annotated[Vector, np.int16, MAX_SEATS]  # spaces of its plan when it was
    hopeless: Annotated[Vector, np.int16, MAX_SEATS]  # tickets it had given up by then


TALLY = layout(Tally)


def added(first: Buffer[Tally], other: Buffer[Tally]) -> Buffer[Tally]:
    """Return the sums of two tallies."""
    answer: Buffer[Tally] = np.zeros(1, dtype=TALLY)  # type: ignore[assignment]
    for name in _SUMS.names or ():
        answer[name] = first[name] + other[name]
    return answer


@rule
def play_watched_games(workspace: Workspace, choosers: Choosers, games: GameRows, terms: Terms, tally: Tally) -> None:
    """Play the same games as `play.play_games`, and add what is watched of them to `tally`.

    A loop of its own: it is compiled when somebody first asks for it, and all others need not wait for it.
    """
    board, states, state, seens, seen, empty, scratch, memories = workspace
    seats, period, seed, first, audited, most_turns = terms
    for n in range(len(games)):
        game = games[n]
        passengers = play.begin(
            board, states, state, empty, scratch, memories, game, first + n, seats, period, seed, audited
        )
        begin(tally)
        going = True
        while going:
            seat = state.seat
            play.ask(board, state, seens, seen, empty, scratch)
            entrant = game.entrant[seat]
            action = ask_bot(choosers, entrant, board, seen, scratch, memories[entrant], seat)
            turn.legal(board, state, scratch)
            before_action(board, state, memories, game, tally, action)
            going = play.goes_on(board, state, scratch, game, action, passengers, audited) and play.in_bounds(
                state, game, most_turns
            )
            after_action(board, state, memories, game, tally, seat)
        play.note_result(board, state, scratch, game, audited)
        end(board, state, scratch, game, tally)


@rule
def begin(tally: Tally) -> None:
    """Begin a new game."""
    for route in range(MAX_ROUTES):
        tally.needed_now[route] = 0
        tally.sought_now[route] = 0
        tally.contested_now[route] = 0
        tally.blocking_now[route] = 0
    for seat in range(MAX_SEATS):
        tally.waiting[seat] = 0
        for part in range(2):
            tally.part[seat, part] = 0


@rule
def before_action(
    board: BoardTables, state: State, memories: Memories, game: GameRow, tally: Tally, action: int
) -> None:
    """Note the answer of the asked seat, which is not given yet."""
    seat = state.seat
    for word in range(board.route_words):
        tally.free[word] = state.free[word]
    if state.question == TURN:
        if tally.waiting[seat]:
            note_detour(board, state, memories[game.entrant[seat]], tally)
        note_needs(board, state, memories, game, tally)
    elif state.question == KEEP_TICKETS:
        for n in range(state.offer_size[seat]):
            tally.offered[state.offer[seat, n]] += 1
            tally.kept[state.offer[seat, n]] += ((action - KEEP) >> n) & 1


@rule
def note_needs(board: BoardTables, state: State, memories: Memories, game: GameRow, tally: Tally) -> None:
    """Note which routes the seat on turn needs, and who else does."""
    seat = state.seat
    memory = memories[game.entrant[seat]]
    for word in range(board.route_words):
        bits = needs(state, memory, seat, word, state.free[word])
        while bits != 0:
            route = word * WORD + lowest(bits)
            bits &= bits - 1
            first = first_line(board, route)
            tally.needed_now[first] = 1
            seats = 1
            for other in range(state.seats):
                if other != seat:
                    seats += wants_line(board, state, memories[game.entrant[other]], other, route, state.free)
            if seats > 1:
                tally.sought_now[first] = 1
                if seats > lines_left(board, state, route):
                    tally.contested_now[first] = 1


@rule
def needs(state: State, memory: Memory, seat: int, word: int, free: int) -> int:
    """Return one word of the set of routes that a seat needs, as far as it could still own them."""
    if memory.planned == 0 or memory.seat != seat:
        return 0
    return memory.plan[word] & free & ~state.barred[seat, word]


@rule
def wants_line(board: BoardTables, state: State, memory: Memory, seat: int, route: int, free: Vector) -> bool:
    """Return whether a seat needs the route or a line parallel to it and can have one; `free` are those without owner.

    Its plan may name a line that was taken since: then it will take the other one.
    """
    if memory.planned == 0 or memory.seat != seat:
        return False
    named = False
    open_to_it = False
    for word in range(board.route_words):
        lines = connection(board, route, word)
        named = named or memory.plan[word] & lines != 0
        open_to_it = open_to_it or free[word] & ~state.barred[seat, word] & lines != 0
    return named and open_to_it


@rule
def connection(board: BoardTables, route: int, word: int) -> int:
    """Return one word of the set of a route and its parallels."""
    bits = board.siblings[route, word]
    if route // WORD == word:
        bits |= 1 << (route % WORD)
    return bits


@rule
def first_line(board: BoardTables, route: int) -> int:
    """Return the first line of a route's connection."""
    for word in range(board.route_words):
        bits = connection(board, route, word)
        if bits != 0:
            return word * WORD + lowest(bits)
    return route


@rule
def lines_left(board: BoardTables, state: State, route: int) -> int:
    """Return how many lines of a route's connection can still be claimed, each by another seat."""
    count = 0
    for word in range(board.route_words):
        count += popcount(connection(board, route, word) & state.free[word])
    return min(count, 1) if state.seats <= board.one_line_up_to else count


@rule
def after_action(board: BoardTables, state: State, memories: Memories, game: GameRow, tally: Tally, seat: int) -> None:
    """Look at the route that a seat claimed, if it did, after its answer was given."""
    for word in range(board.route_words):
        claimed = tally.free[word] & ~state.free[word]
        while claimed != 0:
            route = word * WORD + lowest(claimed)
            claimed &= claimed - 1
            if state.route_owner[route] == seat:
                note_claim(board, state, memories, game, tally, seat, route)


@rule
def note_claim(
    board: BoardTables, state: State, memories: Memories, game: GameRow, tally: Tally, seat: int, route: int
) -> None:
    """Note who has been blocked by a claim."""
    tally.claimed[route] += 1
    tally.claimed_at[route] += state.turns // state.seats
    blocked = 0
    for other in range(state.seats):
        memory = memories[game.entrant[other]]
        if (
            other != seat
            and wants_line(board, state, memory, other, route, tally.free)
            and not is_left(board, state, other, route)
        ):
            blocked += 1
            tally.part[other, BLOCKED] = 1
            if tally.waiting[other] == 0:
                tally.before[other] = spaces_planned(board, state, memory, other, tally.free)
                tally.hopeless[other] = given_up(memory)
            tally.waiting[other] += 1
    if blocked:
        tally.blockings += blocked
        tally.blocking_now[first_line(board, route)] = 1
        tally.part[seat, BLOCKER] = 1
        own = memories[game.entrant[seat]]
        if own.planned and own.seat == seat and (own.plan[route // WORD] >> (route % WORD)) & 1:
            tally.passing += 1
        else:
            tally.barging += 1


@rule
def is_left(board: BoardTables, state: State, seat: int, route: int) -> bool:
    """Return whether a seat can still claim the route or a line parallel to it."""
    for word in range(board.route_words):
        if connection(board, route, word) & state.free[word] & ~state.barred[seat, word] != 0:
            return True
    return False


@rule
def spaces_planned(board: BoardTables, state: State, memory: Memory, seat: int, free: Vector) -> int:
    """Return the spaces that a seat's plan still had to claim."""
    spaces = 0
    for word in range(board.route_words):
        bits = needs(state, memory, seat, word, free[word])
        while bits != 0:
            spaces += board.route_length[word * WORD + lowest(bits)]
            bits &= bits - 1
    return spaces


@rule
def given_up(memory: Memory) -> int:
    """Return the number of tickets for which a seat sees no way."""
    count = 0
    for n in range(memory.held_count):
        count += memory.outlook[n] == plan.GIVEN_UP
    return count


@rule
def note_detour(board: BoardTables, state: State, memory: Memory, tally: Tally) -> None:
    """Note the extra cost of the new plan if the seat on turn was blocked since its last turn."""
    seat = state.seat
    tally.replanned += tally.waiting[seat]
    dropped = max(0, given_up(memory) - tally.hopeless[seat])
    tally.dropped += dropped
    if dropped == 0:
        tally.detour += max(0, spaces_planned(board, state, memory, seat, state.free) - tally.before[seat])
    tally.waiting[seat] = 0


@rule
def end(board: BoardTables, state: State, scratch: Scratch, game: GameRow, tally: Tally) -> None:
    """Add up the game, which is over and its result noted."""
    tally.games += 1
    for route in range(board.routes):
        tally.needed[route] += tally.needed_now[route]
        tally.sought[route] += tally.sought_now[route]
        tally.contested[route] += tally.contested_now[route]
        tally.blocking[route] += tally.blocking_now[route]
    for ticket in range(board.tickets):
        if state.ticket_at[ticket] >= 0:
            result = scratch.ticket_result[ticket]
            tally.held[ticket] += 1
            tally.done[ticket] += result != FAILED
            tally.points[ticket] += scoring.points_of(board, ticket, result)
    winners = 0
    points = 0
    for seat in range(state.seats):
        winners += game.winner[seat]
        points += game.total[seat]
    for seat in range(state.seats):
        for part in range(2):
            if tally.part[seat, part]:
                tally.seats[part] += 1
                tally.won[part] += UNIT * game.winner[seat] // max(1, winners)
                tally.lead[part] += state.seats * game.total[seat] - points
