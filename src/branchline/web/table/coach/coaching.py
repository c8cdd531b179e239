"""The coach of one connection: what it thinks of the question that is asked, and how much of it was shown.

It thinks in processes of their own, for which all rooms stand in line fairly, and only of the question that is asked
now: when the position changes, what was begun is ended. What it has said is forgotten with the connection; that it has
helped stands in the log.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from branchline.analysis.comparison import Comparison
from branchline.analysis.moves import heard, told
from branchline.boards import BranchlineError
from branchline.bots import Position
from branchline.bots.api.bot import seen_in
from branchline.bots.search.reasons import Reason
from branchline.game import IllegalAction
from branchline.plain_data import JsonObject
from branchline.rules import kernel
from branchline.rules.state import STATE
from branchline.teaching.coach import DETAILS, Advice, Caution, Coach
from branchline.web.core.jobs import Job, WorkBudget
from branchline.web.core.pages import decisions
from branchline.web.core.pages.translation import translator_for
from branchline.web.core.rooms import coach, kept_boards, seats
from branchline.web.core.rooms.fair_threads import FairThreads
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.room import Refused, Room
from branchline.web.core.seen import TableContext
from branchline.web.core.store.outage import Unavailable

log = logging.getLogger("branchline.coach")

PATIENCE = 2.5  # seconds for which an action waits for the coach; then it is played without a word
BROWSER_PATIENCE = 20.0  # seconds for which a browser may look for a hint; then it is looked for here
STAGES = 3
BUDGET = WorkBudget(15.0)  # some times what its searches take

Answer = TypeVar("Answer")


class CoachThreads(FairThreads):
    """The threads in which the coach thinks, for all rooms of a process."""

    def __init__(self) -> None:
        super().__init__(1, "coach")


@dataclass
class _Thought:
    """What is thought of one question, and how much of it was shown."""

    step: int  # number of the last action before it
    seat: int
    stage: int = 0
    work: str = ""  # JSON: what the viewer's browser is to look for
    found: asyncio.Future[str] | None = None  # what it says
    task: asyncio.Task[Advice | None] | None = None  # what is best; None comes of it when nobody could tell
    caution: Caution | None = None
    action: str = ""  # that the caution is about: pressed again, it is played


class Coaching:
    """All methods are called from the event loop."""

    def __init__(
        self,
        threads: FairThreads,
        live: LiveRooms,
        live_room: LiveRoom,
        changed: Callable[[], None],
        in_browser: bool = False,
    ) -> None:
        """Begin; `changed` is called when there is something new to show. `in_browser`: hints are looked for there."""
        self._in_browser = in_browser
        self._threads, self._live, self._live_room, self._changed = threads, live, live_room, changed
        self._thought: _Thought | None = None

    def close(self) -> None:
        """Let go of the listener, or the two would hold each other."""
        self._forget()
        self._changed = _unheard

    # ------------------------------------------------------------------------------------------------ what is shown

    def shown(self, context: TableContext) -> TableContext:
        """Return a table with the coach's words beside it.

        If it warns, it begins to think as soon as it is the viewer's turn.
        """
        if context.coach is None or not context.coach.may or not context.my_turn:
            self._forget()
            return context
        assert context.seat is not None
        thought = self._about(self._live_room.room, context.seat)
        if context.coach.warns:
            self._think(thought)
        return replace(context, coach=replace(context.coach, **_said(thought)))

    # ------------------------------------------------------------------------------------------------ what is asked

    async def hint(self, seat: int) -> None:
        """Show one thing more: where to look, what to do, why. Raise `Refused` where there is nothing to be asked."""
        room = self._checked(seat)
        thought = self._about(room, seat)
        self._think(thought)
        ready = thought.task is not None and thought.task.done()
        if thought.stage == 0 or (ready and thought.stage < STAGES):
            thought.stage += 1
        self._changed()
        await self._note(seat, coach.HINT)

    def found(self, step: int, text: str) -> None:
        """Take what the viewer's browser says about a question; an empty text if it cannot look for a hint."""
        thought = self._thought
        if thought is not None and thought.step == step and thought.found is not None and not thought.found.done():
            thought.found.set_result(text)

    async def lets_pass(self, seat: int, action: str) -> bool:
        """Return whether an action may be played at once; if it gives much away, warn first and return False.

        A second time it may. So may all that nobody can judge in time.
        """
        try:
            room = self._checked(seat)
            number = int(room.game.legal.by_text(action.partition(" with ")[0]))
        except (Refused, IllegalAction):
            return True  # why not, whoever plays it says
        thought = self._about(room, seat)
        if thought.action == action:
            return True
        try:
            async with asyncio.timeout(PATIENCE):
                caution = await self._cautioned(room, thought, number)
        except TimeoutError:
            return True
        except Exception:
            log.exception("the coach failed in room %s", room.id)
            return True
        if caution is None or thought is not self._thought:
            return True
        thought.caution, thought.action = caution, action
        self._changed()
        await self._note(seat, coach.CAUTION)
        return False

    def _checked(self, seat: int) -> Room:
        room = self._live_room.room
        if room.question.seat != seat or not coach.may_ask(room, seat) or seats.automatic(room.seats[seat]):
            raise Refused("no_coach", "the coach has nothing to say now")
        return room

    async def _note(self, seat: int, kind: str) -> None:
        """Have the log say, once for each question, that the coach has helped."""

        def noted(room: Room) -> Any:
            if coach.asked_already(room, seat, kind):
                raise Refused("stale", "it is noted already")
            return room.noted(seat, kind, time.time())

        try:
            await self._live.change(self._live_room, noted)
        except (Refused, Unavailable):
            return

    # ------------------------------------------------------------------------------------------------ thinking

    def _about(self, room: Room, seat: int) -> _Thought:
        """Return the coach's thoughts on the question that is asked now."""
        step, thought = room.steps[-1].row.n if room.steps else 0, self._thought
        if thought is None or (thought.step, thought.seat) != (step, seat):
            self._forget()
            thought = self._thought = _Thought(step, seat)
        return thought

    def _forget(self) -> None:
        if self._thought is not None and self._thought.task is not None:
            self._thought.task.cancel()
        self._thought = None

    def _think(self, thought: _Thought) -> None:
        if thought.task is None:
            room = self._live_room.room
            work = work_of(Position.of(room.game), room.row.version) if self._in_browser else None
            if work is not None:
                thought.work = json.dumps(["hint", work])
                thought.found = asyncio.get_running_loop().create_future()
            thought.task = asyncio.create_task(self._advice(room, thought))
            thought.task.add_done_callback(lambda _: self._changed())

    async def _advice(self, room: Room, thought: _Thought) -> Advice | None:
        """Return the best move, or None when nobody could tell."""
        try:
            position = Position.of(room.game)
            if thought.found is not None:
                with contextlib.suppress(TimeoutError, NoAdvice):
                    text = await asyncio.wait_for(thought.found, BROWSER_PATIENCE)
                    return await asyncio.to_thread(found_elsewhere, text, position)
            return await self._apart(_advised, position, room.row.version)
        except Exception:
            log.exception("the coach failed in room %s", room.id)
            return None

    async def _cautioned(self, room: Room, thought: _Thought, number: int) -> Caution | None:
        """Return the warning about an action, or None; never about what the coach itself would do."""
        if thought.task is not None:
            advice = await asyncio.shield(thought.task)
            if advice is not None and advice.action == number:
                return None
        position = Position.of(room.game)
        return await self._apart(_looked_at, position, number, room.row.version)

    async def _apart(self, function: Callable[..., Answer], *arguments: object) -> Answer:
        """Return what a function answers in a process of its own, which is ended when nobody waits any more."""
        job = Job(BUDGET, function, *arguments)
        try:
            async with self._threads.turn(self._live_room) as submit:
                answer: Answer = await submit(job.run)
                return answer
        finally:
            job.stop()


