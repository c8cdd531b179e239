"""Where the names stand: beside their places, where they cover nothing.

For each name many spots are judged, around the place and a little further out, in one line or broken into two.
The cheapest are taken, the hardest names first; then every name may move again while that makes the whole better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, cos, radians, sin

import numpy as np
import numpy.typing as npt

from branchline.boards.board import Board, Place
from branchline.draw.geometry import FIGURES, LINE, Box, Label, Point, Sheet, Sizes, Track
from branchline.draw.lettering import text_width
from branchline.draw.projection import Floats

RISE, SINK = 0.76, 0.22  # what letters need above and below their line
FIGURE = 0.72  # what one passenger takes of its row, in letter sizes

# Sides of a place in the order map makers like them, with what a worse one costs: which way the name lies, and how
# far it may slide along that side, -1 to 1.
_SLIDES = (0.0, -0.35, 0.35, -0.7, 0.7, -1.0, 1.0)
_SIDES = (
    *(((1.0, 0.0), (1.0, slide), 0.02 + 0.05 * abs(slide)) for slide in _SLIDES),
    *(((0.0, -1.0), (slide, -1.0), 0.14 + 0.05 * abs(slide)) for slide in _SLIDES),
    *(((0.0, 1.0), (slide, 1.0), 0.16 + 0.05 * abs(slide)) for slide in _SLIDES),
    *(((-1.0, 0.0), (-1.0, slide), 0.12 + 0.05 * abs(slide)) for slide in _SLIDES),
    ((0.71, -0.71), (1.0, -1.0), 0.06), ((0.71, 0.71), (1.0, 1.0), 0.09),
    ((-0.71, -0.71), (-1.0, -1.0), 0.15), ((-0.71, 0.71), (-1.0, 1.0), 0.17),
)  # fmt: skip

_NORTH_SOUTH, _WEST_EAST = {-1: "n", 0: "", 1: "s"}, {-1: "w", 0: "", 1: "e"}
_COMPASS = [_NORTH_SOUTH[round(way[1])] + _WEST_EAST[round(way[0])] for way, _, _ in _SIDES]
"""On which side of its place a name then stands: one of `LABEL_SIDES`."""

_OTHER_SIDE = 60.0  # for a name that its board wants elsewhere; worse than crossing routes
_ONE_LINE = 1.2  # two names side by side that read as one
_GAP = 0.9  # letters between two names that still read as one line
_LEVEL = 0.35  # of a letter that they may be apart in height
_NEVER = 400.0  # for what must not happen: covering a place or a name, leaving the sheet


@dataclass(frozen=True)
class _Spot:
    lines: tuple[str, ...]
    anchor: str
    box: Box


def _breaks(name: str, size: float) -> list[tuple[str, ...]]:
    """Return the name in one line, and in two if it is long and has a gap to break at."""
    ways: list[tuple[str, ...]] = [(name,)]
    words = name.split(" ")
    for cut in range(1, len(words)):
        one, two = " ".join(words[:cut]), " ".join(words[cut:])
        if text_width(name, size) > 5.5 * size:
            ways.append((one, two))
    return ways


def _spots(
    place: Place, at: tuple[float, float], sizes: Sizes, size: float, reach: float
) -> tuple[list[_Spot], Floats]:
    """Return every spot worth a look, and what it costs by itself."""
    spots: list[_Spot] = []
    costs: list[float] = []
    for lines in _breaks(place.name, size):
        wide = max(text_width(line, size) for line in lines)
        high = (LINE * (len(lines) - 1) + RISE + SINK) * size
        if place.passengers:
            wide = max(wide, place.passengers * FIGURE * size)
            high += FIGURES * size
        for further in (0.0, 0.25, 0.55, 0.9, 1.4, 2.0):
            away = reach + further * sizes.plank
            for (way, lean, dislike), side in zip(_SIDES, _COMPASS, strict=True):
                x = at[0] + lean[0] * wide / 2 + way[0] * away
                y = at[1] + lean[1] * high / 2 + way[1] * away
                anchor = "start" if lean[0] > 0.55 else "end" if lean[0] < -0.55 else "middle"
                spots.append(_Spot(lines, anchor, (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)))
                wrong = _OTHER_SIDE if place.label not in ("", side) else 0.0
                costs.append(dislike + 0.6 * further + 0.12 * (len(lines) - 1) + wrong)
    return spots, np.array(costs)


def _gaps(boxes: Floats, points: Floats) -> Floats:
    """Return how far each point is outside each box; 0 inside."""
    left, top, right, bottom = (boxes[:, None, side] for side in range(4))
    x, y = points[None, :, 0], points[None, :, 1]
    return np.hypot(np.maximum(np.maximum(left - x, x - right), 0.0), np.maximum(np.maximum(top - y, y - bottom), 0.0))


def _within(boxes: Floats, points: Floats, reach: float) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return all pairs of a box and a point less than `reach` apart: which box, and how much less."""
    low, high = boxes[:, :2].min(axis=0) - reach, boxes[:, 2:].max(axis=0) + reach
    x, y = points[((points > low) & (points < high)).all(axis=1)].T
    left, top, right, bottom = (boxes + np.array([-reach, -reach, reach, reach])).T[:, :, None]
    box, point = np.nonzero((x > left) & (x < right) & (y > top) & (y < bottom))
    left, top, right, bottom = boxes[box].T
    aside = np.maximum(np.maximum(left - x[point], x[point] - right), 0.0)
    above = np.maximum(np.maximum(top - y[point], y[point] - bottom), 0.0)
    less = reach - np.hypot(aside, above)
    return box[less > 0.0], less[less > 0.0]


