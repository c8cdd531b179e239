"""How boards of the workshop play: asked for by people, played one after the other in a process of their own.

There is one line for all boards, and it is not long; nobody takes it up alone. Games and figures are made in a process
apart, which has a budget (`core.jobs`); figures come while the games are played. The server process that had them
played notes in the store how far it is, so every process of the server can show it; what was found
stays there with the draft.

What a browser has found in the server's place (`work_of`) is shown to that browser only.
"""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import secrets
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from branchline.arena.balance import AtSeats, Balance, figures, play_balance
from branchline.arena.balance.improve import Change, TriedChange, changed, suggestions, tried
from branchline.arena.executors import EngineMaker, in_threads
from branchline.boards import Board, BranchlineError
from branchline.plain_data import JsonObject
from branchline.web.core.caches import A_LETTER, BOARD, MEGABYTE, Cache
from branchline.web.core.jobs import Job, Stopped, WorkBudget
from branchline.web.core.rooms import kept_boards
from branchline.web.core.rooms.room import Refused
from branchline.web.core.store.database import Store
from branchline.web.workshop import balance_store as balances
from branchline.web.workshop.balance_store import BalanceRow
from branchline.web.workshop.kept_figures import KeptError, as_text, from_text
from branchline.web.workshop.store import DraftRow
from branchline.workshop import Draft, Step, StepError, applied, undone
from branchline.workshop.improving import step_of

log = logging.getLogger("branchline.server")

GAMES = 100 if sys.platform == "emscripten" else 1_000  # at each number of seats
SECONDS = 240.0  # no game is begun later
SEED = 1
ON: str | EngineMaker
JOBS, ON = (1, "processes") if sys.platform == "emscripten" else (2, in_threads)  # that play, of one process
BUDGET = WorkBudget(JOBS * SECONDS + 60.0)  # the last games and the figures take some seconds more
BEAT = 1.0  # seconds between two notes of how far the games are
KEEP = 5.0  # seconds, at least, between two notes of what was found so far
MEMORY = 16 * MEGABYTE  # of figures that need not be read again
_WAITING = 6  # that may stand in line
_OF_ADDRESS = 2  # of these, asked for from one address

ACCEPTED, OPEN, GONE = "accepted", "open", "gone"


@dataclass
class BalanceJob:
    """The games on one board, or how far they have come."""

    board: Board
    version: int  # of the draft
    mark: str = ""  # in the store
    address: str = ""  # of whoever asked for it
    played: int = 0
    asked: int = 0
    looks: int = 0  # how often there was something new to see
    found: Balance | None = None  # so far, or at the end
    changes: tuple[Change, ...] = ()
    tried: tuple[TriedChange, ...] | None = None
    improving: bool = False  # the changes are being tried
    running: bool = True
    failed: bool = False
    stopped: bool = False  # nobody wants more games: they end with what there is
    end: Callable[[], None] | None = None  # ends the process that plays
    kept: tuple[int, float] = (0, 0.0)  # the looks that the store has, and when it got them

    def look(self, seen: Seen | None) -> None:
        """Take in what is known by now."""
        if seen is not None:
            self.found, self.changes = seen
            self.looks += 1

    def stop(self) -> None:
        """End the games, or do not begin them."""
        self.stopped = True
        if self.end is not None:
            self.end()


Seen = tuple[Balance, tuple[Change, ...]]
"""Figures, and the changes that they suggest."""
Tell = Callable[[tuple[int, int] | Seen | None], None]


