"""`check_bot`: does a bot play by the rules, in time, the same for the same seed, and without looking at other hands?

The bot plays on every edition with every number of seats, each game at another seat, against random bots. Three
doubles with the same seed and the same past sit behind it and are asked every question too:

- its *twin* sees what the bot sees: they must agree, or the bot is not deterministic;
- another one sits at a table on which everything hidden was dealt anew (`rules.knowledge.imagine`);
- the last one sits at a table on which nothing is hidden, for there is nothing but what its seat may know.

What a seat may know is the same at all three tables. A bot that answers otherwise at the second or third one has
looked at what lies there face down. (One that reaches farther than the table at which it is asked goes unnoticed.)
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from branchline.arena import play
from branchline.arena.executors import BotSpec
from branchline.arena.series import called
from branchline.arena.table import actions_in
from branchline.boards import Board, builtin_boards
from branchline.boards.arguments import number, sequence, whole_number
from branchline.boards.catalogue import as_board
from branchline.bots import Bot, BotError, BotMaker, Position, maker_of
from branchline.bots.api.bot import seen_in
from branchline.bots.simple.random import RandomBot
from branchline.game.actions import action_text
from branchline.game.game import SEEDS
from branchline.plain_data import JsonObject
from branchline.rules import kernel, knowledge, playout, turn
from branchline.rules.state import OVER, SCRATCH, STATE, State
from branchline.runtime.structs import Buffer

GRACE = 1.1  # a budget may be exceeded by a tenth
WAITING = 12  # times its budget: so long a bot may take that only waits, for a network for instance
MOST_SHOWN = 3
CHECKS = {
    "legality": "answers every question with a legal action",
    "determinism": "gives the same answers for the same seed",
    "no peeking": "gives the same answers when hidden things are dealt anew, or are not there",
    "budget": "keeps its time",
}


@dataclass(frozen=True)
class Finding:
    """What one check found."""

    what: str  # one of CHECKS
    faults: tuple[str, ...] = ()  # the first few, each in one line

    @property
    def ok(self) -> bool:
        """Whether there was no fault."""
        return not self.faults

    def __str__(self) -> str:
        """Return a line, and one for each fault."""
        lines = [f"{'ok  ' if self.ok else 'FAIL'}  {self.what}: {CHECKS[self.what]}"]
        return "\n".join(lines + [f"        {fault}" for fault in self.faults])


@dataclass(frozen=True)
class Checkup:
    """What `check_bot` found; print it to read it."""

    bot: str
    findings: tuple[Finding, ...]
    games: int
    decisions: int  # of the bot itself
    tables: tuple[str, ...]  # "europe 3": where it played, with how many seats
    seconds: dict[str, float] = field(default_factory=dict)  # a decision: median, slowest hundredth, slowest
    budget: float | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing at all was found."""
        return all(finding.ok for finding in self.findings)

    def __str__(self) -> str:
        """Return the whole report."""
        lines = [f"{self.bot}: {'all is well' if self.ok else 'not fit to play yet'}", *map(str, self.findings)]
        if self.seconds:
            median, slow, slowest = (_spell(self.seconds[name]) for name in ("median", "slow", "slowest"))
            lines.append(f"A decision took {median}, one in a hundred more than {slow}, the slowest {slowest}.")
        lines.append(f"{self.decisions:,} decisions in {self.games:,} games on {len(self.tables)} tables.")
        return "\n".join(lines)

    def as_dict(self) -> JsonObject:
        """Return the check-up as data for JSON."""
        return {
            "bot": self.bot,
            "ok": self.ok,
            "findings": [
                {"what": finding.what, "ok": finding.ok, "faults": list(finding.faults)} for finding in self.findings
            ],
            "games": self.games,
            "decisions": self.decisions,
            "tables": list(self.tables),
            "seconds": {name: round(value, 9) for name, value in self.seconds.items()},
            "budget": self.budget,
        }