def _covered(boxes: Floats, others: Floats, margin: float) -> Floats:
    """Return the area each box shares with each other one, grown by a margin."""
    wide = np.minimum(boxes[:, None, 2], others[None, :, 2]) - np.maximum(boxes[:, None, 0], others[None, :, 0])
    high = np.minimum(boxes[:, None, 3], others[None, :, 3]) - np.maximum(boxes[:, None, 1], others[None, :, 1])
    shared: Floats = np.maximum(wide + margin, 0.0) * np.maximum(high + margin, 0.0)
    return shared


def _in_line(boxes: Floats, others: Floats, size: float) -> Floats:
    """Return 1 for each box and other one of one line that stand side by side like words of one name, otherwise 0."""
    gap = np.maximum(boxes[:, None, 0], others[None, :, 0]) - np.minimum(boxes[:, None, 2], others[None, :, 2])
    apart = np.abs(boxes[:, None, 3] - others[None, :, 3])
    level: Floats = ((gap >= 0.0) & (gap < _GAP * size) & (apart < _LEVEL * size)).astype(float)
    return level


def space_discs(tracks: Sequence[Track]) -> Floats:
    """Return the middles of discs, as broad as a space, that together cover all spaces."""
    discs: list[tuple[float, float]] = []
    for track in tracks:
        for space in track.spaces:
            reach = (space.length - space.breadth) / 2 + 0.15 * space.breadth
            count = max(1, ceil(2 * reach / (0.6 * space.breadth)) + 1) if reach > 0.2 * space.breadth else 1
            turn = radians(space.angle)
            for step in [-reach + i * 2 * reach / (count - 1) for i in range(count)] if count > 1 else (0.0,):
                discs.append((space.x + cos(turn) * step, space.y + sin(turn) * step))
    return np.array(discs).reshape(-1, 2)


@dataclass(frozen=True)
class Name:
    """A name that wants a spot: all that were looked at, and what each costs wherever the routes lie."""

    place: Place
    size: float  # of its letters
    spots: list[_Spot]
    boxes: Floats
    costs: Floats


def names_of(board: Board, sheet: Sheet, sizes: Sizes, exits: Sequence[Point] = ()) -> tuple[Name, ...]:
    """Return the names of all places that have one; waypoints are nameless."""
    middles = np.array([*sheet.places, *exits])
    rim = sizes.frame + 0.3 * sizes.plank
    names = []
    for place in board.places:
        if place.kind == "waypoint":
            continue
        size = sizes.font * (1.12 if place.kind == "country" else 1.0)
        reach = sizes.ring * (1.5 if place.kind == "country" else 1.0) + 0.28 * sizes.plank
        spots, cost = _spots(place, sheet.places[place.index], sizes, size, reach)
        box = np.array([spot.box for spot in spots])
        to_places = _gaps(box, middles)
        cost += _NEVER * (to_places < sizes.ring * 1.15).sum(axis=1)
        others = np.delete(to_places, place.index, axis=1)
        cost += 0.7 * np.maximum(1.0 - others / (1.9 * sizes.plank), 0.0).sum(axis=1)
        if others.shape[1]:  # nobody should read it beside another place
            own = to_places[:, place.index]
            cost += 2.5 * np.maximum(own - others.min(axis=1) + 0.2 * sizes.plank, 0.0) / sizes.plank
        cost += _NEVER * (
            (box[:, 0] < rim) | (box[:, 1] < rim) | (box[:, 2] > sheet.width - rim) | (box[:, 3] > sheet.height - rim)
        )  # fmt: skip
        names.append(Name(place, size, spots, box, cost))
    return tuple(names)


