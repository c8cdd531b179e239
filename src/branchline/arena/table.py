"""A table at which a line-up of bots plays game after game, all in one process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from branchline.arena import audit, play, watching
from branchline.arena.choosers import choosers_of, is_compiled, quietly
from branchline.arena.play import GameRow, GameRows, Terms, Workspace
from branchline.boards import Board
from branchline.boards.limits import MAX_SEATS
from branchline.boards.tables import WORD
from branchline.bots import Bot, BotError, BotMaker, CompiledBot, Position
from branchline.bots.api.bot import seen_in
from branchline.bots.api.memory import new_memory
from branchline.bots.api.tuned_weights import Weights
from branchline.bots.simple.random import RandomBot
from branchline.rules import kernel
from branchline.rules.state import SCRATCH, STATE, Scratch
from branchline.runtime.structs import Buffer, Kind, Records

Games = npt.NDArray[np.void]
"""An array of `play.GAME`."""


class Table:
    """Plays any of the games of a series; game number n is the same on every table."""

    def __init__(
        self,
        board: Board,
        line_up: Sequence[BotMaker],
        seed: int,
        *,
        audited: bool = False,
        watched: bool = False,
        most_turns: int = play.MOST_TURNS,
    ) -> None:
        """Seat one maker of bots at each seat. An audited game is checked after every action (`arena.audit`).

        What is watched of the games (`arena.watching`) is in `tally` after they are played; compiled bots only.
        """
        self.board = board
        self.line_up = tuple(line_up)
        self.seats = len(line_up)
        self.seed = seed
        self.audited = audited
        self.watched = watched
        self.tally = kernel.new_buffer(watching.TALLY)
        self.most_turns = most_turns  # so many, and the game is taken for one that never ends
        self.period = period_of(self.line_up)
        self.compiled = all(map(is_compiled, line_up))
        if watched and not self.compiled:
            raise BotError("only games of compiled bots can be watched")
        states, seens, empty = (kernel.new_buffer(STATE) for _ in range(3))
        self._entrants = new_memory(MAX_SEATS)  # a memory for each of the line-up
        self._states, self._seens = states, seens
        self.workspace = Workspace(
            kernel.record_in(board.tables),
            states,
            kernel.record_in(states),
            seens,
            kernel.record_in(seens),
            empty,
            kernel.record_in(kernel.new_buffer(SCRATCH)),
            _one_by_one(self._entrants),
        )
        self._tried: tuple[Weights | None, ...] = (None,) * self.seats
        self._weigh([weights_of(maker, board, self.seats) for maker in line_up])

    def _weigh(self, weights: Sequence[Weights | None]) -> None:
        """Give everybody who needs them weights."""
        for n, weight in enumerate(weights):
            if weight is not None:
                weight.put_in(kernel.record_in(self._entrants[n : n + 1]))

    def play(self, first: int, count: int, weights: Sequence[Weights | None] = ()) -> Games:
        """Return the games from number `first` on.

        Raise `BotError` where a bot breaks the rules, or a game does not end.

        `weights`: those to be tried by each of the line-up, from now on; all rotations are then played with one seed.
        """
        if weights:
            self.period = self.seats
            self._tried = tuple(weights)
            self._weigh(weights)
        games = kernel.new_buffer(play.GAME, count)
        self.tally = kernel.new_buffer(watching.TALLY)
        if not self.compiled:
            for n in range(count):
                self._play_one(kernel.record_in(games[n : n + 1]), first + n)
        elif all(maker is RandomBot for maker in self.line_up):
            self._play_random(_one_by_one(games), first)
        else:
            with quietly():
                self._play_compiled(_one_by_one(games), first)
        self._complain(games)
        return games

    def _play_random(self, games: GameRows, first: int) -> None:
        here = self.workspace
        play.play_random_games(
            here.board, here.states, here.state, here.empty, here.scratch, here.memories, games, self.seats, self.seed,
            first, int(self.audited),
        )  # fmt: skip

    def _play_compiled(self, games: GameRows, first: int) -> None:
        choosers = choosers_of([bot.choice for bot in self.line_up])  # type: ignore[attr-defined]
        terms = Terms(self.seats, self.period, self.seed, first, int(self.audited), self.most_turns)
        if self.watched:
            watching.play_watched_games(self.workspace, choosers, games, terms, kernel.record_in(self.tally))
        else:
            play.play_games(self.workspace, choosers, games, terms)

    def _play_one(self, game: GameRow, number: int) -> None:
        """Play a game in which some bot is written in Python: every one is asked with a `Position`."""
        here, audited = self.workspace, int(self.audited)
        board, state, scratch = here.board, here.state, here.scratch
        passengers = play.begin(
            board, here.states, state, here.empty, scratch, here.memories, game, number, self.seats, self.period,
            self.seed, audited,
        )  # fmt: skip
        sitting = [int(game.entrant[seat]) for seat in range(self.seats)]
        bots = [self._seated(entrant, play.bot_seed(int(game.seed), entrant)) for entrant in sitting]
        going = True
        while going:
            seat = int(state.seat)
            action = self._asked(bots[seat], seat)
            going = play.goes_on(board, state, scratch, game, action, passengers, audited)
            going = going and play.in_bounds(state, game, self.most_turns)
        play.note_result(board, state, scratch, game, audited)

    def _seated(self, entrant: int, seed: int) -> Bot:
        try:
            bot = self.line_up[entrant](seed)
        except Exception as fault:
            raise BotError(f"bot {name_of(self.line_up[entrant])} cannot be made: {_said(fault)}") from fault
        if not isinstance(bot, Bot):
            raise BotError(f"bot {name_of(self.line_up[entrant])} has no name or no choose(position)")
        tried = self._tried[entrant]
        if tried is not None and isinstance(bot, CompiledBot):
            bot.play_by(tried, self.board, self.seats)
        return bot

    def _asked(self, bot: Bot, seat: int) -> int:
        """Return the bot's answer, which is at least a whole number."""
        here = self.workspace
        play.ask(here.board, here.state, here.seens, here.seen, here.empty, here.scratch)
        position = Position(self.board, seen_in(kernel.copy_of(self._seens)), seat, actions_in(here.scratch))
        try:
            answer: Any = bot.choose(position)
        except Exception as fault:
            raise BotError(f"bot {bot.name} failed: {_said(fault)}") from fault
        if isinstance(answer, bool) or not isinstance(answer, (int, np.integer)):
            raise BotError(f"bot {bot.name} answered {answer!r:.60}; expected one of position.legal")
        return int(answer) if int(answer) in position.legal else -1

    def _complain(self, games: Buffer[GameRow]) -> None:
        """Raise what went wrong, with what it takes to see it again."""
        for game in games[(games["fault"] != 0) | (games["broken"] != 0)]:
            where = f"game {game['number']} ({self.board.id}, {self.seats} seats, after {game['actions']} actions)"
            if game["broken"]:
                raise AuditError(f"{where}, seed {self.seed}: this does not hold: {audit.LAWS[game['broken']]}")
            if game["fault"] == play.NO_END:
                who = ", ".join(dict.fromkeys(map(name_of, self.line_up)))
                raise BotError(f"the bots ({who}) do not end {where}, seed {self.seed}: {game['turns']} turns are done")
            bot = name_of(self.line_up[game["entrant"][game["fault_seat"]]])
            raise BotError(f"bot {bot} chose what is not legal in {where}, seed {self.seed}")