class Balances:
    """All games of a server that say how a board plays. What is here blocks, or begins work in a thread."""

    def __init__(self, store: Store) -> None:
        """Begin with the games in the store, and none being played."""
        self._store = store
        self._lock = threading.Lock()
        self._mine: dict[str, BalanceJob] = {}  # by draft: those that this process plays, or has in line
        self._read: Cache[tuple[str, int], BalanceJob] = Cache("balances", MEMORY)  # by mark and looks
        self._own: Cache[tuple[str, str], BalanceJob] = Cache("own balances", MEMORY)  # by draft and browser
        self._thread = ThreadPoolExecutor(1, "balance")  # it waits for the process that plays
        self._beats: threading.Thread | None = None

    def of(self, draft: str, browser: str = "") -> BalanceJob | None:
        """Return the games on a draft, if anybody has asked for them, here or elsewhere; or those that this browser has
        played itself, unless the server knows of a later version.
        """
        everybodys, own = self._of_all(draft), self._own.get((draft, browser))
        if own is None or (everybodys is not None and (everybodys.running or everybodys.version > own.version)):
            return everybodys
        return own

    def keep_own(self, draft: str, browser: str, job: BalanceJob, size: int) -> None:
        """Show what a browser has found to that browser, as long as there is room for it; `size`: of its text."""
        self._own.put((draft, browser), job, BOARD + A_LETTER * size)

    def _of_all(self, draft: str) -> BalanceJob | None:
        mine = self._mine.get(draft)
        if mine is not None:
            return mine
        row = balances.load(self._store, draft)
        return None if row is None else self._seen(row)

    def begin(self, row: DraftRow, board: Board, address: str) -> None:
        """Have a board played. Raise `Refused` when the line is too long.

        While its games are being played nothing else is begun on the same draft.
        """
        job = BalanceJob(board, row.version, secrets.token_hex(12), address)
        there = balances.load(self._store, row.id)
        if there is None or not there.running:
            self._queue(row.id, job, BalanceRow(row.id, job.mark, job.version, row.content, address, time.time()))

    def improve(self, draft: str, address: str) -> None:
        """Have the suggested changes tried by the same games. Raise `Refused` as `begin` does."""
        job, row = self.of(draft), balances.load(self._store, draft)
        if job is None or row is None or job.running or not job.changes or job.tried is not None:
            return
        job = replace(job, address=address, running=True, improving=True, played=0, stopped=False)
        row = replace(row, address=address, beat=time.time(), running=True, improving=True, played=0, stopped=False)
        self._queue(draft, job, row)

    def stop(self, draft: str) -> None:
        """End the games with what there is, wherever they are played."""
        mine = self._mine.get(draft)
        if mine is not None:
            mine.stop()
        else:
            balances.stop(self._store, draft)

    def close(self) -> None:
        """Stop all games."""
        for job in list(self._mine.values()):
            job.stop()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _queue(self, draft: str, job: BalanceJob, row: BalanceRow) -> None:
        with self._lock:
            waiting = balances.waiting(self._store)
            if len(waiting) >= _WAITING or waiting.count(job.address) >= _OF_ADDRESS:
                raise Refused("too_many", "too many boards are being played")
            if not balances.begin(self._store, row):
                return  # somebody else was quicker
            self._mine[draft] = job
            if self._beats is None or not self._beats.is_alive():
                self._beats = threading.Thread(target=self._beat, name="balance beats", daemon=True)
                with contextlib.suppress(RuntimeError):  # a browser has no threads, and nobody else who asks
                    self._beats.start()
        self._make(draft, job)

    # ---------------------------------------------------------------------------------------------- in the store

    def _seen(self, row: BalanceRow) -> BalanceJob | None:
        """Return what the store knows. Figures are read once, so that pages made of them can be kept."""
        key = row.mark, row.looks
        known = self._read.get(key)
        if known is None:
            board = board_of(Draft.from_json(json.loads(row.content)))
            known = BalanceJob(board, row.version, row.mark)
            if row.found is not None:
                try:
                    known.found, known.changes, known.tried = from_text(row.found, board)
                except KeptError as error:
                    log.warning("the figures of draft %s cannot be read: %s", row.draft, error)
                    return None
            self._read.put(key, known, BOARD + A_LETTER * len(row.found or ""))
        progress = {name: getattr(row, name) for name in ("played", "asked", "looks", "running", "improving", "failed")}
        return replace(known, **progress)

    def _beat(self) -> None:
        """Note how far the games of this process are, as long as there are any."""
        pause = threading.Event()
        while True:
            pause.wait(BEAT)
            for draft, job in list(self._mine.items()):
                try:
                    self._note(draft, job)
                except Exception:
                    log.exception("how far the games on draft %s are cannot be noted", draft)
            with self._lock:
                if not self._mine:
                    self._beats = None
                    return

    def _note(self, draft: str, job: BalanceJob, **values: object) -> None:
        looks, balance = job.looks, job.found
        if balance is not None and looks != job.kept[0] and (values or time.time() - job.kept[1] >= KEEP):
            values |= {"looks": looks, "found": as_text(balance, job.changes, job.tried)}
            job.kept = looks, time.time()
        values |= {"played": job.played, "asked": job.asked}
        if not balances.go_on(self._store, draft, job.mark, **values):
            job.stop()

    # ---------------------------------------------------------------------------------------------- the games

    def _make(self, draft: str, job: BalanceJob) -> None:
        """Begin to play in a process of its own; `_made` is called in the end."""

        def hear(said: tuple[int, int] | Seen | None) -> None:
            if isinstance(said, tuple) and isinstance(said[0], int):
                job.played, job.asked = said
            else:
                job.look(said)

        if job.improving:
            assert job.found is not None
            work: Job[Any] = Job(BUDGET, tried_out, job.board, GAMES, job.changes, job.found)
        else:
            work = Job(BUDGET, played, job.board, GAMES)
        job.end = work.stop
        self._thread.submit(work.run, hear).add_done_callback(functools.partial(self._made, draft, job))

    def _made(self, draft: str, job: BalanceJob, made: Future[Any]) -> None:
        try:
            if job.improving:
                job.tried = made.result()
                job.looks += 1
            else:
                job.look(made.result())
        except (Stopped, CancelledError):
            log.info("the games on %s were stopped", job.board.id)
        except BranchlineError as error:
            log.warning("%s cannot be balanced: %s", job.board.id, error)
            job.failed = True
        except Exception:
            log.exception("%s cannot be balanced", job.board.id)
            job.failed = True
        finally:
            job.end = None
            self._end(draft, job)

    def _end(self, draft: str, job: BalanceJob) -> None:
        """Keep what was found. From then on the store knows better than this process."""
        with self._lock:
            del self._mine[draft]
        try:
            self._note(draft, job, running=False, improving=False, failed=job.failed, address="")
        except Exception:
            log.exception("the figures of draft %s cannot be kept", draft)
        job.improving = job.running = False


