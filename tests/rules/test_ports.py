"""PORT: where ports may be built, for which cards, and what they score."""

import random
from collections import Counter

import pytest

import branchline as bl
import oracles
import table
from table import board, discards, each, hand, held, own, start, ways


def in_lima(cards, **how):
    """A game in which seat 0 has a route to Lima and these cards."""
    game = start("world", **how)
    own(game, 0, "Caracas–Lima white")
    hand(game, 0, cards)
    return game


def ports(game):
    return {text.removeprefix("port ") for text in game.legal.texts if text.startswith("port")}


FOUR = "2 yellow port + 2 yellow ship"

# ------------------------------------------------------------------------------------------------------ PORT-1


def test_PORT_1_only_in_a_port_city_with_a_route_of_ones_own():
    game = in_lima(FOUR)
    assert ports(game) == {"Lima", "Caracas"}
    with pytest.raises(bl.IllegalAction, match="no route to Sydney"):
        game.play("port Sydney")
    own(game, 1, "Bangkok–Hong Kong black")
    assert ports(game) == {"Lima", "Caracas"}  # not by another's route
    own(game, 0, "Beijing–Hong Kong white")
    assert ports(game) == {"Lima", "Caracas", "Hong Kong"}
    with pytest.raises(bl.IllegalAction, match="Beijing is not a port city"):
        game.play("port Beijing")


@pytest.mark.parametrize("name", ["Bangkok–Jakarta", "Hamburg–Moskva white"])
def test_PORT_1_a_route_by_rail_or_by_sea(name):
    game = start("world")
    own(game, 0, name)
    hand(game, 0, FOUR)
    expected = {"Bangkok", "Jakarta"} if "Jakarta" in name else {"Hamburg"}
    assert ports(game) == expected


def test_PORT_1_one_to_a_city():
    game = in_lima(FOUR)
    game.play(f"port Lima with {FOUR}")
    assert str(game.question) == "seat 1: turn"
    assert [place.name for place in game.view(0).seats[0].ports] == ["Lima"]
    own(game, 1, "Lima–Valparaiso line 1")
    hand(game, 1, FOUR)
    assert ports(game) == {"Valparaiso"}
    with pytest.raises(bl.IllegalAction, match="Lima has a port already"):
        game.play("port Lima")


def test_PORT_1_three_at_most_one_a_turn():
    game = start("world")
    own(game, 0, "Caracas–Lima white", "Caracas–Miami", "Miami–New York", "Lima–Valparaiso line 1")
    for n, (city, colour) in enumerate((("Lima", "red"), ("Caracas", "green"), ("Miami", "black"))):
        assert game.view(0).seats[0].ports_left == 3 - n
        hand(game, 0, f"2 {colour} port + 2 {colour} ship")
        game.play(f"port {city}")
        table.rest(game)
    hand(game, 0, FOUR)
    assert ports(game) == set()
    with pytest.raises(bl.IllegalAction, match="all your ports are built"):
        game.play("port New York")


# ------------------------------------------------------------------------------------------------------ PORT-2


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (FOUR, {FOUR}),
        ("2 yellow + 2 yellow ship", set()),  # the trains bear no port mark
        ("2 yellow port + 2 yellow double ship", set()),  # nor do double ships
        ("2 yellow port + 2 red ship", set()),  # not of one colour
        ("2 yellow port + 1 yellow ship + 1 wild", {"2 yellow port + 1 yellow ship + 1 wild"}),  # Adam in Lima
        ("3 yellow port + 1 yellow ship", set()),
        ("4 yellow port + 3 wild", {"2 yellow port + 2 wild", "1 yellow port + 3 wild"}),
        ("4 wild", {"4 wild"}),
        ("4 wild + 1 yellow ship", {"4 wild", "1 yellow ship + 3 wild"}),
        ("1 yellow port + 1 red ship + 3 wild", {"1 yellow port + 3 wild", "1 red ship + 3 wild"}),
        (
            "2 yellow port + 2 yellow ship + 1 wild",
            {FOUR, "1 yellow port + 2 yellow ship + 1 wild", "2 yellow port + 1 yellow ship + 1 wild"},
        ),
    ],
)
def test_PORT_2_two_trains_and_two_ships_of_one_colour_all_port_marked(cards, expected):
    game = in_lima(cards)
    assert ("port Lima" in game.legal) == bool(expected)
    if expected:
        assert ways(game, "port Lima") == each(*expected)


