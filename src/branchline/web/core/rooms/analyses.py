"""Analyses of finished games: asked for by people, made one after the other, kept in the store.

An analysis takes a core for half a minute, so it is made in a process of its own, one at a time, and the line is not
long. A game that has just ended here is analysed by itself, unless another one is. While it is being made only this
server process knows of it, and what it has found so far; when it is ready, all do.

What a browser has found in the server's place (`work_of`) is shown to that browser only.
"""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass

from branchline.analysis import Analysis, AnalysisError, analyse
from branchline.boards import Board, BranchlineError
from branchline.game import Record
from branchline.plain_data import JsonObject
from branchline.web.core.caches import A_LETTER, MEGABYTE, Cache
from branchline.web.core.jobs import Job, Stopped, WorkBudget
from branchline.web.core.rooms import kept_boards
from branchline.web.core.rooms.room import OVER, Refused, Room
from branchline.web.core.store.database import Conflict, Store

log = logging.getLogger("branchline.server")

ROLLOUTS = 400  # games played out, at most, for each of two answers that are compared
BUDGET = WorkBudget(300.0)  # ten times what a long game takes
MEMORY = 16 * MEGABYTE  # of those that need not be read again
_FAILED = 100  # of which it is known that they failed
_WAITING = 8  # that may stand in line
_OF_ADDRESS = 3  # of these, asked for from one address


@dataclass
class AnalysisJob:
    """One game's analysis, or how far it has come."""

    actions: int  # of the game
    address: str = ""  # of whoever asked for it
    done: int = 0
    part: Analysis | None = None  # what is known so far
    found: Analysis | None = None
    failed: bool = False

    @property
    def running(self) -> bool:
        """Whether it is being made, or stands in line."""
        return self.found is None and not self.failed


class Analyses:
    """All analyses of a server. What is here blocks, or begins work in a thread."""

    def __init__(self, store: Store) -> None:
        """Begin with the analyses in the store, and none in the making."""
        self._store = store
        self._lock = threading.Lock()
        self._known: dict[str, AnalysisJob] = {}  # in the making, or failed
        self._ready: Cache[str, AnalysisJob] = Cache("analyses", MEMORY)
        self._own: Cache[tuple[str, str], AnalysisJob] = Cache("own analyses", MEMORY)  # by room and browser
        self._thread = ThreadPoolExecutor(1, "analysis")  # it waits for the process that works
        self._works: set[Job[dict[str, object]]] = set()
        self._closing = False

    def of(self, room: Room, browser: str = "") -> AnalysisJob | None:
        """Return the analysis of a room, if somebody has asked for it, or else the one that this browser has made."""
        return self._of_all(room) or self._own.get((room.id, browser))

    def keep_own(self, room: Room, browser: str, found: Analysis, size: int) -> None:
        """Show what a browser has found to that browser, as long as there is room for it; `size`: of its text."""
        job = AnalysisJob(found.steps, done=found.steps, found=found)
        self._own.put((room.id, browser), job, A_LETTER * size)

    def _of_all(self, room: Room) -> AnalysisJob | None:
        known = self._known.get(room.id) or self._ready.get(room.id)
        if known is not None:
            return known
        text = self._store.analysis(room.id)
        if text is None:
            return None
        try:
            analysis = Analysis.from_dict(json.loads(text), room.board)
        except AnalysisError as error:
            log.warning("the analysis of room %s cannot be read: %s", room.id, error)
            return None
        job = AnalysisJob(analysis.steps, done=analysis.steps, found=analysis)
        self._ready.put(room.id, job, A_LETTER * len(text))
        return job

    def _begun(self, room: Room, job: AnalysisJob) -> AnalysisJob:
        with self._lock:
            self._known[room.id] = job
            failed = [name for name, job in self._known.items() if job.failed]
            for name in failed[:-_FAILED]:
                del self._known[name]
        return job

    def _end(self, room: Room, job: AnalysisJob, text: str) -> None:
        self._ready.put(room.id, job, A_LETTER * len(text))
        with self._lock:
            self._known.pop(room.id, None)

    def begin(self, room: Room, address: str) -> AnalysisJob:
        """Have a finished game analysed. Raise `Refused` while it is being played, or when the line is too long.

        Nobody can take up the whole line from one `address`.
        """
        if room.row.status != OVER:
            raise Refused("running", "a game can be analysed when it is over")
        known = self._known.get(room.id) or self._ready.get(room.id)
        if known is not None and not known.failed:
            return known
        waiting = [job.address for job in self._known.values() if job.running]
        if len(waiting) >= _WAITING or waiting.count(address) >= _OF_ADDRESS:
            raise Refused("too_many", "too many games are being analysed")
        job = self._begun(room, AnalysisJob(len(moments(room)), address))
        self._make(job, room)
        return job

    def begin_if_idle(self, room: Room) -> None:
        """Have a game analysed that has just ended, if people played and there is nothing else to do.

        Not those of lessons and exercises.
        """
        busy = any(job.running for job in self._known.values())
        ours = room.guide is None and any(seat.kind != "bot" for seat in room.seats)
        if ours and not (busy or self._closing):
            self.begin(room, "")

    def _make(self, job: AnalysisJob, room: Room) -> None:
        """Begin work in a process of its own; `_made` is called in the end."""

        def hear(report: int | JsonObject) -> None:
            if isinstance(report, int):
                job.done = report
            else:
                job.part = Analysis.from_dict(report, room.board)

        work = Job(BUDGET, analysed, room.record(), room.board, ROLLOUTS)
        self._works.add(work)
        made = self._thread.submit(work.run, hear)
        made.add_done_callback(functools.partial(self._made, job, room))
        made.add_done_callback(lambda _: self._works.discard(work))

    def _made(self, job: AnalysisJob, room: Room, made: Future[dict[str, object]]) -> None:
        try:
            data = made.result()
            analysis = Analysis.from_dict(data, room.board)
            text = json.dumps(data)
            with contextlib.suppress(Conflict):  # another process was quicker, and found the same
                self._store.keep_analysis(room.id, text)
            job.found = analysis
            self._end(room, job, text)
        except (Stopped, CancelledError):
            job.failed = True
        except BranchlineError as error:
            log.warning("room %s cannot be analysed: %s", room.id, error)
            job.failed = True
        except Exception:
            if not self._closing:  # as the process ends, no thread can be begun any more
                log.exception("room %s cannot be analysed", room.id)
            job.failed = True

    def close(self) -> None:
        """End what is being made, and begin nothing more."""
        self._closing = True
        self._thread.shutdown(wait=False, cancel_futures=True)
        for work in list(self._works):
            work.stop()


