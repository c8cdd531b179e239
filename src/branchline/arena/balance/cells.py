"""How figures of a board are written: sentences in the reader's language, shares, points, tables to sort."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Protocol

from branchline.arena.report.parts import scroll
from branchline.arena.statistics import Estimate


class Words(Protocol):
    """Says an English sentence in the reader's language."""

    def __call__(self, text: str, **fields: object) -> str:
        """Return the sentence, its fields filled in."""
        ...


def english(text: str, **fields: object) -> str:
    """Return the sentence as it is."""
    return text.format(**fields) if fields else text


def sortable(head: Sequence[tuple[str, bool]], rows: Sequence[Sequence[str | tuple[str, float]]], label: str) -> str:
    """Return a table that readers can sort by a script. A cell is a text, or a text and the number to sort by.

    `head`: what a column is called, and whether it holds numbers.
    """
    top = "".join(
        f'<th scope="col"{" data-number" if is_number else ""}>{escape(name)}</th>' for name, is_number in head
    )
    body = ""
    for row in rows:
        cells = ""
        for cell in row[1:]:
            text, value = cell if isinstance(cell, tuple) else (cell, None)
            cells += f"<td>{escape(text)}</td>" if value is None else f'<td data-value="{value:g}">{escape(text)}</td>'
        name = row[0] if isinstance(row[0], str) else row[0][0]
        body += f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>'
    return scroll(f'<table class="sortable"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>', label)


def percent(share: float) -> str:
    """Return a share as a whole percentage."""
    return f"{100 * share:.0f} %"


def points(value: float | None, *, signed: bool = False) -> tuple[str, float]:
    """Return points as a text, and as the number to sort by."""
    if value is None:
        return "–", -1000.0
    value = round(value, 1) + 0.0  # never a minus before nought
    text = f"{value:+.1f}" if signed else f"{value:.1f}"
    return text.replace("-", "\N{MINUS SIGN}"), value


def interval(estimate: Estimate) -> str:
    """Return the ends of an interval."""
    return f"{estimate.low:+.1f} … {estimate.high:+.1f}".replace("-", "\N{MINUS SIGN}")
