"""The drawing itself: well-formed, complete, the same every time, in every theme, with words for those who listen."""

from __future__ import annotations

import re
import shutil
from xml.etree import ElementTree

import pytest

from branchline.boards import read_board
from branchline.draw import Position, board_parts, board_svg
from branchline.draw.palette import ROUTE_COLOURS, SEATS, THEMES

SVG = "{http://www.w3.org/2000/svg}"
LARGEST = 600_000  # characters
LARGEST_ROUTE = 2_600  # characters; a free one with its symbols has as many


def _parsed(text):
    return ElementTree.fromstring(text)


def _group(root, key, value):
    return next(group for group in root.iter(f"{SVG}g") if group.get(key) == str(value))


def _said(group):
    return group.find(f"{SVG}title").text


def _middle_of_a_game(board):
    owners = {route.index: route.index % 5 for route in board.routes if route.line == 0 and route.index % 3}
    closed = {
        route.index
        for route in board.routes
        if route.index not in owners and any(board.routes[i].parallel == route.parallel for i in owners)
    }
    free = [route.index for route in board.routes if route.index not in owners and route.index not in closed]
    cities = [place.index for place in board.places if place.kind == "city"]
    return Position(
        seats=5,
        owners=owners,
        closed=frozenset(closed),
        stations={cities[1]: 0, cities[2]: 4},
        ports={place.index: 2 for place in board.places if place.port and place.index % 4 == 0},
        passengers={place.index: ("red", "white") for place in board.places if place.passengers > 1},
        highlight=frozenset(free[:2]),
        marked_places=frozenset(cities[:2]),
    )


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_draws_every_board_well_formed_and_small(board, theme):
    for position in (None, _middle_of_a_game(board)):
        text = board_svg(board, position, theme=theme)
        assert _parsed(text).tag == f"{SVG}svg"
        assert len(text) < LARGEST
        assert "nan" not in text
        assert "var(" not in text  # rsvg-convert knows no custom properties


def test_an_unknown_theme_is_refused_by_name(europe):
    with pytest.raises(ValueError, match=r'unknown theme "sepia"; there are light, dark, contrast'):
        board_svg(europe, theme="sepia")


def test_every_route_has_a_group_with_its_spaces(board):
    root = _parsed(board_svg(board))
    for route in board.routes:
        group = _group(root, "data-route", route.index)
        spaces = [part for part in group if part.get("class") == "s"]
        assert len(spaces) == (1 if route.kind == "subway" else route.length), route.name
        assert {route.kind, route.colour, "free"} <= set(group.get("class").split())
        edges = [part for part in group if part.get("class") == "t"]
        assert len(edges) == (route.length if route.kind == "tunnel" else 0)


def test_every_coloured_space_carries_its_symbol_and_every_ferry_its_wheels(board):
    root = _parsed(board_svg(board))
    for route in board.routes:
        group = _group(root, "data-route", route.index)
        uses = [part.get("href").rpartition("-")[2] for part in group.iter(f"{SVG}use")]
        if route.kind != "subway":
            assert uses.count(route.colour) == (0 if route.colour == "gray" else route.length)
            assert uses.count("wheel") == route.wilds
            assert uses.count("pair") == route.pairs


def test_a_subway_shows_its_price(berlin):
    root = _parsed(board_svg(berlin))
    for route in berlin.routes:
        texts = [part.text for part in _group(root, "data-route", route.index).iter(f"{SVG}text")]
        assert texts == ([str(route.price)] if route.kind == "subway" else [])


def test_every_place_has_a_group_and_shows_its_name(board):
    root = _parsed(board_svg(board))
    for place in board.places:
        group = _group(root, "data-place", place.index)
        shown = " ".join(part.text for part in group.iter(f"{SVG}text"))
        assert shown == ("" if place.kind == "waypoint" else place.name)
        assert place.name in _said(group) or place.kind == "waypoint"


def test_no_id_is_used_twice_and_every_reference_is_there(board):
    root = _parsed(board_svg(board, _middle_of_a_game(board)))
    ids = [part.get("id") for part in root.iter() if part.get("id")]
    assert len(ids) == len(set(ids))
    links = {part.get("href")[1:] for part in root.iter() if part.get("href")}
    links |= set(re.findall(r"url\(#([^)]+)\)", ElementTree.tostring(root, encoding="unicode")))
    assert links <= set(ids)


