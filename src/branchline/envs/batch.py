"""Many games side by side, stepped, masked and observed in compiled code, in arrays that are made once.

    from branchline.envs import Batch

    batch = Batch("europe", games=4096, seats=3, seed=1, threads=2)
    while training:
        batch.step(policy(batch.observation, batch.mask))    # one action for each game

With `copy=False` the arrays are written in place at every step, which is quicker. PyTorch and JAX take them without
copying (`torch.from_numpy`, DLPack).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from branchline.arena.play import game_seed
from branchline.boards import Board
from branchline.boards.arguments import instance, truth, whole_number
from branchline.boards.faults import shown
from branchline.boards.tables import WORD, BoardTables
from branchline.copying import Copied
from branchline.envs import telling
from branchline.envs.layout import layout_of
from branchline.envs.paying import SHAPED, final_worth, lead_so_far, rank_of
from branchline.envs.rewards import EnvError, board_for, reward_number
from branchline.envs.shown_arrays import Shown, ShowsArrays
from branchline.envs.team import Team, carried_out, next_games, next_order, threads_for
from branchline.game import Game, IllegalAction
from branchline.game.game import SEEDS
from branchline.plain_data import JsonObject
from branchline.rules import chance, kernel, playout, scoring, turn
from branchline.rules.chance import LOW
from branchline.rules.kernel import popcount, rule
from branchline.rules.lanes import spread
from branchline.rules.sets import nth
from branchline.rules.state import ACTION_WORDS, ACTIONS, OVER, SCRATCH, STATE, Scratch, State, States
from branchline.runtime.structs import Buffer, Matrix, RealMatrix, Vector

MOST_GAMES = 1_000_000
AHEAD = 4  # games: so far ahead states are fetched from memory

BEGIN, STEP, SAMPLE, LOOK = range(4)
"""What the threads of a batch are told to do; a seed follows, and how often was sampled."""


class Snapshot(NamedTuple):
    """All of a batch at one moment. It fits every batch of as many games on this board with as many seats."""

    board: str  # its digest
    seats: int
    states: Buffer[State]
    numbers: npt.NDArray[np.int64]


class Batch(ShowsArrays, Copied):
    """So many games on one board.

    What stands in its arrays, game by game:

    - `mask`, int8 `(games, ACTIONS)`: what the seat that is asked may do; never empty.
    - `observation`, float32 `(games, layout.size)`: what that seat knows, see `envs.layout`; None with `observe=False`.
    - `seat`, int8 `(games,)`: which seat is asked.
    - `done`, int8 `(games,)`: 1 if the last step ended the game. Another one has begun then; mask, observation and seat
      are already of that one.
    - `reward`, float32 `(games, seats)`: what each seat is paid for the last step, see `envs.rewards`.
    - `points`, int16 `(games, seats)`, and `places`, int8 `(games, seats)`: the final points and the final ranks, from
      1, of the last game that ended here; zeros before.

    A step replaces the arrays. With `copy=False` it writes into the same ones, and only what differs from what it wrote
    before: read them, and take a copy of what you change.

    The n-th game that begins at place p has the seed `arena.play.game_seed(seed, p + n * games)`, whatever is played
    elsewhere and with however many threads.
    """

    mask: Shown[npt.NDArray[np.int8]] = Shown()
    observation: Shown[npt.NDArray[np.float32] | None] = Shown()
    seat: Shown[npt.NDArray[np.int8]] = Shown()
    done: Shown[npt.NDArray[np.int8]] = Shown()
    reward: Shown[npt.NDArray[np.float32]] = Shown()
    points: Shown[npt.NDArray[np.int16]] = Shown()
    places: Shown[npt.NDArray[np.int8]] = Shown()

    def __init__(
        self,
        board: Board | str,
        games: int,
        seats: int = 2,
        *,
        seed: int = 0,
        threads: int = 1,
        observe: bool = True,
        reward: str = "win",
        copy: bool = True,
    ) -> None:
        """Set all games up. Raise `EnvError`, and whatever `load_board` does."""
        super().__init__(copy)
        self.board, self.seats = board_for(board, seats)
        self.games = whole_number("games", games, 1, MOST_GAMES, EnvError)
        self.layout = layout_of(self.board, self.seats)
        self._threads = threads_for(threads, self.games)
        observe = truth("observe", observe, EnvError)
        self._pays = reward_number(reward)
        self._mask = kernel.new_array((self.games, ACTIONS), np.int8)
        self._rows = telling.rows_of(self.layout, self.games if observe else 0)
        self._observation = self._rows.numbers if observe else None
        self._seat = kernel.new_array(self.games, np.int8)
        self._done = kernel.new_array(self.games, np.int8)
        self._reward = kernel.new_array((self.games, self.seats), np.float32)
        self._points = kernel.new_array((self.games, self.seats), np.int16)
        self._places = kernel.new_array((self.games, self.seats), np.int8)
        self._states = many_states(self.games)
        self._numbers = kernel.new_array(self.games, np.int64)  # of the game at each place
        self._legal = kernel.new_array((self.games, ACTION_WORDS), np.int64)
        self._actions = kernel.new_array(self.games, np.int64)
        self._team = Team(self.games, self._threads, work, self._what_threads_need)
        self.reset(seed)

    def __getstate__(self) -> dict[str, object]:
        """Return all but the threads, which are bound to these arrays."""
        return {name: value for name, value in vars(self).items() if name not in ("_team", "_copies")}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(housed(state), _copies={})
        if self._observation is not None:
            self._observation = self._rows.numbers
        self._team = Team(self.games, threads_for(self._threads, self.games), work, self._what_threads_need)

    def _what_threads_need(self) -> Workplace:
        return Workplace(
            kernel.record_in(self.board.tables), self._states, kernel.new_buffer(STATE),
            kernel.record_in(kernel.new_buffer(SCRATCH)), self._numbers, self._actions, self._done,
            self._reward, self._points, self._places, self._pays, self._legal, self._mask, self._seat,
            *telling.rows_in(self._states), telling.telling_of(self.layout),
            self._rows,
        )  # fmt: skip

    def reset(self, seed: int = 0) -> None:
        """Begin all games anew."""
        self._seed = whole_number("seed", seed, 0, SEEDS - 1, EnvError)
        self._numbers[:] = np.arange(self.games)
        self._sampled = 0
        self._done[:], self._reward[:], self._points[:], self._places[:] = 0, 0, 0, 0
        self._run(BEGIN, self._seed)

    def step(self, actions: npt.ArrayLike) -> None:
        """Do one action for each game, `(games,)` whole numbers.

        Raise `IllegalAction` for the first one that is not legal, before anything is played.
        """
        self._actions[:] = actions_for(actions, self.games)
        wrong = first_illegal(self._legal, self._actions)
        if wrong >= 0:
            raise IllegalAction(f"game {wrong}: {self.game(wrong).why_not(int(self._actions[wrong]))}")
        self._run(STEP, self._seed)

    def sample(self) -> npt.NDArray[np.int64]:
        """Return a legal action for each game, `(games,)`, each equally likely: for random play, and for trying things
        out.

        The same with however many threads; after `reset` it begins with the same luck again.
        """
        self._team.run(SAMPLE, self._seed, self._sampled)
        self._sampled += 1
        return self._actions.copy()

    def game(self, place: int) -> Game:
        """Return a copy of one of the games, for looking at it and for playing it on elsewhere."""
        place = whole_number("place", place, 0, self.games - 1, EnvError)
        return Game.resume(self.board, kernel.copy_of(self._states[place : place + 1]))

    def snapshot(self) -> Snapshot:
        """Return everything as it is now."""
        return Snapshot(self.board.digest, self.seats, self._states.copy(), self._numbers.copy())

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot; `done` and `reward` are zero then. Raise `EnvError`."""
        check_fit(snapshot, self.board, self.seats, self.games)
        self._states[:] = snapshot.states
        self._numbers[:] = snapshot.numbers
        self._done[:], self._reward[:] = 0, 0
        self._run(LOOK)

    def _run(self, *order: int) -> None:
        self._copies.clear()
        self._team.run(*order)


