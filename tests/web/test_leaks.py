"""HIDE on the wire: every byte that a viewer is sent is a function of what that viewer may know.

The proof: for a viewer the hidden part of a room is dealt anew (`knowledge.imagine`: other hands, tickets, decks,
luck), the secrets of the others' events and texts are replaced, and their hidden steps are taken out of the log. What
the viewer is sent (page, fragments, panels, title, JSON) must be the same, byte for byte.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from branchline.game import Game
from branchline.rules import kernel, knowledge
from branchline.web.api import answers
from branchline.web.core.rooms.perspective import Viewer, table_context
from branchline.web.core.rooms.room import OVER, Room
from branchline.web.core.rooms.steps import Step
from branchline.web.core.security.signing import Signer
from branchline.web.core.store.rows import Snapshot
from branchline.web.core.visit import Visit
from branchline.web.table import page as table_page
from branchline.web.table import panels
from branchline.web.table.websocket import news
from table import EDITIONS
from web.games import a_room, walk

SIGNER = Signer(b"secret")
VISIT = Visit(csrf="csrf", nonce="nonce", origin="http://here")
NOW = 5000.0
QUICK = {("berlin", 0)}  # the others are long tests


def another_world(room: Room, viewer: Viewer, seed: int) -> Room:
    """A room that this viewer cannot tell from the room."""
    (seat,) = viewer.mine or (None,)
    box = room.game.redacted(seat)
    knowledge.imagine(kernel.record_in(room.board.tables), kernel.record_in(box), -1 if seat is None else seat, seed)
    game = Game.resume(room.board, box, seed=seed, actions=["0 nothing"])
    over = room.row.status == OVER

    def hidden(step: Step) -> bool:
        return not over and step.row.quiet and step.row.seat != seat

    def seen(step: Step) -> Step:
        if step.row.seat == seat:
            return step
        events = tuple(
            event if event.secret is None or event.seat == seat else replace(event, secret=("Nowhere–Never",))
            for event in step.events
        )
        return Step(replace(step.row, text="nothing", events="[]"), events)

    steps = tuple(seen(step) for step in room.steps if not hidden(step))
    log = tuple(row for row in room.log if over or not (row.quiet and row.seat != seat))
    return Room(
        row=replace(room.row, seed=seed, version=len(log), digest="another"),
        board=room.board,
        options=room.options,
        seats=room.seats,
        log=log,
        steps=steps,
        states=tuple(Snapshot(one.n, 1, b"") for one in room.states),
        game=game,
    )


def sent(room: Room, viewer: Viewer, before: Any = None) -> dict[str, Any]:
    """All that a viewer can be sent of a room."""
    context = table_context(room, viewer, SIGNER, NOW)
    game, view = room.perspective(context.seat)
    whats = [f"route-{n}" for n in range(0, len(room.board.routes), 9)] + [f"place-{n}" for n in (0, 7, 11)]
    return {
        "page": table_page.table(context),
        "fragments": table_page.fragments(context, before),
        "everything": table_page.fragments(context, None),
        "title": table_page.title(context),
        "panels": [panels.panel(context, what) for what in whats],
        "news": news(before, context),
        "version": context.version,
        "view": json.dumps(answers.view_json(view)),
        "legal": game.legal.texts if context.my_turn else None,
        "events": answers.events_since(room, viewer, 0),
        "undo": context.undo,
        "bytes": game.state.tobytes(),
        "context": context,
    }


@pytest.mark.parametrize(
    ("edition", "seat"),
    [
        pytest.param(edition, seat, marks=[] if (edition, seat) in QUICK else [pytest.mark.long])
        for edition in EDITIONS
        for seat in (0, 2, None)
    ],
)
def test_HIDE_every_byte_that_is_sent_follows_from_what_the_viewer_may_know(edition: str, seat: int | None) -> None:
    viewer = Viewer(mine=() if seat is None else (seat,), visit=VISIT)
    last: tuple[Any, Any] = (None, None)
    different = compared = 0
    for n, room in enumerate(walk(a_room(edition, seed=11), seed=12)):
        interesting = room.log[-1].quiet or room.question.kind not in ("turn", "second_card")
        if n % 25 and not (interesting and n % 7 == 0) and not room.game.over:
            continue
        twin = another_world(room, viewer, seed=n)
        here, there = sent(room, viewer, last[0]), sent(twin, viewer, last[1])
        last = here.pop("context"), there.pop("context")
        for what, content in here.items():
            assert content == there[what], f"{what} differs at step {n}: {room.question}"
        different += room.game.state.tobytes() != twin.game.state.tobytes()
        compared += 1
    assert compared > 10
    assert different == compared, "the other world was no other one"


@pytest.mark.parametrize("edition", EDITIONS)
def test_HIDE_covered_cards_are_a_spectators_view(edition: str) -> None:
    """Hot-seat: until the device is handed over nobody's cards are in what is sent."""
    covered = Viewer(mine=(0, 1, 2), visit=VISIT)
    for n, room in enumerate(walk(a_room(edition, seed=13), seed=13, most=40)):
        context = table_context(room, covered, SIGNER, NOW)
        assert context.seat is None and context.pass_to == room.row.asked
        assert context.game.state.tobytes() == room.game.redacted(None).tobytes()
        assert all(event.secret is None for entry in context.log for event in entry.events)
        if n % 10 == 0:
            handed = replace(covered, seat=room.row.asked)
            assert table_context(room, handed, SIGNER, NOW).seat == room.row.asked
