"""Bends the curves of all routes, one after the other and again, until they are clear of each other and of all else.

Every curve starts straight. Many shapes of it are judged while the others stay as they are, and it takes the best.
What was judged is not judged again before something has changed nearby.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from branchline.draw.curves import STRAIGHT, Shape, Span, discs_of
from branchline.draw.geometry import Box, Sheet, Sizes
from branchline.draw.projection import Floats
from branchline.draw.scenery import Land

Tries = Callable[[Span, Shape, Sizes], Floats]
"""Shapes to be tried in place of the one a curve has, one row each."""


@dataclass
class _Trial:
    """Shapes of one curve to be tried, the one it has first."""

    shapes: Floats
    discs: Floats  # middles of the discs that cover the spaces: x and y, shapes, discs
    cost: Floats  # of each shape, before the other curves and the names are looked at
    box: Box  # around all discs
    judged: int = -1  # how many changes there had been when none was found to be better; -1: not judged yet


@dataclass
class _Curve:
    """A curve as it is bent so far."""

    span: Span
    discs: slice  # its part of all discs
    shape: Shape = STRAIGHT
    trials: dict[Tries, tuple[Shape, _Trial]] = field(default_factory=dict)  # the last of each kind, and from where


class Bending:
    """All curves of a board, and what there is to keep clear of."""

    def __init__(self, spans: Sequence[Span], sheet: Sheet, sizes: Sizes, land: Land | None) -> None:
        self._sizes = sizes
        self._sheet = sheet
        self._land = land
        self._places = np.array(sheet.places).T
        # a country's exits are places too, drawn where their tracks end
        exits = [span.end for span in spans if len(span.ends) == 2 and span.trims[1] < sizes.start]
        exits += [span.start for span in spans if len(span.ends) == 2 and span.trims[0] < sizes.start]
        self._exits = np.array(exits).reshape(-1, 2).T
        self._names: tuple[Box, ...] = ()
        self._boxes = np.zeros((0, 4))
        self._changes: list[Box] = []  # where something has changed, in order
        self._curves: list[_Curve] = []
        straight = [discs_of(span, np.array([STRAIGHT]), sizes)[0][:, 0] for span in spans]
        self._discs = np.concatenate([np.zeros((2, 0)), *straight], axis=1)
        first = 0
        for span, discs in zip(spans, straight, strict=True):
            self._curves.append(_Curve(span, slice(first, first + discs.shape[1])))
            first += discs.shape[1]

    @property
    def shapes(self) -> list[Shape]:
        """The shape of every span's curve."""
        return [curve.shape for curve in self._curves]

    def keep_clear(self, boxes: Sequence[Box]) -> None:
        """Keep the curves clear of these boxes from now on, and no longer of those given before."""
        self._changes += sorted(set(self._names) ^ set(boxes))
        self._names = tuple(boxes)
        self._boxes = np.array(boxes).reshape(-1, 4)

    def settle(self, coarse: int, fine: int) -> None:
        """Settle the curves in `coarse` rounds of large bends, then in at most `fine` rounds of small ones while any
        improves.
        """
        for sweep in range(coarse + fine):
            bends = _bows if sweep < coarse else _NEAR[(sweep - coarse) % len(_NEAR)]
            moved = False
            for curve in self._curves:
                moved |= self._improve(curve, bends)
                moved |= self._improve(curve, _later)  # with the bends chosen, see where the spaces should begin
            if not moved and sweep >= coarse:
                break

    def _improve(self, curve: _Curve, tries: Tries) -> bool:
        """Give a curve the best of the shapes tried, and return whether that is a new one."""
        trial = self._trial(curve, tries)
        if trial.judged >= 0 and not self._changed(trial):
            trial.judged = len(self._changes)
            return False
        cost = self._cost(curve, trial)
        best = int(np.argmin(np.round(cost, 9)))  # of shapes as good as each other the first, on every machine
        if cost[best] >= cost[0] - 1e-6:
            trial.judged = len(self._changes)
            return False
        one, two, begin, finish = (float(part) for part in trial.shapes[best])
        curve.shape = (one, two, begin, finish)
        discs = trial.discs[:, best]
        self._changes += [_around(self._discs[:, curve.discs]), _around(discs)]
        self._discs[:, curve.discs] = discs
        return True

    def _changed(self, trial: _Trial) -> bool:
        """Return whether anything that presses on it has changed since it was judged."""
        left, top, right, bottom = _grown(trial.box, 1.3 * self._sizes.plank)
        return any(
            left < change[2] and change[0] < right and top < change[3] and change[1] < bottom
            for change in self._changes[trial.judged :]
        )

    def _trial(self, curve: _Curve, tries: Tries) -> _Trial:
        """Return shapes to be tried, with their fixed cost; kept while the curve stays as it is."""
        known = curve.trials.get(tries)
        if known is not None and known[0] == curve.shape:
            return known[1]
        span, sizes = curve.span, self._sizes
        shapes = np.concatenate([np.array([curve.shape]), tries(span, curve.shape, sizes)])
        discs, lengths = discs_of(span, shapes, sizes)
        box = _around(discs)
        cost = self._cost_of_places(span, discs, box) + self._cost_of_ground(span, discs)
        short = np.maximum(sizes.wanted - lengths, 0.0) / sizes.plank
        cost += 5.0 * span.count * len(span.routes) * short**2
        weight = min(span.chord / (6 * sizes.plank), 4.0)
        bows = np.abs(shapes[:, :2])
        bent = np.where(bows < 0.5, bows**2, 0.25 + 0.15 * (bows - 0.5))  # a far way round is no worse twice over
        cost += weight * (4.0 * bent.sum(axis=1) + 6.0 * (shapes[:, 0] - shapes[:, 1]) ** 2)
        cost += 0.12 * shapes[:, 2:].sum(axis=1) / sizes.plank
        trial = _Trial(shapes, discs, cost, box)
        curve.trials[tries] = (curve.shape, trial)
        return trial

    def _cost_of_places(self, span: Span, discs: Floats, box: Box) -> Floats:
        """Return how near each shape comes to places: least of all to those that are not its own."""
        sizes = self._sizes
        own = list(span.ends)
        lone = np.delete(self._places, own, axis=1)
        cost = 2.5 * self._press(discs, box, lone, sizes.ring + 0.85 * sizes.plank)
        cost += 1.5 * self._press(discs, box, self._places[:, own], sizes.ring + 0.4 * sizes.plank)
        if self._exits.size:
            ends = np.array([span.start, span.end]).T
            apart = np.abs(self._exits[:, :, None] - ends[:, None, :]).max(axis=0).min(axis=1) > 1.0
            cost += 2.5 * self._press(discs, box, self._exits[:, apart], sizes.ring + 0.7 * sizes.plank)
        return cost

    def _cost_of_ground(self, span: Span, discs: Floats) -> Floats:
        """Return how much of each shape lies on land that it should avoid, or beyond the frame."""
        sizes, sheet = self._sizes, self._sheet
        rim = sizes.frame + (1.1 if span.round else 0.6) * sizes.plank if len(span.ends) == 2 else 0.0
        edge = np.array([sheet.width, sheet.height])[:, None, None]
        beyond = np.maximum(rim - discs, 0.0) + np.maximum(discs - (edge - rim), 0.0)
        cost: Floats = 4.0 * (beyond**2).sum(axis=(0, 2)) / sizes.plank**2
        if span.afloat and self._land is not None:
            cost += span.afloat * self._land.share(*discs) * discs.shape[2]
        return cost

    def _cost(self, curve: _Curve, trial: _Trial) -> Floats:
        """Return the whole cost of each shape while all other curves stay."""
        others = np.delete(self._discs, curve.discs, axis=1)
        cost = trial.cost + self._press(trial.discs, trial.box, others, 1.3 * self._sizes.plank)
        if len(self._boxes):
            cost += 1.2 * self._press_boxes(trial.discs, trial.box)
        return cost

    def _press(self, discs: Floats, box: Box, others: Floats, breadth: float) -> Floats:
        """Return how hard the discs of each shape, all within a box, press against others that should stay `breadth`
        away.
        """
        left, top, right, bottom = _grown(box, breadth)
        x, y = others
        x, y = others[:, (x > left) & (x < right) & (y > top) & (y < bottom)]
        if not len(x):
            return np.zeros(discs.shape[1])
        squared, dy = discs[0, :, :, None] - x, discs[1, :, :, None] - y
        squared *= squared
        dy *= dy
        squared += dy
        near = np.flatnonzero(squared < breadth**2)  # few are, so the roots are drawn for those alone
        pressed = (breadth - np.sqrt(squared.ravel()[near])) ** 2 / self._sizes.plank**2
        rows = near // (discs.shape[2] * len(x))
        return np.bincount(rows, weights=pressed, minlength=discs.shape[1]).astype(np.float64)

    def _press_boxes(self, discs: Floats, box: Box) -> Floats:
        """Return the same pressure against the boxes of the names."""
        breadth = 0.55 * self._sizes.plank
        left, top, right, bottom = _grown(box, breadth)
        around = self._boxes.T
        around = around[:, (around[0] < right) & (around[1] < bottom) & (around[2] > left) & (around[3] > top)]
        if not around.size:
            return np.zeros(discs.shape[1])
        x, y = discs[0, :, :, None], discs[1, :, :, None]
        aside = np.maximum(np.maximum(around[0] - x, x - around[2]), 0.0)
        above = np.maximum(np.maximum(around[1] - y, y - around[3]), 0.0)
        pressed = np.maximum(breadth - np.hypot(aside, above), 0.0) ** 2
        result: Floats = pressed.sum(axis=(1, 2)) / self._sizes.plank**2
        return result


