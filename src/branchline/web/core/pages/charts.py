"""Figures over time as SVG: a dot for each, a line of what they have been lately. Colours are classes of the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from statistics import fmean

from markupsafe import Markup

from branchline.draw.spaces import number

WIDE, HIGH = 560.0, 190.0
LEFT, RIGHT, TOP, FOOT = 52.0, 12.0, 10.0, 14.0
LATELY = 10  # figures that the line is the mean of
MOST_DOTS = 400  # more would be a blur; then each dot is the mean of several
STEPS = (1, 2, 5)


def over_time(
    values: Sequence[float], worded: Callable[[float], str], title: str, least: float = 1.0, zero: bool = False
) -> Markup:
    """Return the values from left to right; `told` words one, `least` is the least span of the axis, `zero` marks 0."""
    values = _thinned(values)
    step, low, high = _axis(min(values), max(values), least)
    across = (WIDE - LEFT - RIGHT) / max(1, len(values) - 1)

    def at(n: float, value: float) -> tuple[str, str]:
        x = LEFT + n * across if len(values) > 1 else (LEFT + WIDE - RIGHT) / 2
        return number(x), number(TOP + (HIGH - TOP - FOOT) * (high - value) / (high - low))

    drawn = []
    for n in range(round((high - low) / step) + 1):
        value = low + n * step
        _, y = at(0, value)
        marked = ' class="zero"' if zero and abs(value) < step / 1000 else ' class="axis"'
        drawn.append(f'<path{marked} d="M{number(LEFT)} {y}H{number(WIDE - RIGHT)}"/>')
        drawn.append(
            f'<text class="soft" x="{number(LEFT - 8)}" y="{y}" dy="4.5" text-anchor="end">{worded(value)}</text>'
        )
    for n, value in enumerate(values):
        x, y = at(n, value)
        drawn.append(f'<circle class="dot" cx="{x}" cy="{y}" r="3"/>')
    if len(values) > 2:
        lately = [fmean(values[max(0, n + 1 - LATELY) : n + 1]) for n in range(len(values))]
        drawn.append(
            f'<path class="lately" d="M{"L".join(" ".join(at(n, value)) for n, value in enumerate(lately))}"/>'
        )
    return Markup(
        f'<svg class="plot" viewBox="0 0 {number(WIDE)} {number(HIGH)}" role="img" aria-label="{escape(title)}">'
        f"{''.join(drawn)}</svg>"
    )


def bar(share: float) -> Markup:
    """Return a bar for a share of the maximum, -1 to 1, hollow if negative, to stand beside the figure it shows."""
    wide = number(100 * min(1.0, abs(share)))
    kind = ' class="negative"' if share < 0 else ""
    return Markup(
        '<svg class="bar-plot" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
        f'<rect{kind} width="{wide}" height="10"/></svg>'
    )


def _thinned(values: Sequence[float]) -> list[float]:
    many = -(-len(values) // MOST_DOTS)
    return [fmean(values[n : n + many]) for n in range(0, len(values), many)]


def _axis(low: float, high: float, least: float) -> tuple[float, float, float]:
    """Return a round step, and the lowest and the highest figure of the axis."""
    span = max(high - low, least)
    scale = 10.0 ** len(str(int(span))) / 1000
    step = next(factor * scale * ten for ten in (1, 10, 100) for factor in STEPS if factor * scale * ten >= span / 5)
    bottom = step * int(low // step)
    top = bottom
    while top < max(high, bottom + least):
        top += step
    return step, bottom, top