def test_PORT_2_asked_for_the_colour_then_wilds_among_trains_then_among_ships():
    game = in_lima("2 yellow port + 2 yellow ship + 2 wild + 2 red port")
    game.play("port Lima")
    assert set(game.legal.texts) == {"pay yellow", "pay red"}
    game.play("pay yellow")
    assert game.question.kind == "wilds" and set(game.legal.texts) == {"wilds 0", "wilds 1", "wilds 2"}
    game.play("wilds 1")
    assert game.question.kind == "ship_wilds" and set(game.legal.texts) == {"wilds 0", "wilds 1"}
    game.play("wilds 1")
    assert held(game, 0) == {"yellow port": 1, "yellow ship": 1, "red port": 2}
    assert Counter(discards(game))["wild"] == 2


def test_PORT_2_all_wild_is_a_choice_of_its_own_and_not_to_be_reached_by_another_colour():
    game = in_lima("2 yellow port + 4 wild")
    game.play("port Lima")
    assert set(game.legal.texts) == {"pay yellow", "pay wild"}
    game.play("pay yellow")
    assert set(game.legal.texts) == {"wilds 0", "wilds 1"}
    game = in_lima("2 yellow ship + 4 wild")
    game.play("port Lima")
    game.play("pay yellow")
    assert game.question.kind == "ship_wilds" and set(game.legal.texts) == {"wilds 0", "wilds 1"}


@pytest.mark.parametrize("seed", range(40))
def test_PORT_2_payments_are_those_of_the_oracle(seed):
    luck = random.Random(seed)
    colours = luck.sample(board("world").cards.colours, 2)
    names = [f"{colour}{kind}" for colour in colours for kind in ("", " port", " ship", " double ship")]
    cards = {name: luck.randrange(4) for name in names} | {"wild": luck.randrange(5)}
    game = in_lima(" + ".join(f"{n} {name}" for name, n in cards.items() if n) or "1 wild")
    expected = oracles.port_payments(Counter(cards))
    assert ("port Lima" in game.legal) == bool(expected)
    if expected:
        found = {frozenset((table.card_name(k), n) for k, n in way.cards) for way in game.payments("port Lima")}
        assert found == expected


# ------------------------------------------------------------------------------------------------------ PORT-3


def score(**seat):
    return bl.score_position({"edition": "world", "seats": [seat, {}]})["seats"][0]


LONG_WAY = [
    ["Caracas", "Lima", "white"],
    ["Caracas", "Rio de Janeiro", "green"],
    ["Lima", "Valparaiso", 1],
    ["Buenos Aires", "Valparaiso"],
    ["Buenos Aires", "Rio de Janeiro", "red"],
    ["Caracas", "Miami"],
]


@pytest.mark.parametrize(
    ("tickets", "points"),
    [([], 0), (["Valparaiso–Rio de Janeiro"], 20), (["Valparaiso–Rio de Janeiro", "Buenos Aires–Manila"], 20)],
)
def test_PORT_3_by_completed_tickets_that_name_the_city(tickets, points):
    answer = score(routes=LONG_WAY, tickets=tickets, ports=["Valparaiso"])
    assert answer["ports"] == points - 8


