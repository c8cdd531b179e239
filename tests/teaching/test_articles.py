"""The rules in our own words: a board has the articles that its features ask for, with all their numbers."""

from __future__ import annotations

import re

import pytest

from branchline.boards import Board, load_board
from branchline.languages import LANGUAGES, language
from branchline.teaching.articles import FIELD, WORDS, all_chapters, chapters, features, numbers, wrong_forms
from branchline.teaching.rulings import page, rulings
from branchline.teaching.scenes import SCENES, scene
from branchline.teaching.texts import LessonError, Reader
from rules.test_rulings import PAGE
from table import COSTLY_EDITIONS, EDITIONS

ARTICLES = [article for chapter in all_chapters() for article in chapter.articles]

HAS = {
    "berlin": {"tram", "subway", "market_lasts", "no_bonus", "first_under"},
    "europe": {"tunnel", "tunnel_wilds", "ferry", "station", "borrow", "trail", "first_out", "one_line"},
    "germany": {"country", "passengers", "first_mix", "draw_mix", "backs", "most_tickets", "first_reshuffled"},
    "world": {"tour", "tour_ports", "pairs", "round_world", "port", "swap", "two_decks", "double_ship", "junction"},
    "great_lakes": {"kinds_apart", "port", "swap", "two_decks"},
}
"""What marks each edition; every article but the common ones is some edition's."""

HAS_NOT = {
    "berlin": {"tunnel", "station", "port", "country", "trail", "nothing_left"},
    "europe": {"subway", "port", "country", "passengers", "sea", "no_bonus", "draw_mix", "market_lasts"},
    "germany": {"tunnel", "ferry", "station", "trail", "sea", "first_tickets", "draw_tickets"},
    "world": {"tunnel", "station", "trail", "country", "cards", "deal", "pieces"},
    "great_lakes": {"tour", "pairs", "round_world", "tour_ports"},
}


def ids(board: Board) -> set[str]:
    return {article.id for chapter in chapters(board) for article in chapter.articles}


def test_ids_are_addresses_and_none_is_used_twice() -> None:
    named = [article.id for article in ARTICLES]
    assert len(named) == len(set(named)) > 70
    assert all(re.fullmatch(r"[a-z_]+", name) for name in named)
    assert not {f"chapter-{chapter.id}" for chapter in all_chapters()} & set(named)


@pytest.mark.parametrize("name", EDITIONS)
def test_an_edition_has_the_articles_that_its_features_ask_for(name: str) -> None:
    there = ids(load_board(name))
    assert HAS[name] <= there
    assert not HAS_NOT[name] & there


def test_every_article_is_some_editions() -> None:
    assert {article.id for article in ARTICLES} == set.union(*(ids(load_board(name)) for name in EDITIONS))


def test_articles_ask_for_features_that_there_are() -> None:
    known = set.union(*(set(features(load_board(name))) for name in EDITIONS))
    for article in ARTICLES:
        assert article.needs | article.unless <= known, article.id


@pytest.mark.parametrize("name", EDITIONS)
def test_every_number_of_an_article_is_one_of_the_board(name: str) -> None:
    board = load_board(name)
    known = numbers(board)
    for chapter in chapters(board):
        for article in chapter.articles:
            for field in FIELD.finditer(article.text):
                assert field[1] in known or (field[1] in WORDS and field[2] is None), article.id
                assert known.get(field[1], 1) > 0, (article.id, field[1])


def test_no_number_is_typed() -> None:
    """What is counted on a board stands in its data; 0, 1, 2 … count up a table."""
    for article in ARTICLES:
        assert not re.search(r"\d", FIELD.sub("", article.text).replace("0, 1, 2", "")), article.id


@pytest.mark.parametrize("name", COSTLY_EDITIONS)
def test_every_article_has_its_picture(name: str) -> None:
    board = load_board(name)
    for chapter in chapters(board):
        for article in chapter.articles:
            if isinstance(article.picture, str) and SCENES[article.picture] is not None:
                assert scene(board, article.picture) is not None, article.id
            else:
                assert article.picture


def test_pictures_of_one_thing_differ_as_far_as_there_are_others() -> None:
    board = load_board("europe")
    for name in ("claimed", "tunnel", "station", "ticket"):
        shown = [scene(board, name, number) for number in range(3)]
        assert len({(one.routes, one.places) for one in shown if one}) == 3, name


def test_whatever_players_are_told_of_our_decisions_stands_in_an_article() -> None:
    named = {ruling.key for article in ARTICLES for ruling in article.rulings}
    assert named == set(rulings())


def test_the_page_of_rulings_is_written_from_their_file() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert page(written) == written, "write it again: make rulings"


def test_a_missing_text_is_told_with_its_place() -> None:
    with pytest.raises(LessonError, match=r"^rulebook/01_x\.toml: article 1: there is no text"):
        Reader("rulebook/01_x.toml").text("article 1", None)


def test_a_word_beside_a_number_has_as_many_forms_as_its_language() -> None:
    assert wrong_forms("{hand} and {hand:card|cards}", "en") == []
    assert wrong_forms("{hand:karta|karty|kart}", "en") == ["{hand:karta|karty|kart}"]
    assert wrong_forms("{hand:karta|karty|kart}", "pl") == []


def test_forms_are_those_that_a_language_has() -> None:
    assert {code: language(code).forms for code in LANGUAGES} == {"en": 2, "pl": 3, "cs": 3, "de": 2}
