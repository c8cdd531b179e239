"""Observations: complete, of nothing that is hidden, the same everywhere, and laid out as the page says."""

from __future__ import annotations

import hashlib
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import branchline as bl
from branchline.envs import VERSION, decode, layout_of, mask_of, observe
from branchline.envs.layout import AT, COUNT, HOW, LOW, ONE_HOT, OWNER, SIZE, START, STEP, WIDE, Layout
from branchline.rules import kernel, knowledge
from branchline.rules.state import ACTIONS, CLOSED, LEFT_GAME, PASS
from table import COSTLY_SEATINGS, EDITIONS

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"
LAYOUTS = {  # version, size with two seats, and a digest of what is told where; another digest wants another version
    "germany": "2 1784 1b2a1176fd3f",
    "europe": "2 1373 076942248d40",
    "berlin": "2 680 f86b3b605ae0",
    "world": "2 1605 0a6b6c354cc7",
    "great_lakes": "2 1421 ae5be292a0d0",
}


def walk(edition: str, seats: int, every: int) -> Iterator[bl.Game]:
    """Positions of a random game, now and then."""
    game, luck = bl.Game(bl.load_board(edition), seats, seats), random.Random(seats)
    while not game.over:
        if len(game.actions) % every == 0:
            yield game
        game.play(luck.choice(game.legal))


def as_laid_out(layout: Layout, game: bl.Game, me: int) -> np.ndarray:
    """What a seat observes, written number by number as the layout's table of cells says."""
    plain = game.redacted(me).view(np.ndarray)
    numbers, out = {1: plain.view(np.int8), 2: plain.view(np.int16)}, np.zeros(layout.size, dtype=np.float32)
    for cell in layout.cells[me].tolist():
        how, start, low, size, step = (cell[column] for column in (HOW, START, LOW, SIZE, STEP))
        number = int(numbers[1 if cell[WIDE] == 1 else 2][cell[AT]])
        if how == COUNT:
            out[start] = (number - low) / size
        elif how == ONE_HOT:
            out[start + number - low] = 1.0
        elif how == OWNER and 0 <= number < layout.seats:
            out[start + (number - me) % layout.seats * step] = 1.0
        elif how == OWNER and number == CLOSED and size > layout.seats:
            out[start + layout.seats * step] = 1.0
        elif how not in (COUNT, ONE_HOT, OWNER) and number in (me, LEFT_GAME - me):
            out[start + (number != me) * step] = 1.0
    return out


@pytest.mark.parametrize(("edition", "seats"), COSTLY_SEATINGS)
def test_an_observation_is_what_the_layout_says_number_by_number(edition: str, seats: int) -> None:
    layout = layout_of(bl.load_board(edition), seats)
    for game in walk(edition, seats, every=23):
        for seat in range(seats):
            assert observe(layout, game, seat).tobytes() == as_laid_out(layout, game, seat).tobytes()


@pytest.mark.parametrize(("edition", "seats"), COSTLY_SEATINGS)
def test_HIDE_an_observation_gives_back_all_that_the_seat_may_know(edition: str, seats: int) -> None:
    layout = layout_of(bl.load_board(edition), seats)
    looked = 0
    for game in walk(edition, seats, every=11):
        for seat in range(seats):
            assert decode(layout, observe(layout, game, seat), seat).tobytes() == game.redacted(seat).tobytes()
            looked += 1
    assert looked > 15


@pytest.mark.parametrize("edition", EDITIONS)
def test_HIDE_no_observation_changes_with_what_is_hidden(edition: str) -> None:
    board = bl.load_board(edition)
    layout, other_worlds = layout_of(board, 2), 0
    for game in walk(edition, 2, every=13):
        for seat in range(2):
            twin = kernel.copy_of(game.redacted(seat))
            knowledge.imagine(kernel.record_in(board.tables), kernel.record_in(twin), seat, len(game.actions))
            other = bl.Game.resume(board, twin)
            assert observe(layout, other, seat).tobytes() == observe(layout, game, seat).tobytes()
            other_worlds += twin["hand"].tobytes() != game.state["hand"].tobytes()
    assert other_worlds > 5


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_mask_holds_the_legal_actions_and_is_never_empty(edition: str) -> None:
    for game in walk(edition, 2, every=7):
        asked = game.question.seat
        assert asked is not None
        assert tuple(np.flatnonzero(mask_of(game, asked))) == game.legal.numbers
        assert tuple(np.flatnonzero(mask_of(game, 1 - asked))) == (PASS,)
        assert mask_of(game, asked).shape == (ACTIONS,)


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_numbers_are_within_their_bounds(edition: str) -> None:
    layout = layout_of(bl.load_board(edition), 2)
    for game in walk(edition, 2, every=9):
        seen = observe(layout, game, 0)
        assert seen.shape == (layout.size,) and seen.dtype == np.float32
        assert (seen >= 0).all() and (seen <= layout.high).all()


def test_features_lie_one_behind_the_other_and_are_read_by_name() -> None:
    layout = layout_of(bl.load_board("europe"), 3)
    assert [one.start for one in layout.features[1:]] == [one.stop for one in layout.features[:-1]]
    game = bl.Game(layout.board, 3, 1)
    both = np.stack([observe(layout, game, seat) for seat in range(2)])
    owners = layout.part(both, "route_owner")
    assert owners.shape == (2, 4, len(layout.board.routes)) and not owners.any()
    assert layout.part(both[0], "hand").shape[0] == 3
    for seat in range(2):
        own = layout.part(both[seat], "hand")[0] * layout["hand"].scale
        assert own.sum() == pytest.approx(game.view(seat).hand.total())
    with pytest.raises(KeyError):
        layout["nonsense"]


def test_seats_are_counted_from_the_one_that_observes() -> None:
    layout = layout_of(bl.load_board("berlin"), 3)
    game = bl.Game(layout.board, 3, 1, first_seat=1)
    began = [layout.part(observe(layout, game, seat), "first_seat").ravel().tolist() for seat in range(3)]
    assert began == [[0, 1, 0], [1, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_layout_is_that_of_this_version(edition: str) -> None:
    layout = layout_of(bl.load_board(edition), 2)
    names = [(one.name, one.start, one.shape, one.scale) for one in layout.features]
    digest = hashlib.sha256(f"{names}{layout.cells[0][:, [HOW, LOW, SIZE, START, STEP]].tolist()}".encode()).hexdigest()
    assert f"{VERSION} {layout.size} {digest[:12]}" == LAYOUTS[edition]


@pytest.mark.long
def test_the_same_bytes_interpreted_and_in_another_process() -> None:
    script = (
        "import branchline as bl, hashlib, random\n"
        "from branchline.envs import layout_of, observe\n"
        "game, luck, found = bl.Game(bl.load_board('world'), 2, 5), random.Random(5), hashlib.sha256()\n"
        "layout = layout_of(game.board, 2)\n"
        "for _ in range(60):\n"
        "    found.update(observe(layout, game, game.question.seat).tobytes())\n"
        "    game.play(luck.choice(game.legal))\n"
        "print(found.hexdigest())\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script], env=os.environ | env, capture_output=True, text=True, check=True
        ).stdout
        for env in ({"BRANCHLINE_RULES": "interpreted"}, {"BRANCHLINE_RULES": "engine"})
    }
    assert len(said) == 1


def test_the_page_tells_of_every_feature() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    for edition in EDITIONS:
        for one in layout_of(bl.load_board(edition), 3).features:
            assert rows.get(one.name) == one.about, one.name
