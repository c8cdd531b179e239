"""The chances of all seats over the course of a game, as an SVG curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from itertools import pairwise

from branchline.analysis.decision import Decision
from branchline.analysis.game import Analysis
from branchline.draw.lettering import text_width
from branchline.draw.palette import SEATS, THEMES, Theme
from branchline.draw.spaces import number

WIDE, HIGH = 760.0, 280.0
LEFT, TOP, FOOT = 54.0, 14.0, 34.0
FONT = 13.0
APART = 17.0  # the names at the right, at least
DASHES = ("", "9 4", "2 4", "12 4 2 4", "5 3")  # a second sign beside the colour, for each seat
DOTS = {"small": 3.0, "medium": 4.5, "large": 6.0}  # their radius, by the size of the mistake


def curve_svg(
    analysis: Analysis,
    theme: Theme | None = None,
    *,
    title: str = "Win chance",
    moments: Sequence[int] | None = None,
    own: bool = False,
    said: Callable[[Decision], str] | None = None,
    told: Callable[[str, float, float, float], str] | None = None,
    share: Callable[[float], str] = "{:.0%}".format,
) -> str:
    """Return one line for each seat, from the first decision to the result; dots mark mistakes.

    The chances are those that somebody sees who sees everything, and add up to 1; if `own`, those that each seat could
    see. `theme`: colours, those of the light map if None. `moments`: for each action the moment before it, where a
    replay counts several actions as one; the curve runs over moments then. Each dot carries `data-moment` and says
    what would have been better; the picture's own `data-left`, `data-wide`, `data-top` and `data-bottom` tell where the
    plot lies. Its words are English unless these have others: `said` for a dot, `told` for a name and its chances at
    the beginning, half-way and at the end, `share` for a chance.
    """
    theme = theme or THEMES["light"]
    right = 18 + max(text_width(name, FONT) for name in analysis.names)
    plot = _Plot([*(moments or range(analysis.steps))], WIDE - LEFT - right)
    drawn = [plot.grid(theme, share)]
    lines = {seat: _points(analysis, seat, own) for seat in range(len(analysis.names))}
    seats = [seat for seat, points in lines.items() if len(points) > 1]
    for seat in seats:
        drawn.append(plot.line(lines[seat], seat, theme))
    for decision in analysis.mistakes():
        drawn.append(
            plot.dot(
                decision,
                _height(lines[decision.seat], decision.step),
                (said or partial(_said, analysis))(decision),
                theme,
            )
        )
    drawn += _names(analysis, seats, plot, theme)
    frame = {"left": LEFT, "wide": plot.wide, "top": TOP, "bottom": HIGH - FOOT}
    edges = [f'data-{name}="{number(at)}"' for name, at in frame.items()]
    whole = f"{title}: {'; '.join((told or _told)(*_summary(analysis, seat, lines[seat])) for seat in seats)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="curve" viewBox="0 0 {number(WIDE)} {number(HIGH)}" role="img" '
        f"{' '.join(edges)} "
        f'font-family="system-ui,sans-serif" font-size="{number(FONT)}">'
        f"<title>{escape(whole)}</title>{''.join(drawn)}</svg>"
    )


Points = list[tuple[int, float]]
"""(actions done, chance)."""


def _points(analysis: Analysis, seat: int, own: bool) -> Points:
    if own:
        return analysis.curve(seat)
    return [*((step, chances[seat]) for step, chances in analysis.course), (analysis.steps, analysis.results[seat])]


def _height(points: Points, step: int) -> float:
    """Return the height of a line at this step."""
    after = next(n for n, (at, _) in enumerate(points) if at >= step)
    (x0, y0), (x1, y1) = points[max(0, after - 1)], points[after]
    return y1 if x1 == x0 else y0 + (y1 - y0) * (step - x0) / (x1 - x0)


def _said(analysis: Analysis, decision: Decision) -> str:
    better = decision.better.move.text if decision.better else ""
    name, done = analysis.names[decision.seat], decision.played
    return f"{name}: {done.move.text}; {better} was better, {decision.best:.0%} instead of {done.chance:.0%}"


class _Plot:
    """Where things lie."""

    def __init__(self, moments: list[int], wide: float) -> None:
        """Begin a plot; `moments` holds for each action the moment before it."""
        self.last = moments[-1] + 1 if moments else 1
        self.moments, self.wide = [*moments, self.last], wide
        self.high = HIGH - TOP - FOOT

    def at(self, moment: float, chance: float) -> tuple[float, float]:
        return LEFT + self.wide * moment / self.last, TOP + self.high * (1 - chance)

    def grid(self, theme: Theme, share: Callable[[float], str]) -> str:
        lines = [
            f'<rect x="{number(LEFT)}" y="{number(TOP)}" width="{number(self.wide)}" height="{number(self.high)}" '
            f'fill="{theme.land}" stroke="{theme.border}"/>'
        ]
        for percent in (0, 25, 50, 75, 100):
            y = self.at(0, percent / 100)[1]
            lines.append(
                f'<path d="M{number(LEFT)} {number(y)}h{number(self.wide)}" stroke="{theme.border}" stroke-width=".8"/>'
                f'<text x="{number(LEFT - 8)}" y="{number(y + 4.5)}" text-anchor="end" fill="{theme.ink}">'
                f"{escape(share(percent / 100))}</text>"
            )
        for moment in range(0, self.last + 1, _round(self.last / 8)):
            x = self.at(moment, 0)[0]
            lines.append(
                f'<text x="{number(x)}" y="{number(HIGH - FOOT + 20)}" text-anchor="middle" '
                f'fill="{theme.soft_ink}">{moment}</text>'
            )
        return "".join(lines)

    def line(self, points: list[tuple[int, float]], seat: int, theme: Theme) -> str:
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in (self.at(self.moments[n], c) for n, c in points))
        dash = f' stroke-dasharray="{DASHES[seat]}"' if DASHES[seat] else ""
        common = f'd="{path}" fill="none" stroke-linejoin="round"'
        return (
            # light colours do not show on paper, nor dark ones at night: an edge around each line
            f'<path {common} stroke="{theme.dark_outline}" stroke-width="4.4"/>'
            f'<path {common} stroke="{SEATS[seat].colour}" stroke-width="2.6"{dash}/>'
        )

    def dot(self, decision: Decision, chance: float, text: str, theme: Theme) -> str:
        moment = self.moments[decision.step]
        x, y = self.at(moment, chance)
        return (
            f'<circle class="lost {decision.mistake}" data-moment="{moment}" cx="{number(x)}" cy="{number(y)}" '
            f'r="{number(DOTS[decision.mistake])}" '
            f'fill="{theme.accent}" stroke="{theme.halo}" stroke-width="1.5"><title>{escape(text)}</title></circle>'
        )


def _round(rough: float) -> int:
    """Return a round step that is not much larger."""
    return next(step for step in (5, 10, 20, 25, 50, 100, 200, 500, 1000, 5000) if step >= min(rough, 5000))


def _names(analysis: Analysis, seats: list[int], plot: _Plot, theme: Theme) -> list[str]:
    """Return the names at the right, at their results, none overlapping another."""
    order = sorted(seats, key=lambda seat: -analysis.results[seat])
    heights = [plot.at(0, analysis.results[seat])[1] for seat in order]
    for n in range(1, len(heights)):
        heights[n] = max(heights[n], heights[n - 1] + APART)
    over = max(0.0, heights[-1] - (HIGH - FOOT)) if heights else 0.0
    heights = [
        min(height, HIGH - FOOT - APART * (len(heights) - 1 - n)) if over else height
        for n, height in enumerate(heights)
    ]
    assert all(b > a for a, b in pairwise(heights))
    x = LEFT + plot.wide
    return [
        f'<g><circle cx="{number(x + 8)}" cy="{number(y)}" r="4.5" fill="{SEATS[seat].colour}" '
        f'stroke="{theme.dark_outline}"/>'
        f'<text x="{number(x + 16)}" y="{number(y + 4.5)}" fill="{theme.ink}">{escape(analysis.names[seat])}</text></g>'
        for seat, y in zip(order, heights, strict=True)
    ]


def _summary(analysis: Analysis, seat: int, points: Points) -> tuple[str, float, float, float]:
    """Return a name, and its chance at the beginning, half-way and at the end."""
    return analysis.names[seat], points[0][1], _height(points, analysis.steps // 2), points[-1][1]


def _told(name: str, start: float, half: float, end: float) -> str:
    return f"{name} {start:.0%}, half-way {half:.0%}, at the end {end:.0%}"
