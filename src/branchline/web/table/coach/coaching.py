"""The coach of one connection: what it thinks of the question that is asked, and how much of it was shown.

It thinks in processes of their own, for which all rooms stand in line fairly, and only of the question that is asked
now: when the position changes, what was begun is ended. What it has said is forgotten with the connection; that it has
helped stands in the log.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from branchline.bots import Position
from branchline.game import IllegalAction
from branchline.plain_data import JsonObject
from branchline.teaching.coach import Advice, Caution, Coach
from branchline.web.core.jobs import Job, WorkBudget
from branchline.web.core.rooms import coach, seats
from branchline.web.core.rooms.fair_threads import FairThreads
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.room import Refused, Room
from branchline.web.core.seen import TableContext
from branchline.web.core.store.outage import Unavailable

log = logging.getLogger("branchline.coach")

PATIENCE = 2.5  # seconds for which an action waits for the coach; then it is played without a word
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
    task: asyncio.Task[Advice | None] | None = None  # what is best; None comes of it when nobody could tell
    caution: Caution | None = None
    action: str = ""  # that the caution is about: pressed again, it is played


class Coaching:
    """All methods are called from the event loop."""

    def __init__(self, threads: FairThreads, live: LiveRooms, live_room: LiveRoom, changed: Callable[[], None]) -> None:
        """Begin; `changed` is called when there is something new to show."""
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
            thought.task = asyncio.create_task(self._advice(self._live_room.room))
            thought.task.add_done_callback(lambda _: self._changed())

    async def _advice(self, room: Room) -> Advice | None:
        """Return the best move, or None when nobody could tell."""
        try:
            position = Position.of(room.game)
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
        "caution": thought.caution,
        "action": thought.action,
    }