def test_drawings_of_one_page_do_not_share_ids(europe, world):
    def ids(text):
        return {part.get("id") for part in _parsed(text).iter() if part.get("id")}

    assert not ids(board_svg(europe)) & ids(board_svg(world))
    assert not ids(board_svg(europe)) & ids(board_svg(europe, theme="dark"))


def test_the_same_board_and_position_give_the_same_text(board):
    position = _middle_of_a_game(board)
    assert board_svg(board, position) == board_svg(board, position)
    # a board read again from its files gets a layout of its own, and the same one
    again = read_board(board.folder)
    assert board_svg(again) == board_svg(board)


def test_what_is_heard(europe):
    root = _parsed(board_svg(europe))
    assert root.find(f"{SVG}title").text == "Europe"
    assert root.find(f"{SVG}desc").text == "Map of 47 places and 101 routes."
    said = {_said(group) for group in root.iter(f"{SVG}g") if group.get("data-route")}
    assert "Dieppe–Paris: 1 purple space, 1 point" in said
    assert "Palermo–Smyrna: 6 gray spaces, ferry, 2 wilds at least, 15 points" in said
    assert "Petrograd–Stockholm: 8 gray spaces, tunnel, 21 points" in said


def test_what_is_heard_of_a_position(europe):
    route = europe.routes[0]
    city = europe.places[3]
    position = Position(3, {route.index: 2}, stations={city.index: 0})
    root = _parsed(board_svg(europe, position))
    assert _said(_group(root, "data-route", route.index)).endswith("taken by seat 3")
    assert _said(_group(root, "data-place", city.index)) == f"{city.name}, station of seat 1"
    assert root.find(f"{SVG}desc").text.endswith("1 route is taken.")


def test_another_language_brings_its_own_words(berlin):
    words = {"spaces.one": "1 Feld in {colour}", "colour.black": "Schwarz"}
    root = _parsed(board_svg(berlin, words=words))
    said = {_said(group) for group in root.iter(f"{SVG}g") if group.get("data-route")}
    assert any(text.startswith("Reichstag–Brandenburger Tor: 1 Feld in Schwarz") for text in said)


def test_a_taken_route_shows_the_seat_and_keeps_its_own_colour(europe):
    route = next(route for route in europe.routes if route.length == 3)
    root = _parsed(board_svg(europe, Position(4, {route.index: 3})))
    group = _group(root, "data-route", route.index)
    assert {"owned", "seat3", route.colour} <= set(group.get("class").split())
    (wagons,) = (part for part in group.iter(f"{SVG}path") if part.get("id"))
    assert wagons.get("d").count("M") == 3  # one on each space
    strokes = {part.get("class"): part.get("href") for part in group.iter(f"{SVG}use")}
    assert {"w wr", "w wd", "wm"} <= set(strokes)  # the rim, the roof and the mark, all of them
    assert set(strokes.values()) == {f"#{wagons.get('id')}"}
    assert "4" in [part.text for part in group.iter(f"{SVG}text")]
    rules = root.find(f"{SVG}style").text
    assert f".seat3 .wd{{stroke:{SEATS[3].colour}}}" in rules
    assert f".{route.colour} .wr{{stroke:{ROUTE_COLOURS[route.colour]}}}" in rules


def test_every_kind_of_route_has_its_own_piece(board):
    """Wagons have square ends, trams and subway cars round ones, ships a bow; a claimed tunnel shows no sleepers."""
    root = _parsed(board_svg(board, Position(1, dict.fromkeys(range(len(board.routes)), 0))))
    rules = root.find(f"{SVG}style").text
    assert "stroke-linecap:square" in rules
    assert "stroke-linecap:round" in rules[rules.index(".tram .w,") :].partition("}")[0]
    for route in board.routes:
        group = _group(root, "data-route", route.index)
        (pieces,) = (part.get("d") for part in group.iter(f"{SVG}path") if part.get("id"))
        assert pieces.count("M") == (1 if route.kind == "subway" else route.length)
        assert ("Q" in pieces) == (route.kind == "sea")
        assert not [part for part in group if part.get("class") in ("s", "t")]


