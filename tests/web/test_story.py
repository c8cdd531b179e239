"""The line of what the others have done since the viewer decided last, and what it marks on the map."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from branchline.web.core.rooms.perspective import Viewer, table_context
from branchline.web.core.rooms.room import Room
from branchline.web.core.security.signing import Signer
from branchline.web.core.seen import TableContext
from branchline.web.core.visit import Visit
from branchline.web.table.story import entries, story
from table import COSTLY_EDITIONS
from web.games import a_room, walk

SIGNER = Signer(b"0" * 32)


def seen(room: Room, seat: int | None, language: str = "en") -> TableContext:
    mine = () if seat is None else (seat,)
    return table_context(room, Viewer(mine=mine, host=False, invited=True, visit=Visit(language=language)), SIGNER)


def marks(context: TableContext) -> set[str]:
    said = re.search(r'data-lately="([^"]*)"', story(context))
    assert said is not None
    return set(said[1].split())


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_what_others_built_is_marked_in_their_colours_until_the_viewer_acts(edition: str) -> None:
    room = a_room(edition, seed=4)
    expected: set[str] = set()
    told = 0
    for after in walk(room, seed=4, most=400):
        if after.game.over:
            break
        row = after.steps[-1].row
        if row.seat == 1 and after.steps[-1].events:
            expected = set()
        for event in after.steps[-1].events:
            if row.seat != 1 and event.kind in ("claim", "station", "port"):
                thing = f"route-{event.route.index}" if event.route else f"place-{event.place.index}"  # type: ignore[union-attr]
                expected.add(f"{thing}:{row.seat}")
        assert marks(seen(after, 1)) == expected
        told += bool(expected)
    assert told > 20


def test_it_tells_cards_and_tickets_by_number_only_and_nothing_to_those_who_watch_or_when_the_game_is_over() -> None:
    rooms = list(walk(a_room("europe", seats=2, seed=2), seed=2))
    drawn = next(one for one in rooms if [event.kind for event in one.steps[-1].events][:1] == ["blind"])
    drawer = drawn.steps[-1].row.seat
    html = story(seen(drawn, 1 - drawer))
    assert re.search(r"\b[12] cards?<", html)
    secret = drawn.steps[-1].events[0].secret
    assert secret and secret[0] not in html
    assert entries(seen(drawn, None)) == () and "hidden" in story(seen(drawn, None))
    assert entries(seen(rooms[-1], 0)) == ()


def test_many_steps_that_went_by_are_told_by_the_last_of_them() -> None:
    room = list(walk(a_room("berlin", seats=2, seed=3), seed=3, most=60))[-1]
    context = seen(room, 0)
    others = tuple(replace(entry, seat=1) for entry in context.log)
    assert 0 < len(entries(replace(context, log=others * 3))) <= 40


@pytest.mark.parametrize("language", ("pl", "cs", "de"))
def test_it_speaks_the_language_of_the_reader(language: str) -> None:
    room = next(one for one in walk(a_room("europe", seats=2, seed=2), seed=2) if len(entries(seen(one, 0))) > 1)
    assert story(seen(room, 0)) != story(seen(room, 0, language))
