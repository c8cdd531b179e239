"""What other programs, spreadsheets and systems write is read rightly, or refused with what it is."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchline.boards.limits import ID, LONGEST_ID, LONGEST_TITLE
from branchline.workshop import findings, foreign_json, map_generator
from branchline.workshop.archive import ArchiveError
from branchline.workshop.beginning import settings
from branchline.workshop.draft import Draft
from branchline.workshop.uploads import opened
from table import costly

CITIES = "name,lat,lon\nKöln,50.94,6.96\nBonn,50.73,7.1\nAachen,50.78,6.08\n"
ROUTES = "city_a,city_b,length,colour\nKöln,Bonn,1,red\nKöln,Aachen,3,gray\n"
TICKETS = "city_a,city_b,value\nBonn,Aachen,4\n"
TABLES = {"cities.csv": CITIES, "routes.csv": ROUTES, "tickets.csv": TICKETS}


def read(**files: str | bytes) -> tuple[Draft, list[str]]:
    uploads = {
        name.replace("__", "."): text.encode() if isinstance(text, str) else text for name, text in files.items()
    }
    draft, reasons = opened(uploads)
    return draft, [str(reason) for reason in reasons]


def cells(draft: Draft, table: str, *columns: str) -> list[tuple[str, ...]]:
    return [tuple(row.get(column, "") for column in columns) for row in draft[table].values()]


def same_board(draft: Draft) -> bool:
    return (
        cells(draft, "cities", "name", "lat", "lon")
        == [("Köln", "50.94", "6.96"), ("Bonn", "50.73", "7.1"), ("Aachen", "50.78", "6.08")]
        and cells(draft, "routes", "city_a", "city_b", "length", "colour")
        == [("Köln", "Bonn", "1", "red"), ("Köln", "Aachen", "3", "gray")]
        and cells(draft, "tickets", "city_a", "city_b", "value") == [("Bonn", "Aachen", "4")]
    )


# ------------------------------------------------------------------------------------------------ tables


def test_tables_alone_are_a_board_with_the_usual_rules() -> None:
    draft, _ = read(**TABLES)
    assert same_board(draft)
    assert [one.message for one in findings(draft) if not one.advice] == [
        "[tickets.first] 5 seats are dealt 15 tickets, there are 1"
    ]


@pytest.mark.parametrize("name", ["README.txt", "LICENSE.txt", "readme.md", "tasks-to-do.txt", "notes.json"])
def test_what_lies_beside_tables_is_named_and_not_read(name: str) -> None:
    draft, reasons = read(**TABLES, **{name: "My board\nDrawn on a rainy Sunday; have fun!\n"})
    assert same_board(draft)
    assert f"{name}: is left out: it is not part of a board" in reasons


@pytest.mark.parametrize(
    ("cities", "routes", "tickets"),
    [
        ("Name,Lat,Lon", "City_A,City_B,Length,Color", "FROM,TO,POINTS"),
        ("City,Latitude,Longitude", "From,To,Spaces,Colour", "Start,End,Value"),
        ("Ort,Breite,Länge", "Von,Nach,Länge,Farbe", "Von,Nach,Punkte"),
        ("Miasto,Szerokość,Długość", "Z,Do,Długość,Kolor", "Skąd,Dokąd,Punkty"),
        ("Město,Šířka,Délka", "Odkud,Kam,Délka,Barva", "Odkud,Kam,Body"),
        ("Nazwa miasta,Szer. geogr.,Dł. geogr.", "Miasto A,Miasto B,Liczba wagonów,Kolor", "Od,Do,Liczba punktów"),
        ("Název města,Zem. šířka,Zem. délka", "Město A,Město B,Počet vagónů,Barva", "Odkud,Kam,Počet bodů"),
        ("Städtename,Breitengrad (°),Längengrad [°]", "Start,Ziel,Anzahl Wagen,Farbe", "Start,Ziel,Punktzahl"),
    ],
)
@pytest.mark.parametrize("mark", costly([",", ";", "\t"]))
def test_headings_are_read_in_the_words_of_the_trade(cities: str, routes: str, tickets: str, mark: str) -> None:
    files = {"cities": (cities, CITIES), "routes": (routes, ROUTES), "tickets": (tickets, TICKETS)}
    texts = {f"{name}.csv": "\n".join([head, *text.split("\n")[1:]]) for name, (head, text) in files.items()}
    assert same_board(read(**{name: text.replace(",", mark) for name, text in texts.items()})[0])
    assert same_board(read(a__csv=texts["cities.csv"], b__csv=texts["routes.csv"], c__csv=texts["tickets.csv"])[0])


def test_excels_separator_line_and_decimal_commas_are_read() -> None:
    comma = "sep=;\r\n" + CITIES.replace(",", ";").replace(".", ",").replace("\n", "\r\n")
    assert same_board(read(**{**TABLES, "cities.csv": comma})[0])
    cut = "name,lat,lon\nKöln,50,94,6,96\nBonn,50,73,7,1\nAachen,50,78,6,08\n"
    draft, reasons = read(**{**TABLES, "cities.csv": cut})
    assert same_board(draft)
    assert "cities.csv: decimal commas are read as points" in reasons


@pytest.mark.parametrize(
    ("encoding", "said"),
    [("utf-8-sig", ""), ("utf-16", "was UTF-16"), ("cp1250", "Windows-1250"), ("cp850", "DOS 850")],
)
def test_tables_of_any_encoding_are_read_and_it_is_said(encoding: str, said: str) -> None:
    draft, reasons = read(**{name: text.encode(encoding) for name, text in TABLES.items()})
    assert same_board(draft)
    assert any(said in reason for reason in reasons) or not said


@pytest.mark.parametrize("unseen", ["\u200b", "\ufeff", "\u2060", "\u00ad", "\u200e"])
def test_what_nobody_sees_in_copied_text_changes_no_cell(unseen: str) -> None:
    assert same_board(
        read(
            cities__csv=CITIES.replace("Köln", f"Kö{unseen}ln").replace("name", f"{unseen}name"),
            routes__csv=ROUTES.replace(",1,", f",1{unseen},"),
            tickets__csv=TICKETS,
        )[0]
    )


def test_a_table_that_cannot_be_read_is_named_with_the_reason() -> None:
    japanese = "name,lat,lon\n東京,35.7,139.7\n大阪,34.7,135.5\n".encode("shift_jis")
    with pytest.raises(ArchiveError, match=r"cities\.csv: is left out: is not UTF-8 \(byte 0x93\)"):
        read(**{**TABLES, "cities.csv": japanese})
    with pytest.raises(ArchiveError, match=r"places\.csv:1: is left out: it is not a table of a board"):
        read(places__csv="who,what\na,b\n", routes__csv=ROUTES)


def test_words_for_colours_are_read_in_four_languages() -> None:
    words = ["rot", "czerwony", "červená", "Grey", "szary", "weiß", "żółty", "modrá", "pink", "#dd0000"]
    rows = "".join(f"A,B,2,{word}\n" for word in words)
    draft, _ = read(cities__csv="name\nA\nB\n", routes__csv="From,To,Length,Colour\n" + rows)
    expected = ["red", "red", "red", "gray", "gray", "white", "yellow", "blue", "purple", "red"]
    assert [colour for (colour,) in cells(draft, "routes", "colour")] == expected


def test_a_neighbours_tables_are_read_with_positions_tunnels_and_ferries() -> None:
    draft, reasons = read(
        stops__csv="Name,Type,X,Y\nHafen,Regular,150,200\nJunction 1,Junction,450,400\n",
        routes__csv="From,To,Length,Colour,Type,Wagon style,Locomotives\n"
        "Hafen,Junction 1,2,Grey,Railway,Tunnel,0\nHafen,Junction 1,2,Red,Boat,,1\n",
    )
    assert cells(draft, "cities", "name", "kind") == [("Hafen", "city"), ("Junction 1", "waypoint")]
    assert cells(draft, "routes", "kind", "wilds", "colour") == [("tunnel", "", "gray"), ("ferry", "1", "red")]
    (_, _, high), (_, _, low) = cells(draft, "layout", "name", "x", "y")
    assert float(high) < float(low)  # y grows downwards on a screen
    assert draft.settings["tunnels"] == {"cards_turned": 3}
    assert any("stops.csv:1: is read as cities.csv" in reason for reason in reasons)


def test_x_and_y_of_a_map_program_are_degrees() -> None:
    draft, reasons = read(places__csv="Name,X,Y\nKöln,6.96,50.94\nBonn,7.1,50.73\nAachen,6.08,50.78\n")
    assert cells(draft, "cities", "name", "lat", "lon")[0] == ("Köln", "50.94", "6.96")
    assert any("x and y are read as degrees" in reason for reason in reasons)


# ------------------------------------------------------------------------------------------------ zip files


def zipped(entries: dict[str, str], flag: int = 0) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        for name, text in entries.items():
            made.writestr(zipfile.ZipInfo(name), text)
    return content.getvalue()


@pytest.mark.parametrize("folder", ["", "My map\\", "My map/", "a\\b\\", "a/b/"])
def test_a_zip_file_of_any_system_is_read(folder: str) -> None:
    entries = {folder + name: text for name, text in TABLES.items()}
    entries |= {"__MACOSX/._cities.csv": "x", f"{folder}.DS_Store": "x", f"{folder}Thumbs.db": "x", "README.md": "x"}
    draft, _ = opened({"any.zip": zipped(entries)})
    assert same_board(draft)


def test_hidden_files_are_no_tables_and_of_two_with_one_name_the_other_is_named() -> None:
    entries = {f"m/{name}": text for name, text in TABLES.items()}
    hidden = {"m/.routes.csv": "x", "m/~$cities.csv": "x", "m/.git/config": "x"}
    draft, reasons = opened({"any.zip": zipped({**hidden, **entries, "m/Cities.csv": CITIES + "Bern,46.95,7.45\n"})})
    assert same_board(draft)
    assert [str(reason) for reason in reasons] == ["Cities.csv:1: is left out: cities.csv is also there"]
    land = {"kind": "land"}
    shape = {"type": "Polygon", "coordinates": [[[7, 50], [8, 50], [8, 51], [7, 50]]]}
    backdrop = json.dumps({"type": "FeatureCollection", "features": [{"properties": land, "geometry": shape}]})
    draft, said = read(**TABLES, a__geojson=backdrop, b__geojson=backdrop)
    assert draft.backdrop is not None
    assert said == ["b.geojson:1: is left out: map.geojson is also there"]


def test_of_several_folders_the_highest_is_the_board_and_two_beside_each_other_are_refused() -> None:
    draft, reasons = opened({"any.zip": zipped({f"m/{n}": t for n, t in TABLES.items()} | {"m/old/cities.csv": "x"})})
    assert same_board(draft)
    assert "m/old/cities.csv" in str(reasons[0])
    with pytest.raises(ArchiveError, match='several folders: "x/", "y/"; put them into one'):
        opened({"any.zip": zipped({"x/cities.csv": CITIES, "y/routes.csv": ROUTES})})


def test_names_in_an_old_zip_file_are_read_by_their_letters() -> None:
    content = zipped({f"{number}rka.csv": CITIES for number in "z"}).replace(b"zrka.csv", "łrka.csv".encode("cp852"))
    _, reasons = opened({"any.zip": content})
    assert any("łrka.csv" in str(reason) for reason in reasons)


# ------------------------------------------------------------------------------------------------ JSON and texts


def test_a_list_nested_as_deeply_as_can_be_read_is_told_and_shown_in_short() -> None:
    """What can just be read may be too deep to be written again."""
    for depth in range(1, 1_200):
        value = foreign_json.parsed("[" * depth + "]" * depth)
        assert len(str(foreign_json.what_it_is(value))) < 300, depth


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", {"branchline_record": 1}, "is a recorded game, not a board; see `branchline replay`"),
        ("a.json", {"edition": "europe", "seats": []}, "is a position, not a board; see `branchline score`"),
        ("a.json", {"type": "FeatureCollection", "features": []}, "is GeoJSON without a feature that can be drawn"),
        ("a.geojson", {"type": "Feature", "geometry": None}, "is GeoJSON without a feature that can be drawn"),
        ("a.json", {"type": "Topology"}, "is TopoJSON"),
        ("a.json", {"anything": [1]}, "is a different kind of JSON: expected a list of places"),
        ("a.json", [], "holds only []: expected an object with a list of places"),
        ("a.json", "null", "holds only null: expected an object with a list of places"),
        ("a.json", "true", "holds only true"),
        ("a.json", "nul", "is not JSON"),
        ("a.txt", "edition europe\nplayers Anna, Bert\n", "see `branchline notate`"),
        ("a.json", {"particle_graph": {"particles": [{"particle_type": "Node"}]}}, "spaces of routes are left out: 1"),
        ("a.json", {"cities": [{"x": 1}], "routes": [{"from": "A"}]}, "places without a name are left out: 1"),
        ("a.xlsx", "PK\x03\x04", "is a spreadsheet: save each of its sheets as CSV"),
        ("a.svg", "<svg/>", "is a picture"),
        ("a.7z", "7z", "pack the files as a zip file"),
        ("README.txt", "My map\n======\n\nHow to use it; and why\n", "no part of a board"),
        ("cities.csv", "who,what\na,b\n", "names no known column"),
    ],
)
def test_what_is_no_board_is_refused_with_what_it_is(name: str, content: object, said: str) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    with pytest.raises(ArchiveError) as refusal:
        opened({name: text.encode()})
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("places", "routes", "ends"),
    [
        ("cities", "connections", ("city1", "city2")),
        ("stops", "routes", ("a", "b")),
        ("nodes", "links", ("source", "target")),
    ],
)
def test_json_of_other_editors_is_read(places: str, routes: str, ends: tuple[str, str]) -> None:
    board = {
        places: [{"id": "p", "name": "Qwex", "x": 1, "y": 9}, {"id": "q", "name": "Qwey", "x": 5, "y": 3}],
        routes: [
            {ends[0]: "p", ends[1]: "Qwey", "length": 3, "color": "Grey"},
            {ends[0]: "p", ends[1]: "gone", "length": 3},
        ],
        "tickets": [{"from": "p", "to": "q", "points": 7}],
    }
    draft, reasons = read(any__json=json.dumps({"version": 1, "payload": board}))
    assert cells(draft, "routes", "city_a", "city_b", "length", "colour") == [("Qwex", "Qwey", "3", "gray")]
    assert cells(draft, "tickets", "city_a", "city_b", "value") == [("Qwex", "Qwey", "7")]
    assert [float(y) for (y,) in cells(draft, "layout", "y")] == [0.92, 0.08]
    assert any('there is no place "gone"' in reason for reason in reasons)


@pytest.mark.parametrize(
    "key", ["name", "title", "Title", "label", "caption", "displayName", "Titel", "tytuł", "název"]
)
@pytest.mark.parametrize("inside", ["", "data", "attributes", "properties"])
def test_names_of_places_are_found_whatever_they_are_called_and_wherever_they_are(key: str, inside: str) -> None:
    def one(number: int) -> dict[str, object]:
        said = {key: f"Qw{number}"}
        return {"id": number, **({inside: said} if inside else said), "x": number, "y": 2 * number}

    board = {"places": [one(1), one(2)], "routes": [{"from": 1, "to": 2, "length": 3}]}
    draft, reasons = read(any__json=json.dumps(board))
    assert cells(draft, "cities", "name") == [("Qw1",), ("Qw2",)]
    assert cells(draft, "routes", "city_a", "city_b") == [("Qw1", "Qw2")]
    assert not any("ids" in reason for reason in reasons)


def test_where_only_ids_of_places_are_found_it_is_said() -> None:
    board = {"places": [{"id": 1, "zzz": "Qa"}, {"id": 2, "zzz": "Qb"}], "routes": [{"from": 1, "to": 2}]}
    assert "any.json: no names of places are found; their ids are used" in read(any__json=json.dumps(board))[1]


def test_what_json_of_other_editors_has_twice_or_without_a_name_is_told() -> None:
    board = {
        "cities": [{"name": "Qa"}, {"name": "Qa"}, {"name": "Qb"}, {"x": 1}],
        "routes": [{"from": "Qa", "to": "Qb", "length": 3}, "Qa-Qb"],
    }
    draft, reasons = read(any__json=json.dumps(board))
    assert cells(draft, "cities", "name") == [("Qa",), ("Qb",)]
    assert {reason.partition(": ")[2] for reason in reasons} >= {
        '"Qa" twice; it was left out',
        "places without a name are left out: 1",
        "routes and tickets that are not objects with their own keys are left out: 1",
    }


# ------------------------------------------------------------------------------------------------ map generator


def project(*spaces: tuple[str, str, int, int, str]) -> str:
    names = sorted({end for one in spaces for end in one[:2]})
    nodes = [
        {"particle_type": "Particle_Node", "location_name": name, "position": [9 * number, number % 2]}
        for number, name in enumerate(names)
    ]
    edges = [
        {
            "particle_type": "Particle_Edge",
            "location_1_name": a,
            "location_2_name": b,
            "path_index": index,
            "connection_index": line,
            "color": colour,
        }
        for a, b, index, line, colour in spaces
    ]
    return json.dumps({"particle_graph": {"particles": nodes + edges, "tasks": []}})


@pytest.mark.parametrize(
    ("spaces", "lines", "told"),
    [
        ([("A", "B", 0, 0, "red"), ("A", "B", 0, 0, "blue")], [("1", "red"), ("1", "blue")], False),
        (
            [("A", "B", n, 0, "red") for n in range(3)]
            + [("A", "B", 0, 0, "blue"), ("B", "A", 1, 0, "blue"), ("B", "A", 2, 0, "blue")],
            [("3", "red"), ("3", "blue")],
            False,
        ),
        ([("A", "B", n, 0, "gray") for n in (0, 1, 0, 1)], [("2", "gray"), ("2", "gray")], False),
        ([("A", "B", n, line, "gray") for n in (0, 1) for line in (0, 1)], [("2", "gray"), ("2", "gray")], False),
        ([("A", "B", n, 0, colour) for n, colour in enumerate(("red", "red", "blue"))], [("3", "red")], True),
        ([("A", "B", n, 0, "gray") for n in (0, 1, 0)], [("2", "gray"), ("1", "gray")], True),
        ([("A", "B", n, 0, "gray") for n in (0, 2)], [("2", "gray")], True),
    ],
)
def test_lines_of_a_project_are_told_by_ends_and_colour(
    spaces: list[tuple[str, str, int, int, str]], lines: list[tuple[str, str]], told: bool
) -> None:
    draft, reasons = map_generator.read({"any.json": project(*spaces)})
    assert cells(draft, "routes", "length", "colour") == lines
    assert any("A–B" in str(reason) for reason in reasons) is told


def test_what_a_project_has_and_a_board_cannot_have_is_told() -> None:
    sound = json.loads(project(("A", "B", 0, 0, "red"), ("A", "B", 1, 0, "red")))
    particles, tasks = sound["particle_graph"]["particles"], sound["particle_graph"]["tasks"]
    particles += [
        {"particle_type": "Particle_Node", "location_name": "", "position": [3, 3]},
        {"particle_type": "Particle_Node", "location_name": "A", "position": [4, 4]},
        {"particle_type": "Particle_Edge", "location_1_name": "A", "location_2_name": None},
        {"particle_type": "Particle_Tunnel"},
    ]
    particles += [{**particles[-2], "location_2_name": "A2", "color": "blue"} for _ in range(3)]  # without path_index
    tasks += [{"node_names": ["A", "B"], "points": points} for points in ("7", 8.0, 9.5)]
    draft, reasons = read(a__json=json.dumps(sound), b__json=json.dumps(sound))
    assert cells(draft, "routes", "city_b", "length") == [("B", "2"), ("A2", "3")]
    assert cells(draft, "tickets", "value") == [("7",), ("8",), ("2",)]
    assert {reason.partition(": ")[2] for reason in reasons} >= {
        '"A" twice; it was left out',
        "places without a name are left out: 1",
        "spaces of routes without two places are left out: 1",
        "entries that are neither places nor spaces of routes are left out: 1",
        "A–A2: spaces without a place along the line are put one after the other",
        'A–B: points that are not whole numbers are left out: "9.5"',
        "is left out: a.json is also there",
    }


def test_a_project_over_the_limit_says_once_that_the_rest_is_left_out() -> None:
    names = [f"N{number}" for number in range(60)]
    spaces = [(a, b, 0, 0, "red") for number, a in enumerate(names) for b in names[:number]]
    draft, reasons = map_generator.read({"any.json": project(*spaces)})
    assert len(draft["routes"]) == 500
    assert [str(reason) for reason in reasons] == ["any.json: the rest is left out: at most 500 are kept"]


def test_the_text_files_of_a_neighbour_bring_their_positions_and_not_their_readme() -> None:
    draft, reasons = read(
        locations__txt="Qwex\nQwey\n",
        paths__txt="Qwex ; Qwey ; 3 ; red\n",
        tasks__txt="Qwex ; Qwey\n",
        positions__json=json.dumps({"positions": {"Qwex": [1, 9], "Qwey": [5, 3], "Gone": [1, 1]}}),
        README__txt="My map\n======\nLoad it; then play.\n",
        make__py="print()",
    )
    assert {name for (name,) in cells(draft, "cities", "name")} == {"Qwex", "Qwey"}
    assert len(draft["tickets"]) == 1
    assert [float(y) for (y,) in cells(draft, "layout", "y")] == [0.08, 0.92]  # y grows upwards there
    assert "README.txt: is left out: it is not part of a board" in reasons
    assert 'positions.json: the position of "Gone" is left out' in reasons


# ------------------------------------------------------------------------------------------------ names of our own


@given(title=st.text(max_size=120))
def test_ids_and_titles_that_we_derive_pass_our_own_check(title: str) -> None:
    import re

    made = settings(title)
    assert re.fullmatch(ID, made["id"])
    assert len(made["id"]) <= LONGEST_ID
    assert 0 < len(made["title"]) <= LONGEST_TITLE
    assert made["title"].isprintable()


@pytest.mark.parametrize(
    ("title", "name"),
    [("2026", "board_2026"), ("日本2", "riben2"), ("Αθήνα", "athina"), ("Łódź!", "lodz"), ("🚂", "board")],
)
def test_ids_are_put_into_latin_letters(title: str, name: str) -> None:
    assert settings(title)["id"] == name


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("−6,96", "-6.96"),
        ("–6.96", "-6.96"),
        ("1\u00a0234,5", "1234.5"),
        ("1 234", "1234"),
        ("12\u202f345.25", "12345.25"),
        ("1'234.5", "1234.5"),
        ("1’234", "1234"),
        ("1.234,5", "1234.5"),
        ("1,234.5", "1234.5"),
        ("1 23", "1 23"),
        ("12-3", "12-3"),
    ],
)
def test_numbers_are_read_as_people_and_spreadsheets_write_them(typed: str, meant: str) -> None:
    draft, _ = read(**{**TABLES, "cities.csv": CITIES.replace(",", ";").replace("6.96", typed)})
    assert cells(draft, "cities", "lon")[0] == (meant,)


def test_positions_that_are_no_numbers_are_named() -> None:
    typed = "name;x;y\nKöln;12 a;1\nBonn;?;2\nAachen;3;4\n"
    _, reasons = read(**{**TABLES, "cities.csv": typed})
    assert 'cities.csv: x and y are no numbers for 2 places, such as "Köln"' in reasons


@pytest.mark.parametrize("rows", ["Köln,50,94,7\nBonn,50,73,7,1\n", "Köln,50,94,7\nBonn,50,73,7\n", "Köln,50,5,6.9\n"])
def test_a_number_that_a_comma_may_have_cut_in_two_is_not_taken_for_another(rows: str) -> None:
    draft, reasons = read(**{**TABLES, "cities.csv": f"name,lat,lon\nAachen,50.78,6.08\n{rows}"})
    assert cells(draft, "cities", "lat", "lon") == [("50.78", "6.08")] + [("", "")] * rows.count("\n")
    said = [one for one in reasons if "lat, lon" in one]
    assert len(said) == rows.count("\n") and "cells instead of 3" in said[0]


@pytest.mark.parametrize("headings", ["source,target", "Source,Target", "target,source"])
def test_a_graphs_source_and_target_are_the_ends_of_a_route(headings: str) -> None:
    routes = ROUTES.replace("city_a,city_b", headings)
    draft, _ = read(**{**TABLES, "routes.csv": routes})
    assert {frozenset(ends) for ends in cells(draft, "routes", "city_a", "city_b")} == {
        frozenset(("Köln", "Bonn")),
        frozenset(("Köln", "Aachen")),
    }


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"routes.csv": ROUTES}, "routes.csv: has no places; expected a table of them, such as cities.csv"),
        ({"routes.csv": ROUTES, "tickets.csv": TICKETS}, "has no places"),
        ({"cities.csv": "name,lat,lon\n", "routes.csv": ROUTES}, "has no places"),
    ],
)
def test_tables_without_places_are_refused_with_that_reason(files: dict[str, str], said: str) -> None:
    with pytest.raises(ArchiveError, match="no places") as refused:
        read(**files)
    assert "no part of a board" not in str(refused.value)