def check_bot(
    bot: BotSpec,
    *,
    games: int = 1,
    seed: int = 1,
    budget: float | None = None,
    boards: Sequence[Board | str] | None = None,
    clock: Callable[[], float] = time.process_time,
    on_progress: Callable[[int], None] | None = None,
) -> Checkup:
    """Let a bot play and watch it; the answer prints as a report and has `.ok`.

    `bot`: a class, or a name as `make_bot` takes it. `games`: at each table. `budget`: seconds a decision may take,
    a tenth more being forgiven, by the processor: a bot is not to blame for a busy machine. One that only waits may
    take `WAITING` times as long by the clock. None only measures. `boards`: other ones than the editions that come with
    branchline. `clock` measures the time. Raise `BotError` where there is no such bot.
    """
    name = called(bot)
    maker = maker_of(bot)
    whole_number("games", games, 1, 1_000_000, BotError)
    whole_number("seed", seed, 0, SEEDS - 1, BotError)
    if budget is not None:
        number("budget", budget, 0, 1e6, BotError)
    watch = _Watch(name, budget, clock)
    where = builtin_boards() if boards is None else sequence("boards", boards, "a list of boards", BotError)
    for board in list(map(as_board, where)):
        for seats in range(board.seats[0], board.seats[1] + 1):
            watch.sit_at(board, seats)
            for n in range(games):
                _Game(watch, board, seats, play.game_seed(seed, n), maker).play(n % seats)
                watch.games += 1
                if on_progress:
                    on_progress(watch.games)
    return watch.checkup()


