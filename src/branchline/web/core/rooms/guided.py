"""What a person does in a room that may have a guide, who is asked first."""

from __future__ import annotations

from branchline.web.core.rooms import guides
from branchline.web.core.rooms.live_room import Acting, LiveRoom
from branchline.web.core.rooms.open_rooms import OpenRooms
from branchline.web.core.rooms.room import Room
from branchline.web.core.store.rows import Change


async def change(live: OpenRooms, live_room: LiveRoom, act: Acting, language: str, now: float) -> Room:
    """Do what `live.change` does for a person's action: a guide of the room first says whether it agrees.

    Raise `Refused(ANSWER, why)` if not.
    """
    guide = live_room.room.guide
    if guide is None:
        return await live.change(live_room, act)
    kind = guides.KINDS[guide.kind]
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
            await kind.noted(live, live_room.room, guide_before, refused)
