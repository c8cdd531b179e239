"""Guides: who sits beside a person at a table of their own, sets a task, and says why an answer is not the one.

A guided room begins from a position (`creation.from_position`) and belongs to one browser: it is in no list and is
deleted after a few days. Its guide is a small value that is kept with the room. What a guide says and accepts is up to
its kind, which a module above registers; the room, the table and its pages are those of every game.
"""

from __future__ import annotations

from typing import Protocol

from branchline.web.core.rooms.guide import Guide
from branchline.web.core.rooms.room import Room
from branchline.web.core.rooms.store_threads import StoreThreads
from branchline.web.core.seen import GuideView


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

    async def noted(self, threads: StoreThreads, room: Room, guide: Guide, refused: bool) -> None:
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
