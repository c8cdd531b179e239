"""Many games side by side in each of which one seat is played from outside and bots play the others, all compiled.

It is what `envs.vector` shows to Gymnasium; it needs nothing but the core.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from branchline.arena.function_pointers import function_pointer, quietly
from branchline.arena.play import bot_seed, forget, game_seed
from branchline.arena.table import weights_of
from branchline.atlas import Board
from branchline.atlas.arguments import whole_number
from branchline.atlas.faults import quoted
from branchline.atlas.limits import MAX_SEATS
from branchline.bots import BotError, CompiledBot, bot_maker
from branchline.bots.memory import new_memory
from branchline.envs import telling
from branchline.envs.batch import MOST_GAMES, actions_for, among, many_states, show_legal, won
from branchline.envs.layout import layout_of
from branchline.envs.parts import Part, Parts
from branchline.envs.rewards import EnvError, board_for
from branchline.game import Game
from branchline.game.game import SEEDS
from branchline.rules import kernel, knowledge, playout, scoring, turn
from branchline.rules.kernel import rule
from branchline.rules.sets import is_legal, offer
from branchline.rules.state import ACTION_WORDS, ACTIONS, OVER, PASS, STATE

LOST = -1.0  # the reward of an illegal action, which also ends the game
BY_LOT = -1


class SeatBatch:
    """So many games on one board, with one seat each that is asked.

    What stands in its arrays, game by game, written in place:

    - `mask`, int8 `(games, ACTIONS)`: what the seat may do; never empty (a finished game: PASS alone).
    - `observation`, float32 `(games, layout.size)`: what it knows, see `envs.layout`.
    - `seat`, int8 `(games,)`: which one it is.
    - `done`, bool `(games,)`: whether the last step ended the game; the arrays show its end then, until the next step
      or `renew` begins another one.
    - `reward`, float64 `(games,)`: zeros, but where `done`: the seat's reward `win` of `envs.rewards`, or LOST.
    - `illegal`, bool `(games,)`: whether the last action was not legal; it was not played.

    The n-th game that begins at place p has the seed `arena.play.game_seed(seed, p + n * games)`, and bot k of the
    line-up, which takes the k-th of the other seats, the seed `arena.play.bot_seed` of that and k.
    """

    def __init__(
        self,
        board: Board | str,
        games: int,
        seats: int = 2,
        *,
        opponents: str | Sequence[str] = "planner",
        seat: int | None = 0,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        """Set all games up. Raises `EnvError`, `BotError`, and whatever `load_board` does.

        `opponents`: the name of a compiled bot for all other seats, or one name for each. `seat`: None draws one for
        each game.
        """
        self.board, self.seats = board_for(board, seats)
        self.games = whole_number("games", games, 1, MOST_GAMES, EnvError)
        self._wanted = BY_LOT if seat is None else whole_number("seat", seat, 0, self.seats - 1, EnvError)
        self.layout = layout_of(self.board, self.seats)
        self._parts = Parts(self.games, threads)
        self._sit_down(opponent_names(opponents, self.seats))
        self.mask = np.zeros((self.games, ACTIONS), dtype=np.int8)
        self._rows = telling.rows_of(self.layout, self.games)
        self.observation = self._rows.numbers
        self.seat = np.zeros(self.games, dtype=np.int8)
        self.done = np.zeros(self.games, dtype=np.bool_)
        self.reward = np.zeros(self.games, dtype=np.float64)
        self.illegal = np.zeros(self.games, dtype=np.bool_)
        self._ended = np.zeros(self.games, dtype=np.bool_)  # waits for `renew`
        self._states = many_states(self.games)
        self._bytes = telling.rows_in(self._states)
        self._tables = telling.telling_of(self.layout)
        self._empty = kernel.new_buffer(STATE)
        self._numbers = np.zeros(self.games, dtype=np.int64)
        self._legal = np.zeros((self.games, ACTION_WORDS), dtype=np.int64)
        self._fault = np.zeros(self.games, dtype=np.int8)  # 1 + which bot chose what is not legal
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Begin all games anew."""
        self._seed = whole_number("seed", seed, 0, SEEDS - 1, EnvError)
        self._numbers[:] = np.arange(-self.games, 0)
        self.done[:], self.reward[:], self.illegal[:] = False, 0.0, False
        self._ended[:] = True
        self._renew_and_look(np.ones(self.games, dtype=np.bool_))

    def step(self, actions: Any) -> None:
        """One action for each game, `(games,)` whole numbers; where the last step ended the game, it is not looked at
        and the next game begins.
        """
        with quietly():
            self._parts.run(self._advance, actions_for(actions, self.games))
        self._complain()
        self._parts.run(self._look, np.ones(self.games, dtype=np.bool_))

    def renew(self) -> None:
        """Begin the next game at once wherever the last step ended one; `done` and `reward` still tell of that one."""
        self._renew_and_look(self._ended.copy())

    def game(self, place: int) -> Game:
        """A copy of one of the games."""
        place = whole_number("place", place, 0, self.games - 1, EnvError)
        return Game.resume(self.board, self._states[place : place + 1].copy())

    # -------------------------------------------------------------------------------------------- inside

    def _sit_down(self, names: list[str]) -> None:
        makers = [bot_maker(name) for name in names]
        for name, maker in zip(names, makers, strict=True):
            if not (isinstance(maker, type) and issubclass(maker, CompiledBot)):
                raise EnvError(f"opponents: {quoted(name)} is not compiled; `envs.single.SeatEnv` plays against it")
        self.opponents = tuple(names)
        choosers = tuple(function_pointer(maker.choice) for maker in makers)  # type: ignore[attr-defined]
        self._choosers = choosers + choosers[:1] * (MAX_SEATS - len(choosers))  # always as many: one loop serves all
        one_table = new_memory(len(makers))
        for n, maker in enumerate(makers):
            if weights := weights_of(maker, self.board, self.seats):
                weights.put_in(one_table[n])
        self._memories = new_memory(len(makers) * self.games)
        self._memories[:] = np.tile(one_table, self.games)

    def _renew_and_look(self, which: npt.NDArray[np.bool_]) -> None:
        with quietly():
            self._parts.run(self._begin)
        self._complain()
        self._parts.run(self._look, which)

    def _complain(self) -> None:
        if self._fault.any():
            bot = self.opponents[int(self._fault[self._fault > 0][0]) - 1]
            raise BotError(f"bot {bot} chose what is not legal")

    def _begin(self, part: Part) -> None:
        begin_ended(
            self.board.tables[0], self._states, self._empty, part.scratch[0], part.seen, self._memories,
            self._choosers, self._numbers, self._ended, self.seat, self._fault, self.seats, self._seed, self._wanted,
            self.games, part.first, part.end,
        )  # fmt: skip

    def _advance(self, part: Part, actions: npt.NDArray[np.int64]) -> None:
        advance_seats(
            self.board.tables[0], self._states, self._empty, part.scratch[0], part.seen, self._memories,
            self._choosers, self._numbers, self._ended, self.seat, self._fault, self.seats, self._seed, self._wanted,
            self.games, part.first, part.end, actions, self._legal, self.done, self.illegal, self.reward,
        )  # fmt: skip

    def _look(self, part: Part, which: npt.NDArray[np.bool_]) -> None:
        look_at(
            self.board.tables[0], self._states, part.scratch[0], self.seat, self._legal, self.mask, *self._bytes,
            self._tables, self._rows, which, part.first, part.end,
        )  # fmt: skip


