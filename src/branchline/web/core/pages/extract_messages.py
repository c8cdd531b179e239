"""Collects the sentences of the pages for the translators: `python -m branchline.web.core.pages.extract_messages`.

It brings `branchline.po` (the pages) and `teaching.po` (lessons and rules) in `locale/*/LC_MESSAGES/` up to date: new
sentences come in empty, old ones go. A test fails while one is empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from branchline.arena.balance.ranges import SEAT_FIGURES
from branchline.boards import builtin_boards, load_board, wording
from branchline.boards.schema import SECTIONS
from branchline.game import reasons
from branchline.rules.catalogue import SCORE_PARTS
from branchline.teaching.articles import all_chapters
from branchline.teaching.lesson import Lesson, Text
from branchline.teaching.lesson_files import lessons, shared_texts, taught
from branchline.teaching.rulings import rulings
from branchline.web.core.pages.translation import LANGUAGES, PAGES, TEACHING, source_of
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


def collected() -> Catalog:
    """Return all sentences of pages, templates, boards, bots, board keys, faults and printed sheets."""
    catalogue = Catalog()
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


def collected_teaching() -> Catalog:
    """Return all texts of lessons, articles of the rules and rulings, in the order in which they are read."""
    catalogue = Catalog()
    for text in shared_texts().values():
        catalogue.add(text, locations=[("teaching/lessons/texts.toml", 0)])
    shared = frozenset(shared_texts().values())
    for lesson in (lesson for board in taught() for lesson in lessons(board)):
        place = f"teaching/lessons/{lesson.board}/{lesson.file.name}"
        for said in _said(lesson):
            if said.english not in shared:
                catalogue.add(said.english, locations=[(place, 0)])
    for chapter in all_chapters():
        for text in (chapter.title, *(article.text for article in chapter.articles)):
            catalogue.add(text, locations=[(f"teaching/rulebook/{chapter.file.name}", 0)])
    for ruling in rulings().values():
        catalogue.add(ruling.text, locations=[("teaching/rulebook/rulings.toml", 0)])
    return catalogue


def _said(lesson: Lesson) -> Iterator[Text]:
    yield lesson.title
    for step in lesson.steps:
        yield from (*step.say, step.task, *(wrong.say for wrong in step.wrong))
        yield from (text for text in (step.otherwise, step.done) if text is not None)
    yield from lesson.end


COLLECTED = {PAGES: collected, TEACHING: collected_teaching}
"""By the name of its files, what fills a catalogue."""
ABOUT = {PAGES: "the words of branchline's pages.", TEACHING: "the texts of branchline's lessons and rules."}
"""What the files say of themselves."""


def _worth_reading(folder: object) -> bool:
    return Path(str(folder)).name not in ("__pycache__", "locale", "migrations")


def update(language: str, name: str, sentences: Catalog) -> None:
    """Bring a catalogue of a language up to date with these sentences; begin it if the language is new."""
    target = source_of(language, name)
    catalogue = Catalog(
        locale=language, project="branchline", header_comment=f"# {language}: {ABOUT[name]}", fuzzy=False
    )
    if target.is_file():
        with target.open("rb") as file:
            catalogue = read_po(file, locale=language)
    catalogue.update(sentences, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        write_po(file, catalogue, width=120, sort_output=name == PAGES, include_lineno=False, omit_header=False)


if __name__ == "__main__":
    for name, collect in COLLECTED.items():
        sentences = collect()
        for code in LANGUAGES:
            if code != "en":
                update(code, name, sentences)
