"""Collects the sentences of the pages for the translators: `python -m branchline.web.core.pages.extract_messages`.

It brings `locale/*/LC_MESSAGES/branchline.po` up to date: new sentences come in empty, old ones go. A test fails while
one is empty.
"""

from __future__ import annotations

import re
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from branchline.arena.balance.ranges import SEAT_FIGURES
from branchline.boards import builtin_boards, load_board, wording
from branchline.boards.schema import SECTIONS
from branchline.game import reasons
from branchline.rules.catalogue import SCORE_PARTS
from branchline.web.core.pages.translation import LANGUAGES, LOCALE
from branchline.workshop import printing

WEB = Path(__file__).parents[2]
METHODS = [("**.py", "python"), ("**.html", "jinja2.ext:babel_extract")]
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "_": None,
    "N_": None,
    "N_many": (1, 2),
    "words": None,
    "many": (1, 2),
    "n_": (1, 2),
    "Figure": (1,),
    "Said": (1,),
}
FAULTS = [
    ("boards/**.py", "python"),
    ("game/**.py", "python"),
    ("tabletop/**.py", "python"),
    ("workshop/**.py", "python"),
    ("web/**.py", "python"),
]
"""What can be wrong with a board, or with a game that was noted, is said where it is looked at."""
BALANCE = WEB.parent / "arena" / "balance"
BALANCE_METHODS = [("**.py", "python")]
"""What the figures of a board are called stands with them."""


def collected(language: str | None = None) -> Catalog:
    """Return all sentences of pages, templates, boards, bots, board keys, faults and printed sheets."""
    catalogue = Catalog(locale=language, project="branchline", fuzzy=False)
    options = {"**.html": {"trimmed": "false", "silent": "false"}}
    extracted = extract_from_dir(
        WEB, METHODS, options_map=options, keywords=KEYWORDS, comment_tags=(), directory_filter=_worth_reading
    )
    for filename, _line, message, _comments, context in extracted:
        catalogue.add(message, locations=[(Path(filename).as_posix(), 0)], context=context)
    for _file, _line, message, _comments, context in extract_from_dir(BALANCE, BALANCE_METHODS, keywords=KEYWORDS):
        catalogue.add(message, locations=[("arena/balance", 0)], context=context)
    for filename, _line, message, _comments, context in extract_from_dir(WEB.parent, FAULTS, keywords={"worded": None}):
        catalogue.add(str(message).lstrip(), locations=[(Path(filename).as_posix(), 0)], context=context)
    for substitute in (wording.FORMAT, wording.CLOSED):
        catalogue.add(substitute, locations=[("boards/wording.py", 0)])
    for said in reasons.SENTENCES.values():
        catalogue.add(said, locations=[("game/reasons.py", 0)])
    for part in SCORE_PARTS:
        catalogue.add(part.label, locations=[("rules/catalogue.py", 0)])
    for figure in SEAT_FIGURES.values():
        catalogue.add(figure.name, locations=[("arena/balance", 0)])
    for section in SECTIONS:
        catalogue.add(section.title, locations=[("boards/schema.py", 0)])
        for entry in section.entries:
            for phrase in (entry.key.meaning, entry.key.said):
                if not re.fullmatch(r"`.*`|[-\d.]*", phrase):  # -180 and `tickets` are the same everywhere
                    catalogue.add(phrase, locations=[("boards/board.py", 0)])
    for phrase in printing.WORDS.values():
        catalogue.add(phrase, locations=[("workshop/printing.py", 0)])
    for name in builtin_boards():
        for note in load_board(name).notes:
            catalogue.add(note, locations=[(f"boards/editions/{name}/board.toml", 0)])
    return catalogue


def _worth_reading(folder: object) -> bool:
    return Path(str(folder)).name not in ("__pycache__", "locale", "migrations")


def update(language: str) -> Catalog:
    """Update the catalogue of a language, write it, and return it."""
    target = LOCALE / language / "LC_MESSAGES" / "branchline.po"
    if target.is_file():
        with target.open("rb") as file:
            catalogue = read_po(file, locale=language)
        catalogue.update(collected(), no_fuzzy_matching=True)
        catalogue.obsolete.clear()
    else:
        catalogue = collected(language)
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        write_po(file, catalogue, width=120, sort_output=True, include_lineno=False, omit_header=False)
    return catalogue


if __name__ == "__main__":
    for code in LANGUAGES:
        if code != "en":
            update(code)