def work_of(board: Board, job: BalanceJob | None = None) -> JsonObject | None:
    """Return what a browser needs for `worked_out`; with figures, for `changes_tried`. None where the board is gone."""
    handed = kept_boards.handed_over(board)
    if handed is None:
        return None
    found = {} if job is None or job.found is None else {"found": as_text(job.found, job.changes, None)}
    return {"board": handed, "games": GAMES, **found}


def worked_out(tell: Callable[[JsonObject], None], work: JsonObject) -> str:
    """Return how a board plays, in a browser, as it is kept; `tell` hears the progress and what was found so far."""
    board = kept_boards.taken_over(work["board"])
    found = played(_telling(tell), board, work["games"])
    if found is None:
        raise BranchlineError("too few games were played")
    return as_text(*found, None)


def changes_tried(tell: Callable[[JsonObject], None], work: JsonObject) -> str:
    """Return the same with what the suggested changes do, in a browser."""
    board = kept_boards.taken_over(work["board"])
    before, changes, _ = from_text(work["found"], board)
    return as_text(before, changes, tried_out(_telling(tell), board, work["games"], changes, before))


def _telling(tell: Callable[[JsonObject], None]) -> Tell:
    def hear(said: tuple[int, int] | Seen | None) -> None:
        if said is None:
            return
        first, second = said
        if isinstance(first, int):
            tell({"done": first, "of": second})
        else:
            assert isinstance(second, tuple)
            tell({"found": as_text(first, second, None)})

    return hear


def played(tell: Tell, board: Board, games: int) -> Seen | None:
    """Return how a board plays; `tell` hears how many games are played of how many, and figures now and then."""
    return _seen(
        play_balance(
            board, games, SEED, seconds=SECONDS, jobs=JOBS, on=ON,
            on_progress=lambda done, asked: tell((done, asked)),
            on_look=lambda so_far: tell(_seen(so_far)),
        )
    )  # fmt: skip


def tried_out(
    tell: Tell, board: Board, games: int, changes: tuple[Change, ...], before: Balance
) -> tuple[TriedChange, ...]:
    """Return what changes do, by the same games on the changed board; `tell` hears how far they are."""
    after = play_balance(
        changed(board, changes), games, SEED, seconds=SECONDS, jobs=JOBS, on=ON,
        on_progress=lambda done, asked: tell((done, asked)),
    )  # fmt: skip
    return tried(changes, before, figures(after))


def _seen(so_far: tuple[AtSeats, ...]) -> Seen | None:
    """Return what is known by then; None: too little was played."""
    found = figures(so_far)
    return (found, suggestions(found)) if found.tables else None


def board_of(draft: Draft) -> Board:
    """Return the board that a draft makes, for games and drawings. Raise `BoardError`."""
    return kept_boards.made_of(draft.files(), draft.backdrop_file).board


def state_of(draft: Draft, change: Change) -> str:
    """Return whether a draft has a change, could take it, or has gone on so that it no longer fits."""
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
    """Return the step that makes a change, or takes it back if the draft has it. Raise `StepError`."""
    if state_of(draft, change) == ACCEPTED:
        back = step_of(draft, [_turned(change)])
        return undone(step_of(applied(draft, back), [change]))  # by the name of what is taken back
    return step_of(draft, [change])


def _turned(change: Change) -> Change:
    return Change(change.kind, change.items, change.name, change.after, change.before)
