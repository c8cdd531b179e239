"""Self-play in compiled code: what to do is tried out in every way, and games are played to see who wins.

A decision now and then is looked at as the network sees it (`bots.networks.policy`), and each candidate is done in a
copy of the game, the decks shuffled anew but alike for all of them. All seats then play on, to the end or to a horizon
where the value network judges (`bots.networks.value`): by the best network there is, before there is one by the
planner. How much more a candidate comes to than the planner's own choice is what the network learns. There is much luck
in each number; there are many of them, and as all candidates meet the same luck, what they differ by shows soon.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from branchline.arena.play import game_seed
from branchline.boards import Board
from branchline.boards.tables import BoardTables
from branchline.bots.api import memory
from branchline.bots.api.memory import Memories
from branchline.bots.networks import policy, value, value_inputs
from branchline.bots.networks.policy import CANDIDATE, POSITION, Considered
from branchline.bots.planner import planner
from branchline.bots.planner.candidates import MOST
from branchline.bots.search import rollout
from branchline.rules import chance, kernel, knowledge, playout, scoring, turn
from branchline.rules.kernel import rule
from branchline.rules.state import OVER, SCRATCH, STATE, TURN, Scratch, States

HORIZON = 10  # rounds after which the value network judges
THOUSAND = 1000
SHARE = 120  # of a thousand decisions with a choice that are tried out
STRAYING = (0, 30)  # of a thousand decisions, game by game: done by lot, so that more is seen
MOST_DECISIONS = 64  # tried out in one game

Numbers = npt.NDArray[Any]


class TriedDecisions(NamedTuple):
    """Decisions that were tried out; their candidates stand one behind the other, the planner's own first."""

    position: Numbers  # (decisions, POSITION) float16
    listed: Numbers  # (decisions,) int32: candidates of each
    candidate: Numbers  # (candidates, CANDIDATE) float16
    route: Numbers  # (candidates,) int16: that a claim is of, or NO_ROUTE
    ahead: Numbers  # (candidates,) float32: in value, of the first candidate of the decision


def joined(parts: list[TriedDecisions]) -> TriedDecisions:
    """Return all decisions of several tries as one."""
    return TriedDecisions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


class PlayingTable(NamedTuple):
    """What a thread needs to play: a game, what its seats see, their memories, and the network's notes."""

    board: BoardTables
    states: States
    seens: States
    empty: States
    scratch: Scratch
    memories: Memories
    notes: Considered


class ValueJudge(NamedTuple):
    """What the value network needs."""

    net: Numbers
    inputs: Numbers
    hidden: Numbers


class DecisionRows(NamedTuple):
    """Room for the decisions of one game, as in `Tried`; the candidates of each have a row of their own."""

    position: Numbers
    listed: Numbers
    candidate: Numbers
    route: Numbers
    ahead: Numbers


