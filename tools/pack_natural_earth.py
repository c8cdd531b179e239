"""Pack the map of the world for `branchline.workshop.region`.

    pip install shapely && python tools/pack_natural_earth.py FOLDER

FOLDER holds `land`, `lake`, `river`, `border` and `province.geojson`: the layers *land*, *lakes*, *rivers and lake
centerlines*, *admin 0 boundary lines (land)* and *admin 1 lines* of Natural Earth 1:50m, simplified to 0.02 degrees
(https://www.naturalearthdata.com, public domain). Land that the antimeridian cuts is put together: its longitudes go on
beyond 180.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

from shapely.affinity import translate
from shapely.geometry import shape
from shapely.geometry.polygon import orient
from shapely.ops import unary_union
from shapely.validation import make_valid

LAYERS = ("land", "lake", "river", "border", "province")
TARGET = Path(__file__).parent.parent / "src" / "branchline" / "workshop" / "data" / "world.json.gz"


def main(folder: Path) -> None:
    """Read the layers and write all their lines as whole hundredths of a degree, each point as the step to it."""
    packed = {}
    for layer in LAYERS:
        features = json.loads((folder / f"{layer}.geojson").read_text(encoding="utf-8"))["features"]
        geometries = [feature["geometry"] for feature in features]
        if layer in ("land", "lake"):
            packed[layer] = [[steps(ring) for ring in area] for area in areas(geometries)]
        else:
            packed[layer] = [steps(line) for line in lines(geometries) if len(line) > 1]
    content = json.dumps(packed, separators=(",", ":")).encode()
    TARGET.write_bytes(gzip.compress(content, 9, mtime=0))
    counts = ", ".join(f"{len(found)} {layer}" for layer, found in packed.items())
    print(f"{counts}; {TARGET.stat().st_size / 1e3:.0f} kB")


def areas(geometries: list) -> list:
    """The areas, each as its rings: its rim, counter-clockwise, and its holes.

    What ends at 180 and what begins at -180 is put together; Antarctica, which goes all around, stays cut.
    """
    shapes = [one for one in (make_valid(shape(geometry)) for geometry in geometries) if not one.is_empty]
    west = [one for one in shapes if one.bounds[0] == -180 and one.bounds[2] < 0]
    east = [one for one in shapes if one.bounds[2] == 180 and one.bounds[0] > -180]
    others = [one for one in shapes if one not in west and one not in east]
    together = unary_union([*east, *(translate(one, 360) for one in west)])
    turned = [orient(area) for one in (*others, together) for area in polygons(one)]
    return [[ring.coords for ring in (area.exterior, *area.interiors)] for area in turned]


def polygons(geometry) -> list:
    """The polygons in it; mending a polygon can leave lines beside it."""
    if hasattr(geometry, "geoms"):
        return [area for part in geometry.geoms for area in polygons(part)]
    return [geometry] if geometry.geom_type == "Polygon" else []


def lines(geometries: list) -> list:
    """The lines of such and of sets of such."""
    return [
        line for one in geometries for line in (one["coordinates"] if "Multi" in one["type"] else [one["coordinates"]])
    ]


def steps(line) -> list[int]:
    """x, y, and the way from each point to the next, in hundredths of a degree; no step leads nowhere."""
    points = [(round(100 * x), round(100 * y)) for x, y, *_ in line]
    found, before = [], (0, 0)
    for point in points:
        if point != before or not found:
            found += [point[0] - before[0], point[1] - before[1]]
            before = point
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
