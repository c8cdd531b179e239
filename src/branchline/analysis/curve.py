"""The chances of all seats over the course of a game, as an SVG curve."""

from __future__ import annotations

from html import escape
from itertools import pairwise

from branchline.analysis.game import Analysis, Decision
from branchline.draw.lettering import text_width
from branchline.draw.palette import SEATS, THEMES, Theme
from branchline.draw.spaces import number

WIDE, HIGH = 760.0, 280.0
LEFT, TOP, FOOT = 46.0, 14.0, 34.0
FONT = 13.0
APART = 17.0  # the names at the right, at least
DASHES = ("", "9 4", "2 4", "12 4 2 4", "5 3")  # a second sign beside the colour, for each seat
ALSO_LOST = 0.05  # moves that gave away less are not marked


def curve_svg(analysis: Analysis, theme: Theme | None = None, *, title: str = "Chance to win") -> str:
    """One line for each seat, from the first decision to the result; dots mark moves to which there was a better one.

    `theme`: colours, those of the light map if None. Each dot carries `data-step`, the moment in the replay, and
    says what would have been better.
    """
    theme = theme or THEMES["light"]
    right = 18 + max(text_width(name, FONT) for name in analysis.names)
    plot = _Plot(max(1, analysis.steps), WIDE - LEFT - right)
    drawn = [plot.grid(theme)]
    seats = [seat for seat in range(len(analysis.names)) if analysis.of(seat)]
    for seat in seats:
        drawn.append(plot.line(analysis.curve(seat), seat, theme))
    for one in analysis.decisions:
        if one.lost >= ALSO_LOST:
            drawn.append(plot.dot(one, analysis.names[one.seat], theme))
    drawn += _names(analysis, seats, plot, theme)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="curve" viewBox="0 0 {number(WIDE)} {number(HIGH)}" role="img" '
        f'font-family="system-ui,sans-serif" font-size="{number(FONT)}"><title>{escape(title)}: '
        f"{escape(_told(analysis, seats))}</title>{''.join(drawn)}</svg>"
    )


class _Plot:
    """Where things lie."""

    def __init__(self, steps: int, wide: float) -> None:
        self.steps, self.wide = steps, wide
        self.high = HIGH - TOP - FOOT

    def at(self, step: float, chance: float) -> tuple[float, float]:
        return LEFT + self.wide * step / self.steps, TOP + self.high * (1 - chance)

    def grid(self, theme: Theme) -> str:
        found = [
            f'<rect x="{number(LEFT)}" y="{number(TOP)}" width="{number(self.wide)}" height="{number(self.high)}" '
            f'fill="{theme.land}" stroke="{theme.border}"/>'
        ]
        for percent in (0, 25, 50, 75, 100):
            y = self.at(0, percent / 100)[1]
            found.append(
                f'<path d="M{number(LEFT)} {number(y)}h{number(self.wide)}" stroke="{theme.border}" stroke-width=".8"/>'
                f'<text x="{number(LEFT - 8)}" y="{number(y + 4.5)}" text-anchor="end" fill="{theme.ink}">{percent}%'
                "</text>"
            )
        for step in range(0, self.steps + 1, _round(self.steps / 8)):
            x = self.at(step, 0)[0]
            found.append(
                f'<text x="{number(x)}" y="{number(HIGH - FOOT + 20)}" text-anchor="middle" '
                f'fill="{theme.soft_ink}">{step}</text>'
            )
        return "".join(found)

    def line(self, points: list[tuple[int, float]], seat: int, theme: Theme) -> str:
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in (self.at(*one) for one in points))
        dash = f' stroke-dasharray="{DASHES[seat]}"' if DASHES[seat] else ""
        common = f'd="{path}" fill="none" stroke-linejoin="round"'
        return (
            f'<path {common} stroke="{theme.place}" stroke-width="4.4" opacity=".6"/>'
            f'<path {common} stroke="{SEATS[seat].colour}" stroke-width="2.4"{dash}/>'
        )

    def dot(self, one: Decision, name: str, theme: Theme) -> str:
        x, y = self.at(one.step, one.best)
        better = one.better.move.text if one.better else ""
        said = f"{name}: {one.played.move.text}; {better} was better, {one.best:.0%} instead of {one.played.chance:.0%}"
        return (
            f'<circle class="lost" data-step="{one.step}" cx="{number(x)}" cy="{number(y)}" r="4.5" '
            f'fill="{theme.accent}" stroke="{theme.halo}" stroke-width="1.5"><title>{escape(said)}</title></circle>'
        )


def _round(rough: float) -> int:
    """A round step not far above."""
    return next(step for step in (5, 10, 20, 25, 50, 100, 200, 500, 1000, 5000) if step >= min(rough, 5000))


def _names(analysis: Analysis, seats: list[int], plot: _Plot, theme: Theme) -> list[str]:
    """The names at the right, at their results, none upon another."""
    order = sorted(seats, key=lambda seat: -analysis.results[seat])
    heights = [plot.at(0, analysis.results[seat])[1] for seat in order]
    for n in range(1, len(heights)):
        heights[n] = max(heights[n], heights[n - 1] + APART)
    over = max(0.0, heights[-1] - (HIGH - FOOT)) if heights else 0.0
    heights = [min(one, HIGH - FOOT - APART * (len(heights) - 1 - n)) if over else one for n, one in enumerate(heights)]
    assert all(b > a for a, b in pairwise(heights))
    x = LEFT + plot.wide
    return [
        f'<g><circle cx="{number(x + 8)}" cy="{number(y)}" r="4.5" fill="{SEATS[seat].colour}" stroke="{theme.halo}"/>'
        f'<text x="{number(x + 16)}" y="{number(y + 4.5)}" fill="{theme.ink}">{escape(analysis.names[seat])}</text></g>'
        for seat, y in zip(order, heights, strict=True)
    ]


def _told(analysis: Analysis, seats: list[int]) -> str:
    """The curve in words."""
    found = []
    for seat in seats:
        curve = analysis.curve(seat)
        half = next(chance for step, chance in curve if step >= analysis.steps / 2)
        found.append(f"{analysis.names[seat]} {curve[0][1]:.0%}, half-way {half:.0%}, at the end {curve[-1][1]:.0%}")
    return "; ".join(found)