def test_PORT_3_twenty_thirty_forty_and_no_more():
    """Rio de Janeiro with one to four completed tickets."""
    way = [
        ["Buenos Aires", "Rio de Janeiro", "red"],
        ["Buenos Aires", "Valparaiso"],
        ["Luanda", "Rio de Janeiro"],
        ["Dar Es Salaam", "Luanda"],
        ["Cape Town", "Rio de Janeiro", "black"],
        ["Cape Town", "Southern Ocean waypoint", "red"],
        ["Perth", "Southern Ocean waypoint", "white"],
        ["Caracas", "Rio de Janeiro", "green"],
        ["Caracas", "Mexico", "red"],
        ["Los Angeles", "Mexico", "white"],
    ]
    names = [
        "Valparaiso–Rio de Janeiro",
        "Rio de Janeiro–Dar Es Salaam",
        "Rio de Janeiro–Perth",
        "Los Angeles–Rio de Janeiro",
    ]
    for n, expected in enumerate((0, 20, 30, 40, 40)):
        answer = score(routes=way, tickets=names[:n], ports=["Rio de Janeiro"])
        assert answer["tickets_done"] == n
        assert answer["ports"] == expected - 8


def test_PORT_3_one_ticket_counts_for_every_port_it_names():
    answer = score(routes=LONG_WAY, tickets=["Valparaiso–Rio de Janeiro"], ports=["Valparaiso", "Rio de Janeiro"])
    assert answer["ports"] == 20 + 20 - 4


def test_PORT_3_completed_tours_count_in_any_order():
    tour = "Mexico–Caracas–Lima–Valparaiso"
    way = [["Caracas", "Mexico", "red"], ["Caracas", "Lima", "white"], ["Lima", "Valparaiso", 1]]
    assert score(routes=way, tours=[tour], ports=["Lima"])["ports"] == 20 - 8
    assert score(routes=way, tours=[tour], ports=["Lima", "Caracas", "Valparaiso"])["ports"] == 60
    shuffled = [
        ["Caracas", "Mexico", "red"],
        ["Caracas", "Rio de Janeiro", "green"],
        ["Buenos Aires", "Rio de Janeiro", "red"],
    ]
    shuffled += [["Buenos Aires", "Valparaiso"], ["Lima", "Valparaiso", 1]]
    answer = score(routes=shuffled, tours=[tour], ports=["Lima"])
    assert answer["tours"] == 10 and answer["ports"] == 20 - 8
    assert score(routes=way[:2], tours=[tour], ports=["Lima"])["ports"] == -8  # not completed


def test_PORT_3_the_rulebooks_example():
    """Blue's ports in Buenos Aires and Dar Es Salaam are worth 30 each."""
    routes = [
        ["Buenos Aires", "Cape Town", "purple"],
        ["Cape Town", "Dar Es Salaam", "green"],
        ["Dar Es Salaam", "Djibouti", "red"],
        ["Al-Qahira", "Djibouti", "red"],
        ["Al-Qahira", "Athina"],
        ["Athina", "Hamburg"],
        ["Dar Es Salaam", "Luanda"],
        ["Lagos", "Luanda", "purple"],
        ["Dar Es Salaam", "Jakarta", "green"],
        ["Jakarta", "Manila"],
        ["Darwin", "Jakarta"],
        ["Darwin", "Sydney"],
    ]
    tickets = ["Buenos Aires–Manila", "Buenos Aires–Sydney", "Hamburg–Dar Es Salaam"]
    tours = ["Lagos–Luanda–Dar Es Salaam–Djibouti"]
    answer = score(routes=routes, tickets=tickets, tours=tours, ports=["Buenos Aires", "Dar Es Salaam"])
    assert answer["tickets_done"] == 4
    assert answer["ports"] == 30 + 30 - 4


@pytest.mark.parametrize("built", range(4))
def test_PORT_3_minus_four_for_each_not_built(built):
    answer = score(routes=LONG_WAY, ports=["Lima", "Caracas", "Miami"][:built])
    assert answer["ports"] == -4 * (3 - built)


def test_PORT_3_a_ticket_of_another_seat_does_not_count():
    seats = [{"routes": LONG_WAY, "ports": ["Valparaiso"]}, {"routes": [], "tickets": ["Valparaiso–Rio de Janeiro"]}]
    answer = bl.score_position({"edition": "world", "seats": seats})["seats"]
    assert [one["ports"] for one in answer] == [-8, -12]
