"""Many games side by side in each of which one seat is played from outside and others play the rest.

Compiled bots play without leaving compiled code. Where anybody else is to play, the games wait, and it is asked in all
of them together.

It is what `envs.vector` shows to Gymnasium; it needs nothing but the core.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from branchline.arena.choosers import ask as ask_bot
from branchline.arena.choosers import quietly
from branchline.arena.play import bot_seed, game_seed
from branchline.boards import Board
from branchline.boards.arguments import whole_number
from branchline.boards.tables import BoardTables
from branchline.bots import BotError
from branchline.bots.api.memory import Memories, forget, new_memory
from branchline.copying import Copied
from branchline.envs import telling
from branchline.envs.batch import MOST_GAMES, actions_for, among, housed, many_states, show_legal
from branchline.envs.casting import Cast, Casting, Outsider, drawn
from branchline.envs.layout import layout_of
from branchline.envs.opponents import Opponent, called, opponents_for
from branchline.envs.paying import SHAPED, final_worth, lead_so_far, rank_of
from branchline.envs.rewards import EnvError, board_for, reward_number
from branchline.envs.shown_arrays import Shown, ShowsArrays
from branchline.envs.team import Team, carried_out, next_games, next_order, threads_for
from branchline.game import Game
from branchline.game.game import SEEDS
from branchline.rules import kernel, knowledge, playout, scoring, turn
from branchline.rules.kernel import rule
from branchline.rules.sets import is_answer, offer
from branchline.rules.state import ACTION_WORDS, ACTIONS, OVER, PASS, SCRATCH, STATE, Scratch, States
from branchline.runtime.structs import Matrix, Reals, Vector

LOST = -1.0  # the reward of an illegal action, which also ends the game
BY_LOT = -1

RENEW, STEP, ANSWER = range(3)
"""What the threads are told to do: begin the next game where one has ended; do an action in each; do what somebody
outside has answered where a game waits for that. A seed follows."""

BEGUN, PLAYED = 1, 2
"""A game that waits for somebody outside: it has just begun, or the seat that is asked has done something."""


class SeatBatch(ShowsArrays, Copied):
    """So many games on one board, with one seat each that is asked.

    What stands in its arrays, game by game (`copy=False`: written in place, see `Batch`):

    - `mask`, int8 `(games, ACTIONS)`: what the seat may do; never empty (a finished game: PASS alone).
    - `observation`, float32 `(games, layout.size)`: what it knows, see `envs.layout`.
    - `seat`, int8 `(games,)`: which one it is.
    - `done`, bool `(games,)`: whether the last step ended the game; the arrays show its end then, until the next step
      or `renew` begins another one.
    - `reward`, float64 `(games,)`: what the seat is paid, see `envs.rewards`, or LOST.
    - `points`, int16 `(games, seats)`, and `places`, int8 `(games, seats)`: as in `Batch`.
    - `illegal`, bool `(games,)`: whether the last action was not legal; it was not played.

    The n-th game that begins at place p has the seed `arena.play.game_seed(seed, p + n * games)`, and bot k of the
    line-up, which takes the k-th of the other seats, the seed `arena.play.bot_seed` of that and k.

    An error of an opponent leaves the games as they are then: `reset` begins new ones.
    """

    mask: Shown[npt.NDArray[np.int8]] = Shown()
    observation: Shown[npt.NDArray[np.float32]] = Shown()
    seat: Shown[npt.NDArray[np.int8]] = Shown()
    done: Shown[npt.NDArray[np.bool_]] = Shown()
    reward: Shown[npt.NDArray[np.float64]] = Shown()
    points: Shown[npt.NDArray[np.int16]] = Shown()
    places: Shown[npt.NDArray[np.int8]] = Shown()
    illegal: Shown[npt.NDArray[np.bool_]] = Shown()

    def __init__(
        self,
        board: Board | str,
        games: int,
        seats: int = 2,
        *,
        opponents: Opponent | Sequence[Opponent] = "planner",
        seat: int | None = 0,
        seed: int = 0,
        threads: int = 1,
        reward: str = "win",
        copy: bool = True,
    ) -> None:
        """Set all games up. Raise `EnvError`, `BotError`, and whatever `load_board` does.

        `opponents`: who plays all other seats, or a list of one for each, see `envs.opponents`. A bot that has
        `begin(seed)` is copied for each game. `seat`: None draws one for each game.
        """
        super().__init__(copy)
        self.board, self.seats = board_for(board, seats)
        self.games = whole_number("games", games, 1, MOST_GAMES, EnvError)
        self._wanted = BY_LOT if seat is None else whole_number("seat", seat, 0, self.seats - 1, EnvError)
        self.layout = layout_of(self.board, self.seats)
        self._threads = threads_for(threads, self.games)
        self._pays = reward_number(reward)
        self._cast_of = kernel.new_array((self.games, self.seats - 1), np.int64)  # who plays, of the cast
        self._memories = new_memory((self.seats - 1) * self.games)
        self._cast: Cast
        self._outsiders: dict[int, Outsider]
        self._sit_down(opponents, ())
        self._mask = kernel.new_array((self.games, ACTIONS), np.int8)
        self._rows = telling.rows_of(self.layout, self.games)
        self._observation = self._rows.numbers
        self._seat = kernel.new_array(self.games, np.int8)
        self._done = kernel.new_array(self.games, np.bool_)
        self._reward = kernel.new_array(self.games, np.float64)
        self._paid = kernel.new_array(self.games, np.float64)  # so far, to the seat that is asked
        self._points = kernel.new_array((self.games, self.seats), np.int16)
        self._places = kernel.new_array((self.games, self.seats), np.int8)
        self._illegal = kernel.new_array(self.games, np.bool_)
        self._waiting = kernel.new_array(self.games, np.int8)
        self._ended = kernel.new_array(self.games, np.bool_)  # waits for `renew`
        self._states = many_states(self.games)
        self._numbers = kernel.new_array(self.games, np.int64)
        self._actions = kernel.new_array(self.games, np.int64)
        self._legal = kernel.new_array((self.games, ACTION_WORDS), np.int64)
        self._fault = kernel.new_array(self.games, np.int8)  # 1 + which bot chose what is not legal
        self._gather()
        self.reset(seed)

    def __getstate__(self) -> dict[str, object]:
        """Return all but the threads, which are bound to these arrays, and the addresses of what bots do."""
        return {name: value for name, value in vars(self).items() if name not in ("_team", "_copies")}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(housed(state), _copies={})
        self._observation = self._rows.numbers
        self._gather()

    def reset(self, seed: int = 0) -> None:
        """Begin all games anew."""
        self._seed = whole_number("seed", seed, 0, SEEDS - 1, EnvError)
        self._numbers[:] = np.arange(-self.games, 0)
        self._done[:], self._reward[:], self._illegal[:] = False, 0.0, False
        self._points[:], self._places[:], self._waiting[:] = 0, 0, 0
        self._ended[:] = True
        self.renew()

    def step(self, actions: npt.ArrayLike) -> None:
        """Do one action for each game, `(games,)` whole numbers.

        If the last step ended a game, ignore its action and begin the next game.
        """
        self._actions[:] = actions_for(actions, self.games)
        self._run(STEP)

    def renew(self) -> None:
        """Begin the next game at once wherever the last step ended one; `done` and `reward` still tell of that one."""
        self._run(RENEW)

    def game(self, place: int) -> Game:
        """Return a copy of one of the games."""
        place = whole_number("place", place, 0, self.games - 1, EnvError)
        return Game.resume(self.board, kernel.copy_of(self._states[place : place + 1]))

    def oppose(self, opponents: Opponent | Sequence[Opponent]) -> None:
        """Let others play in all games that begin from now on, as a league does that grows. Raises as `__init__`."""
        playing = sorted(set(self._cast_of.ravel().tolist()))
        self._sit_down(opponents, playing)
        self._gather()

    # -------------------------------------------------------------------------------------------- inside

    def _sit_down(self, opponents: Opponent | Sequence[Opponent], playing: Sequence[int]) -> None:
        """Form the cast. Those with these numbers in the one before go on playing."""
        line_up = opponents_for(opponents, self.seats)
        kept: list[Opponent] = [self._cast.members[number] for number in playing]
        before: dict[int, Outsider | None] = {number: self._outsiders.get(number) for number in playing}
        self._cast = Cast(line_up, self.board, self.seats, kept)
        self.opponents = tuple(map(called, line_up))
        number_now = {number: self._cast.number_of(opponent) for number, opponent in zip(playing, kept, strict=True)}
        self._outsiders = {number_now[number]: outsider for number, outsider in before.items() if outsider is not None}
        if playing:
            table = np.arange(max(playing) + 1)
            table[list(number_now)] = list(number_now.values())
            self._cast_of[:] = table[self._cast_of]

    def _gather(self) -> None:
        with quietly():
            self._team = Team(self.games, self._threads, work, self._what_threads_need)

    def _what_threads_need(self) -> Workplace:
        return Workplace(
            kernel.record_in(self.board.tables), self._states, kernel.new_buffer(STATE),
            kernel.record_in(kernel.new_buffer(SCRATCH)), kernel.new_buffer(STATE), self._memories,
            self._cast.tables(), self._cast_of, self._waiting, self._numbers, self._ended, self._seat, self._fault,
            self.seats, self._wanted, self._pays, self._actions, self._legal, self._done, self._illegal, self._reward,
            self._paid, self._points, self._places, self._mask, *telling.rows_in(self._states),
            telling.telling_of(self.layout), self._rows,
        )  # fmt: skip

    def _run(self, order: int) -> None:
        self._copies.clear()
        self._carry_out(order)
        while self._waiting.any():
            self._ask_outside()
            self._carry_out(ANSWER)

    def _carry_out(self, order: int) -> None:
        self._team.run(order, self._seed)
        if self._fault.any():
            bot = self._cast.names[int(self._fault[self._fault > 0][0]) - 1]
            raise BotError(f"bot {bot} chose what is not legal")

    def _ask_outside(self) -> None:
        """Put down what the outsiders do in the games that wait for them."""
        places = np.flatnonzero(self._waiting)
        asked = self._states["seat"][places].astype(np.int64)
        bots = np.where(asked < self._seat[places], asked, asked - 1)
        cast = self._cast_of[places, bots]
        for number in np.unique(cast).tolist():
            if number not in self._outsiders:
                self._outsiders[number] = Outsider(self._cast.members[number], self.layout)
            here, own = places[cast == number], bots[cast == number].tolist()
            games = [
                (place, bot, int(game_seed(self._seed, int(self._numbers[place]))), functools.partial(self.game, place))
                for place, bot in zip(here.tolist(), own, strict=True)
            ]
            self._actions[here] = self._outsiders[number].answers(games, self._rows.numbers[here], self._mask[here])


class Workplace(NamedTuple):
    """What a thread reads and writes."""

    board: BoardTables
    states: States
    empty: States
    scratch: Scratch
    seen: States
    memories: Memories
    casting: Casting
    cast_of: Matrix
    waiting: Vector
    numbers: Vector
    ended: Vector
    seat: Vector
    fault: Vector
    seats: int
    wanted: int
    pays: int
    actions: Vector
    legal: Matrix
    done: Vector
    illegal: Vector
    reward: Reals
    paid: Reals
    points: Matrix
    places: Matrix
    mask: Matrix
    small: Matrix
    large: Matrix
    tables: telling.Telling
    rows: telling.Rows


@rule
def work(signals: Matrix, member: int, order: Vector, here: Workplace) -> None:
    """Do the work of each thread, see `envs.team`. If a game has ended before, a step begins the next instead."""
    while next_order(signals, member):
        order_kind, seed = order[0], order[1]
        first, end = next_games(signals, member)
        while first < end:
            for n in range(first, end):
                if order_kind == STEP:
                    here.done[n], here.illegal[n], here.reward[n] = False, False, 0.0
                elif not (here.ended[n] if order_kind == RENEW else here.waiting[n] > 0):
                    continue
                if here.ended[n]:
                    here.ended[n] = False
                    begin_at(here, seed, n)
                elif order_kind == ANSWER:
                    answer_at(here, n)
                else:
                    advance_at(here, n)
                if here.fault[n] == 0:
                    ask(here.board, here.states, here.scratch, here.legal, here.mask, n)
                    asked = here.seat[n] if here.waiting[n] == 0 else here.states[n].seat
                    telling.tell(here.small, here.large, n, asked, here.tables, here.rows, n)
            first, end = next_games(signals, member)
        if carried_out(signals, member):
            return


@rule
def begin_at(here: Workplace, seed: int, n: int) -> None:
    """Begin the next game at a place, up to the first question to the seat that is asked."""
    here.numbers[n] += len(here.states)
    own_seed = game_seed(seed, here.numbers[n])
    here.seat[n] = here.wanted if here.wanted >= 0 else game_seed(own_seed, 0) % here.seats
    here.paid[n] = 0.0
    first = n * (here.seats - 1)
    for bot in range(here.seats - 1):
        who = drawn(here.casting, own_seed, bot)
        here.cast_of[n, bot] = who
        if who < here.casting.compiled:
            here.memories[first + bot] = here.casting.fresh[who]
            forget(here.memories[first + bot], bot_seed(own_seed, bot))
    here.states[n] = here.empty[0]
    playout.new_game(here.board, here.states[n], here.scratch, here.seats, own_seed)
    others_play(here, n, BEGUN)


@rule
def advance_at(here: Workplace, n: int) -> None:
    """Do one action in the game at a place and let the others answer."""
    if not among(here.legal, n, here.actions[n]):
        here.illegal[n], here.reward[n] = True, LOST
        here.done[n], here.ended[n] = True, True
    else:
        turn.apply(here.board, here.states[n], here.scratch, here.actions[n])
        others_play(here, n, PLAYED)


@rule
def answer_at(here: Workplace, n: int) -> None:
    """Do what somebody outside has answered in the game at a place, and let the others go on."""
    since = here.waiting[n]
    here.waiting[n] = 0
    turn.apply(here.board, here.states[n], here.scratch, here.actions[n])
    others_play(here, n, since)


@rule
def others_play(here: Workplace, n: int, since: int) -> None:
    """Let the others play at a place until the seat that is asked has the question, or the game is over; then pay.

    The game may wait before that for somebody outside, since it has begun or the seat has done something. The fault of
    the place is 1 + which of the cast chose what is not legal, or 0.
    """
    state, me, first = here.states[n], here.seat[n], n * (here.seats - 1)
    here.fault[n] = 0
    while state.question != OVER and state.seat != me:
        seat = state.seat
        bot = seat if seat < me else seat - 1
        who = here.cast_of[n, bot]
        if who >= here.casting.compiled:
            here.waiting[n] = since
            return
        turn.legal(here.board, state, here.scratch)
        here.seen[0] = here.empty[0]
        knowledge.redact(here.board, state, here.seen[0], seat)
        memory = here.memories[first + bot]
        action = ask_bot(here.casting.choosers, who, here.board, here.seen[0], here.scratch, memory, seat)
        turn.legal(here.board, state, here.scratch)
        if not is_answer(here.scratch, action):
            here.fault[n] = who + 1
            return
        turn.apply(here.board, state, here.scratch, action)
    if since == PLAYED:
        pay(here, n)


@rule
def pay(here: Workplace, n: int) -> None:
    """Pay the seat that is asked for the last step at a place."""
    state, seat = here.states[n], here.seat[n]
    if state.question != OVER:
        if here.pays == SHAPED:
            worth = lead_so_far(here.board, state, here.seats, seat)
            here.reward[n], here.paid[n] = worth - here.paid[n], worth
        return
    scoring.score(here.board, state, here.scratch)
    here.reward[n] = final_worth(here.scratch, here.seats, seat, here.pays) - here.paid[n]
    for other in range(here.seats):
        here.points[n, other] = here.scratch.total[other]
        here.places[n, other] = rank_of(here.scratch, here.seats, other)
    here.done[n], here.ended[n] = True, True


@rule
def ask(board: BoardTables, states: States, scratch: Scratch, legal: Matrix, mask: Matrix, n: int) -> None:
    """Set what the seat that is asked may do; to pass where the game is over."""
    turn.legal(board, states[n], scratch)
    if states[n].question == OVER:
        offer(scratch, PASS, 1)
    show_legal(scratch, legal, mask, n)
