"""Colours for all routes of a draft at once: even, and no two neighbours alike where that can be had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from branchline.boards import COLOURS, GRAY
from branchline.workshop.draft import Cells, Draft
from branchline.workshop.steps import Step, changed
from branchline.workshop.suggestions import ASIDE, GRAY_SHARE, card_colours
from branchline.workshop.ways import ends, spaces

_TRIES = 40  # rounds over all routes
_NEVER = 1000  # spaces; for the colour of a parallel line
_DECKS = {"sea": "ships", "subway": "subways"}  # kinds that are paid with cards of their own, counted apart


@dataclass
class _Line:
    """A route that is to have a colour."""

    row: str
    ends: tuple[str, str]
    spaces: int
    kind: str
    colour: str


def coloured(draft: Draft, seed: int = 0, *, everything: bool = False, name: str = "colours of routes") -> Step:
    """Return the step that colours the routes without a colour, or with `everything` all of them.

    Same seed, same colours.

    Ferries are gray, and of the rest as much as on the editions (27 % of the spaces), short routes first. The
    others are shared out evenly among the colours; parallel lines never agree, and neighbours where it can be helped.
    """
    chance = Random(seed)
    lines = [
        _Line(row, ends(cells), spaces(cells) or 1, cells.get("kind", "rail"), cells.get("colour", ""))
        for row, cells in draft["routes"].items()
    ]
    open_ones = [line for line in lines if everything or line.colour not in (*COLOURS, GRAY)]
    for line in open_ones:
        line.colour = ""
    _make_gray(lines, open_ones, chance)
    _share_out(lines, [line for line in open_ones if not line.colour], card_colours(draft), chance)
    rows: Mapping[str, Cells] = draft["routes"]
    edits = [
        changed(draft, "routes", line.row, colour=line.colour)
        for line in open_ones
        if rows[line.row].get("colour", "") != line.colour
    ]
    return Step(name, tuple(edits))


def _make_gray(lines: list[_Line], open_ones: list[_Line], chance: Random) -> None:
    """Make routes gray until there are enough: ferries, then sets of parallel lines drawn by lot, short ones
    likelier.
    """
    wanted = GRAY_SHARE * sum(line.spaces for line in lines)
    there = sum(line.spaces for line in lines if line.colour == GRAY)
    sets: dict[frozenset[str], list[_Line]] = {}
    for line in open_ones:
        if line.kind == "ferry":
            line.colour = GRAY
            there += line.spaces
        else:
            sets.setdefault(frozenset(line.ends), []).append(line)
    for parallel in sorted(sets.values(), key=lambda parallel: -(chance.random() ** parallel[0].spaces)):
        size = sum(line.spaces for line in parallel)
        if there + size / 2 <= wanted:
            for line in parallel:
                line.colour = GRAY
            there += size


def _share_out(lines: list[_Line], open_ones: list[_Line], colours: list[str], chance: Random) -> None:
    """Give long routes the cheapest colour first; then repeat until none would rather change."""
    near = {
        line.row: [other for other in lines if other is not line and set(line.ends) & set(other.ends)]
        for line in open_ones
    }
    there: dict[str, Counter[str]] = {}
    for line in lines:
        there.setdefault(_DECKS.get(line.kind, ""), Counter())[line.colour] += line.spaces
    open_ones.sort(key=lambda line: (-line.spaces, chance.random()))
    for _ in range(_TRIES):
        moved = False
        for line in open_ones:
            count = there[_DECKS.get(line.kind, "")]
            count[line.colour] -= line.spaces
            cost = _costs(line, count, near[line.row])
            best = min(colours, key=lambda each: (cost[each], each != line.colour))
            moved |= best != line.colour
            line.colour = best
            count[best] += line.spaces
        if not moved:
            return


def _costs(line: _Line, count: Counter[str], near: list[_Line]) -> Counter[str]:
    """Return the cost of each colour for a route: spaces that it has already, and neighbours and lines beside it."""
    cost: Counter[str] = Counter(count)
    for other in near:
        cost[other.colour] += _NEVER if set(other.ends) == set(line.ends) else ASIDE
    return cost
