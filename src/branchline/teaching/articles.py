"""The rules in our own words: short articles, `rulebook/NN_chapter.toml`. A board has those that its features ask for.

An article says which features it needs and which rule it out, so boards that somebody makes get theirs too. Numbers
are never typed: `{hand:card|cards}` in a text is a number of the board with the word in the form that goes with it,
`{hand}` the number alone. Which there are says `numbers`; the pages add what is a matter of words (`WORDS`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from branchline.boards import Board
from branchline.boards.board import NEVER
from branchline.languages import language
from branchline.teaching.rulings import FILE as RULINGS
from branchline.teaching.rulings import Ruling, rulings
from branchline.teaching.scenes import SCENES
from branchline.teaching.texts import LessonError, Reader, toml_of

FOLDER = RULINGS.parent
LONGEST_TITLE, LONGEST = 40, 420  # letters: of a chapter’s title, of an article
FIELD = re.compile(r"\{(\w+)(?::([^{}]*))?\}")

WORDS = frozenset(
    ("actions", "first_deal", "later_deal", "pieces", "port_points", "prices", "ticket_decks", "ties", "wild")
)
"""What a page puts in besides the numbers: names and lists, in the reader's language."""

_ARTICLE = ("id", "needs", "unless", "picture", "rulings", "text")


@dataclass(frozen=True)
class Article:
    """One thing that a rule says."""

    id: str  # as in the address of the page, `#tunnel`
    text: str  # with fields
    needs: frozenset[str]  # features, see `features`
    unless: frozenset[str]
    picture: str | tuple[str, ...]  # a scene of `scenes`, or cards: `1` is the board's first colour, `/` a gap
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True)
class Chapter:
    """Articles that a player looks for in one place."""

    id: str
    file: Path
    title: str
    articles: tuple[Article, ...]


@functools.cache
def all_chapters() -> tuple[Chapter, ...]:
    """Return the whole book, whatever the board. Raise `LessonError`."""
    return tuple(_chapter(file) for file in sorted(FOLDER.glob("[0-9]*.toml")))


def chapters(board: Board) -> tuple[Chapter, ...]:
    """Return the chapters that concern a board, without those that have no article left."""
    there = features(board)
    all_on_board = (
        Chapter(
            chapter.id,
            chapter.file,
            chapter.title,
            tuple(article for article in chapter.articles if article.needs <= there and not article.unless & there),
        )
        for chapter in all_chapters()
    )
    return tuple(chapter for chapter in all_on_board if chapter.articles)


def _chapter(file: Path) -> Chapter:
    reader = Reader(f"rulebook/{file.name}")
    table = toml_of(file, reader.name)
    reader.known("", table, ("title", "article"))
    articles = tuple(
        _article(reader, f"article {n}", row) for n, row in enumerate(reader.rows("", table, "article"), 1)
    )
    title = reader.text("title", table.get("title"), LONGEST_TITLE)
    return Chapter(file.stem.partition("_")[2], file, title, articles)


def _article(reader: Reader, where: str, row: Mapping[str, Any]) -> Article:
    reader.known(where, row, _ARTICLE)
    text = reader.text(f"{where}: text", row.get("text"), LONGEST)
    picture: str | tuple[str, ...] = row.get("picture", "")
    if isinstance(picture, list):
        picture = reader.words(f"{where}: picture", picture)
    elif picture not in SCENES:
        reader.fail(f"{where}: picture", f"there is no scene {picture!r}")
    named = reader.words(f"{where}: rulings", row.get("rulings", []))
    for key in named:
        if key not in rulings():
            raise LessonError(f"{reader.name}: {where}: no ruling has the key {key!r}")
    for field in wrong_forms(text, "en"):
        reader.fail(where, f"{field}: {language('en').forms} forms are needed")
    [name] = reader.words(f"{where}: id", [row.get("id", "")])
    return Article(
        id=name,
        text=text,
        needs=frozenset(reader.words(f"{where}: needs", row.get("needs", []))),
        unless=frozenset(reader.words(f"{where}: unless", row.get("unless", []))),
        picture=picture,
        rulings=tuple(rulings()[key] for key in named),
    )


