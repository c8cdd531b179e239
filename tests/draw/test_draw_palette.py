"""Colours stay apart for everybody; symbols and patterns say the same once more."""

from __future__ import annotations

from itertools import pairwise

import pytest

from branchline.boards import COLOURS
from branchline.draw import palette
from branchline.draw.colour_vision import VISION, apart, closest, distance, seen_as


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [  # from the test data of Sharma, Wu and Dalal (2005)
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (61.0, -5.0, 29.0), 22.8977),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_distance_is_CIEDE2000(one, two, expected):
    assert apart(one, two) == pytest.approx(expected, abs=1e-4)
    assert apart(two, one) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("vision", VISION)
def test_gray_stays_gray_in_every_vision(vision):
    lightness, a, b = seen_as("#808080", vision)
    assert lightness == pytest.approx(53.6, abs=0.2)
    assert abs(a) < 0.2
    assert abs(b) < 0.2


def test_all_route_colours_stay_apart_in_every_vision():
    assert set(palette.ROUTE_COLOURS) == {*COLOURS, "gray"}
    found, *who = closest(palette.ROUTE_COLOURS)
    assert found >= palette.CARDS_APART, who


def test_all_seats_stay_apart_in_every_vision():
    found, *who = closest({look.name: look.colour for look in palette.SEATS})
    assert found >= palette.SEATS_APART, who


@pytest.mark.parametrize("vision", VISION)
def test_no_seat_is_taken_for_a_route_colour(vision):
    for look in palette.SEATS:
        for name, colour in palette.ROUTE_COLOURS.items():
            assert distance(look.colour, colour, vision) >= palette.SEAT_FROM_CARD, (look.name, name)


def test_seats_stay_apart_in_grey_and_from_the_accent():
    """From dark to light, and no seat looks like "you may do this"."""
    lightness = [seen_as(look.colour, "full")[0] for look in palette.SEATS]
    assert min(after - before for before, after in pairwise(lightness)) >= palette.SEATS_APART_IN_GREY
    for look in palette.SEATS:
        for theme in palette.THEMES.values():
            assert distance(look.colour, theme.accent) >= palette.SEATS_FROM_ACCENT, (look.name, theme.name)


def test_every_seat_has_a_mark_that_shows_on_its_colour():
    for look in palette.SEATS:
        assert _contrast(palette.mark_colour(look), look.colour) >= 3, look.name


def test_every_colour_has_its_own_symbol_and_every_seat_its_own_mark():
    for symbols in (palette.SYMBOLS, palette.SYMBOL_LETTERS):
        assert set(symbols) == set(palette.CARD_COLOURS) == set(COLOURS)
        assert len(set(symbols.values())) == len(symbols)
    assert len({look.mark for look in palette.SEATS}) == len(palette.SEATS) == 5


@pytest.mark.parametrize("name", palette.THEMES)
def test_names_are_easy_to_read_on_land_and_sea(name):
    theme = palette.THEMES[name]
    for ground in (theme.land, theme.sea, theme.halo):
        assert _contrast(theme.ink, ground) >= 7, ground


@pytest.mark.parametrize("colour", palette.ROUTE_COLOURS.values())
def test_symbols_show_on_their_colour(colour):
    assert _contrast(palette.symbol_colour(colour), colour) >= 2.9


def _contrast(one: str, two: str) -> float:
    light, dark = sorted((_light(one), _light(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _light(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))