def _around(discs: Floats) -> Box:
    """Return the box around some points, x and y first."""
    flat = discs.reshape(2, -1)
    (left, top), (right, bottom) = flat.min(axis=1).tolist(), flat.max(axis=1).tolist()
    return left, top, right, bottom


def _grown(box: Box, margin: float) -> Box:
    return box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin


# ---------------------------------------------------------------------------------------------- what is tried


def _bows(span: Span, shape: Shape, sizes: Sizes) -> Floats:
    """Return straight shapes, bows to either side, one-sided and double ones; the spaces begin where they did."""
    if span.count == 1 and not span.round and len(span.ends) == 2:
        bends = [(0.0, 0.0)] + [(sign * bow, sign * bow) for bow in (0.1, 0.2) for sign in (1, -1)]
    else:
        bows = [0.08, 0.16, 0.25, 0.36, 0.5]
        too_near = span.chord - sum(span.trims) < span.count * (sizes.wanted + sizes.gap)
        if too_near or (span.afloat and span.chord < 10 * sizes.plank):  # or a cape lies between
            bows += [0.7, 0.95, 1.2, 1.5]
        bends = [(0.0, 0.0)]
        for sign in (1, -1):
            bends += [(sign * bow, sign * bow) for bow in bows]
            for bow in (0.12, 0.24, 0.36):
                bends += [(sign * bow, 0.0), (0.0, sign * bow)]
                bends += [(sign * bow, sign * bow / 3), (sign * bow / 3, sign * bow)]
            bends += [(sign * bow, -sign * bow) for bow in (0.08, 0.16)]
    return np.array([(*bend, *shape[2:]) for bend in bends])


def _later(span: Span, shape: Shape, sizes: Sizes) -> Floats:
    """Return the same bends with spaces that begin further from the places at the ends."""
    steps = [0.0] if span.count == 1 and span.chord < 5 * sizes.plank else [0.0, 0.45, 0.9, 1.5, 2.2]
    first = steps if span.trims[0] >= sizes.start else [0.0]
    last = steps if span.trims[1] >= sizes.start else [0.0]
    return np.array([(*shape[:2], one * sizes.plank, two * sizes.plank) for one in first for two in last])


def _near(step: float) -> Tries:
    """Return bends a little different from the ones found so far."""

    def near(_span: Span, shape: Shape, _sizes: Sizes) -> Floats:
        one, two, begin, finish = shape
        steps = (-2 * step, -step, 0.0, step, 2 * step)
        return np.array([(one + more, two + also, begin, finish) for more in steps for also in steps])

    return near


_NEAR = (_near(0.05), _near(0.02))
