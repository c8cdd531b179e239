"""Where places lie that are known by their names and routes only: on the globe by the gazetteer, else on a sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log10

import numpy as np

from branchline.workshop.gazetteer import Town, named
from branchline.workshop.globe import Point, kilometres
from branchline.workshop.ways import Ways

MOST_TOWNS = 40  # of one name that are looked at
FAME = 100.0  # km that a town may lie farther off for each time that it has ten times the people
ENOUGH = 0.7  # of the names must be known for the map to be one of the earth
ROUNDS = 8
EDGE = 0.06  # of a sheet that stays free


def on_the_globe(steps: Mapping[str, Mapping[str, int]], names: Iterable[str]) -> tuple[dict[str, Point], list[str]]:
    """Return degrees north and east by name; and the names that no town has, which lie amid their neighbours.

    Many towns share a name: meant are those near the towns that routes lead to (`steps`: place → its neighbours).
    Both are empty where most names mean no town at all.
    """
    names = list(names)
    towns = {name: towns_found for name in names if (towns_found := named(name)[:MOST_TOWNS])}
    if not names or len(towns) < ENOUGH * len(names):
        return {}, []
    chosen = {name: homonyms[0] for name, homonyms in towns.items()}
    for _ in range(ROUNDS):
        better = {name: _fitting(homonyms, steps.get(name, ()), chosen) for name, homonyms in towns.items()}
        if better == chosen:
            break
        chosen = better
    points = {name: (town.lat, town.lon) for name, town in chosen.items()}
    unknown = [name for name in names if name not in points]
    for name in unknown:
        around = [points[other] for other in steps.get(name, ()) if other in points] or list(points.values())
        points[name] = _middle(around)
    return points, unknown


def _fitting(towns: list[Town], neighbours: Iterable[str], chosen: Mapping[str, Town]) -> Town:
    """Return of towns of one name the one that fits its neighbours, or is much larger than the others."""
    there = [(chosen[name].lat, chosen[name].lon) for name in neighbours if name in chosen]

    def off(town: Town) -> float:
        far = sum(kilometres((town.lat, town.lon), point) for point in there) / max(len(there), 1)
        return far - FAME * log10(max(town.population, 1))

    return min(towns, key=off)


def _middle(points: list[Point]) -> Point:
    lats, lons = zip(*points, strict=True)
    return round(sum(lats) / len(lats), 4), round(sum(lons) / len(lons), 4)


def on_a_sheet(ways: Ways) -> dict[str, Point]:
    """Return positions from the left and the top, 0 to 1: as far from each other as the ways between them are long.

    Classical scaling of the lengths of the shortest ways; the longer side lies flat.
    """
    names = list(ways)
    if not names:
        return {}
    farthest = max((far for distances in ways.values() for far in distances.values()), default=1) or 1
    far = np.array([[ways[a].get(b, 1.2 * farthest) for b in names] for a in names], dtype=float)
    squared = far**2
    squared -= squared.mean(axis=0) + squared.mean(axis=1)[:, None] - squared.mean()
    values, vectors = np.linalg.eigh(-squared / 2)
    points = vectors[:, [-1, -2]] * np.sqrt(np.maximum(values[[-1, -2]], 0)) if len(names) > 1 else np.zeros((1, 2))
    points *= np.where(points[np.abs(points).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)  # the same on every machine
    low, high = points.min(axis=0), points.max(axis=0)
    within = EDGE + (1 - 2 * EDGE) * (points - low) / np.where(high > low, high - low, 1.0)
    return {name: (round(float(x), 4), round(float(y), 4)) for name, (x, y) in zip(names, within, strict=True)}
