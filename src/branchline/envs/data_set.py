"""Every decision of many games as a table to learn from: what the seat saw and might do, what it did, how it ended.

The table is written as Parquet in groups of rows, so that memory does not grow with the number of games.
"""

from __future__ import annotations

import functools
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from branchline.arena import Export, Results, play
from branchline.arena.choosers import Choosers, choosers_of, quietly
from branchline.arena.choosers import ask as ask_bot
from branchline.arena.executors import (
    MOST_JOBS,
    Batch,
    BatchResult,
    BotSpec,
    Executor,
    LineUp,
    on_this_machine,
    run_batches,
)
from branchline.arena.play import GameRow, GameRows, Workspace, game_seed
from branchline.arena.series import called, plan_series, weights_named
from branchline.arena.table import Games, Table, actions_in
from branchline.boards import Board
from branchline.boards.arguments import instance, whole_number
from branchline.bots import Position, make_bot, maker_of
from branchline.bots.api.bot import seen_in
from branchline.bots.search.search import SearchBot
from branchline.envs import telling
from branchline.envs.batch import show_legal
from branchline.envs.layout import VERSION, Layout, layout_of
from branchline.envs.rewards import EnvError, worth
from branchline.envs.team import compiled_only
from branchline.plain_data import JsonObject
from branchline.rules import kernel, knowledge, turn
from branchline.rules.kernel import rule
from branchline.rules.state import ACTION_WORDS, ACTIONS, State
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

LABELS = {
    "hands": "the cards of all seats, own ones first: seat × kind, whatever the observer may know of them",
    "holders": "for each ticket who holds it, 0 oneself, 1 the next seat; -1: nobody",
}
"""What is added with `labels`: what was hidden."""

TARGETS = {
    "target": "what `search` would have done",
    "target_values": "for each action what `search` expects of it, 0 to 1, half victory, half margin; NaN: not tried",
}
"""What is added with `targets`."""

GAMES_AT_ONCE = 32  # of a batch; the groups of rows depend on nothing else, so that the file is always the same
AHEAD = 4  # batches for each process that are kept until those before them are written


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

    def relive(self, number: int, actions: Iterable[int]) -> Iterator[tuple[Buffer[State], Buffer[State]]]:
        """Go through a game again: before each action the state, and what the asked seat may know of it.

        Both are written over by the next one; the legal actions are in the scratch record of the workspace.
        """
        here, game = self.workspace, kernel.record_in(kernel.new_buffer(play.GAME))
        play.begin(
            here.board, here.states, here.state, here.empty, here.scratch, here.memories, game, number, self.seats,
            self.period, self.seed, 0,
        )  # fmt: skip
        for action in actions:
            play.ask(here.board, here.state, here.seens, here.seen, here.empty, here.scratch)
            yield self._states, self._seens
            turn.apply(here.board, here.state, here.scratch, int(action))

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


@dataclass(frozen=True)
class Further:
    """What is added to each row on request."""

    labels: bool = False  # what is hidden from the seat, see `LABELS`
    targets: str | None = None  # the name of a `search` that is asked, see `TARGETS`

    def searcher(self) -> SearchBot | None:
        """Make who is asked. Raise `BotError`, and `EnvError` for one that would not always answer the same."""
        if self.targets is None:
            return None
        made = make_bot(self.targets)
        if not isinstance(made, SearchBot) or made.budget.rollouts is None or made.budget.seconds is not None:
            raise EnvError("targets: expected a search with a number of games played out, such as search@400")
        return made


Columns = dict[str, npt.NDArray[np.generic]]


@dataclass(frozen=True)
class RecordedBatch(BatchResult):
    """A batch that was played, with its decisions as groups of rows."""

    groups: tuple[Columns, ...] = ()


class Recorders:
    """Plays batches of one line-up and notes the decisions; for `executors`."""

    def __init__(self, further: Further, line_ups: Sequence[LineUp]) -> None:
        [line_up] = line_ups
        self._recorder = Recorder(line_up.board, line_up.bots, line_up.seed)
        self._names = tuple(called(one) for one in line_up.bots)
        self._further, self._searcher = further, further.searcher()

    def play(self, batch: Batch) -> RecordedBatch:
        """Play a batch."""
        started = time.perf_counter()
        tables, groups, done = [], [], 0
        while done < batch.count:
            played, rows, used = self._recorder.record(batch.first + done, batch.count - done)
            columns = _columns(self._names, played, rows, used)
            if self._further.labels or self._searcher is not None:
                columns |= self._more(played, columns)
            groups.append(columns)
            tables.append(played)
            done += len(played)
        return RecordedBatch(batch, np.concatenate(tables), time.perf_counter() - started, groups=tuple(groups))

    def _more(self, played: Games, columns: Columns) -> Columns:
        """Return what was asked for besides: the games are gone through once more."""
        recorder, searcher = self._recorder, self._searcher
        board, seats = recorder.board, recorder.seats
        found: dict[str, list[npt.NDArray[np.generic]]] = {}
        for game in played["number"]:
            of_game = columns["game"] == game
            for step, (state, seen) in enumerate(recorder.relive(int(game), columns["action"][of_game])):
                seat = int(state["seat"][0])
                if self._further.labels:
                    order = (seat + np.arange(seats)) % seats
                    holder = state["ticket_at"][0, : len(board.tickets)].astype(np.int8)
                    held = (holder >= 0) & (holder < seats)
                    found.setdefault("hands", []).append(state["hand"][0, order].astype(np.int8).ravel())
                    found.setdefault("holders", []).append(np.where(held, (holder - seat) % seats, -1).astype(np.int8))
                if searcher is not None:
                    position = Position(
                        board, seen_in(kernel.copy_of(seen)), seat, actions_in(recorder.workspace.scratch)
                    )
                    chosen, values = targets_of(searcher, position, game_seed(recorder.seed, int(game)) ^ step)
                    found.setdefault("target", []).append(chosen)
                    found.setdefault("target_values", []).append(values)
        return {name: np.stack(rows) for name, rows in found.items()}

    @classmethod
    def player(cls, further: Further, line_ups: Sequence[LineUp]) -> Callable[[Batch], RecordedBatch]:
        """Return what plays batches, with these further columns."""
        return cls(further, line_ups).play


