"""Small plots as SVG: each a pure function from numbers to text. Colours are classes of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from branchline.arena.statistics import Estimate, Numbers
from branchline.draw.lettering import text_width
from branchline.draw.palette import ROUTE_COLOURS
from branchline.draw.spaces import number

WIDE = 420.0  # of every plot
ROW = 30.0
FONT = 13.0
FOOT = 24.0  # for the figures of the axis
MOST_LABEL = 120.0


def svg(high: float, drawn: Sequence[str], title: str) -> str:
    """Return a plot as a picture with a description: `title` says what can be seen."""
    return (
        f'<svg class="plot" viewBox="0 0 {number(WIDE)} {number(high)}" role="img">'
        f"<title>{escape(title)}</title>{''.join(drawn)}</svg>"
    )


class Axis:
    """A horizontal axis with round figures."""

    def __init__(self, low: float, high: float, left: float, right: float = WIDE - 24) -> None:
        span = max(high - low, 1e-9)
        rough = span / 5
        scale = 10.0 ** np.floor(np.log10(rough))
        self.step = float(scale * next(factor for factor in (1, 2, 5, 10) if factor * scale >= rough))
        self.low = float(np.floor(low / self.step + 1e-9) * self.step)
        self.high = float(max(self.low + self.step, np.ceil(high / self.step - 1e-9) * self.step))
        self.left, self.right = left, right

    def at(self, value: float) -> float:
        """Return where a value lies."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.left + share * (self.right - self.left)

    def drawn(self, foot: float, unit: str = "", signed: bool = False) -> str:
        """Return the lines and figures, down to `foot`."""
        parts = []
        for n in range(round((self.high - self.low) / self.step) + 1):
            value = self.low + n * self.step
            x = number(self.at(value))
            figure = f"{value:+g}" if signed and abs(value) > 1e-9 else f"{round(value, 6):g}"
            figure = figure.replace("-", "\N{MINUS SIGN}")
            parts.append(f'<path class="axis" d="M{x} 4V{number(foot)}"/>')
            parts.append(
                f'<text class="soft" x="{x}" y="{number(foot + 16)}" text-anchor="middle">{figure}{unit}</text>'
            )
        return "".join(parts)


def label(text: str, x: float, y: float, anchor: str = "end") -> str:
    """Return a name beside a row, cut where it would be too long."""
    shown = text
    while text_width(shown, FONT) > MOST_LABEL and len(shown) > 4:
        shown = shown[:-2] + "…"
    return f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}">{escape(shown)}</text>'


def label_room(names: Sequence[str]) -> float:
    """Return how much room the names at the left take."""
    return 14 + min(MOST_LABEL, max((text_width(name, FONT) for name in names), default=0.0))


def reaches(
    rows: Sequence[tuple[str, Estimate]],
    title: str,
    *,
    unit: str = "",
    expected: float | None = 0.0,
    signed: bool = False,
) -> str:
    """Return a dot with its interval for each row; a broken line where all would lie if nothing made a difference."""
    left = label_room([name for name, _ in rows])
    ends = [end for _, estimate in rows for end in (estimate.low, estimate.high, estimate.mean)]
    marks = [] if expected is None else [expected]
    axis = Axis(min(ends + marks), max(ends + marks), left)
    foot = 8 + ROW * len(rows)
    drawn = [axis.drawn(foot, unit, signed)]
    if expected is not None:
        drawn.append(f'<path class="zero" d="M{number(axis.at(expected))} 4V{number(foot)}"/>')
    for n, (name, estimate) in enumerate(rows):
        y = 8 + ROW * (n + 0.5)
        low, high, x = (number(axis.at(value)) for value in (estimate.low, estimate.high, estimate.mean))
        drawn.append(
            f"<g><title>{escape(name)}: {estimate.mean:.1f}{unit} ({estimate.low:.1f} … {estimate.high:.1f})</title>"
            f'<path class="reach" d="M{low} {number(y)}H{high}M{low} {number(y - 4)}v8M{high} {number(y - 4)}v8"/>'
            f'<circle class="dot" cx="{x}" cy="{number(y)}" r="5.5"/></g>' + label(name, left - 10, y + 4.5)
        )
    return svg(foot + FOOT, drawn, title)


