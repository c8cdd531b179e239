"""Table talk as it is shown: lines, and reactions in the reader's language with small drawings of our own."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from datetime import UTC, datetime

from markupsafe import Markup, escape

from branchline.web.core.caches import MEGABYTE, kept_texts
from branchline.web.core.pages import components
from branchline.web.core.pages.translation import N_, Translator
from branchline.web.core.seen import REACTIONS, Player, TableContext, TalkLine

_SAID = {
    "well_played": N_("Well played!"),
    "thanks": N_("Thanks!"),
    "good_luck": N_("Good luck!"),
    "nice_block": N_("Nicely blocked!"),
    "wow": N_("Wow!"),
    "laughing": N_("Ha ha!"),
    "ouch": N_("Ouch!"),
    "sorry": N_("Sorry!"),
    "thinking": N_("Let me think …"),
    "moment": N_("Just a moment!"),
    "hurry": N_("Hurry up, please!"),
    "good_bye": N_("Goodbye!"),
}

_FACE = "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z"
_LEAF = "a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0z"
_PATHS = {
    "well_played": "M12 3l2.7 5.6 6.1.8-4.5 4.3 1.1 6.1L12 16.9l-5.4 2.9 1.1-6.1L3.2 9.4l6.1-.8z",
    "thanks": "M12 20C9 17.5 4 13.5 4 9a4 4 0 0 1 8-1.3A4 4 0 0 1 20 9c0 4.5-5 8.5-8 11z",
    "good_luck": f"M6 8{_LEAF}M12.4 8{_LEAF}M6 14{_LEAF}M12.4 14{_LEAF}M12 11c0 4 .5 7.5 3 10",
    "nice_block": "M3 7h18v6H3zM6 13v7M18 13v7M9 7l-4 6M15 7l-4 6M21 7l-4 6",
    "wow": f"{_FACE}M8.5 9.5h.01M15.5 9.5h.01M12 13.2a2 2.3 0 1 0 0 4.6a2 2.3 0 1 0 0-4.6z",
    "laughing": f"{_FACE}M7.5 9l2 1.2-2 1.2M16.5 9l-2 1.2 2 1.2M7.5 14h9a4.5 4.5 0 0 1-9 0z",
    "ouch": "M13.5 2.5L5 13.5h6l-1.5 8L19 10h-6.5z",
    "sorry": f"{_FACE}M8.5 10h.01M15.5 10h.01M8.5 16.5c1.5-2.5 5.5-2.5 7 0",
    "thinking": "M4 5h16v11h-9l-4.5 4v-4H4zM8 10.5h.01M12 10.5h.01M16 10.5h.01",
    "moment": "M6 3h12M6 21h12M8 3v3.5l4 5.5 4-5.5V3M8 21v-3.5l4-5.5 4 5.5V21",
    "hurry": "M12 7a7 7 0 1 0 0 14a7 7 0 1 0 0-14zM12 14V10M12 14l2.5 1.5M9.5 3h5M12 3v4M18 7l1.5-1.5",
    "good_bye": "M6 21V3.5M6 4.5h13l-3.5 4.250L19 13H6",
}

EYE = "M2 12c5-7.5 15-7.5 20 0c-5 7.5-15 7.5-20 0zM12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6z"
"""The sign of what spectators hear too."""

DRAWINGS = {code: _PATHS[code] for code in REACTIONS}

REFUSALS = {
    "no_talk": N_("There is no chat at this table."),
    "reactions_only": N_("Only reactions can be sent at this table."),
    "empty": N_("This message is empty."),
    "too_long": N_("This message is too long."),
    "too_fast": N_("Not so fast, please."),
}


def reaction(words: Translator, code: str) -> str:
    """Return a reaction in words, or its code if a later version has made it."""
    return words(_SAID[code]) if code in _SAID else code


def drawing(code: str) -> Markup:
    """Return the drawing of a reaction; the page has it as a symbol."""
    return Markup('<svg class="reaction" aria-hidden="true" focusable="false"><use href="#r-{}"/></svg>').format(code)


def whole(words: Translator, context: TableContext) -> Markup:
    """Return the list of all lines that this viewer may read."""
    return Markup('<ol id="talk-lines" tabindex="0" aria-label="{}">{}</ol>').format(
        words("Messages"), lines(words, context, context.talk)
    )


def lines(words: Translator, context: TableContext, talk: Iterable[TalkLine]) -> Markup:
    """Return lines of the talk, one after the other."""
    sits = bool(context.mine)
    return Markup("").join(_line(words, line, context.players[line.seat], sits) for line in talk)


def _line(words: Translator, line: TalkLine, player: Player, sits: bool) -> Markup:
    return _drawn(words, line, components.name_of(words, player), sits)


@kept_texts("talk", 4 * MEGABYTE)
def _drawn(words: Translator, line: TalkLine, name: str, sits: bool) -> Markup:
    """Return a line; to players at the table it says whether spectators read it too. (Built by hand, for speed.)"""
    moment = datetime.fromtimestamp(line.at, UTC)
    to_all = _to_all(words) if sits and line.everybody else ""
    content = _reaction(words, line.text) if line.reaction else f'<p class="line" dir="auto">{escape(line.text)}</p>'
    return Markup(
        f'<li data-at="{line.at:.3f}" data-seat="{line.seat}"><p class="by">{components.seat_badge(line.seat)}'
        f'<b class="who" dir="auto">{escape(name)}</b>{to_all}'
        f'<time datetime="{moment:%Y-%m-%dT%H:%M:%SZ}">{moment:%H:%M}</time></p>{content}</li>'
    )


@functools.cache
def _to_all(words: Translator) -> Markup:
    svg = Markup('<svg class="to-all" role="img" aria-label="{}"><use href="#r-everybody"/></svg>')
    return svg.format(words("players and spectators"))


@functools.cache
def _reaction(words: Translator, code: str) -> Markup:
    return Markup('<p class="line">{} {}</p>').format(drawing(code), reaction(words, code))
