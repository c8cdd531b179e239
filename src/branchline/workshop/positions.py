"""Where the places of a draft are drawn, as far as it says where they lie."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot, isfinite, sqrt

from branchline.atlas import Place
from branchline.draw.projection import WIDTH, sheet_for
from branchline.workshop.draft import Draft

Point = tuple[float, float]


def positions(draft: Draft) -> dict[str, Point]:
    """Place → px from the left and the top of a sheet 1,600 px wide; places without a position are missing."""
    return _placed(draft)[0]


def breadth(draft: Draft) -> float:
    """The mean of the sheet's width and height (the root of its area), in px."""
    return sqrt(WIDTH * _placed(draft)[1])


def far(one: Point, other: Point) -> float:
    """From point to point, in px."""
    return hypot(one[0] - other[0], one[1] - other[1])


def _placed(draft: Draft) -> tuple[dict[str, Point], float]:
    """The places, and the height of the sheet."""
    laid = {
        row.get("name", ""): point
        for row in draft["layout"].values()
        if (point := _pair(row.get("x", ""), row.get("y", ""), 1.0, 1.0))
    }
    names: dict[str, Point] = {}
    for row in draft["cities"].values():
        point = _pair(row.get("lon", ""), row.get("lat", ""), 180.0, 90.0) or ((0.0, 0.0) if laid else None)
        if row.get("name") and point and (not laid or row["name"] in laid):
            names.setdefault(row["name"], point)
    places = [
        Place(number, name, "city", lat, lon, sheet=laid.get(name))
        for number, (name, (lon, lat)) in enumerate(names.items())
    ]
    if not places:
        return {}, 0.6 * WIDTH
    sheet = sheet_for(places, _looks(draft))
    return dict(zip(names, sheet.places, strict=True)), sheet.height


def _pair(first: str, second: str, most_first: float, most_second: float) -> Point | None:
    """Two numbers out of cells, if they are in their ranges."""
    try:
        one, two = float(first), float(second)
    except ValueError:
        return None
    return (
        (one, two) if isfinite(one) and isfinite(two) and abs(one) <= most_first and abs(two) <= most_second else None
    )


def _looks(draft: Draft) -> Mapping[str, object]:
    """What `[map]` says about the sheet, as far as it is sound."""
    said = draft.settings.get("map")
    found: dict[str, object] = {}
    for key, value in (said if isinstance(said, dict) else {}).items():
        numbers = value if isinstance(value, list) else [value]
        if not all(type(one) in (int, float) and isfinite(one) for one in numbers):
            continue
        if key == "bounds" and len(numbers) == 4 and numbers[0] < numbers[2] and numbers[1] < numbers[3]:
            found[key] = numbers
        elif (key == "ratio" and 0.2 <= numbers[0] <= 3) or (key == "seam" and abs(numbers[0]) <= 180):
            found[key] = value
    return found
