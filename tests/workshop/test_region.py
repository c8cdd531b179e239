"""The backdrop of any region: sound GeoJSON, cut where the map ends, whole over the antimeridian."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from branchline.boards.backdrop import check_backdrop
from branchline.boards.faults import FaultList
from branchline.boards.limits import MAX_FILE_BYTES
from branchline.workshop.globe import Bounds
from branchline.workshop.region import RegionError, backdrop, checked

IBERIA = (-10.5, 35.5, 4.5, 44.5)
INLAND = (9.0, 46.0, 17.0, 51.0)
FIJI = (174.0, -22.0, 186.0, -12.0)
USA = (-126.0, 24.0, -66.0, 50.5)
EVERYTHING = (-180.0, -84.0, 180.0, 84.0)


def points(content: dict[str, Any], kind: str) -> list[list[float]]:
    """All points of one kind."""

    def inside(part: Any) -> list[list[float]]:
        return [part] if isinstance(part[0], float) else [point for one in part for point in inside(one)]

    found = [one["geometry"]["coordinates"] for one in content["features"] if one["properties"]["kind"] == kind]
    return [point for one in found for point in inside(one)]


def faults_of(content: dict[str, Any], folder: Path) -> int:
    (folder / "map.geojson").write_text(json.dumps(content), encoding="utf-8")
    faults = FaultList()
    check_backdrop(folder, "map.geojson", faults)
    return len(faults)


@pytest.mark.parametrize("bounds", [IBERIA, INLAND, FIJI, USA, EVERYTHING], ids=str)
def test_a_backdrop_is_as_boards_want_it(bounds: Bounds, tmp_path: Path) -> None:
    content = backdrop(bounds, provinces=True)
    assert faults_of(content, tmp_path) == 0
    assert len(json.dumps(content)) < MAX_FILE_BYTES / 2


def test_kinds_are_those_of_a_country_map() -> None:
    assert {one["properties"]["kind"] for one in backdrop(USA)["features"]} == {"land", "lake", "stream", "border"}


def test_provinces_are_more_borders() -> None:
    assert len(points(backdrop(USA, provinces=True), "border")) > 2 * len(points(backdrop(USA), "border"))


def test_land_over_the_antimeridian_has_no_coast_there() -> None:
    """The edge of the data would be a straight line along 180."""
    land = points(backdrop((150.0, 50.0, 215.0, 73.0)), "land")
    assert not [point for point in land if abs(point[0] - 180) < 0.01 and 65 < point[1] < 68.9]
    assert min(point[0] for point in land) < 155 < 180 < 210 < max(point[0] for point in land)


def test_islands_beyond_the_antimeridian_are_where_the_map_is() -> None:
    assert all(173.6 <= lon <= 186.4 for lon, _ in points(backdrop(FIJI), "land"))


def test_a_map_inside_the_land_is_all_land() -> None:
    areas = next(one for one in backdrop(INLAND)["features"] if one["properties"]["kind"] == "land")
    lons, lats = zip(*points({"features": [areas]}, "land"), strict=True)
    assert min(lons) < 9 < 17 < max(lons)
    assert min(lats) < 46 < 51 < max(lats)


def test_islands_in_lakes_are_holes() -> None:
    lakes = next(one for one in backdrop((-96.0, 39.0, -70.0, 51.0))["features"] if one["properties"]["kind"] == "lake")
    assert any(len(area) > 1 for area in lakes["geometry"]["coordinates"])


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(
    west=st.floats(-180, 179),
    south=st.floats(-84, 83),
    wide=st.floats(0.1, 60),
    high=st.floats(0.1, 40),
)
def test_any_region_stays_near_its_bounds(west: float, south: float, wide: float, high: float) -> None:
    bounds = (west, south, west + wide, min(84.0, south + high))
    if bounds[3] - south < 0.1:
        return
    content = backdrop(bounds)
    for kind in ("land", "lake"):
        for lon, lat in points(content, kind):
            assert west - 0.04 * wide <= lon <= west + 1.04 * wide
            assert south - 0.04 * wide <= lat <= bounds[3] + 0.04 * wide


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ((10, 50, 5, 55), "over the antimeridian it is 365"),
        ((170, -20, -170, -10), "over the antimeridian it is 190"),
        ((-181, 0, 5, 5), "west is -181"),
        ((0, 10, 5, 5), "south and then north"),
        ((0, -90, 5, 5), "latitudes from -84 to 84"),
        ((0, 0, 0.01, 0.01), "smaller than 0.1 degrees"),
        ((0, 0, 400, 10), "east is 400"),
        ((float("nan"), 0, 5, 5), "expected the bounds"),
        ((0, 0, float("inf"), 5), "expected the bounds"),
    ],
)
def test_bounds_that_are_none_are_refused_in_words(bounds: Bounds, expected: str) -> None:
    with pytest.raises(RegionError, match=expected):
        checked(bounds)