def check_fit(snapshot: Snapshot, board: Board, seats: int, games: int) -> None:
    """Raise `EnvError` unless this is a snapshot of so many such games."""
    instance("snapshot", snapshot, Snapshot, "what `snapshot()` returned", EnvError)
    if (snapshot.board, snapshot.seats) != (board.digest, seats):
        raise EnvError("this snapshot is of games on another board, or with more or fewer seats")
    for array, kind in ((snapshot.states, STATE), (snapshot.numbers, np.dtype(np.int64))):
        if not isinstance(array, np.ndarray) or array.shape != (games,) or array.dtype != kind:
            raise EnvError("this snapshot is of a batch of another size")


def many_states(games: int) -> Buffer[State]:
    """Return a buffer of `games` states, all zero, natively on large pages of memory where the system has them."""
    if kernel.ENGINE:
        return kernel.new_buffer(STATE, games)
    pages = np.zeros(games * STATE.itemsize, dtype=np.uint8)
    return np.ndarray(games, kernel.new_buffer(STATE).dtype, pages)  # type: ignore[return-value]


def housed(attributes: JsonObject) -> dict[str, object]:
    """Return the attributes of a batch that was copied or pickled, its arrays where the rules find them."""
    moved = dict(attributes)
    for name, value in attributes.items():
        if isinstance(value, np.ndarray):
            moved[name] = kernel.housed(value)
        elif isinstance(value, telling.Rows):
            moved[name] = telling.Rows(*map(kernel.housed, value))
    moved["_states"] = many_states(len(attributes["_states"]))
    moved["_states"][:] = attributes["_states"]
    return moved