def _one_by_one(buffers: Buffer[Kind]) -> Records[Kind]:
    """Return many records so that `…[n]` is one in the form the rules read and write."""
    return [kernel.record_in(buffers[n : n + 1]) for n in range(len(buffers))] if kernel.INTERPRETED else buffers


class AuditError(Exception):
    """A law of `arena.audit` is broken: a fault of the rules, not of their user."""


def period_of(line_up: Sequence[BotMaker]) -> int:
    """Return the number of seats after which the line-up repeats: as many games, its rotations, share one seed."""
    size = len(line_up)
    return next(
        n for n in range(1, size + 1) if size % n == 0 and tuple(line_up[n:]) + tuple(line_up[:n]) == tuple(line_up)
    )


def weights_of(maker: BotMaker, board: Board, seats: int) -> Weights | None:
    """Return the weights that a maker's bots use on a board; None if they use none."""
    weights: Weights | None = maker.weights_on(board, seats) if hasattr(maker, "weights_on") else None
    return weights


def name_of(maker: BotMaker) -> str:
    """Return the name of a maker's bots."""
    return str(getattr(maker, "name", "") or getattr(maker, "__name__", "") or type(maker).__name__)


def actions_in(scratch: Scratch) -> tuple[int, ...]:
    """Return the set of legal actions, in rising order."""
    actions = []
    for word, bits in enumerate(scratch.legal):
        rest = int(bits)
        while rest:
            actions.append(word * WORD + (rest & -rest).bit_length() - 1)
            rest &= rest - 1
    return tuple(actions)


def _said(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}" if str(fault) else type(fault).__name__
