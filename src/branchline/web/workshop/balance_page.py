"""How a board of the workshop plays: the figures of `arena.balance` in the reader's language, and suggested changes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import Markup

from branchline.arena.balance import Balance
from branchline.arena.balance.improve import TICKET, Change, TriedChange
from branchline.arena.balance.sections import sections
from branchline.arena.report.parts import heat_steps
from branchline.boards import Board
from branchline.draw import board_style
from branchline.draw.page import heat_properties
from branchline.draw.palette import HEAT, THEMES, symbol_colour
from branchline.languages import language as spoken
from branchline.web.core.caches import BOARD, MEGABYTE, kept_texts
from branchline.web.core.pages import labels
from branchline.web.core.pages.palette import PAGE
from branchline.web.core.pages.render import part, render
from branchline.web.core.pages.translation import Translator, translator_for
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class BalanceContext:
    """How a board of the workshop plays, or how far the games are that will say."""

    visit: Visit
    path: str  # of the draft, with its key
    title: str
    board: Board
    may_edit: bool
    found: Balance | None = None
    changes: tuple[Change, ...] = ()
    tried: tuple[TriedChange, ...] | None = None
    states: tuple[str, ...] = ()  # of the changes that were tried: `balancing.ACCEPTED`, OPEN, GONE
    running: bool = False
    improving: bool = False
    failed: bool = False
    changed: bool = False  # the draft has other routes, tickets or rules than the board that was played
    played: int = 0
    asked: int = 0
    looks: int = 0
    thinks: bool = False  # the browser plays the games, where it can


_NUMBER = re.compile(r"(?<=\d)\.(?=\d)")
_PERCENT = re.compile(r"(?<=\d) %")
_CELL = re.compile(r"(?<=>)[^<>]*(?=</(?:td|text|title)>)")


def balance(context: BalanceContext) -> str:
    """Return the whole page."""
    words = translator_for(context.visit.language)
    return render(
        "workshop/balance.html",
        context.visit,
        context=context,
        title=f"{words('How it plays')} · {context.title} · branchline",
        style=style(context.board),
        parts=balance_parts(context),
    )


def balance_parts(context: BalanceContext) -> dict[str, str]:
    """Return the parts that change while games are played, by their ids: the progress, the figures, the changes."""
    words = translator_for(context.visit.language)
    return {
        "standing": part("workshop/balance_standing.html", words, context=context, visit=context.visit),
        "changes": part(
            "workshop/balance_changes.html",
            words,
            context=context,
            visit=context.visit,
            rows=[_row(words, trial) for trial in context.tried or ()],
        ),
        "figures": figures(context.found, words.language) if context.found is not None else "",
    }


@kept_texts("figures", 12 * MEGABYTE, beside=BOARD)
def figures(balance: Balance, language: str) -> Markup:
    """Return all sections.

    Drawing the board three times takes half a second, so they are kept while people look at them.
    """
    return Markup(_as_written(sections(balance, translator_for(language), folded=True), language))


@kept_texts("styles of heat", 4 * MEGABYTE, beside=BOARD)
def style(board: Board) -> Markup:
    """Return the style of a board's drawings with heat, in the themes of the pages."""
    light, dark, contrast = (
        heat_properties(THEMES[theme])
        + "".join(f"--on-{step}:{symbol_colour(colour)};" for step, colour in enumerate(HEAT[theme]))
        for theme in ("light", "dark", "contrast")
    )
    rules = (
        f":root{{{light}}}",
        f"@media(prefers-color-scheme:dark){{:root[data-theme=auto]{{{dark}}}}}",
        f"@media(prefers-contrast:more){{:root[data-theme=auto]{{{contrast}}}}}",
        f":root[data-theme=dark]{{{dark}}}:root[data-theme=contrast]{{{contrast}}}",
        heat_steps(),
        board_style(board, PAGE, heat=True),
    )
    return Markup("\n".join(rules))


def _row(words: Translator, trial: TriedChange) -> dict[str, object]:
    """Return a change in words."""
    ticket = trial.change.kind == TICKET
    before, after = (
        f"{round(value, 1) + 0.0:+.1f}".replace("-", "\N{MINUS SIGN}") if ticket else labels.share(words, value)
        for value in (trial.before, trial.after)
    )
    return {
        "name": trial.change.name,
        "ticket": ticket,
        "was": [text if ticket else labels.colour(words, text) for text in trial.change.before],
        "becomes": [text if ticket else labels.colour(words, text) for text in trial.change.after],
        "before": _as_text(before, words.language),
        "after": _as_text(after, words.language),
        "helped": trial.helped,
    }


def _as_written(html: str, language: str) -> str:
    """Return numbers in tables and plots as a language writes them."""
    html = _PERCENT.sub(translator_for(language)("{number}%", number=""), html)
    return html if spoken(language).decimal_point else _CELL.sub(lambda cell: _as_text(cell[0], language), html)


def _as_text(text: str, language: str) -> str:
    return text if spoken(language).decimal_point else _NUMBER.sub(",", text)
