"""Every way a board folder can be wrong, with the line a map maker gets to read."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from board_files import edition, example, faults_after, faults_of, planted, spoil, with_planted, write

from branchline.boards import BoardError, Fault, load_board, read_board
from branchline.boards.limits import MAX_FILE_BYTES


@pytest.mark.parametrize("block", planted(), ids=lambda block: block[-1][:60])
def test_a_fault_is_named_with_file_and_line(tmp_path: Path, block: list[str]) -> None:
    expected = [line for line in block[1:] if line[0] not in "-+"]
    found = faults_of(write(tmp_path, with_planted(block)))
    if expected[-1] == "…":
        assert found[: len(expected) - 1] == expected[:-1]
        assert len(found) > len(expected)
    else:
        assert found == expected


# --- several faults at once


def test_a_broken_file_hides_no_fault_of_another(tmp_path: Path) -> None:
    found = faults_after(
        tmp_path,
        example(),
        ("board.toml", "hand = 3", "hand = -3"),
        ("cities.csv", "47.66,9.18", "north,9.18"),
        ("routes.csv", "Radolfzell,2,blue", "Radolfzell,two,blue"),
        ("routes.csv", "3,green", "3,gren"),
        ("tickets.csv", "Konstanz,Lindau,5", "Konstanz,Linden,5"),
    )
    assert found == [
        "board.toml:13: [cards] hand is -3, expected a whole number from 0 to 20",
        'cities.csv:2: lat is "north", expected a number from -90 to 90',
        'routes.csv:2: length is "two", expected a whole number from 1 to 9',
        'routes.csv:4: unknown colour "gren" (did you mean "green"?)',
        'tickets.csv:2: unknown place "Linden" (did you mean "Lindau"?)',
    ]


def test_without_cities_the_other_files_are_still_read(tmp_path: Path) -> None:
    files = spoil(spoil(example(), "routes.csv", "3,green", "3,gren"), "tickets.csv", "Lindau,5", "Lindau,five")
    del files["cities.csv"]
    assert faults_of(write(tmp_path, files)) == [
        "cities.csv: the file is missing",
        'routes.csv:4: unknown colour "gren" (did you mean "green"?)',
        'tickets.csv:2: value is "five", expected a whole number from 1 to 200',
    ]


def test_without_rules_the_tables_are_still_read(tmp_path: Path) -> None:
    files = spoil(example(), "tickets.csv", "Lindau,5", "Lindau,five") | {"board.toml": b"= 3"}
    assert faults_of(write(tmp_path, files)) == [
        "board.toml:1: is not TOML: invalid statement",
        'tickets.csv:2: value is "five", expected a whole number from 1 to 200',
    ]


def test_one_row_may_have_several_faults(tmp_path: Path) -> None:
    found = faults_after(
        tmp_path,
        example(),
        ("routes.csv", "Radolfzell,Meersburg,3,green,rail,", "Rome,Meersburg,0,pink,bus,x"),
    )
    colours = "purple, blue, orange, white, green, yellow, black, red or gray"
    assert found == [
        'routes.csv:4: unknown place "Rome"',
        'routes.csv:4: unknown kind "bus", expected rail, tunnel, ferry, sea, tram or subway',
        'routes.csv:4: length is "0", expected a whole number from 1 to 9',
        'routes.csv:4: wilds is "x", expected a whole number from 0 to 1',
        f'routes.csv:4: unknown colour "pink", expected {colours}',
    ]


def test_the_error_carries_every_fault(tmp_path: Path) -> None:
    files = {name: content for name, content in example().items() if name == "routes.csv"}
    with pytest.raises(BoardError) as caught:
        read_board(write(tmp_path, files))
    error = caught.value
    assert error.folder == str(tmp_path)
    assert error.count == len(error.faults) == 3
    assert error.faults[0] == Fault("board.toml", 0, "the file is missing")
    assert error.first_line == "board.toml: the file is missing"
    assert str(error).split("\n") == [str(fault) for fault in error.faults]


def test_many_faults_are_cut_short_in_print_only(tmp_path: Path) -> None:
    routes = b"city_a,city_b,length,colour\n" + b"A,B,1,red\n" * 60
    with pytest.raises(BoardError) as caught:
        read_board(write(tmp_path, example() | {"routes.csv": routes}))
    assert caught.value.count == 120  # both ends of each
    assert str(caught.value).split("\n")[-1] == "… and 80 more"


# --- combinations that are not supported


def test_a_route_is_a_ferry_or_difficult_terrain(tmp_path: Path) -> None:
    routes = example()["routes.csv"].decode().replace("kind,wilds", "kind,wilds,pairs").split("\n")
    rows = [row if row.startswith("#") or not row else row + ",0" for row in routes[1:]]
    text = "\n".join([routes[0], *rows]).replace("1,gray,ferry,1,0", "1,gray,ferry,1,1")
    assert faults_of(write(tmp_path, example() | {"routes.csv": text.encode()})) == [
        "routes.csv:5: has both wilds (a ferry) and pairs (difficult terrain), which cannot be combined"
    ]


@pytest.mark.parametrize("kind", ["tunnel", "ferry", "tram"])
def test_pairs_belong_to_rail(tmp_path: Path, kind: str) -> None:
    routes = f"city_a,city_b,length,colour,kind,pairs\nKonstanz,Lindau,2,gray,{kind},1\n"
    found = faults_of(write(tmp_path, example() | {"routes.csv": routes.encode()}))
    if kind == "ferry":
        assert found == ["routes.csv:2: a ferry needs at least 1 in the column wilds"]
    else:
        assert found[0].startswith("routes.csv:2: pairs (difficult terrain) belong to a rail route, this is a")


def test_more_than_three_parallel_lines(tmp_path: Path) -> None:
    more = "Konstanz,Radolfzell,2,green,rail,\nRadolfzell,Konstanz,2,yellow,rail,\n"
    found = faults_after(tmp_path, example(), ("routes.csv", "", more))
    assert found == ["routes.csv:15: Radolfzell–Konstanz has more than 3 parallel routes"]


def test_parallel_lines_of_two_kinds(tmp_path: Path) -> None:
    found = faults_after(tmp_path, example(), ("routes.csv", "", "Konstanz,Meersburg,1,blue,rail,\n"))
    assert found == [
        "routes.csv:14: is parallel to line 5, but its kind is rail instead of ferry",
        "routes.csv:14: is parallel to line 5, but its wilds is 0 instead of 1",
    ]


def test_a_route_nobody_could_pay(tmp_path: Path) -> None:
    found = faults_after(
        tmp_path,
        example(),
        ("board.toml", "train = 6 ", "train = 1 "),
        ("board.toml", "wild = 6", "wild = 1"),
        ("board.toml", "hand = 3", "hand = 0"),
        ("board.toml", "colours = [", 'colours = ["black", "white", "orange", '),
    )
    assert found == ["routes.csv:4: needs 3 cards of one colour; with all wilds there are only 2"]


# --- places that cannot be reached


def test_tickets_across_water(tmp_path: Path) -> None:
    found = faults_after(
        tmp_path,
        example(), ("cities.csv", "", "Wien,48.2,16.4,\nLinz,48.3,14.3,\n"),
        ("routes.csv", "", "Wien,Linz,2,gray,rail,\n"), ("tickets.csv", "", "Wien,Linz,2\nWien,Lindau,9\n"),
    )  # fmt: skip
    assert found == ["tickets.csv:9: no routes lead from Wien to Lindau"]


def test_TIC_4_no_ticket_through_a_country(tmp_path: Path) -> None:
    files = spoil(example(), "cities.csv", "name,lat,lon,aliases", "name,lat,lon,kind")
    files = spoil(files, "cities.csv", "9.18,Constance", "9.18,")
    files = spoil(files, "cities.csv", "9.48,Zeppelin Town", "9.48,")
    for name in ("Bregenz,47.50,9.75,", "Romanshorn,47.57,9.38,"):
        files = spoil(files, "cities.csv", name, name + "country")
    found = faults_after(tmp_path, files)
    assert found == [
        "tickets.csv:4: no routes lead from Meersburg to Rorschach; connections cannot pass through a country",
        "tickets.csv:7: no routes lead from Radolfzell to Rorschach; connections cannot pass through a country",
    ]


# --- whatever lies in the folder


def test_no_such_folder(tmp_path: Path) -> None:
    assert faults_of(tmp_path / "nowhere")[0].endswith("does not exist")


def test_a_file_instead_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "board").write_text("x")
    assert faults_of(tmp_path / "board")[0].endswith("is not a folder")


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000])
def test_a_name_no_folder_can_have(name: str) -> None:
    assert len(faults_of(Path(name))) == 1
    with pytest.raises(BoardError):
        load_board(Path(name))


def test_an_empty_folder(tmp_path: Path) -> None:
    assert faults_of(tmp_path) == [
        f"{name}: the file is missing" for name in ("board.toml", "cities.csv", "routes.csv", "tickets.csv")
    ]


def test_a_file_of_another_name_is_proposed(tmp_path: Path) -> None:
    files = example()
    files["citys.csv"] = files.pop("cities.csv")
    assert faults_of(write(tmp_path, files))[0] == 'cities.csv: the file is missing (did you mean "citys.csv"?)'


@pytest.mark.parametrize("name", ["board.toml", "cities.csv", "routes.csv", "tickets.csv", "tours.csv"])
def test_a_folder_instead_of_a_file(tmp_path: Path, name: str) -> None:
    files = example()
    files.pop(name, None)
    write(tmp_path, files)
    (tmp_path / name).mkdir()
    assert faults_of(tmp_path)[0] == f"{name}: is not a file"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path, {name: text for name, text in example().items() if name != "routes.csv"})
    os.mkfifo(tmp_path / "routes.csv")
    assert faults_of(tmp_path) == ["routes.csv: is not a file"]


def test_symbolic_links_are_followed(tmp_path: Path) -> None:
    write(tmp_path / "real", example())
    (tmp_path / "linked").mkdir()
    for name in example():
        (tmp_path / "linked" / name).symlink_to(tmp_path / "real" / name)
    assert read_board(tmp_path / "linked") == read_board(tmp_path / "real")


def test_other_files_are_let_be(tmp_path: Path) -> None:
    others = {
        "NOTES.md": b"\xff",
        "sketch.png": b"\x89PNG",
        "rules.csv": b"key,value\n",
        "old_routes.csv": b"",
    }
    assert faults_of(write(tmp_path, example() | others)) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty; expected a first line city_a,city_b,length,colour"),
        (b"\n \n", "is empty; expected a first line city_a,city_b,length,colour"),
        (b"city_a,city_b,length,colour\n", "has no rows"),
        (b"x" * (MAX_FILE_BYTES + 1), "is larger than 2 MB"),
    ],
)
def test_a_routes_file_that_is_no_table(tmp_path: Path, content: bytes, message: str) -> None:
    assert faults_of(write(tmp_path, example() | {"routes.csv": content}))[0] == f"routes.csv: {message}"


HEADER = b"city_a,city_b,length,colour\n"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"city_a\nM\xfcnchen\n", "routes.csv:2: is not UTF-8 (byte 0xfc) but probably Windows-1250, "
                                   'as in "München"; save it as UTF-8'),
        (b"city_a\n\xfc\x01\n", "routes.csv:2: is not UTF-8 (byte 0xfc); save it as UTF-8"),
        (b"\xff\xfea\0b", "routes.csv:1: starts as UTF-16 but is damaged; save it as UTF-8"),
        (b"city_a\n\nA\0B\n", "routes.csv:3: is not text: it contains a zero byte"),
        (HEADER + b"Ulm,Bregenz,1,gray\n" * 300, "routes.csv:242: too many rows, the limit is 240"),
        (HEADER + b"x" * 200_000, "routes.csv:2: is not CSV from here on: a cell is far too long"),
        (HEADER + b'"A"B,C,1,red\n', "routes.csv:2: is not CSV from here on: ',' expected after '\"'"),
    ],
    ids=["latin-1", "no page", "half a unit", "zero byte", "many rows", "long cell", "text after a quote"],
)  # fmt: skip
def test_a_routes_file_that_breaks_off(tmp_path: Path, content: bytes, line: str) -> None:
    assert line in faults_of(write(tmp_path, example() | {"routes.csv": content}))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("id = 'x'\nseats = " + "[" * 900, "board.toml: is not TOML: brackets are nested too deep"),
        ("id = 'x'\ntitle = 'y", 'board.toml:2: is not TOML: expected "\'"'),
        ("id = 'x'\n\n[cards]\n[cards]\n", "board.toml:4: is not TOML: cannot declare ('cards',) twice"),
        ("#" * 100_001, "board.toml: is larger than 100 kB"),
        (".".join("a" * 600) + " = 1", "board.toml:1: the line is longer than 1000 characters"),
        ("rules_version = " + "9" * 900, "board.toml:1: rules_version is"),
        ("rules_version = 0x" + "f" * 900, "board.toml:1: rules_version is"),
        ("title = " + "[" * 90 + "]" * 90, "board.toml:1: title is [[["),
    ],
    ids=["deep", "open quote", "twice", "large", "long line", "long number", "long hex", "lists"],
)
def test_a_rules_file_that_is_strange(tmp_path: Path, text: str, line: str) -> None:
    found = faults_of(write(tmp_path, example() | {"board.toml": text.encode()}))
    assert any(one.startswith(line) for one in found), found


# --- what is no fault


@pytest.mark.parametrize(
    "written",
    [
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: text.replace(b"\n", b"\r"),
        lambda text: text + b"\n\n# the end\n",
        lambda text: text.replace(b",", b" , ") if b"city_a" in text else text,
    ],
    ids=["byte order mark", "Windows lines", "old Mac lines", "comments", "blanks"],
)
def test_ways_of_writing_that_mean_the_same(tmp_path: Path, written: Callable[[bytes], bytes]) -> None:
    plain = read_board(write(tmp_path / "plain", example()))
    other = read_board(write(tmp_path / "other", {name: written(text) for name, text in example().items()}))
    assert other == plain
    assert other.digest == plain.digest


def test_accents_stored_apart_are_put_together(tmp_path: Path) -> None:
    renamed = {name: text.replace(b"Lindau", "Lïndau".encode()) for name, text in example().items()}
    apart = renamed | {"routes.csv": renamed["routes.csv"].replace("ï".encode(), "i\N{COMBINING DIAERESIS}".encode())}
    assert read_board(write(tmp_path / "a", apart)) == read_board(write(tmp_path / "b", renamed))


def test_columns_may_stand_in_any_order(tmp_path: Path) -> None:
    rows = [line.split(",") for line in example()["tickets.csv"].decode().split()]
    turned = "\n".join(",".join(reversed(row)) for row in rows)
    board = read_board(write(tmp_path / "turned", example() | {"tickets.csv": turned.encode()}))
    assert board.digest == read_board(write(tmp_path / "plain", example())).digest


def test_a_map_of_no_world_needs_no_degrees(tmp_path: Path) -> None:
    names = [line.split(",")[0] for line in example()["cities.csv"].decode().split("\n")[1:-1]]
    cities = "name\n" + "".join(f"{name}\n" for name in names)
    layout = "name,x,y\n" + "".join(f"{name},0.{number},0.5\n" for number, name in enumerate(names, 1))
    board = read_board(write(tmp_path, example() | {"cities.csv": cities.encode(), "layout.csv": layout.encode()}))
    assert board.places[2].sheet == (0.3, 0.5)
    assert (board.places[2].lat, board.places[2].lon) == (0, 0)


def test_nudges_and_edges_reach_the_drawing(tmp_path: Path) -> None:
    edges = '[map]\nseam = -30.5\n[map.edges]\n"Lindau–Friedrichshafen" = [1, 1]\n[ending]'
    files = spoil(example(), "board.toml", "[ending]", edges)
    files = spoil(files, "routes.csv", "kind,wilds", "kind,wraps")
    files = {**files, "routes.csv": files["routes.csv"].replace(b"gray,ferry,1", b"gray,rail,")}
    files = spoil(files, "routes.csv", "Lindau,2,red,rail,", "Lindau,2,red,rail,yes")
    files = spoil(files, "cities.csv", "lon,aliases", "lon,nudge_x")
    files = spoil(files, "cities.csv", "Constance", "-12.5")
    files = spoil(files, "cities.csv", "Zeppelin Town", "")
    board = read_board(write(tmp_path, files))
    assert board.map == {"seam": -30.5, "edges": {"Lindau–Friedrichshafen": [1, 1]}}
    assert board.places[0].nudge == (-12.5, 0.0)


def test_a_row_of_cities_that_does_not_fit_is_one_fault_wherever_its_name_stands(tmp_path: Path) -> None:
    """In the routes, on tickets, in the layout: the place is known, only its row is wrong."""
    files = spoil(edition("world"), "cities.csv", "Bangkok,city,yes", "Bangkok,city,yes,extra")
    assert faults_of(write(tmp_path, files)) == ["cities.csv:5: 10 cells, expected 9 as in the first line"]


def test_the_side_of_a_name_is_one_of_eight(tmp_path: Path) -> None:
    files = spoil(example(), "cities.csv", "lon,aliases", "lon,label")
    files = spoil(spoil(files, "cities.csv", "Constance", "ne"), "cities.csv", "Zeppelin Town", "")
    board = read_board(write(tmp_path / "sound", files))
    assert [place.label for place in board.places[:2]] == ["ne", ""]
    wrong = faults_of(write(tmp_path / "wrong", spoil(files, "cities.csv", ",ne", ",north")))
    assert wrong == ['cities.csv:2: unknown label "north", expected n, ne, e, se, s, sw, w or nw']