def opponent_names(opponents: str | Sequence[str], seats: int) -> list[str]:
    """A name of a bot for each seat but one; raises `EnvError`."""
    names = [opponents] * (seats - 1) if isinstance(opponents, str) else list(opponents)
    if len(names) != seats - 1:
        raise EnvError(f"opponents: expected {seats - 1} names for {seats} seats, not {len(names)}")
    return names


@rule
def others_play(
    board: Any, state: Any, empty: Any, scratch: Any, seen: Any, memories: Any, choosers: Any, first: int, me: int
) -> int:
    """Let the bots play until `me` is asked or the game is over; 1 + which of them chose what is not legal, or 0.

    `first`: the first of their memories.
    """
    while state.question != OVER and state.seat != me:
        turn.legal(board, state, scratch)
        seat = state.seat
        bot = seat if seat < me else seat - 1
        seen[0] = empty[0]
        knowledge.redact(board, state, seen[0], seat)
        action = choosers[bot](board, seen[0], scratch, memories[first + bot], seat)
        turn.legal(board, state, scratch)
        if action < 0 or not is_legal(scratch, action):
            return bot + 1
        turn.apply(board, state, scratch, action)
    return 0


@rule
def begin_at(
    board: Any, states: Any, empty: Any, scratch: Any, seen: Any, memories: Any, choosers: Any, numbers: Any,
    ended: Any, seat: Any, fault: Any, seats: int, seed: int, wanted: int, games: int, n: int,
) -> None:  # fmt: skip
    """Begin the next game at a place, up to the first question to the seat that is asked."""
    ended[n] = False
    numbers[n] += games
    own_seed = game_seed(seed, numbers[n])
    seat[n] = wanted if wanted >= 0 else game_seed(own_seed, 0) % seats
    first = n * (seats - 1)
    for bot in range(seats - 1):
        forget(memories[first + bot], bot_seed(own_seed, bot))
    states[n] = empty[0]
    playout.new_game(board, states[n], scratch, seats, own_seed)
    fault[n] = others_play(board, states[n], empty, scratch, seen, memories, choosers, first, seat[n])


