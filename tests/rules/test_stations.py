"""STA: building stations, and what they borrow at the end."""

import random
from itertools import product

import pytest

import branchline as bl
import oracles
import table
from branchline.game.actions import route_text
from table import board, discards, each, hand, held, own, start, station, ways

# ------------------------------------------------------------------------------------------------------- STA-1


def test_STA_1_one_a_turn_in_any_city_without_any_route():
    game = start("europe")
    hand(game, 0, "1 red")
    cities = {f"station {place.name}" for place in board("europe").places}
    assert {text for text in game.legal.texts if text.startswith("station")} == cities
    game.play("station Moskva")
    assert [place.name for place in game.view(1).seats[0].stations] == ["Moskva"]
    assert str(game.question) == "seat 1: turn"


def test_STA_1_not_where_one_stands_already_nobodys():
    game = start("europe", 3)
    station(game, 1, "Paris")
    station(game, 0, "Wien")
    hand(game, 0, "3 red")
    for city in ("Paris", "Wien"):
        assert f"station {city}" not in game.legal
        with pytest.raises(bl.IllegalAction, match="has a station already"):
            game.play(f"station {city}")
    assert "station Roma" in game.legal


def test_STA_1_three_in_a_game_at_most():
    game = start("europe")
    station(game, 0, "Paris", "Wien", "Roma")
    hand(game, 0, "9 red + 3 wild")
    assert not [text for text in game.legal.texts if text.startswith("station")]
    with pytest.raises(bl.IllegalAction, match="all your stations are built"):
        game.play("station Moskva")


def test_STA_1_only_where_the_board_has_them():
    for edition in ("germany", "berlin", "world"):
        game = start(edition)
        hand(game, 0, "5 red")
        assert not [text for text in game.legal.texts if text.startswith("station")]


# ------------------------------------------------------------------------------------------------------- STA-2


@pytest.mark.parametrize(
    ("built", "cards", "expected"),
    [
        (0, "1 red + 1 wild", {"1 red", "1 wild"}),
        (0, "", set()),
        (1, "1 red + 1 blue", set()),
        (1, "2 red + 1 blue + 1 wild", {"2 red", "1 red + 1 wild", "1 blue + 1 wild"}),
        (2, "2 red + 1 blue", set()),
        (2, "3 red + 1 blue + 2 wild", {"3 red", "2 red + 1 wild", "1 red + 2 wild", "1 blue + 2 wild"}),
        (2, "3 wild", {"3 wild"}),
    ],
)
def test_STA_2_the_nth_costs_n_cards_of_one_colour_wilds_standing_in(built, cards, expected):
    game = start("europe")
    station(game, 0, *["Paris", "Wien"][:built])
    hand(game, 0, cards)
    assert ("station Roma" in game.legal) == bool(expected)
    if expected:
        assert ways(game, "station Roma") == each(*expected)


def test_STA_2_the_cards_go_to_the_discards():
    game = start("europe")
    station(game, 0, "Paris")
    hand(game, 0, "3 red + 1 wild")
    game.play("station Roma with 1 red + 1 wild")
    assert held(game, 0) == {"red": 2}
    assert discards(game) == {"red": 1, "wild": 1}
    assert game.view(1).seats[0].stations_left == 1


@pytest.mark.parametrize("seed", range(5))
def test_STA_2_payments_are_those_of_the_oracle(seed):
    luck = random.Random(seed)
    game = start("europe")
    names = [*luck.sample(game.board.cards.colours, 4), "wild"]
    cards = {name: luck.randrange(4) for name in names}
    cards["wild"] = luck.randrange(3)
    hand(game, 0, " + ".join(f"{n} {name}" for name, n in cards.items() if n))
    for built, city in enumerate(("Paris", "Wien", "Roma")):
        expected = oracles.station_payments(built + 1, oracles.Counter(cards))
        assert ("station Moskva" in game.legal) == bool(expected)
        if expected:
            ways_found = game.payments("station Moskva")
            assert {frozenset((table.card_name(k), n) for k, n in way.cards) for way in ways_found} == expected
        station(game, 0, city)


# ------------------------------------------------------------------------------------------------------- STA-3


def score(*seats, edition="europe"):
    return bl.score_position({"edition": edition, "seats": list(seats)})["seats"]


def routes(*names):
    return [[*name.split(" ")[0].split("–"), *name.split(" ")[1:]] for name in names]


def test_STA_3_one_route_of_one_other_player_into_that_city():
    anna, _ = score(
        {"routes": routes("Dieppe–Paris"), "tickets": ["Madrid–Dieppe"], "stations": ["Pamplona"]},
        {"routes": routes("Pamplona–Paris blue", "Madrid–Pamplona black")},
    )
    assert anna["tickets"] == -8  # two routes are missing, one is borrowed
    assert anna["borrowed"] == {"Pamplona": None}
    anna, _ = score(
        {
            "routes": routes("Dieppe–Paris", "Madrid–Pamplona white"),
            "tickets": ["Madrid–Dieppe"],
            "stations": ["Pamplona"],
        },
        {"routes": routes("Pamplona–Paris blue", "Madrid–Pamplona black")},
    )
    assert anna["tickets"] == 8
    assert anna["borrowed"] == {"Pamplona": "Pamplona–Paris blue"}


