"""“Is this my printed board?”: every line of an edition to be looked up in the box, one after the other."""

from __future__ import annotations

import json
from dataclasses import dataclass

from markupsafe import Markup

from branchline.boards import Board
from branchline.boards.board import COLOURS, GRAY
from branchline.draw import Position
from branchline.web.core.pages import board_map, components, labels
from branchline.web.core.pages.fault_text import KINDS, told
from branchline.web.core.pages.render import render
from branchline.web.core.pages.translation import N_many, Translator, translator_for
from branchline.web.core.visit import Visit
from branchline.workshop.printed import FORMAT, VERSION, PrintedLine


@dataclass(frozen=True)
class PrintedContext:
    """An edition, to be compared with the printed board by whoever has one."""

    visit: Visit
    board: Board
    lines: tuple[PrintedLine, ...]  # all that it says; its routes come first, in the order of the board
    problem: str = ""  # why no board was made of the answers


MOST_SPACES = 10  # offered for a press


def printed(context: PrintedContext) -> str:
    """Return the whole page."""
    words, board = translator_for(context.visit.language), context.board
    return render(
        "workshop/printed.html",
        context.visit,
        context=context,
        board=board,
        title=f"{words('Is this my printed board?')} · {board.title_in(words.language)} · branchline",
        problem=told(words.language, context.problem) if context.problem else "",
        drawing=_drawing(board, words.language),
        style=board_map.style(board),
        start=_start(words, context),
    )


def _drawing(board: Board, language: str) -> Markup:
    return Markup(board_map.drawing(board, Position(seats=board.seats[1]), language))


def _start(words: Translator, context: PrintedContext) -> Markup:
    """Return the lines and the words of the script, as JSON for a data block."""
    board = context.board
    kinds = sorted({route.kind for route in board.routes})
    colours = [colour for colour in (*COLOURS, GRAY) if colour in (*board.cards.colours, GRAY)]
    texts = {
        "format": FORMAT,
        "version": VERSION,
        "board": board.id,
        "lines": [_as_json(line) for line in context.lines],
        "places": sorted(place.name for place in board.places if place.name),
        "colours": {name: labels.colour(words, name) for name in colours},
        "signs": {name: str(components.symbol(name)) for name in colours if name != GRAY},
        "kinds": {name: words(KINDS[name]) for name in kinds},
        "mostSpaces": max(MOST_SPACES, *(route.points_row for route in board.routes)),
        "words": {
            "spaces": words.for_browser(N_many("{count} space", "{count} spaces")),
            "cards": words.for_browser(N_many("{count} card", "{count} cards")),
            "points": words.for_browser(N_many("{count} point", "{count} points")),
            "changed": words.for_browser(N_many("{count} difference", "{count} differences")),
            "unseen": words.for_browser(N_many("{count} line not checked", "{count} lines not checked")),
            "route": words("Route"),
            "ticket": words("Ticket"),
            "tour": words("Tour"),
            "pointsFor": words("Points"),
            "of": words("{what} {number} of {count}"),
            "gone": words("Not on the printed board"),
            "added": words("Only on the printed board"),
            "allSame": words("Everything you checked is as printed."),
        },
    }
    return Markup(json.dumps(texts, ensure_ascii=False).replace("<", "\\u003c"))


def _as_json(line: PrintedLine) -> dict[str, object]:
    return {"what": line.what, "where": line.where, "says": line.says}