def _unheard() -> None:
    """Ignore a change when nobody listens any more."""


def work_of(position: Position, seed: int) -> JsonObject | None:
    """Return what a browser needs to look for a hint, no more than its seat may know; None where that is not for it:
    its board is gone, or the answer is there at once.
    """
    board = None if position.question in DETAILS else kept_boards.handed_over(position.board)
    if board is None:
        return None
    state = base64.b64encode(kernel.buffer_of(position.state).tobytes()).decode()
    return {"board": board, "state": state, "seat": position.seat, "legal": position.legal, "seed": seed}


def worked_out(_tell: Callable[[JsonObject], None], work: JsonObject) -> str:
    """Return the best move in such a position, its chance and the reasons, in a browser."""
    buffer = kernel.new_buffer(STATE)
    buffer.view("u1")[:] = np.frombuffer(base64.b64decode(work["state"]), "u1")
    board = kept_boards.taken_over(work["board"])
    advice = _advised(Position(board, seen_in(buffer), work["seat"], tuple(work["legal"])), work["seed"])
    return json.dumps(
        {
            "action": advice.action,
            "chance": advice.chance,
            "reason": told(advice.reason) if advice.reason else None,
            "compared": advice.compared.as_dict() if advice.compared else None,
        }
    )


class NoAdvice(BranchlineError):  # noqa: N818  it reads as a sentence
    """What a browser has sent is no hint."""


def found_elsewhere(text: str, position: Position) -> Advice:
    """Return the hint that a browser has found, for its own viewer. Raise `NoAdvice` where it cannot be one."""
    try:
        data, board = json.loads(text), position.board
        reason = heard(Reason, data["reason"], board) if data["reason"] else None
        compared = Comparison.from_dict(data["compared"], board)
        words = translator_for("en")
        decisions.why(words, reason)
        decisions.compared(words, board, compared)
        action = position.legal[position.legal.index(data["action"])]
        if not 0 <= data["chance"] <= 1:
            raise ValueError("a chance is from 0 to 1")
        return replace(Coach().explained(position, action, data["chance"]), reason=reason, compared=compared)
    except Exception as error:  # there are many ways to be no hint
        raise NoAdvice(f"this is no hint: {type(error).__name__}") from None


def _advised(position: Position, seed: int) -> Advice:
    return Coach().advise(position, seed)


def _looked_at(position: Position, number: int, seed: int) -> Caution | None:
    return Coach().caution(position, number, seed)


def _said(thought: _Thought) -> JsonObject:
    """Return what a page may show of a thought: no more of the hint than was asked for."""
    advice, stage = None, thought.stage
    ready = thought.task is not None and thought.task.done() and not thought.task.cancelled()
    if stage and ready and thought.task is not None:
        advice = thought.task.result()
    return {
        "stage": stage,
        "thinking": stage > 0 and not ready,
        "advice": advice,
        "work": thought.work if thought.found is not None and not thought.found.done() else "",
        "step": thought.step,
        "caution": thought.caution,
        "action": thought.action,
    }