def hills(rows: Sequence[tuple[str, Numbers]], title: str) -> str:
    """Return the distribution of values, a hill for each row, all on one axis; a line marks the median."""
    rows = [(name, values) for name, values in rows if len(values)]
    if not rows:
        return ""
    left = label_room([name for name, _ in rows])
    whole = np.concatenate([values for _, values in rows])
    axis = Axis(float(whole.min()), float(whole.max()) + 1, left)
    high = 46.0 if len(rows) < 8 else ROW
    bins = max(1, round((axis.high - axis.low) / max(1.0, axis.step / 10)))
    edges = np.linspace(axis.low, axis.high, bins + 1)
    counts = [np.histogram(values, edges)[0] / len(values) for _, values in rows]
    most = max(float(count.max()) for count in counts)
    foot = 8 + high * len(rows)
    drawn = [axis.drawn(foot)]
    for n, ((name, values), count) in enumerate(zip(rows, counts, strict=True)):
        base = 8 + high * (n + 1)
        path = f"M{number(axis.at(edges[0]))} {number(base)}"
        for start, end, share in zip(edges, edges[1:], count, strict=False):
            y = number(base - (high - 6) * share / most)
            path += f"L{number(axis.at(start))} {y}H{number(axis.at(end))}"
        middle = float(np.median(values))
        x = number(axis.at(middle + 0.5))
        drawn.append(
            f"<g><title>{escape(name)}: median {middle:g}, {values.min():g} to {values.max():g}</title>"
            f'<path class="hill" d="{path}V{number(base)}Z"/>'
            f'<path class="reach" d="M{x} {number(base)}v{number(-high + 8)}"/></g>' + label(name, left - 10, base - 6)
        )
    return svg(foot + FOOT, drawn, title)


PART_COLOURS = tuple(ROUTE_COLOURS.values())


def stacks(
    rows: Sequence[tuple[str, Mapping[str, float]]],
    parts: Sequence[str],
    title: str,
    spoken: Mapping[str, str] | None = None,
) -> str:
    """Return where points come from: a bar for each row, with losses to the left of zero.

    `spoken`: parts for people.
    """
    spoken = spoken or {part: spelt(part) for part in parts}
    left = label_room([name for name, _ in rows])
    gains = [sum(value for value in row.values() if value > 0) for _, row in rows]
    losses = [sum(value for value in row.values() if value < 0) for _, row in rows]
    axis = Axis(min(0.0, *losses), max(1.0, *gains), left)
    foot = 8 + ROW * len(rows)
    drawn = [axis.drawn(foot)]
    for n, (name, row) in enumerate(rows):
        y = 8 + ROW * n + 5
        ends = {True: 0.0, False: 0.0}
        for part in parts:
            value = row[part]
            if abs(value) < 0.05:
                continue
            start = ends[value > 0]
            ends[value > 0] = start + value
            x, to_x = sorted((axis.at(start), axis.at(start + value)))
            drawn.append(
                f'<rect class="part" x="{number(x)}" y="{number(y)}" width="{number(to_x - x)}" '
                f'height="{number(ROW - 10)}" fill="{colour_of(part, parts)}">'
                f"<title>{escape(name)}, {escape(spoken[part])}: {value:+.1f}</title></rect>"
            )
        drawn.append(label(name, left - 10, y + 14.5))
    drawn.append(f'<path class="zero" d="M{number(axis.at(0))} 4V{number(foot)}"/>')
    return svg(foot + FOOT, drawn, title)


def colour_of(part: str, parts: Sequence[str]) -> str:
    """Return the colour of a part of the score."""
    return PART_COLOURS[parts.index(part) % len(PART_COLOURS)]


def key(parts: Sequence[str], spoken: Mapping[str, str] | None = None) -> str:
    """Return which colour is which part."""
    spoken = spoken or {part: spelt(part) for part in parts}
    shown = "".join(
        f'<span><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" rx="2" '
        f'fill="{colour_of(part, parts)}" stroke="currentColor" stroke-width=".6"/></svg>{escape(spoken[part])}</span>'
        for part in parts
    )
    return f'<p class="key">{shown}</p>'


def ramp(low: str, high: str) -> str:
    """Return the ten steps of heat, and what their ends mean."""
    steps = "".join(f'<rect class="h{step}" x="{step}" width="1.02" height="1"/>' for step in range(10))
    return (
        f'<p class="key ramp"><span>{escape(low)}<svg viewBox="0 0 10 1" preserveAspectRatio="none" '
        f'aria-hidden="true">{steps}</svg>{escape(high)}</span></p>'
    )


def spelt(part: str) -> str:
    """Return a part's key for people: `trail bonus` for `trail_bonus`."""
    return part.replace("_", " ")
