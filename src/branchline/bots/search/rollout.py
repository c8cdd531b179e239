"""Playing games on from imagined worlds, to their end or to a horizon, and noting what came of it."""

from __future__ import annotations

from branchline.boards.tables import BoardTables
from branchline.bots.api import memory
from branchline.bots.api.memory import Memories
from branchline.bots.networks import value, value_inputs
from branchline.bots.networks.exponential import exp
from branchline.bots.planner import planner
from branchline.bots.search import beliefs
from branchline.bots.search.trials import Trials
from branchline.rules import knowledge, scoring, turn
from branchline.rules.kernel import rule
from branchline.rules.state import OVER, TURN, Scratch, State, States
from branchline.runtime.structs import Reals

MARGIN = 30.0  # points ahead with which a near miss counts 73 % of its half
NO_ACTION = -1  # as a candidate: let the game go on as it stands
ALL_SEEING = -1  # as a seat: somebody who sees all but the order of the decks
CARDS_A_TURN = 4  # of each deck, in games played out: as many as most turns draw, or more
NEVER = 1 << 14  # as a number of turns: more than any game has


@rule
def try_out(
    board: BoardTables,
    known: States,
    worlds: States,
    world: State,
    games: States,
    game: State,
    scratch: Scratch,
    memories: Memories,
    notes: Trials,
    judge: Reals,
    seat: int,
    seed: int,
    count: int,
) -> None:
    """Imagine worlds by so many seeds, from this one on, and play each candidate that is alive out in each.

    `known[0]` is what the seat knows, the whole state if it is ALL_SEEING; `world` is the record in `worlds`, `game`
    that in `games`. Where a playout stops before the end, what `judge` says of it counts as both value and victory: a
    network of `bots.networks.value`.
    """
    for n in range(count):
        try_in_world(
            board, known, worlds, world, games, game, scratch, memories, notes, judge, seat, seed + n
        )  # fmt: skip


@rule
def try_in_world(
    board: BoardTables,
    known: States,
    worlds: States,
    world: State,
    games: States,
    game: State,
    scratch: Scratch,
    memories: Memories,
    notes: Trials,
    judge: Reals,
    seat: int,
    seed: int,
) -> None:
    """Try the candidates in one of these worlds."""
    if seat == ALL_SEEING:
        worlds[0] = known[0]
        knowledge.shuffle_decks(board, world, seed)
    else:
        beliefs.imagine(board, known, worlds, world, notes, seat, seed)
    until = world.turns + notes.horizon * world.seats if notes.horizon else NEVER
    own = 0.0
    for c in range(notes.count):
        if notes.alive[c]:
            games[0] = worlds[0]
            for other in range(game.seats):
                memory.forget(memories[other], seed)
            if play_on(board, game, scratch, memories, notes.action[c], until):
                note_result(game, scratch, notes, c)
                if seat == ALL_SEEING:
                    continue
                chance_to_win = won(game, scratch, seat)
                worth = value_of(game, scratch, seat)
            else:
                value_inputs.look(board, game, scratch, memories, seat, notes.inputs)
                chance_to_win = worth = value.judge(judge, notes.inputs, notes.hidden)
            if c == 0:
                own = worth
            notes.worlds[c] += 1
            notes.won[c] += chance_to_win
            notes.value[c] += worth
            notes.ahead[c] += worth - own
            notes.ahead_squared[c] += (worth - own) * (worth - own)


@rule
def play_on(board: BoardTables, state: State, scratch: Scratch, memories: Memories, action: int, until: int) -> bool:
    """Do this, and let planners play on until so many turns have ended; whether the game is over.

    Then it is scored in the scratch record. After each turn the decks lie as if it had drawn a fixed number of cards.
    """
    turns, first, second = state.turns, state.deck_size[0], state.deck_size[1]
    if action != NO_ACTION:
        turn.apply(board, state, scratch, action)
    while state.question != OVER:
        if state.turns != turns:
            put_under(state, 0, first - state.deck_size[0])
            put_under(state, 1, second - state.deck_size[1])
            turns, first, second = state.turns, state.deck_size[0], state.deck_size[1]
        if state.question == TURN and state.turns >= until:
            return False
        turn.legal(board, state, scratch)
        asked = state.seat
        turn.apply(board, state, scratch, planner.choose(board, state, scratch, memories[asked], asked))
    scoring.score(board, state, scratch)
    return True


@rule
def put_under(state: State, deck: int, drawn: int) -> None:
    """Put the top cards of a deck under it, so many that with those that were drawn they are CARDS_A_TURN.

    Nobody knows their order, so one is as good as another. But when a game is played out twice from the same world,
    with different actions at first, everybody draws the same cards later, however many it were at first. That common
    random numbers have to be used for the same purpose is called synchronization (Law, "Simulation Modeling and
    Analysis", chapter 11). Nothing is done if more cards were drawn, or the deck was shuffled, or is as small.
    """
    count = CARDS_A_TURN - drawn
    size = state.deck_size[deck]
    if drawn < 0 or count <= 0 or size <= count:
        return
    for _ in range(count):
        top = state.deck[deck, size - 1]
        for n in range(size - 1, 0, -1):
            state.deck[deck, n] = state.deck[deck, n - 1]
        state.deck[deck, 0] = top


@rule
def note_result(state: State, scratch: Scratch, notes: Trials, c: int) -> None:
    """Note what everybody has of a game that is over."""
    for seat in range(state.seats):
        notes.share[c, seat] = won(state, scratch, seat)
        notes.total[c, seat] = scratch.total[seat]


@rule
def value_of(state: State, scratch: Scratch, seat: int) -> float:
    """Return half for having won and half for the margin, 0 to 1: near misses tell more than the result alone."""
    best = -30_000
    for other in range(state.seats):
        if other != seat:
            best = max(best, scratch.total[other])
    near = 1.0 / (1.0 + exp(-(scratch.total[seat] - best) / MARGIN))
    return 0.5 * won(state, scratch, seat) + 0.5 * near


@rule
def won(state: State, scratch: Scratch, seat: int) -> float:
    """Return 1 for a victory, a part of it for a shared one."""
    winners = 0
    for other in range(state.seats):
        winners += scratch.winner[other]
    return scratch.winner[seat] / max(1, winners)