def actions_for(actions: npt.ArrayLike, games: int) -> npt.NDArray[np.int64]:
    """Return `games` whole numbers. Raise `EnvError` for anything else."""
    try:
        chosen = np.ascontiguousarray(actions)
    except Exception:  # lists of several lengths, or an object that refuses in a way of its own
        raise EnvError(f"actions: expected {games} whole numbers, not {shown(actions)}") from None
    if chosen.shape != (games,) or chosen.dtype.kind not in "iu":
        raise EnvError(f"actions: expected {games} whole numbers, not {chosen.dtype} {chosen.shape}")
    return chosen.astype(np.int64, copy=False)


@rule
def first_illegal(legal: Matrix, actions: Vector) -> int:
    """Return the first place whose action is not in its set; -1 if all are legal."""
    for n in range(len(actions)):
        if not among(legal, n, actions[n]):
            return n
    return -1


@rule
def among(legal: Matrix, place: int, action: int) -> bool:
    """Return whether an action, any number, is in the set of a place."""
    if action < 0 or action >= ACTIONS:
        return False
    return (legal[place, action // WORD] >> (action % WORD)) & 1 == 1


@rule
def sample_some(legal: Matrix, seed: int, sampled: int, first: int, end: int, actions: Vector) -> None:
    """Sample one of the legal actions of each game; `sampled`: how often that was asked before."""
    stirred = chance.mixed((seed ^ (seed >> 32) ^ (sampled * 0x1E3779B9)) & LOW)
    for n in range(first, end):
        count = 0
        for word in range(ACTION_WORDS):
            count += popcount(legal[n, word])
        skipped = (chance.mixed((stirred + n * 0x3C6EF372) & LOW) * count) >> 32
        word = 0
        while skipped >= popcount(legal[n, word]):
            skipped -= popcount(legal[n, word])
            word += 1
        actions[n] = word * WORD + nth(legal[n, word], skipped)


class Workplace(NamedTuple):
    """What a thread of a batch reads and writes."""

    board: BoardTables
    states: States
    empty: States
    scratch: Scratch
    numbers: Vector
    actions: Vector
    done: Vector
    reward: RealMatrix
    points: Matrix
    places: Matrix
    pays: int
    legal: Matrix
    mask: Matrix
    seat: Vector
    small: Matrix
    large: Matrix
    tables: telling.Telling
    rows: telling.Rows


@rule
def work(signals: Matrix, member: int, order: Vector, here: Workplace) -> None:
    """Do the work of each thread, see `envs.team`; `rows` has none if nobody wants to see observations."""
    while next_order(signals, member):
        order_kind, seed = order[0], order[1]
        first, end = next_games(signals, member)
        while first < end:
            if order_kind == SAMPLE:
                sample_some(here.legal, seed, order[2], first, end, here.actions)
            else:
                for n in range(first, end):
                    if n + AHEAD < len(here.states):
                        telling.fetch_state(here.small, n + AHEAD, here.tables)
                    if order_kind == BEGIN:
                        begin_game(
                            here.board,
                            here.states,
                            here.empty,
                            here.scratch,
                            here.numbers,
                            here.reward.shape[1],
                            seed,
                            n,
                        )
                    elif order_kind == STEP:
                        advance_game(
                            here.board,
                            here.states,
                            here.empty,
                            here.scratch,
                            here.numbers,
                            seed,
                            n,
                            here.actions,
                            here.done,
                            here.reward,
                            here.points,
                            here.places,
                            here.pays,
                        )
                    ask(here.board, here.states, here.scratch, here.legal, here.mask, here.seat, n)
                    if len(here.rows.numbers) > 0:
                        telling.tell(here.small, here.large, n, here.seat[n], here.tables, here.rows, n)
            first, end = next_games(signals, member)
        if carried_out(signals, member):
            return


@rule
def begin_game(
    board: BoardTables,
    states: States,
    empty: States,
    scratch: Scratch,
    numbers: Vector,
    seats: int,
    seed: int,
    place: int,
) -> None:
    """Set the game at a place up."""
    states[place] = empty[0]
    playout.new_game(board, states[place], scratch, seats, game_seed(seed, numbers[place]))


@rule
def advance_game(
    board: BoardTables,
    states: States,
    empty: States,
    scratch: Scratch,
    numbers: Vector,
    seed: int,
    place: int,
    actions: Vector,
    done: Vector,
    reward: RealMatrix,
    points: Matrix,
    places: Matrix,
    pays: int,
) -> None:
    """Do one action in the game at a place and pay for it; if it was the last one, begin the next game."""
    seats = reward.shape[1]
    if pays == SHAPED:
        for other in range(seats):
            reward[place, other] = -lead_so_far(board, states[place], seats, other)
    elif done[place] == 1:
        for other in range(seats):
            reward[place, other] = 0.0
    done[place] = 0
    turn.apply(board, states[place], scratch, actions[place])
    if states[place].question == OVER:
        scoring.score(board, states[place], scratch)
        for other in range(seats):
            before = reward[place, other] if pays == SHAPED else 0.0
            reward[place, other] = before + final_worth(scratch, seats, other, pays)
            points[place, other] = scratch.total[other]
            places[place, other] = rank_of(scratch, seats, other)
        done[place] = 1
        numbers[place] += len(states)
        begin_game(board, states, empty, scratch, numbers, seats, seed, place)
    elif pays == SHAPED:
        for other in range(seats):
            reward[place, other] += lead_so_far(board, states[place], seats, other)


@rule
def ask(
    board: BoardTables, states: States, scratch: Scratch, legal: Matrix, mask: Matrix, seat: Vector, place: int
) -> None:
    """Set who is asked in one game, and what that seat may do."""
    turn.legal(board, states[place], scratch)
    seat[place] = states[place].seat
    show_legal(scratch, legal, mask, place)


@rule
def show_legal(scratch: Scratch, legal: Matrix, mask: Matrix, place: int) -> None:
    """Put the legal actions of the scratch in place of those before, as words and as a mask."""
    for word in range(ACTION_WORDS):
        bits = scratch.legal[word]
        if bits != legal[place, word]:
            legal[place, word] = bits
            if word < ACTION_WORDS - 1:
                spread(mask, place, word * WORD, bits)
            else:  # the last one is not whole
                for action in range(word * WORD, ACTIONS):
                    mask[place, action] = (bits >> (action - word * WORD)) & 1
