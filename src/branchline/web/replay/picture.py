"""The result of a game as one picture: the map as it lies, the scores by source, and the chances if it was analysed."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape

from branchline.analysis import Analysis, curve_svg
from branchline.draw.palette import THEMES
from branchline.web.core.pages import components, final_scores, labels
from branchline.web.core.pages.translation import translator_for
from branchline.web.core.seen import TableContext

WIDE, MARGIN, LINE, NAMES = 1600, 40, 44, 460  # px; NAMES: the breadth of the first column
_VIEW = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"')


def result_picture(context: TableContext, analysed: Analysis | None) -> str:
    """Draw the result of a finished game as SVG; `found`: its analysis, if there is one."""
    assert context.scores is not None
    words, ink = translator_for(context.visit.language), THEMES["light"].ink
    players, scores = context.players, context.scores
    rows = final_scores.rows_of(words, context.board, context.game.view(None), players, scores)
    table = [
        ["", *(components.name_of(words, player) for player in players)],
        *([row.name, *map(str, row.points)] for row in rows),
        [words("Total"), *(labels.whole(score.total) for score in scores.seats)],
    ]
    chart, high = _placed(context.game.svg(theme="light"), 0)
    drawn, top = [chart], high + MARGIN + LINE
    title = f"{context.board.title_in(words.language)}: {final_scores.winners(words, players, scores)}"
    drawn.append(_text(MARGIN, top, title, size=38, bold=True))
    step = (WIDE - NAMES - MARGIN) / len(players)
    for n, cells in enumerate(table):
        y = top + LINE * (n + 1.4)
        if n:
            drawn.append(f'<path d="M{MARGIN} {y - 32:.0f}H{WIDE - MARGIN}" stroke="{ink}" stroke-opacity="0.25"/>')
        for m, cell in enumerate(cells):
            x = NAMES + step * m if m else MARGIN
            drawn.append(_text(x, y, cell, bold=n in (0, len(table) - 1), end=m > 0, room=step if m else NAMES))
    tall = top + LINE * (len(table) + 1.4)
    if analysed is not None:
        names = tuple(table[0][1:])
        curve, depth = _placed(curve_svg(replace(analysed, names=names), title=words("Win chance")), tall)
        drawn.append(curve)
        tall += depth + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{tall:.0f}" viewBox="0 0 {WIDE} {tall:.0f}" '
        f'font-family="Georgia, serif" fill="{ink}"><rect width="{WIDE}" height="{tall:.0f}" '
        f'fill="{THEMES["light"].halo}"/>{"".join(drawn)}</svg>'
    )


def _placed(svg: str, top: float) -> tuple[str, float]:
    """Return a drawing over the whole breadth, and its height then."""
    view = _VIEW.search(svg)
    assert view is not None
    high = WIDE * float(view[2]) / float(view[1])
    return svg.replace("<svg ", f'<svg x="0" y="{top:.0f}" width="{WIDE}" height="{high:.0f}" ', 1), high


def _text(
    x: float, y: float, content: str, *, size: int = 28, bold: bool = False, end: bool = False, room: float = WIDE
) -> str:
    """Return a line of text, shortened to fit."""
    most = int(room / (0.55 * size))
    content = content if len(content) <= most else f"{content[: most - 1]}…"
    weight, anchor = 700 if bold else 400, "end" if end else "start"
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}">'
        f"{escape(content)}</text>"
    )