def labels_of(board: Board, names: Sequence[Name], sizes: Sizes, tracks: Sequence[Track]) -> tuple[Label, ...]:
    """Return a spot for every name, clear of the tracks and of each other."""
    discs = space_discs(tracks)
    round_spaces = {track.route for track in tracks if board.routes[track.route].kind == "subway"}
    big = np.array(
        [(space.x, space.y) for track in tracks if track.route in round_spaces for space in track.spaces]
    ).reshape(-1, 2)
    beds = np.array([point for track in tracks for bed in track.beds for point in bed]).reshape(-1, 2)
    kept, costs, boxes = [], [], []
    for name in names:
        count = len(name.boxes)
        box, less = _within(name.boxes, discs, 0.6 * sizes.plank)
        cost = name.costs + 14.0 * np.bincount(box, (less / sizes.plank) ** 2, count)
        cost += 0.8 * np.bincount(box[less > 0.2 * sizes.plank], minlength=count)
        box, less = _within(name.boxes, big, 1.02 * sizes.plank)
        cost += 14.0 * np.bincount(box, (less / sizes.plank) ** 2, count)
        box, _ = _within(name.boxes, beds, 0.1 * sizes.plank)
        cost += 0.05 * np.bincount(box, minlength=count)
        keep = np.argsort(cost, kind="stable")[:60]
        kept.append(keep)
        costs.append(cost[keep])
        boxes.append(name.boxes[keep])
    chosen = _choose(costs, boxes, 0.25 * sizes.plank, sizes.font)
    return tuple(_label(name, name.spots[keep[i]]) for name, keep, i in zip(names, kept, chosen, strict=True))


def _choose(costs: list[Floats], boxes: list[Floats], margin: float, font: float) -> list[int]:
    """Return one spot for each name, so that all together cost little, no two names meet, and none continues
    another.
    """
    count = len(costs)
    clash: dict[tuple[int, int], Floats] = {}
    low = np.array([box[:, :2].min(axis=0) for box in boxes]).reshape(-1, 2)
    high = np.array([box[:, 2:].max(axis=0) for box in boxes]).reshape(-1, 2)
    apart = (low[:, None] >= high + max(margin, _GAP * font)).any(axis=2)
    for i, j in np.argwhere(~(apart | apart.T)).tolist():
        if i < j:
            shared = _covered(boxes[i], boxes[j], margin)
            clash[i, j] = np.where(shared > 0, _NEVER + shared, _ONE_LINE * _in_line(boxes[i], boxes[j], font))
            clash[j, i] = clash[i, j].T
    near = {i: [j for j in range(count) if (i, j) in clash] for i in range(count)}
    # the fewer good spots a name has, the sooner it chooses
    order = sorted(range(count), key=lambda i: (-float(np.sort(costs[i])[:6].mean()), i))
    chosen = [-1] * count
    for i in order:
        total = costs[i].copy()
        for j in near[i]:
            if chosen[j] >= 0:
                total += clash[i, j][:, chosen[j]]
        chosen[i] = int(np.argmin(total))
    for _ in range(12):
        moved = False
        for i in order:
            total = costs[i].copy()
            for j in near[i]:
                total += clash[i, j][:, chosen[j]]
            best = int(np.argmin(total))
            if total[best] < total[chosen[i]] - 1e-9:
                chosen[i] = best
                moved = True
            elif total[chosen[i]] >= _NEVER / 2:
                moved |= _make_room(i, costs, clash, near, chosen)
        if not moved:
            break
    return chosen


def _make_room(
    i: int,
    costs: list[Floats],
    clash: dict[tuple[int, int], Floats],
    near: dict[int, list[int]],
    chosen: list[int],
) -> bool:
    """Move a name and one neighbour together where neither can improve alone, and return whether that helped."""

    def cost_of(label: int, spot: int, without: int) -> float:
        return float(costs[label][spot]) + sum(
            float(clash[label, j][spot, chosen[j]]) for j in near[label] if j != without
        )

    for j in near[i]:
        before = cost_of(i, chosen[i], j) + cost_of(j, chosen[j], i) + float(clash[i, j][chosen[i], chosen[j]])
        mine = np.array([cost_of(i, spot, j) for spot in range(len(costs[i]))])
        yours = np.array([cost_of(j, spot, i) for spot in range(len(costs[j]))])
        both = mine[:, None] + yours[None, :] + clash[i, j]
        a, b = divmod(int(np.argmin(both)), both.shape[1])
        if both[a, b] < before - 1e-9:
            chosen[i], chosen[j] = a, b
            return True
    return False


def _label(name: Name, spot: _Spot) -> Label:
    place, size = name.place, name.size
    left, top, right, bottom = spot.box
    x = {"start": left, "middle": (left + right) / 2, "end": right}[spot.anchor]
    figures = None
    if place.passengers:
        step = FIGURE * size
        wide = place.passengers * step
        start = {"start": left, "middle": (left + right - wide) / 2, "end": right - wide}[spot.anchor]
        figures = (round(start, 1), round(bottom - FIGURES * size, 1), round(step, 2))
    box = (round(left, 1), round(top, 1), round(right, 1), round(bottom, 1))
    return Label(
        place.index, spot.lines, round(x, 1), round(top + RISE * size, 1), spot.anchor, round(size, 1), box, figures
    )
