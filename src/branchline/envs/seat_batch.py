"""Many games side by side in each of which one seat is played from outside and bots play the others, all compiled.

It is what `envs.vector` shows to Gymnasium; it needs nothing but the core.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from branchline.arena.choosers import Choosers, choosers_of, quietly
from branchline.arena.choosers import ask as ask_bot
from branchline.arena.play import bot_seed, game_seed
from branchline.arena.table import name_of, weights_of
from branchline.boards import Board
from branchline.boards.arguments import whole_number
from branchline.boards.faults import quoted
from branchline.boards.tables import BoardTables
from branchline.bots import Bot, BotError, CompiledBot, bot_maker
from branchline.bots.api.memory import Memories, forget, new_memory
from branchline.copying import Copied
from branchline.envs import telling
from branchline.envs.batch import MOST_GAMES, actions_for, among, housed, many_states, show_legal, won
from branchline.envs.layout import layout_of
from branchline.envs.opponents import Opponent, opponents_for
from branchline.envs.rewards import EnvError, board_for
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

RENEW, STEP = range(2)
"""What the threads are told to do: begin the next game where one has ended; do an action in each. A seed follows."""


class SeatBatch(Copied):
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
        opponents: Opponent | Sequence[Opponent] = "planner",
        seat: int | None = 0,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        """Set all games up. Raises `EnvError`, `BotError`, and whatever `load_board` does.

        `opponents`: a compiled bot, by name or by class, for all other seats, or a list of one for each. `seat`: None
        draws one for each game.
        """
        self.board, self.seats = board_for(board, seats)
        self.games = whole_number("games", games, 1, MOST_GAMES, EnvError)
        self._wanted = BY_LOT if seat is None else whole_number("seat", seat, 0, self.seats - 1, EnvError)
        self.layout = layout_of(self.board, self.seats)
        self._threads = threads_for(threads, self.games)
        self._sit_down(opponents_for(opponents, self.seats))
        self.mask = kernel.new_array((self.games, ACTIONS), np.int8)
        self._rows = telling.rows_of(self.layout, self.games)
        self.observation = self._rows.numbers
        self.seat = kernel.new_array(self.games, np.int8)
        self.done = kernel.new_array(self.games, np.bool_)
        self.reward = kernel.new_array(self.games, np.float64)
        self.illegal = kernel.new_array(self.games, np.bool_)
        self._ended = kernel.new_array(self.games, np.bool_)  # waits for `renew`
        self._states = many_states(self.games)
        self._numbers = kernel.new_array(self.games, np.int64)
        self._actions = kernel.new_array(self.games, np.int64)
        self._legal = kernel.new_array((self.games, ACTION_WORDS), np.int64)
        self._fault = kernel.new_array(self.games, np.int8)  # 1 + which bot chose what is not legal
        self._gather()
        self.reset(seed)

    def __getstate__(self) -> dict[str, object]:
        """All but the threads, which are bound to these arrays, and the addresses of what bots do."""
        return {name: value for name, value in vars(self).items() if name not in ("_team", "_choosers")}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(housed(state))
        self.observation = self._rows.numbers
        self._choosers = choosers_of([maker.choice for maker in self._makers()])
        self._gather()

    def reset(self, seed: int = 0) -> None:
        """Begin all games anew."""
        self._seed = whole_number("seed", seed, 0, SEEDS - 1, EnvError)
        self._numbers[:] = np.arange(-self.games, 0)
        self.done[:], self.reward[:], self.illegal[:] = False, 0.0, False
        self._ended[:] = True
        self.renew()

    def step(self, actions: npt.ArrayLike) -> None:
        """One action for each game, `(games,)` whole numbers; where the last step ended the game, it is not looked at
        and the next game begins.
        """
        self._actions[:] = actions_for(actions, self.games)
        self._run(STEP)

    def renew(self) -> None:
        """Begin the next game at once wherever the last step ended one; `done` and `reward` still tell of that one."""
        self._run(RENEW)

    def game(self, place: int) -> Game:
        """A copy of one of the games."""
        place = whole_number("place", place, 0, self.games - 1, EnvError)
        return Game.resume(self.board, kernel.copy_of(self._states[place : place + 1]))

    # -------------------------------------------------------------------------------------------- inside

    def _sit_down(self, opponents: Sequence[Opponent]) -> None:
        self._opponents = opponents
        makers = self._makers()
        self.opponents = tuple(map(name_of, makers))
        self._choosers = choosers_of([maker.choice for maker in makers])
        one_table = new_memory(len(makers))
        for n, maker in enumerate(makers):
            if weights := weights_of(maker, self.board, self.seats):
                weights.put_in(one_table[n])
        self._memories = new_memory(len(makers) * self.games)
        self._memories[:] = np.tile(one_table, self.games)

    def _makers(self) -> list[type[CompiledBot]]:
        makers = [bot_maker(one) if isinstance(one, str) else one for one in self._opponents]
        for maker in makers:
            if not (isinstance(maker, type) and issubclass(maker, CompiledBot)):
                name = maker.name if isinstance(maker, Bot) else getattr(maker, "__qualname__", type(maker).__name__)
                raise EnvError(
                    f"opponents: {quoted(str(name))} is not compiled; `envs.single.SeatEnv` plays against it, "
                    'many of which `gymnasium.make_vec(…, vectorization_mode="sync")` makes; for self-play see `Batch`'
                )
        return makers  # type: ignore[return-value]  # looked at above

    def _gather(self) -> None:
        with quietly():
            self._team = Team(self.games, self._threads, work, self._what_threads_need)

    def _what_threads_need(self) -> Workplace:
        return Workplace(
            kernel.record_in(self.board.tables), self._states, kernel.new_buffer(STATE),
            kernel.record_in(kernel.new_buffer(SCRATCH)), kernel.new_buffer(STATE), self._memories, self._choosers,
            self._numbers, self._ended, self.seat, self._fault, self.seats, self._wanted, self._actions, self._legal,
            self.done, self.illegal, self.reward, self.mask, *telling.rows_in(self._states),
            telling.telling_of(self.layout), self._rows,
        )  # fmt: skip

    def _run(self, what: int) -> None:
        self._team.run(what, self._seed)
        if self._fault.any():
            bot = self.opponents[int(self._fault[self._fault > 0][0]) - 1]
            raise BotError(f"bot {bot} chose what is not legal")


class Workplace(NamedTuple):
    """What a thread reads and writes."""

    board: BoardTables
    states: States
    empty: States
    scratch: Scratch
    seen: States
    memories: Memories
    choosers: Choosers
    numbers: Vector
    ended: Vector
    seat: Vector
    fault: Vector
    seats: int
    wanted: int
    actions: Vector
    legal: Matrix
    done: Vector
    illegal: Vector
    reward: Reals
    mask: Matrix
    small: Matrix
    large: Matrix
    tables: telling.Telling
    rows: telling.Rows


@rule
def work(signals: Matrix, member: int, order: Vector, here: Workplace) -> None:
    """What each thread does, see `envs.team`. Where a game has ended before, a step begins the next instead."""
    while next_order(signals, member):
        what, seed = order[0], order[1]
        first, end = next_games(signals, member)
        while first < end:
            for n in range(first, end):
                if what == STEP:
                    here.done[n], here.illegal[n], here.reward[n] = False, False, 0.0
                elif not here.ended[n]:
                    continue
                if here.ended[n]:
                    here.ended[n] = False
                    begin_at(here, seed, n)
                else:
                    advance_at(here, n)
                if here.fault[n] == 0:
                    ask(here.board, here.states, here.scratch, here.legal, here.mask, n)
                    telling.tell(here.small, here.large, n, here.seat[n], here.tables, here.rows, n)
            first, end = next_games(signals, member)
        if carried_out(signals, member):
            return


@rule
def begin_at(here: Workplace, seed: int, n: int) -> None:
    """Begin the next game at a place, up to the first question to the seat that is asked."""
    here.numbers[n] += len(here.states)
    own_seed = game_seed(seed, here.numbers[n])
    here.seat[n] = here.wanted if here.wanted >= 0 else game_seed(own_seed, 0) % here.seats
    first = n * (here.seats - 1)
    for bot in range(here.seats - 1):
        forget(here.memories[first + bot], bot_seed(own_seed, bot))
    here.states[n] = here.empty[0]
    playout.new_game(here.board, here.states[n], here.scratch, here.seats, own_seed)
    others_play(here, n)


@rule
def advance_at(here: Workplace, n: int) -> None:
    """Do one action in the game at a place and let the others answer."""
    if not among(here.legal, n, here.actions[n]):
        here.illegal[n], here.reward[n] = True, LOST
    else:
        turn.apply(here.board, here.states[n], here.scratch, here.actions[n])
        others_play(here, n)
        if here.states[n].question != OVER:
            return
        scoring.score(here.board, here.states[n], here.scratch)
        here.reward[n] = won(here.scratch, here.seats, here.seat[n])
    here.done[n], here.ended[n] = True, True


@rule
def others_play(here: Workplace, n: int) -> None:
    """Let the bots play at a place until the seat that is asked has the question, or the game is over.

    The fault of the place is 1 + which of them chose what is not legal, or 0.
    """
    state, me, first = here.states[n], here.seat[n], n * (here.seats - 1)
    here.fault[n] = 0
    while state.question != OVER and state.seat != me:
        turn.legal(here.board, state, here.scratch)
        seat = state.seat
        bot = seat if seat < me else seat - 1
        here.seen[0] = here.empty[0]
        knowledge.redact(here.board, state, here.seen[0], seat)
        action = ask_bot(here.choosers, bot, here.board, here.seen[0], here.scratch, here.memories[first + bot], seat)
        turn.legal(here.board, state, here.scratch)
        if not is_answer(here.scratch, action):
            here.fault[n] = bot + 1
            return
        turn.apply(here.board, state, here.scratch, action)


@rule
def ask(board: BoardTables, states: States, scratch: Scratch, legal: Matrix, mask: Matrix, n: int) -> None:
    """What the seat that is asked may do; to pass where the game is over."""
    turn.legal(board, states[n], scratch)
    if states[n].question == OVER:
        offer(scratch, PASS, 1)
    show_legal(scratch, legal, mask, n)
