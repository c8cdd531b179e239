"""Every decision of many games as a table to learn from: what the seat saw and might do, what it did, how it ended.

The table is written as Parquet in groups of rows, so that memory does not grow with the number of games.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from branchline.arena import Export, Results, play
from branchline.arena.choosers import Choosers, choosers_of, quietly
from branchline.arena.choosers import ask as ask_bot
from branchline.arena.executors import BotSpec
from branchline.arena.play import GameRow, GameRows, Workspace
from branchline.arena.series import called, plan_series, weights_named
from branchline.arena.table import Games, Table
from branchline.boards import Board
from branchline.boards.arguments import instance
from branchline.bots import maker_of
from branchline.envs import telling
from branchline.envs.batch import show_legal
from branchline.envs.layout import VERSION, Layout, layout_of
from branchline.envs.rewards import EnvError, worth
from branchline.envs.team import compiled_only
from branchline.rules import kernel, knowledge, turn
from branchline.rules.kernel import rule
from branchline.rules.state import ACTION_WORDS, ACTIONS
from branchline.runtime.structs import Buffer, Matrix

ROWS = 8192  # in a group of rows, unless a game is longer; about 50 MB before they are packed

COLUMNS = {
    "game": "number of the game in its series, from 0 on",
    "seed": "the game's own seed: `Game(board, seats, seed)` deals the same",
    "step": "which decision of the game it is, from 0 on",
    "seat": "whose decision it is",
    "bot": "who sits there",
    "question": "what is asked, see `rules.state`",
    "observation": "what the seat knows, float32, see `envs.layout`",
    "mask": "which actions are legal, one truth value for each",
    "action": "what was done",
    "result": "the seat's reward `win` at the end of the game: 1 won … -1 / (seats - 1) lost",
    "points": "the seat's points at the end of the game",
}
"""What stands in a row."""


@dataclass
class Rows:
    """Room for so many decisions; what is in it is written over by the next games."""

    seen: telling.Rows
    mask: npt.NDArray[np.bool_]
    legal: npt.NDArray[np.int64]  # the same as sets: (rows, ACTION_WORDS)
    small: npt.NDArray[np.int32]  # (rows, 5): index of the game among those recorded, step, seat, question, action

    @classmethod
    def room(cls, rows: int, layout: Layout) -> Rows:
        """Return rows that are all zero."""
        masks = kernel.new_array((rows, ACTIONS), np.bool_), kernel.new_array((rows, ACTION_WORDS), np.int64)
        return cls(telling.rows_of(layout, rows), *masks, kernel.new_array((rows, 5), np.int32))


class Recorder(Table):
    """A table at which compiled bots play the games of a series and every decision is noted."""

    def __init__(self, board: Board, bots: Sequence[BotSpec], seed: int) -> None:
        compiled_only()
        super().__init__(board, [maker_of(bot) for bot in bots], seed)
        if not self.compiled:
            raise EnvError("decisions are recorded of compiled bots only")
        self.layout = layout_of(board, self.seats)
        self._rows = Rows.room(ROWS, self.layout)

    def record(self, first: int, most: int) -> tuple[Games, Rows, int]:
        """Return as many games from number `first` on as there is room for, at most `most`.

        Gives their results, the room, and how many rows of it are used.
        """
        games = kernel.new_buffer(play.GAME, min(most, len(self._rows.mask)))
        while True:
            with quietly():
                played = self._record(games, first)
            self._complain(games[:played])
            if played:
                return games[:played], self._rows, int(games["actions"][:played].sum())
            self._rows = Rows.room(2 * len(self._rows.mask), self.layout)

    def _record(self, games: Buffer[GameRow], first: int) -> int:
        choosers = choosers_of([bot.choice for bot in self.line_up])  # type: ignore[attr-defined]
        return int(
            record_games(
                self.workspace, choosers, games, self.seats, self.period, self.seed, first, self.most_turns,
                *telling.rows_in(self._states), telling.telling_of(self.layout), self._rows.seen,
                self._rows.mask, self._rows.legal, self._rows.small,
            )
        )  # fmt: skip


@rule
def record_games(
    workspace: Workspace,
    choosers: Choosers,
    games: GameRows,
    seats: int,
    period: int,
    seed: int,
    first: int,
    most_turns: int,
    small_numbers: Matrix,
    large_numbers: Matrix,
    tables: telling.Telling,
    rows: telling.Rows,
    mask: Matrix,
    legal: Matrix,
    small: Matrix,
) -> int:
    """Play the games of `arena.play.play_games`, noting every decision; return how many were played until there was
    no room.
    """
    board, states, state, seens, seen, empty, scratch, memories = workspace
    row = 0
    for n in range(len(games)):
        game = games[n]
        play.begin(board, states, state, empty, scratch, memories, game, first + n, seats, period, seed, 0)
        going = True
        while going:
            if row == len(small):
                return n
            turn.legal(board, state, scratch)
            seat = state.seat
            show_legal(scratch, legal, mask, row)
            telling.tell(small_numbers, large_numbers, 0, seat, tables, rows, row)
            seens[0] = empty[0]
            knowledge.redact(board, state, seen, seat)
            small[row, 0], small[row, 1], small[row, 2] = n, game.actions, seat
            small[row, 3] = state.question
            entrant = game.entrant[seat]
            action = ask_bot(choosers, entrant, board, seen, scratch, memories[entrant], seat)
            small[row, 4] = action
            turn.legal(board, state, scratch)
            going = play.goes_on(board, state, scratch, game, action, 0, 0) and play.in_bounds(state, game, most_turns)
            row += 1
        play.note_result(board, state, scratch, game, 0)
    return len(games)


def record_decisions(
    board: Board | str,
    bots: Sequence[BotSpec],
    games: int,
    seed: int,
    target: Export,
    *,
    seats: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Results:
    """Play the games of `branchline.simulate`, and write every decision to a Parquet file.

    `on_progress` hears how many games are played. Raise `EnvError`, `SeriesError`, `BotError` and `ExportError`.
    """
    instance("target", target, Export, "an `Export`", EnvError)
    line_up = plan_series(board, bots, games, seed, seats=seats)
    games, seed = int(games), int(seed)  # numpy's are no JSON
    started = time.perf_counter()
    names = tuple(called(bot) for bot in line_up.bots)
    recorder = Recorder(line_up.board, line_up.bots, seed)
    notes = {"branchline": json.dumps(described(recorder.layout) | {"bots": names, "seed": seed})}
    tables: list[Games] = []
    with target.row_groups(notes) as write_group:
        done = 0
        while done < games:
            played, rows, used = recorder.record(done, games - done)
            write_group(_columns(names, played, rows, used))
            tables.append(played)
            done += len(played)
            if on_progress:
                on_progress(done)
    return Results(
        board=line_up.board,
        bots=names,
        seed=seed,
        asked=games,
        games=np.concatenate(tables),
        seats=len(names),
        seconds=time.perf_counter() - started,
        weights=weights_named(line_up.board, line_up.bots, len(names)),
    )


def described(layout: Layout) -> dict[str, object]:
    """Return what a reader of observations and masks needs; it stands in the file's metadata under `branchline`."""
    return {
        "layout_version": VERSION,
        "board": layout.board.id,
        "board_digest": layout.board.digest,
        "seats": layout.seats,
        "actions": ACTIONS,
        "features": [
            {
                "name": feature.name,
                "start": int(feature.start),
                "shape": [int(axis) for axis in feature.shape],
                "axes": list(feature.axes),
                "scale": int(feature.scale),
            }
            for feature in layout.features
        ],
    }


def _columns(names: tuple[str, ...], played: Games, rows: Rows, used: int) -> dict[str, object]:
    """Return the columns of `COLUMNS`: arrays of one axis, or of two where an entry is a list."""
    index, step, seat, question, action = rows.small[:used].T
    seats, winner = len(names), played["winner"][index].astype(np.float32)
    share = winner[np.arange(used), seat] / winner.sum(axis=1)
    return {
        "game": played["number"][index],
        "seed": played["seed"][index],
        "step": step,
        "seat": seat.astype(np.int8),
        "bot": np.array(names)[played["entrant"][index, seat]],
        "question": question.astype(np.int8),
        "observation": rows.seen.numbers[:used],
        "mask": rows.mask[:used],
        "action": action.astype(np.int16),
        "result": worth(share, seats).astype(np.float32),
        "points": played["total"][index, seat],
    }
