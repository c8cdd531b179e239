"""The cartouche drawn: the board's name in a double frame, and under it what routes are worth."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from branchline.draw.geometry import Legend
from branchline.draw.lettering import TITLES, text_width
from branchline.draw.palette import Theme
from branchline.draw.spaces import number
from branchline.draw.wording import say


def cartouche(title: str, legend: Legend, theme: Theme, words: Mapping[str, str]) -> str:
    """Return the cartouche: the board's name, smaller if long, and a table of points for every length there is."""
    size = legend.size
    left, top, right, bottom = legend.box
    middle = (left + right) / 2
    large = min(1.5 * size, (right - left - size) / max(text_width(title, 1.0) + 0.08 * len(title), 1.0))
    drawn = [
        f'<rect x="{number(left)}" y="{number(top)}" width="{number(right - left)}" '
        f'height="{number(bottom - top)}" fill="{theme.halo}" stroke="{theme.soft_ink}" stroke-width="1.2"/>',
        f'<rect x="{number(left + 3)}" y="{number(top + 3)}" width="{number(right - left - 6)}" '
        f'height="{number(bottom - top - 6)}" fill="none" stroke="{theme.soft_ink}" stroke-width=".6"/>',
        f'<text x="{number(middle)}" y="{number(top + 1.85 * size)}" font-size="{number(large)}" '
        f'font-family="{TITLES}" letter-spacing="{number(0.08 * large)}" text-anchor="middle" '
        f'fill="{theme.ink}">{escape(title)}</text>',
    ]
    for table in legend.tables:
        line, end = table.y + 0.36 * size, table.x + legend.first + len(table.columns) * legend.column
        drawn.append(
            f'<path d="M{number(table.x)} {number(line)}H{number(end)}" stroke="{theme.soft_ink}" stroke-width=".8"/>'
        )
        for heading, baseline in ((table.what, table.y), ("worth", table.y + 1.35 * size)):
            drawn.append(
                f'<text x="{number(table.x)}" y="{number(baseline)}" font-size="{number(0.8 * size)}" '
                f'fill="{theme.soft_ink}">{escape(say(words, heading))}</text>'
            )
        for index, (length, points) in enumerate(table.columns):
            x = table.x + legend.first + (index + 0.5) * legend.column
            for value, baseline, weight in ((length, table.y, 400), (points, table.y + 1.35 * size, 700)):
                drawn.append(
                    f'<text x="{number(x)}" y="{number(baseline)}" font-size="{number(size)}" '
                    f'font-weight="{weight}" text-anchor="middle" fill="{theme.ink}">{value}</text>'
                )
    return '<g class="legend" aria-hidden="true">' + "".join(drawn) + "</g>"
