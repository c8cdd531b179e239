"""Guides: who sits beside a person at a table of their own, sets a task, and says why an answer is not the one.

A guided room begins from a position (`creation.from_position`) and belongs to one browser: it is in no list and is
deleted after a few days. Its guide is a small value that is kept with the room. What a guide says and accepts is up to
its kind, which a module above registers; the room, the table and its pages are those of every game.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Protocol

from branchline.web.core.seen import GuideView

if TYPE_CHECKING:
    from branchline.web.core.rooms.live import LiveRooms
    from branchline.web.core.rooms.live_room import Acting, LiveRoom
    from branchline.web.core.rooms.room import Room
    from branchline.web.core.store.rows import Change

ANSWER = "guide"
"""The reason with which a guide refuses an answer: `Refused(ANSWER, sentence)`. The sentence is shown as it is."""


@dataclass(frozen=True)
class Guide:
    """What is kept of a guide with its room."""

    kind: str  # one of `KINDS`
    name: str  # which lesson, which exercise: up to the kind
    given: int = 0  # how many steps of the room are the position that was set up; what follows was played
    notes: str = ""  # what the kind keeps of how far its person is; `Room.with_notes` changes it

    def written(self) -> str:
        """Return the guide's state as it is kept."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def read(cls, text: str) -> Guide | None:
        """Return what `written` gave, or None for an empty text: there is no guide."""
        return cls(**json.loads(text)) if text else None


class Guiding(Protocol):
    """What a kind of guides does. None of it waits, but `noted`."""

    def view(self, room: Room, guide: Guide, language: str) -> GuideView:
        """Return what stands beside the table now."""

    def judge(self, before: Room, after: Room, guide: Guide, language: str) -> str | None:
        """Accept what was just played, which the rules allow; the notes to be kept from now on, None: as they are.

        Raise `Refused(ANSWER, why)`: then it was never played.
        """

    def reply(self, room: Room, guide: Guide) -> str | None:
        """Return the action of the bot that is asked, as text, or None: the bot decides."""

    async def noted(self, live: LiveRooms, live_room: LiveRoom, guide: Guide, refused: bool) -> None:
        """Note that an answer was written, or `refused`: the moment to keep what outlives the room."""


KINDS: dict[str, Guiding] = {}
"""The kinds of guides by name; a module that brings one puts it in here when it is imported."""


def view(room: Room, language: str) -> GuideView | None:
    """Return what a room's guide says, or None if there is none."""
    guide = room.guide
    return None if guide is None else KINDS[guide.kind].view(room, guide, language)


def reply(room: Room) -> str | None:
    """Return what a guide makes the bot do that is asked, or None: the bot decides."""
    guide = room.guide
    return None if guide is None else KINDS[guide.kind].reply(room, guide)


async def change(live: LiveRooms, live_room: LiveRoom, act: Acting, language: str, now: float) -> Room:
    """Do what `live.change` does for a person's action: a guide of the room first says whether it agrees.

    Raise `Refused(ANSWER, why)` if not.
    """
    guide = live_room.room.guide
    if guide is None:
        return await live.change(live_room, act)
    kind = KINDS[guide.kind]
    refused: bool | None = None  # None: there was nothing to be judged

    def guided(room: Room) -> tuple[Room, Change]:
        nonlocal refused
        after, change = act(room)
        if len(after.steps) <= len(room.steps) or room.guide is None:  # nothing was played
            return after, change
        refused = True
        notes = kind.judge(room, after, room.guide, language)
        refused = False
        if notes is None:
            return after, change
        after, noted = after.with_notes(notes, now)
        return after, change.then(noted)

    try:
        return await live.change(live_room, guided)
    finally:
        guide_before = live_room.room.guide
        if guide_before is not None and refused is not None:
            await kind.noted(live, live_room, guide_before, refused)
