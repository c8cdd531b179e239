"""What pages of the arena are made of: the document, its style, sections and tables."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources

from branchline.arena.statistics import Estimate
from branchline.boards import Board
from branchline.draw import board_style
from branchline.draw.page import PAGE, heat_properties, properties
from branchline.draw.palette import HEAT, THEMES, symbol_colour


def document(board: Board, title: str, body: str, *, script: str = "") -> str:
    """Return a whole page as one HTML file: nothing is fetched, light and dark as the reader's system is.

    Its style sheet and its script, if it has one, are allowed by their hashes; nothing else is.
    """
    style = page_style(board)
    allowed = f"style-src 'sha256-{_hashed(style)}'"
    if script:
        allowed += f"; script-src 'sha256-{_hashed(script)}'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"{allowed}; base-uri 'none'; form-action 'none'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>{body}"
        f"{f'<script>{script}</script>' if script else ''}</body></html>\n"
    )


def _hashed(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def page_style(board: Board) -> str:
    """Return one style sheet for the page and its drawings of a board."""
    light, dark, contrast = (properties(THEMES[theme]) + heat_properties(THEMES[theme]) for theme in HEAT)
    on = {
        theme: "".join(f"--on-{step}:{symbol_colour(colour)};" for step, colour in enumerate(HEAT[theme]))
        for theme in HEAT
    }
    return "\n".join(
        (
            f":root{{color-scheme:light;{light}{on['light']}}}",
            f"@media(prefers-color-scheme:dark){{:root{{color-scheme:dark;{dark}{on['dark']}}}}}",
            f"@media(prefers-contrast:more){{:root{{color-scheme:light;{contrast}{on['contrast']}}}}}",
            resources.files(__package__).joinpath("report.css").read_text(encoding="utf-8"),
            heat_steps(),
            board_style(board, PAGE, heat=True),
        )
    )


def heat_steps() -> str:
    """Return the ten steps of heat as classes: for fills, and for backgrounds of text."""
    return "\n".join(
        f".h{step}{{fill:var(--heat-{step})}}\n.m{step}{{background:var(--heat-{step});color:var(--on-{step})}}"
        for step in range(10)
    )


def section(title: str, body: str, *, wide: bool = False, folded: bool = False) -> str:
    """Return a part of the page, over its whole breadth or half of it; `folded`: opened by a press on its title."""
    if folded:
        body = f"<details><summary><h2>{escape(title)}</h2></summary>{body}</details>"
        return f"<section class='{'wide' if wide else 'half'}'>{body}</section>"
    return f"<section class='{'wide' if wide else 'half'}'><h2>{escape(title)}</h2>{body}</section>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of texts; the first column names the rows."""
    top = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in head)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    return scroll(f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>")


def scroll(inside: str, label: str = "") -> str:
    """Return a table that may be wider than a phone; the keyboard can reach it to scroll."""
    name = f' role="group" aria-label="{escape(label)}"' if label else ""
    return f'<div class="scroll" tabindex="0"{name}>{inside}</div>'


def more(title: str, body: str) -> str:
    """Return what is shown when the reader asks for it."""
    return f"<details><summary>{escape(title)}</summary>{body}</details>"


def soft(text: str) -> str:
    """Return a remark."""
    return f'<p class="soft">{escape(text)}</p>'


def between(estimate: Estimate, form: str, times: float = 1) -> str:
    """Return an interval."""
    return f"{times * estimate.low:{form}} … {times * estimate.high:{form}}"
