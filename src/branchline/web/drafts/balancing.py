"""How boards of the workshop play: asked for by people, played one after the other in processes of their own.

There is one line for all boards, and it is not long; nobody takes it up alone. Figures come while the games are played.
What was found is kept in memory until others need the room: the same games can be played again.
"""

from __future__ import annotations

import logging
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from branchline.arena.balance import AtSeats, Balance, figures, play_balance
from branchline.arena.balance.improve import Change, Tried, changed, suggestions, tried
from branchline.arena.executors import apart
from branchline.atlas import Board, BranchlineError
from branchline.web.rooms.room import Refused
from branchline.workshop import Draft, Step, StepError, applied, undone
from branchline.workshop.findings import written
from branchline.workshop.improving import step_of

log = logging.getLogger("branchline.server")

GAMES = 1_000  # at each number of seats
SECONDS = 240.0  # no game is begun later
SEED = 1
JOBS = 2  # processes that play
_REMEMBERED = 24  # boards
_WAITING = 6  # that may stand in line
_OF_ADDRESS = 2  # of these, asked for from one address

ACCEPTED, OPEN, GONE = "accepted", "open", "gone"


class StoppedError(Exception):
    """The games are to end, with what there is."""


@dataclass
class BalanceJob:
    """The games on one board, or how far they have come."""

    board: Board
    version: int  # of the draft
    address: str = ""  # of whoever asked for it
    played: int = 0
    asked: int = 0
    looks: int = 0  # how often there was something new to see
    found: Balance | None = None  # so far, or at the end
    changes: tuple[Change, ...] = ()
    tried: tuple[Tried, ...] | None = None
    improving: bool = False  # the changes are being tried
    running: bool = True
    failed: bool = False
    stop: threading.Event = field(default_factory=threading.Event)


class Balances:
    """All games of a server that say how a board plays. What is here blocks, or begins work in a thread."""

    def __init__(self) -> None:
        """Nobody has asked for any yet."""
        self._lock = threading.Lock()
        self._known: dict[str, BalanceJob] = {}  # by draft, the latest last
        self._thread = ThreadPoolExecutor(1, "balance")

    def of(self, draft: str) -> BalanceJob | None:
        """The games on a draft, if somebody has asked for them."""
        return self._known.get(draft)

    def begin(self, draft: str, board: Board, version: int, address: str) -> BalanceJob:
        """Have a board played; raises `Refused` when the line is too long.

        While its games are being played nothing else is begun on the same draft.
        """
        with self._lock:
            known = self._known.get(draft)
            if known is not None and known.running:
                return known
            self._check_line(address)
            job = BalanceJob(board, version, address)
            self._known.pop(draft, None)
            self._known[draft] = job
            ready = [name for name, one in self._known.items() if not one.running]
            for name in ready[: max(0, len(self._known) - _REMEMBERED)]:
                del self._known[name]
        self._thread.submit(self._make, job)
        return job

    def improve(self, draft: str, address: str) -> None:
        """Have the suggested changes tried by the same games; raises `Refused` as `begin` does."""
        with self._lock:
            job = self._known.get(draft)
            if job is None or job.running or not job.changes or job.tried is not None:
                return
            self._check_line(address)
            job.running, job.improving, job.address = True, True, address
            job.played = 0
            job.stop.clear()
        self._thread.submit(self._make, job)

    def stop(self, draft: str) -> None:
        """End the games with what there is."""
        job = self._known.get(draft)
        if job is not None:
            job.stop.set()

    def close(self) -> None:
        """Stop all games after the batch that is being played."""
        for job in list(self._known.values()):
            job.stop.set()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _check_line(self, address: str) -> None:
        waiting = [one.address for one in self._known.values() if one.running]
        if len(waiting) >= _WAITING or waiting.count(address) >= _OF_ADDRESS:
            raise Refused("too_many", "too many boards are being played")

    def _make(self, job: BalanceJob) -> None:
        try:
            if job.improving:
                self._try_changes(job)
            else:
                self._look(job, self._play(job, job.board, shown=True))
        except StoppedError:
            log.info("the games on %s were stopped", job.board.id)
        except BranchlineError as error:
            log.warning("%s cannot be balanced: %s", job.board.id, error)
            job.failed = True
        except Exception:
            log.exception("%s cannot be balanced", job.board.id)
            job.failed = True
        finally:
            job.improving = job.running = False

    def _play(self, job: BalanceJob, board: Board, *, shown: bool) -> tuple[AtSeats, ...]:
        def hear(played: int, asked: int) -> None:
            job.played, job.asked = played, asked
            if job.stop.is_set():
                raise StoppedError

        def look(so_far: tuple[AtSeats, ...]) -> None:
            self._look(job, so_far)

        return play_balance(
            board,
            GAMES,
            SEED,
            seconds=SECONDS,
            jobs=JOBS,
            on=apart,  # never this process, which has people to answer
            on_progress=hear,
            on_look=look if shown else None,
        )

    def _look(self, job: BalanceJob, so_far: tuple[AtSeats, ...]) -> None:
        found = figures(so_far)
        if found.tables:
            job.found, job.changes = found, suggestions(found)
            job.looks += 1

    def _try_changes(self, job: BalanceJob) -> None:
        assert job.found is not None
        after = figures(self._play(job, changed(job.board, job.changes), shown=False))
        job.tried = tried(job.changes, job.found, after)
        job.looks += 1


def board_of(draft: Draft) -> Board:
    """The board that a draft makes, for games; raises `BoardError`."""
    with tempfile.TemporaryDirectory(prefix="branchline-balance-") as folder:
        board = written(draft, Path(folder))
        _ = board.tables, board.weights  # looked up while its folder is there
    return board


def state_of(draft: Draft, change: Change) -> str:
    """Whether a draft has a change, could take it, or has gone on so that it no longer fits."""
    try:
        step_of(draft, [change])
        return OPEN
    except StepError:
        try:
            step_of(draft, [_turned(change)])
            return ACCEPTED
        except StepError:
            return GONE


def step_for(draft: Draft, change: Change) -> Step:
    """The step that takes a change over, or takes it back if the draft has it; raises `StepError`."""
    if state_of(draft, change) == ACCEPTED:
        back = step_of(draft, [_turned(change)])
        return undone(step_of(applied(draft, back), [change]))  # by the name of what is taken back
    return step_of(draft, [change])


def _turned(change: Change) -> Change:
    return Change(change.kind, change.items, change.name, change.after, change.before)