class Players:
    """Who plays by the network, and planners, in compiled code; one thread at a time."""

    def __init__(self, board: Board, seats: int, horizon: int = HORIZON) -> None:
        """Begin before anybody plays. `horizon` is in rounds; 0: to the end of the game."""
        self.seats, self.horizon = seats, horizon
        self._game, self._trial = (_table(board, seats) for _ in range(2))
        self._judge = ValueJudge(
            value.network(board), np.zeros(value_inputs.INPUTS, np.float32), np.zeros(value.HIDDEN, np.float32)
        )
        self._rows = DecisionRows(
            np.zeros((MOST_DECISIONS, POSITION), np.float32),
            np.zeros(MOST_DECISIONS, np.int32),
            np.zeros((MOST_DECISIONS, MOST * CANDIDATE), np.float32),
            np.zeros((MOST_DECISIONS, MOST), np.int16),
            np.zeros((MOST_DECISIONS, MOST), np.float32),
        )

    def try_out(self, net: Numbers, seed: int, number: int, plays_on: bool) -> TriedDecisions:
        """Play a game by the network, and try decisions out; in every other game planners have the other seats.

        `plays_on`: what is tried out is played on by the network, not by planners.
        """
        learned = np.ones(self.seats, np.int8)
        if number % 2:
            learned[:] = 0
            learned[number // 2 % self.seats] = 1
        straying = STRAYING[number // (2 * self.seats) % len(STRAYING)]
        count = gather(
            self._game, self._trial, self._judge, self._rows, net, learned, np.full(self.seats, plays_on, np.int8),
            self.seats, game_seed(seed, number), straying, self.horizon,
        )  # fmt: skip
        position, listed, candidate, route, ahead = (rows[:count] for rows in self._rows)
        there = np.arange(MOST)[None, :] < listed[:, None]
        return TriedDecisions(
            position.astype(np.float16),
            listed.copy(),
            candidate.reshape(count, MOST, CANDIDATE)[there].astype(np.float16),
            route[there],
            ahead[there],
        )

    def won(self, net: Numbers, seed: int, number: int) -> float:
        """Return the share of the victory, 0 to 1, that the network has in this game against planners.

        It has each seat in turn, with the same deal.
        """
        me = number % self.seats
        learned = np.zeros(self.seats, np.int8)
        learned[me] = 1
        return float(play_one(self._game, net, learned, self.seats, game_seed(seed, number // self.seats), me))


def _table(board: Board, seats: int) -> PlayingTable:
    """Return a table with the board's weights in all memories."""
    states, seens, empty = (kernel.new_buffer(STATE) for _ in range(3))
    memories = memory.new_memory(seats)
    for one in memories:
        planner.PlannerBot.weights_on(board, seats).put_in(one)
    scratch, notes = kernel.new_buffer(SCRATCH)[0], kernel.new_buffer(policy.NOTES)[0]
    return PlayingTable(board.tables[0], states, seens, empty, scratch, memories, notes)


@rule
def begin(table: PlayingTable, seats: int, seed: int) -> None:
    """Set a game up, with memories that know nothing of it."""
    table.states[0] = table.empty[0]
    playout.new_game(table.board, table.states[0], table.scratch, seats, seed)
    forget(table.memories, seats, seed)


@rule
def forget(memories: Memories, seats: int, seed: int) -> None:
    """Clear all plans, and seed the luck by this seed."""
    for seat in range(seats):
        memory.forget(memories[seat], game_seed(seed, seat))


@rule
def answer(table: PlayingTable, net: Numbers, learned: Numbers) -> int:
    """Return the asked seat's action, shown what it may know: by the network where it is `learned`, else by the
    planner.
    """
    state = table.states[0]
    asked = state.seat
    table.seens[0] = table.empty[0]
    knowledge.redact(table.board, state, table.seens[0], asked)
    turn.legal(table.board, state, table.scratch)
    if learned[asked]:
        return policy.choose(
            table.board, table.seens[0], table.scratch, table.memories[asked], asked, net, table.notes
        )  # fmt: skip
    return planner.choose(table.board, table.seens[0], table.scratch, table.memories[asked], asked)


@rule
def play_one(table: PlayingTable, net: Numbers, learned: Numbers, seats: int, seed: int, me: int) -> float:
    """Play a game; the share of the victory that one seat has."""
    begin(table, seats, seed)
    state = table.states[0]
    while state.question != OVER:
        turn.apply(table.board, state, table.scratch, answer(table, net, learned))
    scoring.score(table.board, state, table.scratch)
    return rollout.won(state, table.scratch, me)


@rule
def gather(
    game: PlayingTable,
    trial: PlayingTable,
    judge: ValueJudge,
    rows: DecisionRows,
    net: Numbers,
    learned: Numbers,
    playing_on: Numbers,
    seats: int,
    seed: int,
    straying: int,
    horizon: int,
) -> int:
    """Play a game, and try out some of the decisions in which the network has a choice, and return how many."""
    begin(game, seats, seed)
    state, notes = game.states[0], game.notes
    noted = 0
    while state.question != OVER:
        asked = state.seat
        notes.count = 0
        action = answer(game, net, learned)
        if notes.count > 1:
            if noted < MOST_DECISIONS and chance.below(game.memories[asked], THOUSAND) < SHARE:
                note(notes, rows, noted)
                compare(
                    game, trial, judge, net, playing_on, asked, horizon, game_seed(seed, noted), rows.ahead[noted]
                )  # fmt: skip
                noted += 1
            if chance.below(game.memories[asked], THOUSAND) < straying:
                action = notes.action[chance.below(game.memories[asked], notes.count)]
        turn.apply(game.board, state, game.scratch, action)
    return noted


@rule
def note(notes: Considered, rows: DecisionRows, row: int) -> None:
    """Keep what the network saw."""
    rows.listed[row] = notes.count
    for n in range(POSITION):
        rows.position[row, n] = notes.position[n]
    for n in range(notes.count * CANDIDATE):
        rows.candidate[row, n] = notes.candidate[n]
    for c in range(notes.count):
        rows.route[row, c] = notes.route[c]


@rule
def compare(
    game: PlayingTable,
    trial: PlayingTable,
    judge: ValueJudge,
    net: Numbers,
    playing_on: Numbers,
    seat: int,
    horizon: int,
    seed: int,
    ahead: Numbers,
) -> None:
    """Do each candidate in the same world, and note by how much it comes to more than the first one."""
    world = trial.states[0]
    own = 0.0
    for c in range(game.notes.count):
        trial.states[0] = game.states[0]
        knowledge.shuffle_decks(trial.board, world, seed)
        forget(trial.memories, world.seats, seed)
        turn.apply(trial.board, world, trial.scratch, game.notes.action[c])
        until = game.states[0].turns + horizon * world.seats if horizon else rollout.NEVER
        while world.question != OVER and not (world.question == TURN and world.turns >= until):
            turn.apply(trial.board, world, trial.scratch, answer(trial, net, playing_on))
        worth = worth_to(trial, judge, seat)
        own = worth if c == 0 else own
        ahead[c] = worth - own


@rule
def worth_to(table: PlayingTable, judge: ValueJudge, seat: int) -> float:
    """Return what a game has come to for a seat, or what the value network expects where it is not over."""
    state = table.states[0]
    if state.question == OVER:
        scoring.score(table.board, state, table.scratch)
        return rollout.value_of(state, table.scratch, seat)
    value_inputs.look(table.board, state, table.scratch, table.memories, seat, judge.inputs)
    return value.judge(judge.net, judge.inputs, judge.hidden)