def analysed(
    tell: Callable[[int | dict[str, object]], None], record: Record, board: Board, rollouts: int
) -> dict[str, object]:
    """Return the analysis of a game, as it is stored; `tell` hears the progress and what is known so far."""
    analysis = analyse(
        record, board=board, rollouts=rollouts, on_progress=tell, on_part=lambda part: tell(part.as_dict())
    )
    return analysis.as_dict()


def work_of(room: Room) -> JsonObject | None:
    """Return what a browser needs to analyse a finished game, for `worked_out`; None where its board is gone."""
    board = kept_boards.handed_over(room.board)
    return None if board is None else {"board": board, "record": room.record().to_table(), "rollouts": ROLLOUTS}


def worked_out(tell: Callable[[JsonObject], None], work: JsonObject) -> str:
    """Return the analysis of a game as it is stored, in a browser; `tell` hears the progress."""
    record = Record.from_json(json.dumps(work["record"]))

    def hear(report: int | dict[str, object]) -> None:
        if isinstance(report, int):
            tell({"done": report, "of": len(record.actions)})

    return json.dumps(analysed(hear, record, kept_boards.taken_over(work["board"]), work["rollouts"]))


def found_elsewhere(text: str, board: Board, seats: int, actions: int) -> Analysis:
    """Return the analysis that a browser has made of a game. Raise `AnalysisError` where it cannot be one."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise AnalysisError("this is no analysis: not JSON") from None
    found = Analysis.from_dict(data, board)
    decided, seen = {decision.step for decision in found.decisions}, {step for step, _ in found.course}
    if (found.steps, len(found.totals)) != (actions, seats) or not decided <= {*range(actions)} >= seen - {actions}:
        raise AnalysisError("this is the analysis of another game")
    return found


def moments(room: Room) -> tuple[int, ...]:
    """Return for each action of the record the number of the moment before it in the replay."""
    return tuple(n for n, step in enumerate(room.steps) for _ in step.row.text.split("\n"))
