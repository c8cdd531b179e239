"""Places, routes and tickets by any of their spellings."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from branchline.boards import (
    Board,
    PlaceIndex,
    UnknownName,
    UnknownPlace,
    UnknownRoute,
    UnknownTicket,
    builtin_boards,
    load_board,
    read_board,
)
from branchline.boards.names import plain
from branchline.languages import LANGUAGES

EUROPE = load_board("europe")
WORLD = load_board("world")


def named(board: Board, *names: str) -> list[str]:
    return [board.index.place(name).name for name in names]


@pytest.mark.parametrize(
    ("edition", "printed", "spellings"),
    [
        ("germany", "Köln", "Köln KÖLN köln Koln koeln Koeln Cologne COLOGNE Ko\N{COMBINING DIAERESIS}ln"),
        ("germany", "Österreich", "Osterreich Oesterreich österreich Austria"),
        ("germany", "Münster", "Munster Muenster münster"),
        ("europe", "København", "Kobenhavn Koebenhavn KØBENHAVN Copenhagen"),
        ("europe", "Zágráb", "Zagrab zágráb Zagreb"),
        ("europe", "Kyïv", "Kyiv Kiev KYÏV"),
        ("europe", "Danzig", "Gdańsk Gdansk"),
        ("europe", "Wien", "Vienna wien"),
        ("berlin", "Friedrichstraße", "Friedrichstrasse FRIEDRICHSTRASSE friedrichstraße"),
        ("berlin", "Kurfürstendamm", "Kudamm Ku'damm Ku’damm Kurfurstendamm Kurfuerstendamm"),
        ("world", "Al-Qahira", "Al-Qahira al_qahira AlQahira Cairo cairo"),
        ("world", "Petropavlovsk", "Petropavlovsk-Kamchatsky"),
    ],
)
def test_every_spelling_finds_the_place(edition: str, printed: str, spellings: str) -> None:
    assert set(named(load_board(edition), *spellings.split())) == {printed}


@pytest.mark.parametrize("text", [" Rio de  Janeiro ", "RIO DE JANEIRO", "rio-de-janeiro"])
def test_blanks_and_hyphens_do_not_matter(text: str) -> None:
    assert named(WORLD, text) == ["Rio de Janeiro"]


def test_all_names_and_aliases_of_all_editions_find_their_place() -> None:
    for board in map(load_board, builtin_boards()):
        for place in board.places:
            assert {board.index.place(name) for name in (place.name, *place.aliases)} == {place}
            assert board.index.place(place) is place


def test_a_printed_name_comes_before_an_alias() -> None:
    places = (replace(EUROPE.places[0], aliases=("Berlin",)), *EUROPE.places[1:])
    assert PlaceIndex(replace(EUROPE, places=places)).place("berlin").name == "Berlin"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Palrmo", 'unknown place "Palrmo" (did you mean "Palermo"?)'),
        ("vienne", 'unknown place "vienne" (did you mean "Wien"?)'),
        ("Kopenhaven", 'unknown place "Kopenhaven" (did you mean "København"?)'),
        ("Atlantis", 'unknown place "Atlantis"'),
        ("", 'unknown place ""'),
        ("\x07", 'unknown place "\N{REPLACEMENT CHARACTER}"'),
        ("–", 'unknown place "–"'),
    ],
)
def test_an_unknown_place(text: str, message: str) -> None:
    with pytest.raises(UnknownPlace) as caught:
        EUROPE.index.place(text)
    assert str(caught.value) == message


# --- routes


def test_routes_between_two_places_in_the_order_of_the_file() -> None:
    lines = EUROPE.index.routes("pamplona", "Madrid")
    assert [(route.colour, route.line) for route in lines] == [("black", 0), ("white", 1)]
    assert EUROPE.index.routes("Madrid", "Moskva") == ()


def test_one_route() -> None:
    index = EUROPE.index
    assert index.route("Dieppe", "paris").name == "Dieppe–Paris"
    assert index.route("Madrid", "Pamplona", "white").line == 1
    assert index.route("Madrid", "Pamplona", line=0).colour == "black"
    assert index.route("London", "Dieppe").line == 0  # two lines, both gray: it makes no difference
    assert index.route("London", "Dieppe", "gray", 1).line == 1


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("Madrid", "Pamplona"), "several lines; say which: black (line 0) or white (line 1)"),
        (("Madrid", "Pamplona", "red"), "has no red; it has black (line 0) or white (line 1)"),
        (("Madrid", "Pamplona", "black", 1), "has no black line 1; it has black (line 0) or white (line 1)"),
        (("Lisboa", "Moskva"), "no route joins Lisboa–Moskva; Lisboa is joined to Cádiz, Madrid"),
    ],
)
def test_a_route_that_is_not_there(asked: tuple[str, ...], message: str) -> None:
    with pytest.raises(UnknownRoute) as caught:
        EUROPE.index.route(*asked)  # type: ignore[arg-type]
    assert message in str(caught.value)


# --- several places in one text


@pytest.mark.parametrize("mark", ["–", "-", "—", ">", "/", " - ", " – ", " -> ", "→", " / "])
def test_splitting_at_any_mark(mark: str) -> None:
    assert EUROPE.index.ticket(f"Athina{mark}Angora").name == "Athína–Angora"
    tour = mark.join(["Lagos", "Luanda", "Dar Es Salaam", "Djibouti"])
    assert WORLD.index.ticket(tour).tour
    assert named(WORLD, *(place.name for place in WORLD.index.split_places(tour)))[2] == "Dar Es Salaam"


@pytest.mark.parametrize("mark", ["–", "-", " - ", ">"])
def test_hyphens_inside_names(mark: str) -> None:
    for text in (f"Al-Qahira{mark}Athina", f"Athina{mark}Al-Qahira"):
        assert {place.name for place in WORLD.index.split_places(text)} == {"Al-Qahira", "Athina"}
    places = WORLD.index.split_places(f"Petropavlovsk-Kamchatsky{mark}Al-Qahira{mark}Lima")
    assert [place.name for place in places] == ["Petropavlovsk", "Al-Qahira", "Lima"]


def test_every_ticket_of_every_edition_is_found_by_its_name() -> None:
    for board in map(load_board, builtin_boards()):
        for ticket in board.tickets:
            for text in (ticket.name, ticket.name.replace("–", "-"), ticket.name.upper()):
                assert board.index.ticket(text) is ticket
            assert board.index.ticket(ticket.places) is ticket
            assert board.index.ticket([place.name for place in ticket.places]) is ticket
            if not ticket.tour:
                assert board.index.ticket(ticket.places[::-1]) is ticket


def test_one_place_alone() -> None:
    assert [place.name for place in WORLD.index.split_places("cairo")] == ["Al-Qahira"]


def test_a_text_that_can_be_read_in_two_ways() -> None:
    names = ("A", "B", "A-B", "B-A")
    places = tuple(replace(EUROPE.places[k], name=name, aliases=()) for k, name in enumerate(names))
    index = PlaceIndex(replace(EUROPE, places=places, routes=(), tickets=()))
    with pytest.raises(UnknownName, match="can be read in several ways"):
        index.split_places("A-B-A")
    assert [place.name for place in index.split_places("A–B-A")] == ["A", "B-A"]
    assert [place.name for place in index.split_places("B–B")] == ["B", "B"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Al-Qahira-Athens-Atlantis", 'unknown place "Atlantis"'),
        ("Al-Qahra–Athina", 'unknown place "Al-Qahra" (did you mean "Al-Qahira"?)'),
        ("Parys-London", 'unknown place "Parys" (did you mean "Paris"?)'),
        ("Lima–", 'a place is missing in "Lima–"'),
        ("Lima––Sydney", 'a place is missing in "Lima––Sydney"'),
        ("  ", "no place is named"),
        ("Lima-" * 200 + "Lima", "too long to be a list of places"),
    ],
)
def test_texts_that_name_no_places(text: str, message: str) -> None:
    board = EUROPE if "Parys" in text else WORLD
    with pytest.raises(UnknownName) as caught:
        board.index.split_places(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Paris–Wein", 'unknown place "Wein" (did you mean "Wien"?)'),
        ("Paris–Moskva", 'unknown ticket "Paris–Moskva"'),
        ("Paris", 'unknown ticket "Paris"'),
        (["Paris", "Wien", "Paris"], 'unknown ticket "Paris–Wien–Paris"'),
    ],
)
def test_an_unknown_ticket(text: str | list[str], message: str) -> None:
    with pytest.raises(UnknownName) as caught:
        EUROPE.index.ticket(text)
    assert str(caught.value).startswith(message)
    assert isinstance(caught.value, UnknownTicket | UnknownPlace)


@settings(max_examples=40)
@given(st.text(max_size=60) | st.text(alphabet="AlQahir-–> /LmaLuanda", max_size=60))
def test_any_text_is_places_or_an_unknown_name(text: str) -> None:
    for ask in (WORLD.index.place, WORLD.index.split_places, WORLD.index.ticket):
        try:
            ask(text)
        except UnknownName as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize("name", builtin_boards())
def test_names_in_other_languages_find_their_place_and_none_is_only_an_accent_away(name: str) -> None:
    board = load_board(name)
    for place in board.places:
        for language, exonym in place.exonyms:
            assert board.index.place(exonym) is place, (language, exonym)
            assert plain(exonym) != plain(place.name), (language, exonym)
            assert place.name_in(language) == f"{place.name} ({exonym})"
        assert place.name_in("eo") == place.name


def test_a_board_has_a_title_in_every_language() -> None:
    germany, berlin = load_board("germany"), load_board("berlin")
    assert [germany.title_in(one) for one in (*LANGUAGES, "eo")] == [
        "Germany", "Niemcy", "Německo", "Deutschland", "Germany",
    ]  # fmt: skip
    assert [berlin.title_in(one) for one in LANGUAGES] == ["Berlin", "Berlin", "Berlín", "Berlin"]


def test_names_and_titles_in_other_languages_change_no_game(tmp_path: Path) -> None:
    germany = load_board("germany")
    shutil.copytree(germany.folder, tmp_path / "germany")
    (tmp_path / "germany" / "names.csv").unlink()
    toml = tmp_path / "germany" / "board.toml"
    toml.write_text(toml.read_text("utf-8").partition("[titles]")[0], "utf-8")
    assert read_board(tmp_path / "germany").digest == germany.digest


def test_a_near_miss_of_a_name_in_another_language_is_answered_with_the_printed_one() -> None:
    with pytest.raises(UnknownPlace, match='did you mean "München"'):
        load_board("germany").index.place("Monachum")