def test_STA_3_only_into_the_city_of_the_station():
    anna, _ = score(
        {
            "routes": routes("Dieppe–Paris", "Madrid–Pamplona white"),
            "tickets": ["Madrid–Dieppe"],
            "stations": ["Dieppe"],
        },
        {"routes": routes("Pamplona–Paris blue")},
    )
    assert anna["tickets"] == -8


def test_STA_3_the_same_route_for_all_tickets():
    """Paris–Wien wants Paris–Zürich…, Madrid–Dieppe wants Pamplona–Paris: one station in Paris does one of them."""
    mine = routes("Zürich–Venezia", "Venezia–Zágráb", "Wien–Zágráb", "Dieppe–Paris", "Madrid–Pamplona white")
    theirs = {"routes": routes("Paris–Zürich", "Pamplona–Paris green")}
    mine = [pair for pair in mine if pair != ["Dieppe", "Paris"]] + routes("Bruxelles–Dieppe", "Bruxelles–Paris red")
    anna, _ = score({"routes": mine, "tickets": ["Paris–Wien", "Madrid–Dieppe"], "stations": ["Paris"]}, theirs)
    assert anna["tickets"] == 0 and anna["tickets_done"] == 1
    anna, _ = score(
        {"routes": mine, "tickets": ["Paris–Wien", "Madrid–Dieppe"], "stations": ["Paris", "Zürich"]}, theirs
    )
    assert anna["tickets"] == 16
    assert anna["borrowed"] == {"Paris": "Pamplona–Paris green", "Zürich": "Paris–Zürich"}


def test_STA_3_ruling_most_points_first():
    """One station in Paris: Zágráb (7) or Wien over the same Zürich are not at choice; 21 beats 8."""
    mine = routes(
        "Madrid–Pamplona white", "Venezia–Zürich", "Venezia–Zágráb", "Bruxelles–Paris red", "Bruxelles–Dieppe"
    )
    theirs = {"routes": routes("Paris–Zürich", "Pamplona–Paris green")}
    anna, _ = score({"routes": mine, "tickets": ["Paris–Zágráb", "Madrid–Dieppe"], "stations": ["Paris"]}, theirs)
    assert anna["borrowed"] == {"Paris": "Pamplona–Paris green"}  # 8 of Madrid–Dieppe rather than 7
    assert anna["tickets"] == 8 - 7


def test_STA_3_ruling_of_the_same_points_most_tickets():
    """A station in Sofia: one ticket of 10 over Bucuresti, or two of 5 over Sarajevo."""
    mine = routes("Venezia–Zágráb", "Wien–Zágráb", "Warszawa–Wien", "Kyïv–Warszawa", "Bucuresti–Kyïv")
    mine += routes("Constantinople–Sofia", "Budapest–Sarajevo", "Athína–Sarajevo", "Athína–Smyrna")
    tickets = ["Venezia–Constantinople", "Budapest–Sofia", "Sofia–Smyrna"]
    theirs = {"routes": routes("Bucuresti–Sofia", "Sarajevo–Sofia")}
    anna, _ = score({"routes": mine, "tickets": tickets, "stations": ["Sofia"]}, theirs)
    assert (anna["tickets"], anna["tickets_done"]) == (5 + 5 - 10, 2)
    assert anna["borrowed"] == {"Sofia": "Sarajevo–Sofia"}


def test_STA_3_a_route_of_ones_own_or_of_nobody_is_not_borrowed():
    anna, bert = score(
        {
            "routes": routes("Bruxelles–Dieppe"),
            "tickets": ["Madrid–Dieppe"],
            "stations": ["Paris", "Dieppe", "Pamplona"],
        },
        {"routes": routes("Berlin–Essen")},
    )
    assert anna["tickets"] == -8 and bert["tickets"] == 0
    assert set(anna["borrowed"].values()) == {None}


def test_STA_3_two_stations_may_borrow_from_two_seats():
    anna, *_ = score(
        {"routes": routes("Madrid–Pamplona white"), "tickets": ["Madrid–Dieppe"], "stations": ["Pamplona", "Dieppe"]},
        {"routes": routes("Pamplona–Paris blue")},
        {"routes": routes("Dieppe–Paris")},
    )
    assert anna["tickets"] == 8
    assert anna["borrowed"] == {"Dieppe": "Dieppe–Paris", "Pamplona": "Pamplona–Paris blue"}


