"""`score_position`: tables of real games, scored by hand here; and what cannot be a position."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import branchline as bl
from branchline.tabletop.position import _SEAT_KEYS

QUICK = settings(max_examples=200)


def parts(answer):
    """The components that add up, of one seat."""
    names = ("routes", "tickets", "tours", "stations", "globetrotter", "passengers", "ports", "swaps")
    return {name: answer[name] for name in names} | {"trail": answer["longest_trail"]["bonus"]}


# -------------------------------------------------------------------------------------------------- scored by hand


def test_a_europe_table_scored_by_hand():
    """Anna: Edinburgh to Paris and on to Madrid with a borrowed route. Bert: the north. Cleo: nothing but stations."""
    position = {
        "edition": "europe",
        "seats": [
            {
                "name": "Anna",
                "routes": [
                    ["Edinburgh", "London", "orange"],  # 4: 7 points
                    ["Dieppe", "London"],  # 2: 2
                    ["Dieppe", "Paris"],  # 1: 1
                    ["Madrid", "Pamplona", "white"],  # 3: 4
                    ["Petrograd", "Stockholm"],  # 8: 21
                ],
                "tickets": ["Edinburgh–Paris", "Madrid–Dieppe", "Stockholm–Wien"],  # 7, 8, −11
                "stations": ["Paris"],
            },
            {
                "name": "Bert",
                "routes": [
                    ["Pamplona", "Paris", "blue"],  # 4: 7
                    ["København", "Stockholm", "white"],  # 3: 4
                    ["Essen", "København"],  # 3: 4
                    ["Berlin", "Essen"],  # 2: 2
                    ["Berlin", "Wien"],  # 3: 4
                ],
                "tickets": ["London–Berlin"],  # −7
                "stations": [],
            },
            {"name": "Cleo", "stations": ["Roma", "Wien", "Moskva"]},
        ],
    }
    answer = bl.score_position(position)
    anna, bert, cleo = answer["seats"]
    assert parts(anna) == {
        "routes": 35,
        "tickets": 7 + 8 - 11,
        "tours": 0,
        "stations": 8,
        "globetrotter": 0,
        "passengers": 0,
        "ports": 0,
        "swaps": 0,
        "trail": 0,
    }
    assert anna["longest_trail"] == {"length": 8, "bonus": 0}
    assert anna["borrowed"] == {"Paris": "Pamplona–Paris blue"} and anna["tickets_done"] == 2
    assert anna["total"] == 47
    assert bert["longest_trail"] == {"length": 11, "bonus": 10}
    assert bert["total"] == 21 - 7 + 12 + 10
    assert cleo["total"] == 0 and cleo["longest_trail"] == {"length": 0, "bonus": 0}
    assert answer["winners"] == ["Anna"]


def test_a_germany_table_scored_by_hand():
    position = {
        "edition": "germany",
        "seats": [
            {
                "name": "Anna",
                "routes": [
                    ["Berlin", "Hamburg", "blue"],
                    ["Hamburg", "Kiel", "black"],
                    ["Kiel", "Dänemark"],
                    ["Berlin", "Leipzig"],
                ],
                # 18 + 2 + 2 + 7
                "tickets": [
                    "Dänemark–Berlin",
                    "Berlin–Leipzig",
                    "Hamburg–Leipzig",
                    "Kiel–Stuttgart",
                ],  # 10 + 4 + 10 − 17
                "passengers": {"red": 3, "blue": 1, "white": 2},
            },
            {
                "name": "Bert",
                "routes": [["Chemnitz", "Regensburg"], ["Nürnberg", "Regensburg"]],  # 15 + 4
                "tickets": ["Berlin–Hamburg" if False else "Hamburg–Berlin"],  # −7
                "passengers": {"red": 2, "blue": 1, "white": 4},
            },
            {"name": "Cleo", "passengers": {"red": 2, "green": 1}},
        ],
    }
    answer = bl.score_position(position)
    anna, bert, cleo = answer["seats"]
    assert anna["total"] == 29 + (10 + 4 + 10 - 17) + 15 + (20 + 20 + 10)
    assert bert["total"] == 19 - 7 + 0 + (10 + 20 + 20)
    assert cleo["total"] == 10 + 20
    assert (anna["globetrotter"], anna["tickets_done"]) == (15, 3)
    assert answer["winners"] == ["Anna"]


def test_a_berlin_table_scored_by_hand():
    position = {
        "edition": "berlin",
        "seats": [
            {
                "routes": [
                    ["Kurfürstendamm", "Charlottenburger Tor", 1],
                    ["Charlottenburger Tor", "Hauptbahnhof", 1],
                    ["Hauptbahnhof", "Alexanderplatz", 2],
                    ["Zoologischer Garten", "Potsdamer Platz"],
                ],
                # subways 3 + 8 + 8, tram 7
                "tickets": ["Kurfürstendamm–Alexanderplatz", "Hauptbahnhof–Potsdamer Platz"],  # 10 − 4
            },
            {"routes": [["Reichstag", "Brandenburger Tor", "black"]], "tickets": []},  # 1
        ],
    }
    answer = bl.score_position(position)
    assert [one["total"] for one in answer["seats"]] == [26 + 6, 1]
    assert answer["winners"] == ["seat 0"]


def test_a_world_table_scored_by_hand():
    position = {
        "edition": "world",
        "seats": [
            {
                "name": "Anna",
                "routes": [
                    ["Caracas", "Mexico", "red"],  # 3: 4
                    ["Caracas", "Lima", "white"],  # 2: 2
                    ["Lima", "Valparaiso"],  # 2: 2
                    ["Lima", "Sydney", "black"],  # 8: 21
                    ["Jakarta", "Perth"],  # 3: 4
                    ["Perth", "Sydney", "white"],  # 2: 2
                ],
                "tickets": ["Lima–Jakarta", "Tokyo–Sydney"],  # 14 − 11
                "tours": ["Mexico–Caracas–Lima–Valparaiso"],  # 15 in order
                "ports": ["Lima", "Sydney"],  # two completed tickets name Lima: 30; none Sydney: 0; one not built
                "swapped": 3,
            },
            {"name": "Bert", "route_points": 60},
        ],
    }
    anna, bert = bl.score_position(position)["seats"]
    assert parts(anna) == {
        "routes": 35,
        "tickets": 3,
        "tours": 15,
        "stations": 0,
        "globetrotter": 0,
        "passengers": 0,
        "ports": 30 - 4,
        "swaps": -3,
        "trail": 0,
    }
    assert anna["total"] == 76
    assert bert["total"] == 60 - 12


@pytest.mark.parametrize("edition", ["germany", "europe", "berlin", "world"])
def test_an_empty_table(edition):
    answer = bl.score_position({"edition": edition, "seats": [{}, {}]})
    expected = {"europe": 12, "world": -12}.get(edition, 0)
    assert [one["total"] for one in answer["seats"]] == [expected] * 2
    assert answer["winners"] == ["seat 0", "seat 1"]
    json.dumps(answer)


def test_route_points_stand_in_for_those_of_the_routes():
    answer = bl.score_position(
        {"edition": "europe", "seats": [{"routes": [["Brest", "Paris"]], "route_points": 50}, {}]}
    )
    assert answer["seats"][0]["routes"] == 50
    assert answer["seats"][0]["longest_trail"] == {"length": 3, "bonus": 10}


def test_every_component_is_there_and_adds_up():
    answer = bl.score_position(
        {
            "edition": "europe",
            "seats": [{"routes": [["Brest", "Paris"]], "tickets": ["Paris–Wien"], "stations": ["Roma"]}, {}],
        }
    )
    for one in answer["seats"]:
        assert sum(parts(one).values()) == one["total"]
        assert {"longest_trail", "tickets_done", "borrowed", "name"} <= set(one)


def test_a_seat_may_hold_the_rail_and_the_sea_line_where_kinds_are_apart():
    both = [["Duluth", "Thunder Bay", "black"], ["Duluth", "Thunder Bay"]]  # 5: 10 points, and 4: 7
    position = {"edition": "great_lakes", "seats": [{"name": "Anna", "routes": both}, {"name": "Bert"}]}
    assert bl.score_position(position)["seats"][0]["routes"] == 17


# ------------------------------------------------------------------------------------------------------ refused

SEATS = [
    ({"routes": [["Paris", "Nowhere"]]}, "unknown place"),
    ({"routes": [["Paris", "Moskva"]]}, "no route joins"),
    ({"routes": [["Paris"]]}, "expected a route"),
    ({"routes": [["Paris", "Dieppe", "pink"]]}, "has no"),
    ({"routes": [["Paris", "Dieppe", True]]}, "has no"),
    ({"routes": [["Paris", "Dieppe", None]]}, "has no"),
    ({"routes": [["Paris", "Dieppe"], ["Dieppe", "Paris"]]}, "twice"),
    ({"routes": [["Madrid", "Pamplona", "white"], ["Madrid", "Pamplona", "black"]]}, "two lines of one set"),
    ({"routes": "Paris–Dieppe"}, "must be a list"),
    ({"routes": [7]}, "expected a route"),
    ({"routes": [[["Paris"], "Dieppe"]]}, "expected a route"),
    ({"tickets": ["Paris–Moskva"]}, "unknown ticket"),
    ({"tickets": [["Paris", "Wien"], ["Wien", "Paris"]]}, "with seat 0 already"),
    ({"tickets": [["Paris", "Wien", 9]]}, "is worth 8, not 9"),
    ({"tickets": [7]}, "expected a ticket"),
    ({"tickets": [[]]}, ""),
    ({"stations": ["Nowhere"]}, "unknown place"),
    ({"stations": ["Paris", "Paris"]}, "has a station of seat 0 already"),
    ({"stations": ["Paris", "Roma", "Wien", "Brest"]}, "more than 3 stations"),
    ({"stations": [7]}, "must be a list of names"),
    ({"ports": ["Paris"]}, "no ports"),
    ({"passengers": {"red": 1}}, "no passengers"),
    ({"swapped": 1}, "nothing is swapped"),
    ({"swapped": -1}, "whole number"),
    ({"swapped": True}, "whole number"),
    ({"route_points": "7"}, "whole number"),
    ({"route_points": 10**30}, "whole number"),
    ({"name": ""}, "short text"),
    ({"name": 7}, "short text"),
    ({"rotes": []}, "did you mean"),
]


@pytest.mark.parametrize(("seat", "said"), SEATS)
def test_a_seat_that_cannot_be_is_refused(seat, said):
    with pytest.raises(bl.PositionError) as refusal:
        bl.score_position({"edition": "europe", "seats": [seat, {}]})
    assert said in str(refusal.value) and "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "position",
    [
        None,
        7,
        [],
        "europe",
        {},
        {"edition": "europe"},
        {"seats": [{}]},
        {"edition": "atlantis", "seats": [{}]},
        {"edition": 7, "seats": [{}]},
    ]
    + [
        {"edition": "europe", "seats": seats}
        for seats in ([], {}, None, "x", [7], [{}] * 6, [{"name": "A"}, {"name": "A"}])
    ]
    + [
        {"edition": "europe", "seats": [{}], "extra": 1},
        {"edition": "\x00", "seats": [{}]},
        {"edition": "\ud800", "seats": [{}]},
    ],
)
def test_a_position_that_cannot_be_is_refused(position):
    with pytest.raises(bl.PositionError) as refusal:
        bl.score_position(position)
    assert "\n" not in str(refusal.value)


def test_what_the_box_does_not_hold_is_refused():
    far = [
        ["Petrograd", "Stockholm"],
        ["Palermo", "Smyrna"],
        ["Budapest", "Kyïv"],
        ["Athína", "Brindisi"],
        ["Berlin", "Danzig"],
    ]
    far += [
        ["Kyïv", "Warszawa"],
        ["Moskva", "Petrograd"],
        ["Riga", "Wilno"],
        ["Marseille", "Paris"],
        ["Marseille", "Roma"],
    ]
    with pytest.raises(bl.PositionError, match="48 trains on the board; a seat has 45"):
        bl.score_position({"edition": "europe", "seats": [{"routes": far}]})
    with pytest.raises(bl.PositionError, match="there are 10"):
        bl.score_position({"edition": "germany", "seats": [{"passengers": {"red": 6}}, {"passengers": {"red": 5}}]})
    with pytest.raises(bl.PositionError, match="no passengers are"):
        bl.score_position({"edition": "germany", "seats": [{"passengers": {"purple": 1}}]})


def test_a_route_of_two_seats_is_refused_and_two_lines_with_few_seats_are_noted():
    with pytest.raises(bl.PositionError, match="belongs to seat 0 already"):
        bl.score_position(
            {"edition": "europe", "seats": [{"routes": [["Dieppe", "Paris"]]}, {"routes": [["Dieppe", "Paris"]]}]}
        )
    two = [{"routes": [["Madrid", "Pamplona", "white"]]}, {"routes": [["Madrid", "Pamplona", "black"]]}]
    assert "only one may be" in bl.score_position({"edition": "europe", "seats": two})["notes"][0]
    assert bl.score_position({"edition": "europe", "seats": [*two, {}, {}]})["notes"] == []


def test_lines_that_were_not_named_go_to_those_left():
    seats = [{"routes": [["Madrid", "Pamplona"]]}, {"routes": [["Madrid", "Pamplona", "black"]]}, {}, {}]
    answer = bl.score_position({"edition": "europe", "seats": seats})
    assert [one["routes"] for one in answer["seats"]] == [4, 4, 0, 0]


# ---------------------------------------------------------------------------------------------------------- fuzz

WORDS = st.sampled_from(
    [
        *("Paris", "Dieppe", "Wien", "Roma", "Lima", "Berlin", "Leipzig", "red", "white", "wild", "line 1"),
        *("europe", "germany", "berlin", "world", "Paris–Wien", "Paris–Dieppe", "Dänemark"),
        *("Mexico–Caracas–Lima–Valparaiso", "", "\x00", "\ud800", "x" * 3000, "–" * 50),
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=10,
)
KEYS = st.sampled_from([*_SEAT_KEYS])
PAIRS = st.lists(st.lists(WORDS, min_size=2, max_size=4), max_size=4)
SEAT = st.dictionaries(KEYS, JSON | PAIRS | st.lists(WORDS, max_size=4) | st.integers(0, 40), max_size=5) | JSON
POSITION = st.fixed_dictionaries({"edition": WORDS | JSON, "seats": st.lists(SEAT, max_size=6) | JSON}) | JSON


@pytest.mark.long
@QUICK
@given(POSITION)
def test_fuzz_any_position_is_scored_or_a_position_error(position):
    _score(position)


@pytest.mark.long
@QUICK
@given(st.sampled_from(["germany", "europe", "berlin", "world"]), st.lists(SEAT, min_size=1, max_size=3))
def test_fuzz_any_seats_are_scored_or_a_position_error(edition, seats):
    _score({"edition": edition, "seats": seats})


def _score(position):
    try:
        answer = bl.score_position(position)
    except bl.PositionError as error:
        assert "\n" not in str(error) and len(str(error)) < 2000
    else:
        assert all(sum(parts(one).values()) == one["total"] for one in answer["seats"]) and answer["winners"]
