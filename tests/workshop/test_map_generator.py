"""Boards of the map generator: read as far as they go, and written so that they read back the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from branchline.arena import simulate
from branchline.boards import COLOURS, GRAY, Board
from branchline.draw.layout import layout_of
from branchline.workshop import findings, map_generator
from branchline.workshop.draft import Draft, DraftError
from branchline.workshop.findings import written

USA = {file.name: file.read_text(encoding="utf-8") for file in sorted((Path(__file__).parent / "usa").iterdir())}
"""The classic map of North America, typed in from its published facts."""


@pytest.fixture(scope="module")
def usa() -> Draft:
    return map_generator.read(USA, "USA")[0]


@pytest.fixture(scope="module")
def board(usa: Draft, tmp_path_factory: pytest.TempPathFactory) -> Board:
    return written(usa, tmp_path_factory.mktemp("boards"))


def test_the_usa_board_has_all_its_facts(usa: Draft) -> None:
    assert {table: len(usa[table]) for table in ("cities", "routes", "tickets")} == {
        "cities": 36,
        "routes": 100,
        "tickets": 30,
    }


def test_the_usa_board_is_sound(usa: Draft) -> None:
    assert not [one for one in findings(usa) if not one.advice]


def test_towns_that_share_a_name_are_those_near_their_neighbours(board: Board) -> None:
    """Santa Fe of Argentina, Portland of Maine and Charleston of West Virginia are other towns."""
    found = {place.name: (round(place.lat), round(place.lon)) for place in board.places}
    assert found["Santa Fe"] == (36, -106)
    assert found["Portland"] == (46, -123)
    assert found["Charleston"] == (33, -80)
    assert found["Washington"] == (39, -77)


def test_a_town_the_gazetteer_spells_otherwise_lies_amid_its_neighbours(board: Board) -> None:
    sault = next(place for place in board.places if place.name == "Sault St. Marie")
    assert abs(sault.lat - 46.5) < 1.5
    assert abs(sault.lon + 84.3) < 2
    assert any("Sault St. Marie" in str(reason) for reason in map_generator.read(USA)[1])


def test_the_usa_board_has_its_backdrop(board: Board) -> None:
    assert set(layout_of(board).scenery.paths) >= {"land", "lake", "stream", "border"}
    west, south, east, north = board.map["bounds"]
    assert all(west < place.lon < east and south < place.lat < north for place in board.places)


def test_the_usa_board_simulates(board: Board) -> None:
    results = simulate(board, ["fast", "greedy"], games=6, seed=3, audited=True)
    assert len(results.games) == 6


def test_what_is_written_reads_back_the_same(usa: Draft) -> None:
    assert map_generator.write(usa) == USA
    again = map_generator.read(map_generator.write(usa), "USA")[0]
    assert again == usa


NAMES = st.text(alphabet="abcdefghijkłóžß ", min_size=1, max_size=12).map(lambda text: f"q{' '.join(text.split())}")


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_board_survives_the_round_trip(data: st.DataObject) -> None:
    names = data.draw(st.lists(NAMES, min_size=2, max_size=8, unique=True))
    ends = st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True)
    routes = [
        {"city_a": a, "city_b": b, "length": str(data.draw(st.integers(1, 9))), "colour": data.draw(colour)}
        for (a, b), colour in ((data.draw(ends), st.sampled_from([*COLOURS, GRAY])) for _ in range(5))
    ]
    tickets = [{"city_a": a, "city_b": b, "value": "7"} for a, b in data.draw(st.lists(ends, max_size=4))]
    files = map_generator.write(
        replace(
            Draft(),
            tables={
                **Draft().tables,
                "cities": {f"c{i}": {"name": name} for i, name in enumerate(names)},
                "routes": {f"r{i}": row for i, row in enumerate(routes)},
                "tickets": {f"t{i}": row for i, row in enumerate(tickets)},
            },
        )
    )
    draft, reasons = map_generator.read(files)
    assert not reasons
    assert [row["name"] for row in draft["cities"].values()] == names
    assert list(draft["routes"].values()) == routes
    assert list(draft["tickets"].values()) == tickets


def test_a_ticket_without_a_value_is_worth_its_shortest_way() -> None:
    files = {"locations.txt": "A1\nB1\nC1\n", "paths.txt": "A1 ; B1 ; 2 ; red\nB1 ; C1 ; 3 ; grey\n"}
    draft, _ = map_generator.read({**files, "tasks.txt": "A1 ; C1\n"})
    assert draft["tickets"]["t1"] == {"city_a": "A1", "city_b": "C1", "value": "5"}
    assert draft["routes"]["r2"]["colour"] == "gray"


def test_places_of_no_earthly_map_lie_on_a_sheet() -> None:
    files = {"locations.txt": "Qwex\nQwey\nQwez\n", "paths.txt": "Qwex ; Qwey ; 2 ; red\nQwey ; Qwez ; 6 ; blue\n"}
    draft, _ = map_generator.read(files)
    x = {row["name"]: float(row["x"]) for row in draft["layout"].values()}
    assert abs(x["Qwey"] - x["Qwez"]) == pytest.approx(3 * abs(x["Qwex"] - x["Qwey"]), abs=0.01)
    assert all(0 <= float(row[axis]) <= 1 for row in draft["layout"].values() for axis in "xy")


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        (
            "paths.txt",
            "A1 ; B1 ; 2\n",
            'paths.txt:1: left out: "A1 ; B1 ; 2", expected place; place; length; colour',
        ),
        ("paths.txt", "\n\nA1 ; Z9 ; 2 ; red\n", 'paths.txt:3: "Z9" is not in the list of locations; it was added'),
        ("tasks.txt", "A1\n", 'tasks.txt:1: left out: "A1", expected place; place'),
        ("locations.txt", "A1\nB1\nA1\n", 'locations.txt:3: "A1" twice; it was left out'),
        ("locations.txt", "x\n" + "\n".join(f"n{i}" for i in range(900)), "at most 500 are kept"),
        ("game.json", '{"particle_graph": 7}', "game.json: is not a project"),
        ("game.json", '{"particle_graph": {"particles": "', "game.json: is not a project"),
    ],
)
def test_damaged_files_open_as_far_as_they_go(file: str, text: str, expected: str) -> None:
    sound = {"locations.txt": "A1\nB1\n", "paths.txt": "A1 ; B1 ; 2 ; red\n"}
    draft, reasons = map_generator.read({**sound, file: text})
    assert any(expected in str(reason) for reason in reasons), reasons
    assert draft["cities"]


def test_a_project_brings_its_positions_and_counts_its_spaces() -> None:
    def node(name: str, x: float, y: float) -> dict[str, object]:
        return {"particle_type": "Particle_Node", "location_name": name, "position": [x, y]}

    def edge(a: str, b: str, number: int, connection: int, colour: str) -> dict[str, object]:
        ends = {"location_1_name": a, "location_2_name": b, "color": colour}
        return {"particle_type": "Particle_Edge", "path_index": number, "connection_index": connection, **ends}

    particles = [node("Qwex", 0, 0), node("Qwey", 10, 0), node("Qwez", 10, 5)]
    particles += [edge("Qwex", "Qwey", i, 0, "red") for i in range(3)]
    particles += [edge("Qwex", "Qwey", i, 1, "blue") for i in range(3)]
    tasks = [
        {"node_names": ["Qwex", "Qwez"], "points": 5},
        {"node_names": ["Qwex", "Qwey", "Qwez"], "points": 5, "points_bonus": 3, "points_penalty": -6},
        {"node_names": "Qwex"},
    ]
    text = json.dumps({"particle_graph": {"particles": particles, "tasks": tasks}})
    draft, reasons = map_generator.read({"any.json": text})
    assert [(row["length"], row["colour"]) for row in draft["routes"].values()] == [("3", "red"), ("3", "blue")]
    layout = {row["name"]: (float(row["x"]), float(row["y"])) for row in draft["layout"].values()}
    assert layout["Qwez"][1] < layout["Qwey"][1]  # upwards is up
    assert draft["tours"]["o1"] == {
        "cities": "Qwex>Qwey>Qwez",
        "value_in_order": "8",
        "value_any_order": "5",
        "penalty": "6",
    }
    assert any("a task is left out" in str(reason) for reason in reasons)


def test_a_semicolon_in_a_name_cannot_be_written() -> None:
    draft = Draft(tables={**Draft().tables, "cities": {"c1": {"name": "a;b"}}})
    with pytest.raises(DraftError, match="semicolon"):
        map_generator.write(draft)


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(["locations.txt", "paths.txt", "tasks.txt", "any.json"]), text=st.text(max_size=300))
def test_anything_opens(name: str, text: str) -> None:
    draft, _ = map_generator.read({name: '{"particle_graph"' + text if name == "any.json" else text})
    assert draft.files()
