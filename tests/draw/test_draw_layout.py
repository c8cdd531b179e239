"""Nothing collides: spaces, places, names, on all boards."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import hypot

import pytest
from measuring import names_on_spaces, overlapping_spaces, spaces_on_places

from branchline.boards import Place, load_board
from branchline.boards.board import LABEL_SIDES
from branchline.draw.arranging import arrange
from branchline.draw.curves import round_size
from branchline.draw.layout import layout_of
from branchline.draw.lettering import text_width
from branchline.draw.projection import sheet_of

SPACES_MAY_OVERLAP = 0.12  # breadths of a space; rounded corners hide as much
NAMES_MAY_TOUCH = 0.15  # a name's box is a little larger than its letters
SHORTEST = 1.8  # a space is never shorter than this, in its breadths


def _worst(found, one_name, two_name):
    return sorted(((round(depth, 2), one_name(one), two_name(two)) for depth, one, two in found), reverse=True)


def test_every_route_has_its_spaces(board, layout):
    assert len(layout.tracks) == len(board.routes)
    for route, track in zip(board.routes, layout.tracks, strict=True):
        assert track.route == route.index
        assert len(track.spaces) == (1 if route.kind == "subway" else route.length)
        assert len({space.length for space in track.spaces}) <= (2 if route.wraps else 1)


def test_spaces_of_different_routes_do_not_overlap(board, layout):
    round_routes = {route.index for route in board.routes if route.kind == "subway"}
    name = lambda index: board.routes[index].name  # noqa: E731
    found = [one for one in overlapping_spaces(layout, round_routes) if one[0] > SPACES_MAY_OVERLAP]
    assert not found, _worst(found, name, name)


def test_spaces_stay_clear_of_places(board, layout):
    found = list(spaces_on_places(layout))
    assert not found, _worst(found, lambda i: board.routes[i].name, lambda i: board.places[i].name)


def test_spaces_are_long_enough_for_their_symbol_and_stay_on_the_sheet(board, layout):
    for track in layout.tracks:
        for space in track.spaces:
            if board.routes[track.route].kind == "subway":
                assert space.length == pytest.approx(round_size(layout.sizes), abs=0.1)
            else:
                assert space.length >= SHORTEST * layout.sizes.plank, board.routes[track.route].name
            for x, y in space.corners():
                assert layout.sizes.frame - 2 < x < layout.sheet.width - layout.sizes.frame + 2
                assert layout.sizes.frame - 2 < y < layout.sheet.height - layout.sizes.frame + 2


def test_parallel_routes_lie_side_by_side(board, layout):
    for one, two in combinations(board.routes, 2):
        if one.parallel == two.parallel and one.kind != "subway":
            for first, second in zip(layout.tracks[one.index].spaces, layout.tracks[two.index].spaces, strict=True):
                apart = hypot(first.x - second.x, first.y - second.y)
                wanted = abs(one.line - two.line) * layout.sizes.aside
                assert apart == pytest.approx(wanted, rel=0.02, abs=0.3), one.name


def test_every_place_but_a_waypoint_has_one_name(board, layout):
    named = [place.index for place in board.places if place.kind != "waypoint"]
    assert [label.place for label in layout.labels] == named
    for label in layout.labels:
        assert " ".join(label.lines) == board.places[label.place].name


def test_no_name_covers_a_name_or_a_place_or_leaves_the_sheet(board, layout):
    for label in layout.labels:
        left, top, right, bottom = label.box
        name = board.places[label.place].name
        wide = max(text_width(line, label.size) for line in label.lines)
        assert right - left >= wide - 0.5
        assert layout.sizes.frame < left < right < layout.sheet.width - layout.sizes.frame, name
        assert layout.sizes.frame < top < bottom < layout.sheet.height - layout.sizes.frame, name
        for other in layout.labels:
            if other is not label:
                apart = other.box[0] >= right or other.box[2] <= left or other.box[1] >= bottom or other.box[3] <= top
                assert apart, (name, board.places[other.place].name)
        for place, (x, y) in enumerate(layout.sheet.places):
            gap = hypot(max(left - x, x - right, 0), max(top - y, y - bottom, 0))
            assert gap >= layout.sizes.ring, (name, board.places[place].name)


def test_names_do_not_cover_spaces(board, layout):
    found = [one for one in names_on_spaces(layout) if one[0] > NAMES_MAY_TOUCH]
    assert not found, _worst(found, lambda i: board.places[i].name, lambda i: board.routes[i].name)


def test_a_name_is_nearer_to_its_own_place_than_to_any_other(board, layout):
    """So nobody reads it beside the wrong one; a little slack where two places are neighbours."""
    for label in layout.labels:
        left, top, right, bottom = label.box
        gaps = [hypot(max(left - x, x - right, 0), max(top - y, y - bottom, 0)) for x, y in layout.sheet.places]
        own = gaps.pop(label.place)
        assert own <= min(gaps) + 0.5 * layout.sizes.plank, board.places[label.place].name


def test_the_cartouche_covers_nothing(layout):
    assert layout.legend is not None
    left, top, right, bottom = layout.legend.box
    for track in layout.tracks:
        for space in track.spaces:
            assert not (left < space.x < right and top < space.y < bottom)
    for label in layout.labels:
        box = label.box
        assert box[0] >= right or box[2] <= left or box[1] >= bottom or box[3] <= top


def test_the_layout_is_remembered(board):
    assert layout_of(board) is layout_of(board)


def test_tracks_over_the_edge_have_their_share_of_spaces_on_both_sides(world):
    layout = layout_of(world)
    wrapping = [route for route in world.routes if route.wraps]
    assert len(wrapping) == 10
    for route in wrapping:
        west, east, _ = world.map["edges"][route.name]
        track = layout.tracks[route.index]
        at_west = sum(space.x < layout.sheet.width / 2 for space in track.spaces)
        assert (at_west, len(track.spaces) - at_west) == (west, east), route.name
        assert len(track.beds) == 2


def test_signs_at_the_edges_name_the_place_on_the_other_side(world):
    layout = layout_of(world)
    named = {
        (world.places[sign.place].name, "east" if sign.east else "west"): len(sign.arrows) for sign in layout.signs
    }
    assert named == {
        ("Anchorage", "west"): 2,
        ("Tokyo", "west"): 2,
        ("Honolulu", "west"): 2,
        ("Sydney", "west"): 1,
        ("Christchurch", "west"): 1,
        ("Cambridge Bay", "east"): 1,
        ("Vancouver", "east"): 2,
        ("Los Angeles", "east"): 2,
        ("Lima", "east"): named["Lima", "east"],
        ("Valparaiso", "east"): 1,
    }
    for one, two in combinations([sign for sign in layout.signs if sign.east], 2):
        long = [text_width(world.places[sign.place].name, sign.size) for sign in (one, two)]
        assert abs(one.y - two.y) >= sum(long) / 2 - 1


def test_ships_go_around_land_where_they_can(world):
    layout = layout_of(world)
    horn = next(route for route in world.routes if {route.a.name, route.b.name} == {"Buenos Aires", "Valparaiso"})
    south = max(layout.sheet.places[horn.a.index][1], layout.sheet.places[horn.b.index][1])
    assert all(space.y > south for space in layout.tracks[horn.index].spaces)


def test_a_map_over_the_antimeridian_holds_its_places() -> None:
    """Places have longitudes from -180 to 180, the map goes on beyond."""
    places = (Place(0, "Lautoka", "city", -17.6, 177.5), Place(1, "Apia", "city", -13.8, -171.8))
    sheet = sheet_of(replace(load_board("berlin"), places=places, map={"bounds": [174.0, -22.0, 192.0, -10.0]}))
    (west, _), (east, _) = sheet.places
    assert 0 < west < east < sheet.width
    assert sheet.at(-13.8, -171.8)[0] == pytest.approx(east, abs=0.1)


@pytest.mark.parametrize(
    "side", [pytest.param(one, marks=pytest.mark.long if len(one) > 1 else []) for one in LABEL_SIDES]
)
def test_a_name_stands_on_the_side_that_its_board_wants(side):
    board = load_board("berlin")
    place = next(place for place in board.places if place.name == "Gleisdreieck")
    wanted = replace(place, label=side)
    places = tuple(wanted if one is place else one for one in board.places)
    layout = arrange(replace(board, places=places))
    left, top, right, bottom = next(label.box for label in layout.labels if label.place == place.index)
    x, y = layout.sheet.places[place.index]
    assert ("n" in side) == (bottom < y)
    assert ("s" in side) == (top > y)
    assert ("e" in side) == (left > x)
    assert ("w" in side) == (right < x)