class _Watch:
    """What is noticed on the way."""

    def __init__(self, bot: str, budget: float | None, clock: Callable[[], float]) -> None:
        self.bot = bot
        self.budget = budget
        self.clock = clock
        self.faults: dict[str, list[str]] = {name: [] for name in CHECKS}
        self.taken: list[float] = []
        self.tables: list[str] = []
        self.games = 0

    def sit_at(self, board: Board, seats: int) -> None:
        self.tables.append(f"{board.id} {seats}")

    def note(self, check: str, fault: str) -> None:
        self.faults[check].append(f"{self.tables[-1]} seats, decision {len(self.taken)}: {fault}")

    def took(self, seconds: float, passed: float) -> None:
        """Note how long a decision took, by the processor and by the clock on the wall."""
        self.taken.append(seconds)
        if self.budget is None:
            return
        if seconds > GRACE * self.budget:
            self.note("budget", f"took {_spell(seconds)} of {_spell(self.budget)}")
        elif passed > WAITING * self.budget:
            self.note("budget", f"waited for {_spell(passed)}, with {_spell(self.budget)} to compute")

    def checkup(self) -> Checkup:
        checked = [check for check in CHECKS if check != "budget" or self.budget is not None]
        if self.faults["determinism"]:
            self.faults["no peeking"] = ["cannot be told of a bot that is not deterministic"]
        seconds = {}
        if self.taken:
            in_order = sorted(self.taken)
            slow = in_order[min(len(in_order) - 1, len(in_order) * 99 // 100)]
            seconds = {"median": statistics.median(in_order), "slow": slow, "slowest": in_order[-1]}
        return Checkup(
            bot=self.bot,
            findings=tuple(Finding(check, _first(self.faults[check])) for check in checked),
            games=self.games,
            decisions=len(self.taken),
            tables=tuple(self.tables),
            seconds=seconds,
            budget=self.budget,
        )


class _Board:
    """A board with a position on it, in which a seat is asked."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.buffer = kernel.new_buffer(STATE)
        self._table = kernel.record_in(board.tables)
        self._state = kernel.record_in(self.buffer)
        self._scratch = kernel.record_in(kernel.new_buffer(SCRATCH))

    def ask(self, bot: Bot) -> Any:
        """Return a bot's answer if it is a legal action; raise what the bot raises."""
        position = self.question()
        legal = position.legal
        answer: Any = bot.choose(position)
        if isinstance(answer, bool) or not isinstance(answer, (int, np.integer)) or int(answer) not in legal:
            raise _NotLegalError(f"answered {answer!r:.60}, which is not legal")
        return int(answer)

    def question(self) -> Position:
        """Return what the seat is shown, and what it may do."""
        shown = kernel.new_buffer(STATE)
        knowledge.redact(self._table, self._state, kernel.record_in(shown), self._state.seat)
        turn.legal(self._table, self._state, self._scratch)
        return Position(self.board, seen_in(shown), int(self._state.seat), actions_in(self._scratch))

    def put(self, buffer: Buffer[State], seat: int | None = None, dealt: int | None = None) -> None:
        """Lay a position on the table: whole, as a seat knows it, or with the rest dealt anew by a seed."""
        self.buffer[:] = buffer
        if seat is None:
            return
        shown = kernel.new_buffer(STATE)
        knowledge.redact(self._table, self._state, kernel.record_in(shown), seat)
        self.buffer[:] = shown
        if dealt is not None:
            knowledge.imagine(self._table, self._state, seat, dealt)

    def new_game(self, seats: int, seed: int) -> None:
        """Set a game up from a seed."""
        playout.new_game(self._table, self._state, self._scratch, seats, seed)

    def apply(self, action: int) -> None:
        """Go on."""
        turn.apply(self._table, self._state, self._scratch, action)


class _Game:
    """One game of the bot and its three doubles against random bots."""

    def __init__(self, watch: _Watch, board: Board, seats: int, seed: int, maker: BotMaker) -> None:
        self.watch = watch
        self.board = board
        self.seed = seed
        self.maker = maker
        self.real, self.anew, self.open = (_Board(board) for _ in range(3))
        self.others = [RandomBot(play.bot_seed(seed, n)) for n in range(seats)]
        self.real.new_game(seats, seed)

    def play(self, seat: int) -> None:
        """Play it with the bot at this seat, until the end or the first answer that is none."""
        try:
            four = [self.maker(self.seed) for _ in range(4)]
        except Exception as fault:
            self.watch.note("legality", f"cannot be made: {_said(fault)}")
            return
        count = 0
        while (state := kernel.record_in(self.real.buffer)).question != OVER:
            if state.seat == seat:
                action = self._asked(four, seat, count)
                count += 1
            else:
                action = self.others[state.seat].choose(self.real.question())
            if action is None:
                break
            self.real.apply(action)

    def _asked(self, four: list[Bot], seat: int, count: int) -> int | None:
        """Return the bot's answer, or None if it is not valid; its doubles are asked as well."""
        bot, twin, elsewhere, alone = four
        action = self._answer(twin, self.real, "legality")  # first, so that what must be compiled is no loss to the bot
        if action is None:
            return None
        began, started = time.perf_counter(), self.watch.clock()
        again = self._answer(bot, self.real, "determinism")
        self.watch.took(self.watch.clock() - started, time.perf_counter() - began)
        if again != action:
            self.watch.note("determinism", f"a twin with the same seed answered otherwise ({self._name(action)})")
            return None
        buffer = kernel.copy_of(self.real.buffer)
        self.anew.put(buffer, seat, play.game_seed(self.seed, 1 + count))
        self.open.put(buffer, seat)
        for double, table, difference in (
            (elsewhere, self.anew, "other hands, tickets or decks"),
            (alone, self.open, "nothing hidden there"),
        ):
            if self._answer(double, table, "no peeking") != action:
                self.watch.note("no peeking", f"with {difference} it answered otherwise ({self._name(action)})")
                return None
        return action

    def _answer(self, bot: Bot, table: _Board, check: str) -> int | None:
        try:
            action: int = table.ask(bot)
        except _NotLegalError as fault:
            self.watch.note(check, str(fault))
            return None
        except Exception as fault:
            self.watch.note(check, f"failed: {_said(fault)}")
            return None
        return action

    def _name(self, action: int) -> str:
        return action_text(self.board, kernel.record_in(self.real.buffer), action)


class _NotLegalError(Exception):
    """An answer that is none."""


def _first(faults: list[str]) -> tuple[str, ...]:
    hidden = len(faults) - MOST_SHOWN
    return tuple(faults[:MOST_SHOWN]) + ((f"… and {hidden} more",) if hidden > 0 else ())


def _said(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}" if str(fault) else type(fault).__name__


def _spell(seconds: float) -> str:
    """Return a time for people."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1000 * seconds:.2f} ms" if seconds >= 0.001 else f"{1e6 * seconds:.0f} µs"
