"""How a new board begins: the usual rules, no place, and the backdrop of its region."""

from __future__ import annotations

import re
from collections.abc import Mapping

from branchline.boards.board import COLOURS
from branchline.boards.limits import LONGEST_ID, LONGEST_TITLE
from branchline.boards.names import plain
from branchline.plain_data import JsonObject
from branchline.workshop.draft import Draft
from branchline.workshop.globe import Bounds
from branchline.workshop.region import backdrop, checked
from branchline.workshop.tables import BACKDROP

UNTITLED = "New board"


def settings(title: str) -> JsonObject:
    """Return the rules of a new board, as the tree of board.toml: those that most boards of this family share."""
    return {
        "id": board_id(title),
        "title": board_title(title),
        "seats": {"from": 2, "to": 5},
        "cards": {
            "colours": list(COLOURS),
            "train": 12,
            "wild": 14,
            "wild_name": "locomotive",
            "hand": 4,
            "market": 5,
            "sweep_at": 3,
        },
        "tickets": {
            "decks": ["tickets"],
            "first": {"deal": 3, "keep_at_least": 2, "rejected": "under the deck"},
            "later": {"deal": 3, "keep_at_least": 1, "rejected": "under the deck"},
        },
        "pieces": {"train": 45},
        "parallel": {"one_line_up_to_seats": 3},
        "points": {"1": 1, "2": 2, "3": 4, "4": 7, "5": 10, "6": 15, "7": 18, "8": 21, "9": 27},
        "ending": {"pieces_left": 2, "extra_turns": 1, "ties": ["tickets_done", "longest_trail"]},
        "bonuses": {"longest_trail": 10},
    }


def board_id(title: str) -> str:
    """Return a short name for files and the command line: `Lake Garda!` is `lake_garda`, `Київ 2` is `kiyiv_2`.

    A name that would begin with a digit is put after `board_`. Without the extra `workshop` other scripts are left out.
    """
    latin = " ".join(plain(_latin(word)) for word in re.split(r"[\W_]+", title))
    name = "_".join(re.findall(r"[a-z0-9]+", latin))
    if name[:1].isdigit():
        name = f"board_{name}"
    return name[:LONGEST_ID].strip("_") or "board"


def _latin(word: str) -> str:
    """Return a word in Latin letters; ones like ł and ø become the nearest plain letters."""
    if plain(word).isascii():
        return word
    try:
        from anyascii import anyascii
    except ModuleNotFoundError:
        return word
    return anyascii(word)


def board_title(text: str) -> str:
    """Return a title that a board may have: on one line, of printable letters, not too long."""
    letters = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(letters.split())[:LONGEST_TITLE].strip() or UNTITLED


def empty_draft(title: str, bounds: Bounds, *, provinces: bool = False) -> Draft:
    """Return a draft of a region without any place. Raise `RegionError` where there is no such region.

    `bounds`: west, south, east, north in degrees; over the antimeridian east is more than 180. Takes up to two
    seconds where the region is large.
    """
    return with_region(Draft(settings(title)), bounds, provinces=provinces)


def with_region(draft: Draft, bounds: Bounds, *, provinces: bool = False) -> Draft:
    """Return the same draft on the map of a region. Raise `RegionError` where there is no such region."""
    bounds = checked(bounds)
    there = draft.settings.get("map")
    looks: Mapping[str, object] = there if isinstance(there, dict) else {}
    drawn = backdrop(bounds, provinces=provinces)
    settings = {
        **draft.settings,
        "map": {**looks, "backdrop": BACKDROP, "bounds": [round(bound, 3) for bound in bounds]},
    }
    return Draft(settings, draft.tables, drawn, draft.others)
