"""`search`: plays every promising action out in imagined worlds and takes the one that wins most.

Information-set Monte-Carlo search. Each world deals the unseen cards and tickets anew, consistently with what the seat
knows (`rules.knowledge.imagine`) and with what the others' claims tell about their tickets (`beliefs`). Candidates are
what the planner thinks of (`candidates`), and routes that others seem to want (`blocking`). In each world every
candidate that is still in the running is tried, and all seats play on as the planner does: to the end of the game, as
analyses want it, or to a `horizon` some rounds ahead, where a small network says what the position is worth (`value`).
That is quicker, and there is less luck in it. As all candidates meet the same worlds and the same luck, what differs
between two of them is what they do. Half of them drop out after each round (sequential halving: Karnin, Koren and
Somekh, "Almost optimal exploration in multi-armed bandits", 2013). The planner's own choice is overruled only by one
that is better beyond the noise.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from branchline.boards import Board
from branchline.boards.faults import quoted
from branchline.boards.limits import MAX_SEATS
from branchline.bots.api import memory as memories
from branchline.bots.api.bot import Position, another
from branchline.bots.api.errors import BotError
from branchline.bots.api.memory import Memories, Memory
from branchline.bots.api.tuned_weights import Weights
from branchline.bots.networks import belief, value
from branchline.bots.planner import candidates, planner
from branchline.bots.search import beliefs, blocking, rollout, trials
from branchline.bots.search.trials import Trials
from branchline.copying import Copied
from branchline.rules import kernel
from branchline.rules.state import FLEET, KEEP_TICKETS, SCRATCH, STATE, TICKET_MIX, TURN
from branchline.runtime.structs import Buffer

DOUBT = 1.0  # standard errors by which another action must be better than the planner's own
SURPRISE = 0.25  # of the variance that few worlds have not shown yet: as if one more had gone the other way
MOST_EVER = 1_000_000
SET_UP = (TICKET_MIX, KEEP_TICKETS, FLEET)  # what is asked before the first turn
SPELL = 0.005  # seconds of work between two looks at the clock, each of which takes as long as a short playout
SUMS = ("worlds", "won", "value", "ahead", "ahead_squared")

_OWN_TIME = getattr(time, "thread_time", time.perf_counter)  # browsers have none of a thread's own


@dataclass(frozen=True)
class Budget:
    """When a search has thought enough about a move: after so many seconds, or games played out, if not before.

    The seconds are processor time, so that a bot is as strong on a busy machine; with several threads they are those
    of the clock.
    Games are up to a third more where they are few: every round tries all that is alive in one world at least.
    """

    seconds: float | None = None
    rollouts: int | None = None

    @classmethod
    def of(cls, text: str) -> Budget:
        """Return the budget of a text: `0.5s` is half a second, `400` a number of games. Raise `BotError`."""
        number = text.removesuffix("s")
        try:
            budget = cls(seconds=float(number)) if number != text else cls(rollouts=int(number))
        except ValueError:
            budget = cls(rollouts=0)
        if not 0 < (budget.seconds or budget.rollouts or 0) <= MOST_EVER:
            raise BotError(f"budget {quoted(text)}: expected seconds a move, as 0.5s, or games played out, as 400")
        return budget

    def part(self, share: float) -> Budget:
        """Return so much of it, one game at least."""
        seconds = None if self.seconds is None else self.seconds * share
        rollouts = None if self.rollouts is None else max(1, int(self.rollouts * share))
        return Budget(seconds, rollouts)


@dataclass(frozen=True)
class CandidateEstimate:
    """What came of one candidate."""

    action: int
    worlds: int  # in which it was tried
    won: float  # share of the games won: its chance, 0 to 1; games that stopped at the horizon count with their value
    value: float  # what the search maximises: half of that is victory, half the margin
    ahead: float  # of the first candidate, in value
    error: float  # one standard error of `ahead`


class Worker:
    """What one thread needs to try things out: worlds, games, memories, and notes of its own."""

    def __init__(self) -> None:
        """Begin with nothing to do."""
        self._open(memories.new_memory(MAX_SEATS), kernel.new_buffer(trials.NOTES))

    def _open(self, remembered: Buffer[Memory], noted: Buffer[Trials]) -> None:
        self.known, self.worlds, self.games = (kernel.new_buffer(STATE) for _ in range(3))
        self.world, self.game = kernel.record_in(self.worlds), kernel.record_in(self.games)
        self.scratch = kernel.record_in(kernel.new_buffer(SCRATCH))
        self._remembered = remembered
        self.memories: Memories = remembered
        if kernel.INTERPRETED:
            self.memories = [kernel.record_in(remembered[n : n + 1]) for n in range(MAX_SEATS)]
        self.buffer = noted
        self.notes = kernel.record_in(self.buffer)
        self._weights: Weights | None = None
        self._board: Board | None = None  # the one that the networks are for

    def __getstate__(self) -> tuple[Buffer[Memory], Buffer[Trials]]:
        """Return what is kept from one search to the next."""
        return self._remembered, self.buffer

    def __setstate__(self, state: tuple[Buffer[Memory], Buffer[Trials]]) -> None:
        self._open(*state)

    def prepare(self, position: Position) -> None:
        """Have everybody play with the weights for this table, and have the networks for its board."""
        board = position.board
        weights = planner.PlannerBot.weights_on(board, int(position.state.seats))
        if weights != self._weights:
            self._weights = weights
            for memory in self.memories:
                weights.put_in(memory)
        if self._board != board:
            self._board = board
            self._judge = value.network(board)
            self.believer = belief.network(board)

    def look(self, position: Position) -> None:
        """Know what this seat knows, with empty notes; `rollout.ALL_SEEING` as the seat knows the whole state."""
        self.known = kernel.buffer_of(position.state)
        self.buffer[:] = 0
        self.prepare(position)
        if position.seat != rollout.ALL_SEEING:
            board = kernel.record_in(position.board.tables)
            beliefs.weigh(board, position.state, self.memories[0], self.notes, self.believer, position.seat)

    def try_out(self, position: Position, seed: int, number: int, worlds: int = 1) -> None:
        """Try what is alive in so many worlds, from this number on."""
        rollout.try_out(
            kernel.record_in(position.board.tables),
            self.known,
            self.worlds,
            self.world,
            self.games,
            self.game,
            self.scratch,
            self.memories,
            self.notes,
            self._judge,
            position.seat,
            seed + number,
            worlds,
        )


class Search:
    """Tries actions out for a position, with as many threads as it is given."""

    def __init__(self, threads: int = 1, horizon: int = 0) -> None:
        """Begin; compiled code lets other threads run, so that each has a core of its own.

        `horizon`: after so many rounds a playout stops and the network judges (`value`); 0: at the end of the game.
        """
        self._horizon = horizon
        self._workers = [Worker() for _ in range(threads)]
        self._buffer = kernel.new_buffer(trials.NOTES)  # the sums of all workers' notes
        self._open()

    def _open(self) -> None:
        threads = len(self._workers)
        self._pool = ThreadPoolExecutor(threads, "search") if threads > 1 else None
        self._now = time.perf_counter if threads > 1 else _OWN_TIME

    def __getstate__(self) -> dict[str, object]:
        """Return all but the threads and their clock."""
        return {name: value for name, value in vars(self).items() if name not in ("_pool", "_now")}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state)
        self._open()

    def begin(self, position: Position, memory: Memory, seed: int) -> int:
        """Look at a position; how many candidates there are. `memory`: the planner's."""
        notes = self._look(position, seed)
        worker, seat = self._workers[0], position.seat
        worker.prepare(position)
        planner.PlannerBot.weights_on(position.board, int(position.state.seats)).put_in(memory)
        board = kernel.record_in(position.board.tables)
        notes.count = candidates.listed(board, position.state, worker.scratch, memory, seat, notes.action)
        self._believe(position, notes)
        if position.question == TURN:
            worker.known[0] = self._known[0]
            blocking.add_blocks(
                board, worker.known, worker.worlds, worker.world, worker.scratch, worker.memories, notes, seat, seed
            )
        return int(notes.count)

    def _believe(self, position: Position, notes: Trials) -> None:
        """Note how likely the others hold each hidden ticket."""
        worker, board = self._workers[0], kernel.record_in(position.board.tables)
        beliefs.weigh(board, position.state, worker.memories[0], notes, worker.believer, position.seat)

    def begin_with(self, position: Position, memory: Memory, seed: int, action: int) -> int:
        """Begin as usual, but measure the others against this action, not the planner's, and return which one that
        is.
        """
        count = self.begin(position, memory, seed)
        planned = int(self._buffer["action"][0, 0])
        others = [int(candidate) for candidate in self._buffer["action"][0, :count] if candidate != action]
        chosen = [action, *others][: candidates.MOST]
        self._buffer["action"][0, : len(chosen)] = chosen
        self._buffer["count"] = len(chosen)
        return planned

    def contested(self, route: int) -> float:
        """Return the likelihood that another seat plans this route, 0 to 1, by the worlds of the candidates."""
        return min(1.0, int(self._buffer["wanted"][0, route]) / blocking.WORLDS)

    def _look(self, position: Position, seed: int) -> Trials:
        """Return empty notes."""
        self._position, self._seed = position, seed
        self._worlds = blocking.WORLDS  # in those where blocks are looked for they hit more than elsewhere
        self._known = kernel.buffer_of(position.state)
        self._buffer[:] = 0
        self._buffer["horizon"] = self._horizon
        return kernel.record_in(self._buffer)

    def spend(self, budget: Budget) -> None:
        """Try the candidates out until the budget is spent; half of them drop out after each round."""
        started = self._now()
        count = int(self._buffer["count"][0])
        self._buffer["alive"][0, :count] = 1
        rounds = max(1, math.ceil(math.log2(max(2, count))))
        for n in range(1, rounds + 1):
            until = started + budget.seconds * n / rounds if budget.seconds else math.inf
            rollouts = budget.rollouts / rounds if budget.rollouts else math.inf
            self._round(started, until, rollouts)
            self._halve()

    def _round(self, started: float, until: float, rollouts: float) -> None:
        """Play world after world, as long as there is time for one more and games are left to be played."""
        a_world = int(self._buffer["alive"][0].sum()) * len(self._workers)
        at_once = 1
        while rollouts > 0:
            done = int(self._buffer["worlds"].sum())
            now = self._now()
            if done and now > started:
                takes = a_world * (now - started) / done
                if now + takes > until:
                    return
                if rollouts == math.inf:
                    at_once = max(1, int(min(SPELL, (until - now) / 8) / takes))
            self._at_work(at_once)
            rollouts -= a_world

    def _at_work(self, worlds: int = 1) -> None:
        """Let every worker try its worlds, and add the results to the sums."""
        position = self._position
        for worker in self._workers:
            worker.prepare(position)
        for worker in self._workers:
            worker.known[0] = self._known[0]
            worker.buffer[0] = self._buffer[0]
            for name in SUMS:
                worker.buffer[name] = 0
        first = range(self._worlds, self._worlds + worlds * len(self._workers), worlds)
        if self._pool:
            list(
                self._pool.map(lambda worker, n: worker.try_out(position, self._seed, n, worlds), self._workers, first)
            )
        else:
            self._workers[0].try_out(position, self._seed, self._worlds, worlds)
        self._worlds = first.stop
        for worker in self._workers:
            for name in SUMS:
                self._buffer[name] += worker.buffer[name]

    def _halve(self) -> None:
        """Drop the worse half of the challengers of the planner's choice; one stays."""
        alive = self._buffer["alive"][0]
        others = [int(n) for n in np.flatnonzero(alive) if n > 0]
        others.sort(key=lambda n: -self._buffer["ahead"][0, n])
        for n in others[max(1, len(others) // 2) :]:
            alive[n] = 0

    def forget(self) -> None:
        """Begin all sums anew: what is left was chosen by them, and so looks better than it is."""
        for name in SUMS:
            self._buffer[name] = 0

    def compare(self, worlds: int) -> None:
        """Try the first candidate, and what is left of the others, in so many worlds at least."""
        self._buffer["alive"][0, 0] = 1
        while self._buffer["worlds"][0, 0] < worlds:
            self._at_work()

    def estimates(self) -> list[CandidateEstimate]:
        """Return estimates of all candidates, in their order; the planner's own first."""
        notes = self._buffer[0]
        return [_estimate(notes, n) for n in range(int(notes["count"]))]

    def best(self, doubt: float = DOUBT) -> CandidateEstimate:
        """Return the best of those left: the first, unless another is better by `doubt` standard errors."""
        first, *others = self.estimates()
        left = [estimate for n, estimate in enumerate(others, 1) if self._buffer["alive"][0, n]]
        best = max(left, key=lambda estimate: estimate.ahead, default=first)
        return best if best.ahead > doubt * best.error else first


def _estimate(notes: Trials, n: int) -> CandidateEstimate:
    """Return one candidate's sums as means."""
    worlds = max(1, int(notes["worlds"][n]))
    won, value, ahead, squared = (float(notes[name][n]) / worlds for name in SUMS[1:])
    error = math.sqrt(max(0.0, squared - ahead * ahead + SURPRISE / worlds) / worlds)
    return CandidateEstimate(int(notes["action"][n]), worlds, won, value, ahead, error)


class SearchBot(Copied):
    """Plays what is promising out in imagined worlds, for a second."""

    name = "search"
    budget = Budget(seconds=1.0)
    later: ClassVar[float] = 1.0  # the part of it that each further question of a turn gets
    threads = 1
    horizon = 10  # rounds

    @classmethod
    def weights_on(cls, board: Board, seats: int) -> Weights:
        """Return the planner's weights: its plans are what everything is played out by."""
        return planner.PlannerBot.weights_on(board, seats)

    @classmethod
    def told(cls, text: str) -> type[SearchBot]:
        """Return the same bot with this budget: `search@0.2s`, `search@400`; see `Budget.of`."""
        return another(cls, (cls.told, (text,)), name=f"{cls.name}@{text}", budget=Budget.of(text))

    def __init__(self, seed: int = 0) -> None:
        """Sit down."""
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Begin another game."""
        self._luck = np.random.default_rng(seed)
        self.memory = kernel.record_in(memories.new_memory())  # with the planner's thoughts
        memories.seed(self.memory, seed)
        self.search = Search(self.threads, self.horizon)

    def choose(self, position: Position) -> int:
        """Return one of `position.legal`."""
        if len(position.legal) == 1:
            return position.legal[0]
        count = self.search.begin(position, self.memory, int(self._luck.integers(1 << 60)))
        if count > 1:
            self.search.spend(self.budget_for(position))
        return self.search.best().action

    def budget_for(self, position: Position) -> Budget:
        """Return how much it thinks about a question: all of its budget, or a part where the turn has begun before."""
        sets_up = position.state.turns == 0 and position.question in SET_UP
        return self.budget if sets_up or position.question == TURN else self.budget.part(self.later)
