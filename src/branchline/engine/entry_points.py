"""What can be called in the engine, and with what: every rule that Python calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from branchline.arena import play, watching
from branchline.boards.tables import BOARD
from branchline.bots.api.memory import MEMORY, forget
from branchline.bots.networks import policy, value_inputs
from branchline.bots.planner import candidates, fast, planner
from branchline.bots.search import beliefs, blocking, rollout, trials
from branchline.bots.simple import greedy, habits, random, styles
from branchline.envs import batch, casting, data_set, seat_batch, telling
from branchline.rules import (
    dealer,
    knowledge,
    laying,
    payment,
    playout,
    ports,
    routes,
    scoring,
    setup,
    spending,
    stations,
    trail,
    turn,
)
from branchline.rules.state import SCRATCH, STATE
from branchline.runtime.engine import entry_name

Kind = Any
"""What an argument is: `int`, `float`, a layout (a record of it), `Several`, or a class of named tuples with kinds."""


@dataclass(frozen=True)
class ArrayOf:
    """An array, of a layout or a type of numbers, with so many axes."""

    of: Any
    axes: int = 1


@dataclass(frozen=True)
class EntryPoint:
    """A rule and the kinds of its arguments."""

    rule: Callable[..., object]
    kinds: tuple[Kind, ...]

    @property
    def name(self) -> str:
        """Where it is defined: `rules.turn.legal`."""
        return entry_name(getattr(self.rule, "py_func", self.rule))


STATES, MEMORIES, GAMES = ArrayOf(STATE), ArrayOf(MEMORY), ArrayOf(play.GAME)
INT8S, INT32S, INT64S = (ArrayOf(dtype) for dtype in (np.int8, np.int32, np.int64))
FLOATS, BOOLS = ArrayOf(np.float32), ArrayOf(np.bool_)
MASK, WORDS = ArrayOf(np.int8, 2), ArrayOf(np.int64, 2)
_NUMBERS = (MASK, ArrayOf(np.int16, 2))
"""Those of many states, of one byte and of two."""
_CHOICE = (BOARD, STATE, SCRATCH, MEMORY, int)
_WORKSPACE = (play.Workspace, (BOARD, STATES, STATE, STATES, STATE, STATES, SCRATCH, MEMORIES))
_GAMES = (_WORKSPACE, INT64S, GAMES, (play.Terms, (int,) * 6))
_COUNTS = (
    telling.Counts,
    (ArrayOf(np.uint32, 3), ArrayOf(np.float64), ArrayOf(np.uint32, 3), ArrayOf(np.float32)),
)
_TELLING = (
    telling.Telling,
    (
        _COUNTS,
        _COUNTS,
        ArrayOf(np.uint32, 3),
        ArrayOf(np.float64),
        ArrayOf(np.uint32, 3),
        ArrayOf(np.uint32, 3),
        ArrayOf(np.int32, 3),
        INT64S,
        ArrayOf(np.uint32),
        INT64S,
    ),
)
_ROWS = (telling.Rows, (ArrayOf(np.float32, 2), ArrayOf(np.int64, 2), ArrayOf(np.uint32, 2)))
_TOLD = (*_NUMBERS, _TELLING, _ROWS)
"""What `telling.tell` reads and writes."""
_TEAM = (WORDS, int, INT64S)
"""What every `work` of a team begins with."""
_GAMES_IN = (BOARD, STATES, STATES, SCRATCH)
"""What every workplace begins with."""

ENTRY_POINTS = tuple(
    EntryPoint(rule, tuple(kinds))
    for rule, *kinds in (
        # the game
        (setup.prepare, BOARD, STATE, int, int),
        (setup.deal, BOARD, STATE, SCRATCH),
        (setup.empty_table, BOARD, STATE),
        (turn.legal, BOARD, STATE, SCRATCH),
        (turn.apply, BOARD, STATE, SCRATCH, int),
        (knowledge.redact, BOARD, STATE, STATE, int),
        (knowledge.imagine, BOARD, STATE, int, int),
        (scoring.score, BOARD, STATE, SCRATCH),
        (scoring.points_of, BOARD, int, int),
        (scoring.tickets_naming, BOARD, STATE, SCRATCH, int, int),
        (scoring.points_of_port, BOARD, int),
        (scoring.tie_break, STATE, SCRATCH, int, int),
        (payment.options, BOARD, STATE),
        (payment.choose, BOARD, STATE, int),
        (payment.proceed, BOARD, STATE),
        (routes.begin_payment, BOARD, STATE, int),
        (routes.own, BOARD, STATE, int, int),
        (stations.begin_payment, BOARD, STATE, int),
        (stations.build, STATE, int, int),
        (ports.build, STATE, int, int),
        (spending.kinds, BOARD, STATE),
        # a position laid out by hand
        (laying.problem_with_route, BOARD, STATE, int, int),
        (laying.problem_with_station, BOARD, STATE, int, int),
        (laying.problem_with_port, BOARD, STATE, int, int),
        (laying.pieces_laid, BOARD, STATE, int, int),
        (laying.lines_too_many, BOARD, STATE, int),
        (laying.reaches, BOARD, STATE, int, int),
        # the dealer
        (dealer.begin, BOARD, STATE),
        (dealer.may, BOARD, STATE, int, int, int, int),
        (dealer.act, BOARD, STATE, SCRATCH, int, int, int, int),
        (dealer.shuffle_again, BOARD, STATE, int, int),
        # bots
        (forget, MEMORY, int),
        (random.choose, *_CHOICE),
        (greedy.choose, *_CHOICE),
        (fast.choose, *_CHOICE),
        (planner.choose, *_CHOICE),
        (styles.choose_one_step, *_CHOICE),
        (styles.choose_long_route, *_CHOICE),
        (styles.choose_route_focused, *_CHOICE),
        (styles.choose_hungry, *_CHOICE),
        (styles.choose_racer, *_CHOICE),
        (habits.choose_sprawler, *_CHOICE),
        (habits.choose_early_blocker, *_CHOICE),
        (habits.choose_ticket_lover, *_CHOICE),
        (habits.choose_hoarder, *_CHOICE),
        (planner.want, BOARD, STATE, MEMORY, int),
        (candidates.listed, BOARD, STATE, SCRATCH, MEMORY, int, INT32S),
        (beliefs.weigh, BOARD, STATE, MEMORY, trials.NOTES, FLOATS, int),
        (blocking.add_blocks, BOARD, STATES, STATES, STATE, SCRATCH, MEMORIES, trials.NOTES, int, int),
        (
            rollout.try_out,
            BOARD,
            STATES,
            STATES,
            STATE,
            STATES,
            STATE,
            SCRATCH,
            MEMORIES,
            trials.NOTES,
            FLOATS,
            int,
            int,
            int,
        ),
        (value_inputs.look, BOARD, STATE, SCRATCH, MEMORIES, int, FLOATS),
        (policy.choose, *_CHOICE, FLOATS, policy.NOTES),
        # many games
        (playout.play_many, BOARD, STATES, STATES, SCRATCH, int, int, int),
        (play.play_games, *_GAMES),
        (play.play_random_games, BOARD, STATES, STATE, STATES, SCRATCH, MEMORIES, GAMES, int, int, int, int),
        (watching.play_watched_games, *_GAMES, watching.TALLY),
        (play.begin, BOARD, STATES, STATE, STATES, SCRATCH, MEMORIES, play.GAME, int, int, int, int, int),
        (play.ask, BOARD, STATE, STATES, STATE, STATES, SCRATCH),
        (play.goes_on, BOARD, STATE, SCRATCH, play.GAME, int, int, int),
        (play.in_bounds, STATE, play.GAME, int),
        (play.note_result, BOARD, STATE, SCRATCH, play.GAME, int),
        (trail.longest, BOARD, STATE, SCRATCH, int),
        (trail.keep_longest, BOARD, STATE, SCRATCH, int),
        # environments
        (telling.tell, *_NUMBERS, int, int, _TELLING, _ROWS, int),
        (batch.first_illegal, WORDS, INT64S),
        (
            batch.work, *_TEAM,
            (
                batch.Workplace,
                (
                    *_GAMES_IN, INT64S, INT64S, INT8S, ArrayOf(np.float32, 2), ArrayOf(np.int16, 2), MASK, int, WORDS,
                    MASK, INT8S, *_TOLD,
                ),
            ),
        ),
        (
            seat_batch.work, *_TEAM,
            (
                seat_batch.Workplace,
                (
                    *_GAMES_IN, STATES, MEMORIES, (casting.Casting, (int, INT64S, MEMORIES, WORDS, WORDS)), WORDS,
                    INT8S, INT64S, BOOLS, INT8S, INT8S, int, int, int, INT64S, WORDS, BOOLS, BOOLS,
                    ArrayOf(np.float64), ArrayOf(np.float64), ArrayOf(np.int16, 2), MASK, MASK, *_TOLD,
                ),
            ),
        ),
        (
            data_set.record_games, _WORKSPACE, INT64S, GAMES, int, int, int, int, int, *_TOLD,
            ArrayOf(np.bool_, 2), WORDS, ArrayOf(np.int32, 2),
        ),
    )
)  # fmt: skip