def test_a_claimed_route_is_small(board):
    """Pages send single routes to everybody at the table."""
    every = range(len(board.routes))
    parts = board_parts(board, Position(5, dict.fromkeys(every, 4)), every, ())
    assert max(map(len, parts.values())) < LARGEST_ROUTE


def test_a_closed_route_is_marked_and_bare(europe):
    route = next(route for route in europe.routes if route.lines == 2 and route.colour != "gray")
    root = _parsed(board_svg(europe, Position(closed=frozenset({route.index}))))
    group = _group(root, "data-route", route.index)
    assert "closed" in group.get("class").split()
    assert not list(group.iter(f"{SVG}use"))


def test_passengers_stand_where_they_are(germany):
    waiting = next(place for place in germany.places if place.passengers == 5)

    def standing(position):
        group = _group(_parsed(board_svg(germany, position)), "data-place", waiting.index)
        return [part.get("fill") for part in group.iter(f"{SVG}use")], _said(group)

    colours, said = standing(None)
    assert len(colours) == 5
    assert len(set(colours)) == 1  # nobody knows them yet
    assert said == "Berlin, 5 passengers"
    colours, said = standing(Position(passengers={waiting.index: ("red", "black")}))
    assert len(colours) == len(set(colours)) == 2
    assert said == "Berlin, passengers: red, black"
    assert standing(Position(passengers={}))[0] == []


def test_interactive_drawings_can_be_reached_with_the_keyboard(europe):
    root = _parsed(board_svg(europe, interactive=True))
    for key, count in (("data-route", len(europe.routes)), ("data-place", len(europe.places))):
        groups = [group for group in root.iter(f"{SVG}g") if group.get(key)]
        assert len(groups) == count
        assert all(group.get("tabindex") == "0" and group.get("role") == "button" for group in groups)
    assert "tabindex" not in board_svg(europe)


def test_without_labels_no_name_and_no_cartouche_is_drawn(europe):
    assert "<text" not in board_svg(europe, labels=False)


def test_the_title_can_be_given_and_is_escaped(berlin):
    root = _parsed(board_svg(berlin, title="Anna & <Tom>"))
    assert root.find(f"{SVG}title").text == "Anna & <Tom>"


def test_a_board_without_a_backdrop_is_drawn_on_plain_paper(europe, tmp_path):
    folder = tmp_path / "plain"
    shutil.copytree(europe.folder, folder)
    (folder / "map.geojson").unlink()
    rules = (folder / "board.toml").read_text(encoding="utf-8")
    (folder / "board.toml").write_text(rules[: rules.index("[map]")], encoding="utf-8")
    text = board_svg(read_board(folder))
    assert len(_parsed(text).findall(f".//{SVG}g[@data-route]")) == len(europe.routes)
    assert THEMES["light"].sea not in text.partition("routes")[0].partition("</style>")[2]


def test_a_board_drawn_by_layout_alone_needs_no_degrees(world, tmp_path):
    """With layout.csv nobody has to know where on earth a place is; even places all in one point are drawn."""
    folder = tmp_path / "flat"
    shutil.copytree(world.folder, folder)
    (folder / "map.geojson").unlink()
    rules = (folder / "board.toml").read_text(encoding="utf-8").replace('backdrop = "map.geojson"', "")
    (folder / "board.toml").write_text(rules, encoding="utf-8")
    cities = (folder / "cities.csv").read_text(encoding="utf-8").splitlines()
    head = cities[0].split(",")
    rows = [line.split(",") for line in cities[1:]]
    for row in rows:
        row[head.index("lat")] = row[head.index("lon")] = "0"
    (folder / "cities.csv").write_text(
        "\n".join([cities[0], *(",".join(row) for row in rows)]) + "\n", encoding="utf-8"
    )
    text = board_svg(read_board(folder))
    assert "nan" not in text
    assert len(_parsed(text).findall(f".//{SVG}g[@data-place]")) == len(world.places)


def test_copies_do_not_rely_on_rules_of_the_page(board):
    """Browsers match no class rules with ancestors inside a `use`, so what is copied carries its looks itself."""
    root = _parsed(board_svg(board, _middle_of_a_game(board)))
    for definition in root.iter(f"{SVG}defs"):
        for part in definition.iter():
            assert part.get("class") is None
