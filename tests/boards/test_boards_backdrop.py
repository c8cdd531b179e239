"""A backdrop is looked at before anything is drawn on it: what is wrong is said, what is odd is drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from board_files import example, faults_of, spoil, write

from branchline.boards import read_board
from branchline.draw import board_svg

SHORE = [[8.9, 47.4], [9.9, 47.4], [9.9, 47.8], [8.9, 47.4]]


def feature(kind: Any = "land", shape: Any = "Polygon", coordinates: Any = (SHORE,)) -> dict[str, Any]:
    return {
        "type": "Feature",
        "properties": {"kind": kind},
        "geometry": {"type": shape, "coordinates": coordinates},
    }


def collection(*features: Any) -> str:
    return json.dumps({"type": "FeatureCollection", "features": features})


def with_backdrop(folder: Path, text: str) -> Path:
    files = spoil(example(), "board.toml", "[ending]", '[map]\nbackdrop = "map.geojson"\n[ending]')
    return write(folder, files | {"map.geojson": text.encode()})


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "map.geojson:1: is not JSON: Expecting value"),
        ('{"features": [\n,]}', "map.geojson:2: is not JSON: Expecting value"),
        ("[" * 100_000, "map.geojson: is not GeoJSON"),
        ("[1]", 'map.geojson: is not GeoJSON with a list of "features"'),
        ('{"features": 3}', 'map.geojson: is not GeoJSON with a list of "features"'),
        (collection(7), "map.geojson: feature 1: expected an object, not 7"),
        (collection(feature(), feature("lnad")), 'map.geojson: feature 2: unknown kind "lnad" (did you mean "land"?)'),
        (collection(feature(5)), "map.geojson: feature 1: unknown kind 5, expected land, park, lake, border, "),
        (collection({"geometry": None}), "map.geojson: feature 1: has no kind in its properties, expected land, "),
        (
            collection({"properties": {"kind": "land"}, "geometry": None}),
            "map.geojson: feature 1: expected a geometry, not None",
        ),
        (collection(feature(shape="Point")), 'map.geojson: feature 1: its geometry is "Point", expected LineString, '),
        (collection(feature(shape=["a"])), "map.geojson: feature 1: its geometry is ['a'], expected "),
        (
            collection(feature("lake", "LineString", SHORE)),
            "map.geojson: feature 1: lake is an area, expected a Polygon or MultiPolygon, not a LineString",
        ),
        (collection(feature(coordinates=[SHORE[:3]])), "map.geojson: feature 1: a Polygon needs at least 4 points, "),
        (collection(feature(coordinates=None)), "map.geojson: feature 1: a Polygon needs at least 4 points, not None"),
        (
            collection(feature(coordinates=[[*SHORE, [9.0, "47"]]])),
            "map.geojson: feature 1: expected a point [longitude, latitude] in degrees, not [9.0, '47']",
        ),
        (collection(feature(coordinates=[[*SHORE, [47.0, 1e99]]])), "map.geojson: feature 1: expected a point "),
        (collection(feature(coordinates=[[*SHORE, [True, 1]]])), "map.geojson: feature 1: expected a point "),
        (collection(feature(coordinates=[[*SHORE, [float("nan"), 1]]])), "map.geojson: feature 1: expected a point "),
    ],
)
def test_what_is_wrong_with_a_backdrop_is_named(tmp_path: Path, text: str, fault: str) -> None:
    [found] = faults_of(with_backdrop(tmp_path, text))
    assert found.startswith(fault)


@pytest.mark.parametrize(
    "odd",
    [
        [],
        [feature(coordinates=[])],
        [feature(coordinates=[[[9.0, 47.5]] * 4])],
        [feature(coordinates=[[[-540, -90], [540, -90], [540, 90], [-540, 90], [-540, -90]]])],
        [feature("river", "LineString", [[9.0, 47.5, 300.0], [9.1, 47.6, 301.0]])],
        [feature("border", "MultiPolygon", [[SHORE]])],
        [feature("lake")],
    ],
    ids=["nothing", "no rings", "one point", "the whole globe and more", "heights", "a border of areas", "lake only"],
)
def test_an_odd_backdrop_is_drawn(tmp_path: Path, odd: list[Any]) -> None:
    drawn = board_svg(read_board(with_backdrop(tmp_path, collection(*odd))))
    assert drawn.startswith("<svg") and "nan" not in drawn and "inf" not in drawn