def wrong_forms(text: str, code: str) -> list[str]:
    """Return the fields of a text in a language whose words do not have as many forms as that language needs."""
    forms = language(code).forms
    return [field[0] for field in FIELD.finditer(text) if field[2] is not None and field[2].count("|") + 1 != forms]


# ------------------------------------------------------------------------------------------------ of a board


def features(board: Board) -> frozenset[str]:
    """Return what a board has, by the words that articles use."""
    return frozenset(_features(board))


def _features(board: Board) -> Iterator[str]:
    cards, first, later = board.cards, board.ticket_rules.first, board.ticket_rules.later
    lines = {route.parallel for route in board.routes if route.lines > 1}
    kinds = {route.kind for route in board.routes}
    sets = [route.parallel for route in board.routes]
    flags = {
        "two_decks": cards.two_decks,
        "sweep": cards.sweep_at < NEVER,
        "market_lasts": cards.market_lasts,
        "first_mix": first.mix,
        "later_mix": later.mix,
        f"first_{first.rejected}": True,
        "backs_differ": board.ticket_rules.backs_differ,
        "tours": any(ticket.tour for ticket in board.tickets),
        "coloured": any(route.colour != "gray" for route in board.routes),
        "gray": any(route.colour == "gray" for route in board.routes),
        "parallel": len(set(sets)) < len(sets),
        "few": board.one_line_up_to >= board.seats[0],
        "kinds_apart": board.kinds_apart and lines,
        "tunnel": "tunnel" in kinds and board.tunnel_cards,
        "ferry": any(route.wilds for route in board.routes),
        "tram": "tram" in kinds,
        "subway": "subway" in kinds,
        "sea": "sea" in kinds,
        "pairs": any(route.pairs for route in board.routes),
        "wraps": any(route.wraps for route in board.routes),
        "waypoint": any(place.kind == "waypoint" for place in board.places),
        "country": any(place.kind == "country" for place in board.places),
        "stations": board.stations,
        "passengers": board.passengers,
        "ports": board.ports,
        "fleet": board.pieces.fleet,
        "swap": board.pieces.fleet,
        "trail": board.longest_trail,
        "most_tickets": board.most_tickets,
        **{f"tie_{tie}": True for tie in board.ending.ties},
    }
    return (name for name, there in flags.items() if there)


def numbers(board: Board) -> Mapping[str, int]:
    """Return the numbers that articles name, as far as the board has them."""
    cards, tickets = board.cards, board.ticket_rules
    values = {
        "from": board.seats[0],
        "to": board.seats[1],
        "all_cards": cards.total,
        "each": cards.train,
        "colours": len(cards.colours),
        "wilds": cards.wild,
        "single": cards.ship_single,
        "double": cards.ship_double,
        "marked": cards.train_port_marked,
        "hand_train": cards.hand[0],
        "hand_ship": cards.hand[1],
        "market": sum(cards.market),
        "market_train": cards.market[0],
        "market_ship": cards.market[1],
        "sweep": cards.sweep_at,
        "first": tickets.first.most,
        "first_keep": tickets.first.keep,
        "later": tickets.later.most,
        "later_keep": tickets.later.keep,
        "one_line": board.one_line_up_to,
        "tunnel_cards": board.tunnel_cards,
        "fleet": board.pieces.fleet,
        "swap_price": board.pieces.swap_price,
        "trail": board.longest_trail,
        "most_tickets": board.most_tickets,
        "end_left": board.ending.pieces_left,
        "end_turns": board.ending.extra_turns,
    }
    if board.stations:
        values |= {"stations": len(board.stations.prices), "station_bonus": board.stations.kept_bonus}
    if board.passengers:
        of = board.passengers
        values |= {
            "all_passengers": of.each * len(of.colours),
            "passengers_each": of.each,
            "most": of.most,
            "second": of.second,
        }
    if board.ports:
        ports = board.ports
        values |= {
            "ports": ports.count,
            "port_trains": ports.train_cards,
            "port_ships": ports.ship_cards,
            "port_unbuilt": -ports.unbuilt,
        }
    return values
