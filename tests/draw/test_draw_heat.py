"""Heat on a board: as hot as the shares say, and nothing else changed."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from branchline.boards import load_board
from branchline.draw import Chord, Heat, board_style, board_svg
from branchline.draw.colour_vision import seen_as
from branchline.draw.heat import step_of
from branchline.draw.page import PAGE, heat_properties, properties
from branchline.draw.palette import HEAT, THEMES

BOARD = load_board("berlin")


def test_every_route_is_as_hot_as_its_share() -> None:
    drawn = board_svg(BOARD, heat=Heat("use", {0: 0.0, 1: 0.55, 2: 1.0}, {1: "claimed in 55% of games"}))
    found = {
        int(route): int(step) for step, route in re.findall(r'class="route [^"]*heat(\d)" data-route="(\d+)"', drawn)
    }
    assert found[0] == 0 and found[1] == 5 and found[2] == 9
    assert len(found) == len(BOARD.routes)
    assert "claimed in 55% of games</title>" in drawn


@pytest.mark.parametrize(("share", "step"), [(-1.0, 0), (0.0, 0), (0.099, 0), (0.1, 1), (0.95, 9), (1.0, 9), (7.0, 9)])
def test_shares_fall_into_ten_steps(share: float, step: int) -> None:
    assert step_of(share) == step


def test_lines_run_from_place_to_place_and_are_told() -> None:
    first, second, third = (place.index for place in BOARD.places[:3])
    drawn = board_svg(BOARD, heat=Heat("tickets", chords=(Chord((first, second, third), 0.42, 1.0, "<A & B>"),)))
    assert '<g class="routes quiet">' in drawn
    assert "<title>&lt;A &amp; B&gt;</title>" in drawn
    (path,) = set(re.findall(r'class="chord c4" d="([^"]*)"', drawn))
    assert path.count("Q") == 2


def test_a_drawing_without_heat_knows_nothing_of_it() -> None:
    assert "heat" not in board_svg(BOARD) and "chord" not in board_svg(BOARD)
    assert "heat" not in board_style(BOARD) and "heat9" in board_style(BOARD, heat=True)


@pytest.mark.parametrize("theme", HEAT)
def test_the_steps_are_told_apart_by_lightness_alone(theme: str) -> None:
    lightness = [seen_as(colour, "full")[0] for colour in HEAT[theme]]
    apart = [after - before for before, after in pairwise(lightness)]
    assert len(lightness) == 10
    assert all(one < -2 for one in apart) or all(one > 2 for one in apart)


def test_a_page_has_every_property_that_its_drawings_ask_for() -> None:
    asked = set(re.findall(r"var\((--[a-z0-9-]+)\)", board_svg(BOARD, theme=PAGE, heat=Heat("use"))))
    for theme in THEMES.values():
        given = set(re.findall(r"(--[a-z0-9-]+):", properties(theme) + heat_properties(theme)))
        assert asked <= given