@pytest.mark.parametrize("seed", range(120))
def test_STA_3_the_best_choice_is_that_of_the_oracle(seed):
    """Random tables of a small region, where stations matter: every combination of borrowed routes is tried."""
    on = board("europe")
    luck = random.Random(seed)
    region = {"Paris", "Dieppe", "Bruxelles", "Frankfurt", "Zürich", "Marseille", "Pamplona", "Brest", "Madrid"}
    region |= set(luck.sample(["München", "Venezia", "Roma", "Essen", "Berlin", "Wien", "Barcelona", "Zágráb"], 4))
    inside = [one for one in on.routes if {one.a.name, one.b.name} <= region]
    owners = {0: [], 1: [], 2: [], 3: []}
    for one in luck.sample(inside, len(inside)):
        owner = luck.choice([0, 1, 2, 3, None])
        if owner is not None and all(one.parallel != other.parallel for other in owners[owner]):
            owners[owner].append(one)
    held_tickets = luck.sample([t for t in on.tickets if {p.name for p in t.places} & region], 6)
    cities = luck.sample(sorted(region), luck.randrange(1, 4))
    seats = [{"routes": [[r.a.name, r.b.name, f"line {r.line + 1}"] for r in owners[n]]} for n in range(4)]
    seats[0] |= {"tickets": [[p.name for p in t.places] for t in held_tickets], "stations": cities}
    answer = score(*seats)[0]
    foreign = [one for n in (1, 2, 3) for one in owners[n]]
    places = [on.index.place(city) for city in cities]
    points, done = oracles.best_stations(held_tickets, owners[0], foreign, places)
    assert (answer["tickets"], answer["tickets_done"]) == (points, done)
    borrowed = [route_text(r) for r in foreign]
    assert all(name is None or name in borrowed for name in answer["borrowed"].values())
    picked = [r for r in foreign if route_text(r) in answer["borrowed"].values()]
    assert sum(oracles.ticket_points(t, owners[0], picked)[0] for t in held_tickets) == points  # it does what it says


def test_STA_3_ruling_with_a_borrowed_route_a_tour_is_joined_but_not_in_order():
    """No printed board has tours and stations; a board of one's own may."""
    on = table.altered("world", stations=board("europe").stations)
    seats = [
        {"routes": [["Casablanca", "Al-Qahira"]], "tours": ["Casablanca–Al-Qahira–Tehran"], "stations": ["Tehran"]},
        {"routes": [["Al-Qahira", "Tehran", "yellow"]]},
    ]
    anna = bl.score_position({"edition": "world", "seats": seats}, on)["seats"][0]
    assert anna["tours"] == 6 and anna["borrowed"] == {"Tehran": "Al-Qahira–Tehran yellow"}
    seats[0]["routes"].append(["Al-Qahira", "Tehran", "black"])
    anna = bl.score_position({"edition": "world", "seats": seats}, on)["seats"][0]
    assert anna["tours"] == 9 and anna["borrowed"] == {"Tehran": None}


def test_STA_3_counts_in_the_game_itself_too():
    game = start("europe")
    table.tickets(game, 0, "Madrid–Dieppe")
    own(game, 0, "Dieppe–Paris", "Madrid–Pamplona white")
    own(game, 1, "Pamplona–Paris blue")
    station(game, 0, "Paris")
    sheet = game.sheet()
    assert sheet[0].tickets == 8
    assert [(city, route_text(one)) for city, one in sheet[0].borrowed] == [("Paris", "Pamplona–Paris blue")]


# ------------------------------------------------------------------------------------------------------- STA-4


def test_STA_4_borrowed_routes_never_count_for_the_longest_trail():
    anna, bert = score(
        {
            "routes": routes("Dieppe–Paris", "Madrid–Pamplona white"),
            "tickets": ["Madrid–Dieppe"],
            "stations": ["Paris"],
        },
        {"routes": routes("Pamplona–Paris blue")},
    )
    assert anna["tickets"] == 8
    assert anna["longest_trail"] == {"length": 3, "bonus": 0}
    assert bert["longest_trail"] == {"length": 4, "bonus": 10}


# ------------------------------------------------------------------------------------------------------- STA-5


@pytest.mark.parametrize("built", range(4))
def test_STA_5_four_points_for_each_station_still_in_stock(built):
    anna, bert = score({"stations": ["Paris", "Wien", "Roma"][:built]}, {})
    assert anna["stations"] == 4 * (3 - built)
    assert bert["stations"] == 12


def test_STA_5_every_combination_of_two_seats():
    for mine, theirs in product(range(4), repeat=2):
        game = start("europe")
        station(game, 0, *["Paris", "Wien", "Roma"][:mine])
        station(game, 1, *["Brest", "Moskva", "London"][:theirs])
        assert [seat.stations for seat in game.sheet().seats] == [12 - 4 * mine, 12 - 4 * theirs]