@rule
def begin_ended(
    board: Any, states: Any, empty: Any, scratch: Any, seen: Any, memories: Any, choosers: Any, numbers: Any,
    ended: Any, seat: Any, fault: Any, seats: int, seed: int, wanted: int, games: int, first: int, end: int,
) -> None:  # fmt: skip
    """Begin another game wherever one has ended."""
    for n in range(first, end):
        if ended[n]:
            begin_at(
                board, states, empty, scratch, seen, memories, choosers, numbers, ended, seat, fault, seats, seed,
                wanted, games, n,
            )  # fmt: skip


@rule
def advance_seats(
    board: Any, states: Any, empty: Any, scratch: Any, seen: Any, memories: Any, choosers: Any, numbers: Any,
    ended: Any, seat: Any, fault: Any, seats: int, seed: int, wanted: int, games: int, first: int, end: int,
    actions: Any, legal: Any, done: Any, illegal: Any, reward: Any,
) -> None:  # fmt: skip
    """Do one action in each game and let the others answer; where a game has ended before, begin the next instead."""
    for n in range(first, end):
        done[n], illegal[n], reward[n] = False, False, 0.0
        if ended[n]:
            begin_at(
                board, states, empty, scratch, seen, memories, choosers, numbers, ended, seat, fault, seats, seed,
                wanted, games, n,
            )  # fmt: skip
            continue
        if not among(legal, n, actions[n]):
            illegal[n], reward[n] = True, LOST
        else:
            turn.apply(board, states[n], scratch, actions[n])
            fault[n] = others_play(board, states[n], empty, scratch, seen, memories, choosers, n * (seats - 1), seat[n])
            if states[n].question != OVER:
                continue
            scoring.score(board, states[n], scratch)
            reward[n] = won(scratch, seats, seat[n])
        done[n], ended[n] = True, True


@rule
def look_at(
    board: Any, states: Any, scratch: Any, seat: Any, legal: Any, mask: Any, small: Any, large: Any, tables: Any,
    rows: Any, which: Any, first: int, end: int,
) -> None:  # fmt: skip
    """What the seats that are asked may do and know, where `which` says so."""
    for n in range(first, end):
        if which[n]:
            turn.legal(board, states[n], scratch)
            if states[n].question == OVER:
                offer(scratch, PASS, 1)
            show_legal(scratch, legal, mask, n)
            telling.tell(small, large, n, seat[n], tables, rows, n)