def targets_of(
    searcher: SearchBot, position: Position, seed: int
) -> tuple[npt.NDArray[np.generic], npt.NDArray[np.generic]]:
    """Return what a search does in a position that it sees for the first time, and what it expects of what it tried."""
    searcher.begin(seed)
    chosen = np.array(searcher.choose(position), dtype=np.int16)
    values = np.full(ACTIONS, np.nan, np.float32)
    if len(position.legal) > 1:
        for one in searcher.search.estimates():
            if one.worlds:
                values[one.action] = one.value
    return chosen, values


class Waiting:
    """The batches of a recording, given in their order and not too far ahead of what is written."""

    def __init__(self, games: int) -> None:
        self._games, self._given, self.written = games, 0, 0
        self._ready: dict[int, RecordedBatch] = {}

    def next(self, executor: Executor) -> Batch | None:
        """Return the next batch, None while those before it are not written, or where there is none."""
        if self._given >= self._games or self._given - self.written > AHEAD * executor.size * GAMES_AT_ONCE:
            return None
        batch = Batch(0, self._given, min(GAMES_AT_ONCE, self._games - self._given))
        self._given += batch.count
        return batch

    def note(self, played: BatchResult) -> None:
        """Keep it until its turn comes."""
        assert isinstance(played, RecordedBatch)
        self._ready[played.batch.first] = played

    def in_order(self) -> Iterator[RecordedBatch]:
        """Yield those whose turn it is."""
        while self.written in self._ready:
            played = self._ready.pop(self.written)
            self.written += played.batch.count
            yield played


@dataclass(frozen=True)
class DataSet(Results):
    """The games of a data set, and what tells it from every other one."""

    digest: str = ""
    """SHA-256 over the digests of its columns: it depends on what stands in the rows, not on how it is packed."""

    def as_dict(self) -> JsonObject:
        """Return it for JSON."""
        return super().as_dict() | {"digest": self.digest}


def record_decisions(
    board: Board | str,
    bots: Sequence[BotSpec],
    games: int,
    seed: int,
    target: Export,
    *,
    seats: int | None = None,
    jobs: int = 1,
    further: Further | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> DataSet:
    """Play the games of `branchline.simulate`, and write every decision to a Parquet file.

    `jobs`: processes that play; 0: one for each core. The file is the same whatever their number. `further`: what is
    added to each row. `on_progress` hears how many games are written. Raise `EnvError`, `SeriesError`, `BotError`
    and `ExportError`.
    """
    instance("target", target, Export, "an `Export`", EnvError)
    line_up = plan_series(board, bots, games, seed, seats=seats)
    games, seed = int(games), int(seed)  # numpy's are no JSON
    started = time.perf_counter()
    names = tuple(called(one) for one in line_up.bots)
    more = further or Further()
    more.searcher()
    layout = Recorder(line_up.board, line_up.bots, seed).layout
    noted = described(layout) | {"bots": names, "seed": seed}
    if more.targets is not None:
        noted |= {"targets": more.targets}
    digests: dict[str, Any] = {}
    tables: list[Games] = []
    batches = Waiting(games)
    with target.row_groups({"branchline": json.dumps(noted)}) as write_group:
        player = functools.partial(Recorders.player, more)
        executor = on_this_machine([line_up], whole_number("jobs", jobs, 0, MOST_JOBS, EnvError), games, player)
        for _ in run_batches(executor, batches):
            for played in batches.in_order():
                for columns in played.groups:
                    write_group(columns)
                    for name, column in columns.items():
                        digests.setdefault(name, hashlib.sha256()).update(np.ascontiguousarray(column).view(np.uint8))
                tables.append(played.games)
            if on_progress:
                on_progress(batches.written)
    whole = hashlib.sha256("".join(f"{name} {one.hexdigest()}\n" for name, one in digests.items()).encode())
    return DataSet(
        board=line_up.board,
        bots=names,
        seed=seed,
        asked=games,
        games=np.concatenate(tables),
        seats=len(names),
        seconds=time.perf_counter() - started,
        jobs=executor.size,
        weights=weights_named(line_up.board, line_up.bots, len(names)),
        digest=whole.hexdigest(),
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


def _columns(names: tuple[str, ...], played: Games, rows: Rows, used: int) -> Columns:
    """Return the columns of `COLUMNS`: arrays of one axis, or of two where an entry is a list; none shares the room."""
    index, step, seat, question, action = rows.small[:used].T
    seats, winner = len(names), played["winner"][index].astype(np.float32)
    share = winner[np.arange(used), seat] / winner.sum(axis=1)
    return {
        "game": played["number"][index],
        "seed": played["seed"][index],
        "step": step.copy(),
        "seat": seat.astype(np.int8),
        "bot": np.array(names)[played["entrant"][index, seat]],
        "question": question.astype(np.int8),
        "observation": rows.seen.numbers[:used].copy(),
        "mask": rows.mask[:used].copy(),
        "action": action.astype(np.int16),
        "result": worth(share, seats).astype(np.float32),
        "points": played["total"][index, seat],
    }
