"""The gazetteer: where the towns of the world lie, found by any of their names, without a network.

Its names are those of GeoNames (https://www.geonames.org, licence CC BY 4.0), all towns with 5,000 people or more,
packed into `data/gazetteer.npz` by `tools/pack_gazetteer.py`. Accents, case and blanks do not count, and other names
in Latin letters are known as well: Wien, Wiedeń and Vienna are one town.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from branchline.boards.limits import MAX_NAME
from branchline.boards.names import plain
from branchline.workshop.globe import Bounds

MOST = 50  # answers
OTHERS = 0.1  # found by another name than its own, a town counts as so much smaller: GeoNames knows odd ones
_AFTER_ALL = "\N{DEL}"  # comes after every letter of a key


@dataclass(frozen=True)
class Town:
    """A town of the gazetteer."""

    name: str  # the international one, as in English: Vienna
    lat: float  # degrees north
    lon: float  # degrees east, -180 to 180
    country: str  # two letters, ISO 3166
    population: int


def find(text: str, near: Bounds | None = None, limit: int = 10) -> list[Town]:
    """Return at most `limit` towns of which a name begins like this, the likeliest first.

    Those inside of the bounds `near` come first, then those about them, then all others; among these whose name is
    exactly this before those that go on, and large ones before small ones. One letter finds nothing. The first call
    reads the data, which takes a tenth of a second.
    """
    key = plain(text[:MAX_NAME])
    if len(key) < 2:
        return []
    index = _index()
    first, last = index.begin(key), index.begin(key + _AFTER_ALL)
    exact = index.begin(key + " ") - first  # so many are no longer than the key
    owners = index.owners[first:last]
    longer = np.arange(len(owners)) >= exact
    size = index.population[owners] * np.where(index.own[first:last], 1.0, OTHERS)
    order = np.lexsort((owners, -size, longer, index.distance(owners, near)))
    numbers = dict.fromkeys(owners[order[: 20 * MOST]].tolist())
    return [index.town(number) for number in list(numbers)[: max(0, min(limit, MOST))]]


def named(text: str) -> list[Town]:
    """Return all towns with exactly this name, the largest first."""
    key = plain(text[:MAX_NAME])
    index = _index()
    first, last = index.begin(key), index.begin(key + " ")
    return [index.town(number) for number in dict.fromkeys(index.owners[first:last].tolist())]


class _Index:
    """The packed data: the towns, and all names in order with the numbers of the towns they mean."""

    def __init__(self) -> None:
        with (files(__package__) / "data" / "gazetteer.npz").open("rb") as file, np.load(file) as data:
            self._names = bytes(data["names"]).decode().split("\n")
            self._countries = bytes(data["country"]).decode().split("\n")
            self._keys: Sequence[str] = bytes(data["keys"]).decode().split("\n")
            self._lat, self._lon, self.population = data["lat"], data["lon"], data["population"]
            self.owners = data["owners"]
            self.own = np.unpackbits(data["own"], count=len(self.owners)).astype(bool)

    def begin(self, key: str) -> int:
        """Return the first of the names that do not sort before this one."""
        return bisect_left(self._keys, key)

    def distance(self, towns: npt.NDArray[np.int32], bounds: Bounds | None) -> npt.NDArray[np.int64]:
        """Return 0 for towns within the bounds, 1 for those about them, 2 for the others."""
        if bounds is None:
            return np.zeros(len(towns), dtype=np.int64)
        west, south, east, north = bounds
        wide, high = east - west, north - south
        east_of_west = (self._lon[towns] - (west - wide / 2)) % 360 - wide / 2
        beyond = np.maximum(np.abs(east_of_west - wide / 2) / max(wide, 1e-9), 0)
        above = np.abs(self._lat[towns] - (south + north) / 2) / max(high, 1e-9)
        off = np.maximum(beyond, above)
        return np.where(off <= 0.5, 0, np.where(off <= 1, 1, 2))

    def town(self, number: int) -> Town:
        """Return one of the towns, for people."""
        lat, lon = round(float(self._lat[number]), 4), round(float(self._lon[number]), 4)
        return Town(self._names[number], lat, lon, self._countries[number], int(self.population[number]))


@cache
def _index() -> _Index:
    return _Index()
