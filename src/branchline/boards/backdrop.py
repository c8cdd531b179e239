"""The backdrop of a board: a GeoJSON file (RFC 7946) whose features say by their `kind` what they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from branchline.boards.faults import FaultList, did_you_mean, listed, shown
from branchline.boards.files import read_text
from branchline.boards.wording import FORMAT, freely, worded

AREAS = ("land", "park", "lake")
LINES = ("border", "street", "stream", "canal", "river")
KINDS = (*AREAS, *LINES)

_DEPTH = {"LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3}
"""How many lists of lists the coordinates of a geometry are: a line of points is one."""


def check_backdrop(folder: Path, name: str, faults: FaultList) -> None:
    """Add a fault for everything in the file that could not be drawn."""
    text = read_text(folder, name, faults)
    if text is None:
        return
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        faults.add(name, error.lineno, worded("is not JSON: {reason}", reason=freely(error.msg, FORMAT)))
        return
    except (RecursionError, ValueError):  # lists in lists in lists, a number of a million digits
        faults.add(name, 0, worded("is not GeoJSON"))
        return
    features = content.get("features") if isinstance(content, dict) else None
    if not isinstance(features, list):
        faults.add(name, 0, worded('is not GeoJSON with a list of "features"'))
        return
    for number, feature in enumerate(features, 1):
        wrong = feature_fault(feature)
        if wrong:
            faults.add(name, 0, worded("feature {number}: {wrong}", number=number, wrong=wrong))


def feature_fault(feature: object) -> str:
    """Return what is wrong with a feature, or an empty text."""
    if not isinstance(feature, dict):
        return worded("expected an object, not {feature}", feature=shown(feature))
    properties, geometry = feature.get("properties"), feature.get("geometry")
    kind = properties.get("kind") if isinstance(properties, dict) else None
    if kind not in KINDS:
        near = did_you_mean(kind, KINDS) if isinstance(kind, str) else ""
        problem = (
            worded("unknown kind {kind}", kind=shown(kind))
            if kind is not None
            else worded("has no kind in its properties")
        )
        return worded(
            "{said}{near}", said=problem, near=near or worded(", expected {expected}", expected=listed(KINDS))
        )
    if not isinstance(geometry, dict):
        return worded("expected a geometry, not {geometry}", geometry=shown(geometry))
    shape = geometry.get("type")
    if not isinstance(shape, str) or shape not in _DEPTH:
        return worded("its geometry is {shape}, expected {expected}", shape=shown(shape), expected=listed(_DEPTH))
    if kind in AREAS and "Polygon" not in shape:
        return worded("{kind} is an area, expected a Polygon or MultiPolygon, not a {shape}", kind=kind, shape=shape)
    fewest = 4 if "Polygon" in shape else 2
    for line in _lines(geometry.get("coordinates"), _DEPTH[shape]):
        if not isinstance(line, list) or len(line) < fewest:
            return worded(
                "a {shape} needs at least {fewest} points, not {line}", shape=shape, fewest=fewest, line=shown(line)
            )
        for point in line:
            if not _is_point(point):
                return worded("expected a point [longitude, latitude] in degrees, not {point}", point=shown(point))
    return ""


def _lines(coordinates: object, depth: int) -> Iterator[object]:
    """Yield the rows of points, or whatever stands in place of one."""
    if depth == 1 or not isinstance(coordinates, list):
        yield coordinates
    else:
        for part in coordinates:
            yield from _lines(part, depth - 1)


def _is_point(point: object) -> bool:
    """Return whether this is a point. Longitudes may go on beyond 180, to 540, on a map that is cut elsewhere."""
    return (
        isinstance(point, list)
        and len(point) >= 2
        and type(point[0]) in (int, float)
        and type(point[1]) in (int, float)
        and -540 <= point[0] <= 540
        and -90 <= point[1] <= 90
    )
