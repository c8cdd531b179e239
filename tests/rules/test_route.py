"""ROUTE: which routes may be claimed, with which cards, and what that does."""

import random
from collections import Counter
from dataclasses import replace

import pytest

import branchline as bl
import oracles
import table
from branchline.game.actions import route_text
from table import board, claims, discards, each, hand, happened, held, leave_pieces, own, route, start, ways

POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 8: 21}


def finish(game):
    """Answer what is left of a claim in any way."""
    seat = game.question.seat
    while game.question.seat == seat and game.question.kind in ("passenger", "tunnel"):
        game.play({"passenger": "passenger none", "tunnel": "pay extra"}[game.question.kind])


# ----------------------------------------------------------------------------------------------------- ROUTE-1


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_ROUTE_1_one_route_a_turn_and_then_it_is_the_next_seat(edition):
    game = start(edition)
    name = {
        "germany": "Bremen–Bremerhaven",
        "europe": "Amsterdam–Bruxelles",
        "berlin": "Checkpoint Charlie–Jüdisches Museum",
    }
    name |= {"world": "Bangkok–Hong Kong purple", "great_lakes": "Green Bay–Wausau"}
    name = name[edition]
    hand(game, 0, f"2 {route(game.board, name).colour}")
    game.play(f"claim {name} with 1 {route(game.board, name).colour}")
    finish(game)
    assert str(game.question) == "seat 1: turn"


def test_ROUTE_1_anywhere_on_the_board_without_touching_own_routes():
    game = start("europe")
    own(game, 0, "Cádiz–Lisboa")
    hand(game, 0, "3 green")
    assert "Kharkov–Rostov" in claims(game)


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_ROUTE_1_a_claimed_route_is_nobodys_to_claim_again(edition):
    game = start(edition, 4)
    name = {"germany": "Bremen–Bremerhaven", "europe": "Amsterdam–Bruxelles", "berlin": "Friedrichstraße–Museumsinsel"}
    name |= {"world": "Lahore–Novosibirsk", "great_lakes": "Green Bay–Wausau"}
    name = name[edition]
    wild = route(game.board, name).price
    hand(game, 0, f"{wild} wild")
    assert name in claims(game)
    own(game, 1, name)
    assert name not in claims(game)
    with pytest.raises(bl.IllegalAction, match="already belongs to seat 1"):
        game.play(f"claim {name}")


def test_ROUTE_1_needs_enough_pieces():
    game = start("germany", 4)
    hand(game, 0, "7 blue + 6 purple")
    leave_pieces(game, 0, 6)
    assert "Berlin–Rostock" in claims(game) and "Berlin–Hamburg blue" not in claims(game)
    with pytest.raises(bl.IllegalAction, match="needs 7 trains, you have 6"):
        game.play("claim Berlin–Hamburg blue")


def test_ROUTE_1_needs_pieces_of_the_right_kind():
    game = start("world")
    hand(game, 0, "1 wild")
    leave_pieces(game, 0, 0, 5)
    assert claims(game) and all(route(game.board, name).kind == "sea" for name in claims(game))
    leave_pieces(game, 0, 5, 0)
    assert claims(game) and all(route(game.board, name).kind == "rail" for name in claims(game))
    game = start("berlin")
    hand(game, 0, "4 wild")
    leave_pieces(game, 0, 0, 1)
    assert claims(game) and all(route(game.board, name).kind == "subway" for name in claims(game))
    leave_pieces(game, 0, 3, 0)
    assert claims(game) and all(route(game.board, name).kind == "tram" for name in claims(game))
    assert max(route(game.board, name).length for name in claims(game)) == 3


# ----------------------------------------------------------------------------------------------------- ROUTE-2


def test_ROUTE_2_the_printed_example_of_a_blue_route_of_three():
    """Three blue; two and a locomotive; one and two; three locomotives (germany_pl.txt, europe_cs.txt)."""
    game = start("germany")
    hand(game, 0, "3 blue + 3 wild + 3 red")
    expected = {"3 blue", "2 blue + 1 wild", "1 blue + 2 wild", "3 wild"}
    assert ways(game, "claim Bremen–Emden") == each(*expected)


def test_ROUTE_2_the_printed_example_of_a_gray_route_of_two():
    game = start("germany")
    hand(game, 0, "2 red + 1 yellow + 2 wild")
    expected = {"2 red", "1 red + 1 wild", "1 yellow + 1 wild", "2 wild"}
    assert ways(game, "claim Kiel–Dänemark") == each(*expected)


def test_ROUTE_2_another_colour_does_not_pay_a_coloured_route():
    game = start("europe")
    hand(game, 0, "12 red")
    assert "Berlin–Essen" not in claims(game)  # blue
    with pytest.raises(bl.IllegalAction, match="2 cards of blue"):
        game.play("claim Berlin–Essen")


def test_ROUTE_2_two_colours_do_not_pay_a_gray_route():
    game = start("europe")
    hand(game, 0, "1 red + 1 blue")
    assert "Danzig–Warszawa" not in claims(game)


@pytest.mark.parametrize(
    "cards", ["3 black", "1 black", "1 black + 1 green", "1 black + 2 wild", "2 black + 1 wild", "nothing"]
)
def test_ROUTE_2_nothing_superfluous_nothing_missing(cards):
    game = start("europe")
    hand(game, 0, "5 black + 3 wild + 1 green")
    before = game.fingerprint
    with pytest.raises(bl.IllegalAction):
        game.play(f"claim Roma–Venezia with {cards}")
    assert game.fingerprint == before


@pytest.mark.parametrize("cards", ["2 black", "1 black + 1 wild", "2 wild"])
def test_ROUTE_2_the_player_chooses_which_of_the_payments(cards):
    game = start("europe")
    hand(game, 0, "3 black + 3 wild")
    game.play(f"claim Roma–Venezia with {cards}")
    spent = Counter({"black": 3, "wild": 3}) - Counter(held(game, 0))
    assert " + ".join(f"{spent[name]} {name}" for name in ("black", "wild") if spent[name]) == cards


def test_ROUTE_2_asked_step_by_step_and_only_where_there_is_a_choice():
    game = start("europe")
    hand(game, 0, "2 red + 1 yellow + 2 wild")
    game.play("claim Danzig–Warszawa")
    assert set(game.legal.texts) == {"pay red", "pay yellow", "pay wild"}
    game.play("pay red")
    assert set(game.legal.texts) == {"wilds 0", "wilds 1"}
    game.play("wilds 1")
    assert held(game, 0) == {"red": 1, "yellow": 1, "wild": 1}
    game = start("europe")
    hand(game, 0, "2 red + 1 yellow + 2 wild")
    game.play("claim Danzig–Warszawa")
    game.play("pay yellow")  # one card of it only: with one wild
    assert held(game, 0) == {"red": 2, "wild": 1}
    game = start("europe")
    hand(game, 0, "2 red")
    game.play("claim Danzig–Warszawa")
    assert held(game, 0) == {} and game.question.seat == 1


def test_ROUTE_2_an_open_payment_may_be_paid_in_one_go():
    game = start("europe")
    hand(game, 0, "2 red + 1 yellow + 2 wild")
    game.play("claim Danzig–Warszawa")
    game.play("pay 1 red + 1 wild")
    assert held(game, 0) == {"red": 1, "yellow": 1, "wild": 1}


# ----------------------------------------------------------------------------------------------------- ROUTE-3


@pytest.mark.parametrize("edition", ["germany", "europe", "world"])
def test_ROUTE_3_points_by_length_for_every_route(edition):
    for one in board(edition).routes:
        game = start(edition, 4)
        own(game, 2, route_text(one))
        assert game.scores[2].routes == POINTS[one.length], one.name


def test_ROUTE_3_points_at_once_cards_to_the_discards_and_a_piece_on_each_space():
    game = start("germany")
    hand(game, 0, "7 blue + 2 wild")
    before = Counter(discards(game))
    events = happened(game.play("claim Berlin–Hamburg blue with 6 blue + 1 wild"))
    assert events[0] == "Berlin–Hamburg blue for 6 blue + 1 wild, 18 points"
    assert game.scores[0].total == game.scores[0].routes == 18
    assert Counter(discards(game)) - before == {"blue": 6, "wild": 1}
    seat = game.view(1).seats[0]
    assert seat.pieces == {"train": 38}
    assert [one.name for one in seat.routes] == ["Berlin–Hamburg"]


# ----------------------------------------------------------------------------------------------------- ROUTE-4

DOUBLES = [
    ("germany", "Berlin–Hamburg"),
    ("europe", "Madrid–Pamplona"),
    ("world", "Caracas–Lima"),
    ("berlin", "Alexanderplatz–Moritzplatz"),
]
DOUBLES += [
    ("germany", "Augsburg–München"),
    ("europe", "Dieppe–London"),
    ("world", "Lima–Valparaiso"),
    ("great_lakes", "Green Bay–Milwaukee"),
    ("berlin", "Gleisdreieck–Potsdamer Platz"),
]


def lines_of(edition, name):
    return [route_text(one) for one in board(edition).routes if one.name == name]


@pytest.mark.parametrize(("edition", "seats"), table.SEATINGS)
def test_ROUTE_4_with_few_seats_the_other_line_is_closed_with_more_it_stays_open(edition, seats):
    closed = seats <= (2 if edition == "berlin" else 3)
    for edition_of, name in DOUBLES:
        if edition_of == edition:
            first, second = lines_of(edition, name)
            for taken, other in ((first, second), (second, first)):
                game = start(edition, seats)
                own(game, seats - 1, taken)
                hand(game, 0, "8 wild")
                assert (other in claims(game)) != closed
                assert taken not in claims(game)
                assert bool(game.view(0).closed) == closed


@pytest.mark.parametrize(("edition", "seats"), table.SEATINGS)
def test_ROUTE_4_nobody_ever_holds_two_of_one_set(edition, seats):
    for edition_of, name in DOUBLES:
        if edition_of == edition:
            first, second = lines_of(edition, name)
            game = start(edition, seats)
            own(game, 0, second)
            hand(game, 0, "8 wild")
            assert first not in claims(game)
            why = "is closed" if game.view(0).closed else "you hold its parallel line"
            with pytest.raises(bl.IllegalAction, match=why):
                game.play(f"claim {first}")


@pytest.mark.parametrize("name", ["Dortmund–Düsseldorf", "Düsseldorf–Köln"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_ROUTE_4_triples_one_line_in_all_or_one_for_each_of_three_seats(name, seats):
    lines = lines_of("germany", name)
    assert len(lines) == 3
    game = start("germany", seats)
    hand(game, 0, "1 wild")
    own(game, 1, lines[1])
    if seats <= 3:
        assert not set(lines) & claims(game)
        assert {one.line for one in game.view(0).closed} == {0, 2}
        return
    assert set(lines) & claims(game) == {lines[0], lines[2]}
    own(game, 2, lines[0])
    assert set(lines) & claims(game) == {lines[2]}
    own(game, 0, lines[2])
    hand(game, 3, "1 wild")
    assert not set(lines) & claims(game)


def test_ROUTE_4_side_by_side_to_different_places_is_not_parallel():
    """The rulebook of Europe: routes partly side by side that join other cities may both be claimed."""
    game = start("europe", 2)
    own(game, 0, "Brindisi–Palermo")
    hand(game, 0, "4 red + 4 wild")
    assert "Palermo–Roma" in claims(game)


@pytest.mark.parametrize("seats", [2, 4])
def test_ROUTE_4_one_seat_may_hold_the_rail_and_the_sea_line_between_two_cities_of_great_lakes(seats):
    game = start("great_lakes", seats)
    rail, sea = lines_of("great_lakes", "Duluth–Thunder Bay")
    own(game, 0, sea)
    hand(game, 0, "5 wild")
    assert rail in claims(game)
    assert not game.view(0).closed
    own(game, 1, rail)
    assert not game.view(0).closed


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_ROUTE_4_every_set_of_the_board_closes_as_a_whole(edition):
    on = board(edition)
    sets = {one.parallel: [other for other in on.routes if other.parallel == one.parallel] for one in on.routes}
    game = start(edition, 2)
    table.leave_pieces(game, 1, 500, 500)
    for lines in sets.values():
        assert len({frozenset((one.a, one.b)) for one in lines}) == 1
        own(game, 1, route_text(lines[-1]))
    assert {one.index for one in game.view(0).closed} == {one.index for lines in sets.values() for one in lines[:-1]}
    hand(game, 0, "9 wild")
    assert claims(game) == set()


# ----------------------------------------------------------------------------------------------------- ROUTE-5


@pytest.mark.parametrize(
    ("cards", "name", "expected"),
    [
        ("1 red + 1 wild", "Dieppe–London line 1", {"1 red + 1 wild"}),
        ("2 red", "Dieppe–London line 1", set()),
        ("2 wild", "Dieppe–London line 2", {"2 wild"}),
        ("5 red + 1 wild", "Amsterdam–London", set()),  # two of two spaces show a wild
        ("5 red + 3 wild", "Amsterdam–London", {"2 wild"}),
        ("4 blue + 2 wild", "Palermo–Smyrna", {"4 blue + 2 wild"}),
        ("5 blue + 1 wild", "Palermo–Smyrna", set()),
        ("5 blue + 3 wild", "Palermo–Smyrna", {"4 blue + 2 wild", "3 blue + 3 wild"}),
        (
            "3 blue + 1 red + 6 wild",
            "Palermo–Smyrna",
            {"3 blue + 3 wild", "2 blue + 4 wild", "1 blue + 5 wild", "1 red + 5 wild", "6 wild"},
        ),
    ],
)
def test_ROUTE_5_a_ferry_asks_its_wilds_and_takes_more(cards, name, expected):
    game = start("europe")
    hand(game, 0, cards)
    assert (name in claims(game)) == bool(expected)
    if expected:
        assert ways(game, f"claim {name}") == each(*expected)


def test_ROUTE_5_the_number_of_wilds_is_asked_from_the_ferrys_on():
    game = start("europe")
    hand(game, 0, "6 blue + 4 wild")
    game.play("claim Palermo–Smyrna")
    assert set(game.legal.texts) == {"wilds 2", "wilds 3", "wilds 4"}


# ----------------------------------------------------------------------------------------------------- ROUTE-6


def test_ROUTE_6_trams_take_a_tram_a_space_and_subways_one_car_for_their_printed_cards():
    game = start("berlin")
    hand(game, 0, "4 green + 3 blue")
    game.play("claim Zoologischer Garten–Potsdamer Platz with 4 green")
    assert game.view(0).seats[0].pieces == {"tram": 7, "subway": 5}
    assert game.scores[0].routes == 7
    game = start("berlin")
    hand(game, 0, "4 green + 3 blue")
    game.play("claim Hauptbahnhof–Alexanderplatz line 1 with 4 green")
    assert game.view(0).seats[0].pieces == {"tram": 11, "subway": 4}
    assert game.scores[0].routes == 8  # the other table
    assert held(game, 0) == {"blue": 3}


def test_ROUTE_6_the_two_tables_of_points_differ():
    on = board("berlin")
    for one in on.routes:
        game = start("berlin", 4)
        own(game, 1, route_text(one))
        expected = {2: 3, 3: 5, 4: 8}[one.price] if one.kind == "subway" else {1: 1, 2: 2, 3: 4, 4: 7}[one.price]
        assert game.scores[1].routes == expected
        assert one.length == (1 if one.kind == "subway" else one.price)


# ----------------------------------------------------------------------------------------------------- ROUTE-7


def test_ROUTE_7_train_cards_for_rails_ship_cards_for_the_sea_wilds_for_both():
    game = start("world")
    hand(game, 0, "8 red + 3 red port")
    assert claims(game) and all(route(game.board, name).kind == "rail" for name in claims(game))
    hand(game, 0, "4 red ship + 6 red double ship")
    assert claims(game) and all(route(game.board, name).kind == "sea" for name in claims(game))
    hand(game, 0, "1 wild")
    assert {route(game.board, name).kind for name in claims(game)} == {"rail", "sea"}


def test_ROUTE_7_the_two_are_never_mixed():
    game = start("world")
    hand(game, 0, "1 red + 1 red ship")
    assert "Athina–Marseille" not in claims(game)  # a red sea route of two
    assert "Darwin–Perth" not in claims(game)  # a red rail route of two


def test_ROUTE_7_rails_take_trains_and_the_sea_takes_ships():
    game = start("world", fleet=20)
    hand(game, 0, "2 red + 1 red double ship")
    game.play("claim Darwin–Perth with 2 red")
    assert game.view(0).seats[0].pieces == {"train": 18, "ship": 40}
    table.rest(game)
    game.play("claim Athina–Marseille with 1 red double ship")
    assert game.view(0).seats[0].pieces == {"train": 18, "ship": 38}


def test_ROUTE_7_port_marked_trains_serve_like_plain_ones_and_the_player_says_which():
    game = start("world")
    hand(game, 0, "2 red + 2 red port + 1 wild")
    assert ways(game, "claim Darwin–Perth") == each(
        "2 red", "1 red + 1 red port", "2 red port", "1 red + 1 wild", "1 red port + 1 wild"
    )
    game.play("claim Darwin–Perth")
    game.play("wilds 0")
    assert game.question.kind == "marked"
    assert set(game.legal.texts) == {"marked 0", "marked 1", "marked 2"}
    game.play("marked 2")
    assert held(game, 0) == {"red": 2, "wild": 1}


# ----------------------------------------------------------------------------------------------------- ROUTE-8


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("1 red ship + 2 red double ship", {"1 red ship + 2 red double ship"}),
        ("3 red double ship", {"3 red double ship"}),
        ("2 red ship + 2 red double ship", {"1 red ship + 2 red double ship"}),  # never 2 double + 2 single
        ("1 red ship + 3 red double ship", {"1 red ship + 2 red double ship", "3 red double ship"}),
        ("4 red ship + 1 red double ship", {"3 red ship + 1 red double ship"}),
        ("1 wild + 2 red double ship", {"2 red double ship + 1 wild"}),
        ("1 wild + 3 red double ship", {"2 red double ship + 1 wild", "3 red double ship"}),
        ("2 wild + 1 red ship + 1 red double ship", {"1 red ship + 1 red double ship + 2 wild"}),
        ("2 wild + 2 red double ship", {"2 red double ship + 1 wild"}),  # the second wild would be wasted
        ("4 wild + 1 red double ship", {"1 red double ship + 3 wild"}),
        ("5 wild", {"5 wild"}),
        ("2 red double ship", set()),
    ],
)
def test_ROUTE_8_five_spaces_of_sea(cards, expected):
    game = start("world")
    hand(game, 0, cards)
    name = "Honolulu–Tokyo"
    assert (name in claims(game)) == bool(expected)
    if expected:
        assert ways(game, f"claim {name}") == each(*expected)


def test_ROUTE_8_the_printed_example_of_a_white_route_of_four():
    """Two doubles, or four singles, or two singles and a double (world_pl_scan.txt)."""
    on = board("world")
    white = replace(route(on, "Dar Es Salaam–Mumbai"))
    assert (white.length, white.colour) == (4, "white")
    game = start("world")
    hand(game, 0, "4 white ship + 2 white double ship")
    assert ways(game, "claim Dar Es Salaam–Mumbai") == each(
        "2 white double ship", "4 white ship", "2 white ship + 1 white double ship"
    )


def test_ROUTE_8_no_change_is_given():
    game = start("world")
    hand(game, 0, "1 white double ship")
    game.play("claim Christchurch–Sydney white")
    assert held(game, 0) == {}
    assert game.view(0).seats[0].pieces["ship"] == 39  # one space, one ship
    assert game.scores[0].routes == 1


def test_ROUTE_8_asked_for_wilds_first_then_for_doubles():
    game = start("world")
    hand(game, 0, "3 red ship + 3 red double ship + 1 wild")
    game.play("claim Honolulu–Tokyo")
    assert game.question.kind == "wilds" and set(game.legal.texts) == {"wilds 0", "wilds 1"}
    game.play("wilds 0")
    assert game.question.kind == "doubles" and set(game.legal.texts) == {"doubles 1", "doubles 2", "doubles 3"}
    game.play("doubles 3")
    assert held(game, 0) == {"red ship": 3, "wild": 1}


# ----------------------------------------------------------------------------------------------------- ROUTE-9


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("4 red", {"4 red"}),
        ("2 red + 2 blue", None),  # no such colour in World
        ("2 red + 2 green", {"2 red + 2 green"}),
        ("1 red + 1 green + 2 wild", {"1 red + 1 green + 2 wild"}),
        ("3 red + 1 wild", {"3 red + 1 wild"}),
        ("3 red + 1 green", set()),
        ("2 red + 2 wild", {"2 red + 2 wild"}),
        ("4 wild", {"4 wild"}),
        ("1 red + 1 red port + 1 green + 1 green port", {"1 red + 1 green + 1 red port + 1 green port"}),
        ("1 red + 1 green + 1 white + 1 wild", set()),
        ("3 wild", set()),
    ],
)
def test_ROUTE_9_each_of_two_spaces_asks_a_pair_of_one_colour(cards, expected):
    game = start("world")
    if expected is None:
        with pytest.raises(bl.IllegalAction):
            hand(game, 0, cards)
        return
    hand(game, 0, cards)
    name = "Anchorage–Vancouver"
    assert (name in claims(game)) == bool(expected)
    if expected:
        assert ways(game, f"claim {name}") == each(*expected)


def test_ROUTE_9_pairs_are_asked_one_by_one_in_non_falling_order():
    game = start("world")
    hand(game, 0, "2 purple + 2 white + 2 green + 1 wild")
    game.play("claim Beijing–Lahore")  # three pairs, so each colour is needed
    assert game.question.kind == "pair"
    assert set(game.legal.texts) == {"pair purple", "pair purple+wild"}
    game.play("pair purple")
    assert set(game.legal.texts) == {"pair white", "pair white+wild"}
    game.play("pair white+wild")
    assert held(game, 0) == {"white": 1}  # the last pair left no choice
    assert game.question.seat == 1


def test_ROUTE_9_three_pairs_by_the_oracle_also_where_wilds_are_scarce():
    game = start("world")
    for cards in ("3 purple + 1 white + 2 green + 2 wild", "1 purple + 1 white + 1 green + 3 wild", "5 red + 2 wild"):
        hand(game, 0, cards)
        counted = Counter({name: int(n) for n, name in (part.split(" ", 1) for part in cards.split(" + "))})
        expected = oracles.route_payments(route(game.board, "Beijing–Lahore"), counted)
        assert {
            frozenset((table.card_name(k), n) for k, n in way.cards) for way in game.payments("claim Beijing–Lahore")
        } == (expected)


def test_ROUTE_9_costs_two_cards_but_one_piece_and_one_space():
    game = start("world")
    hand(game, 0, "2 purple")
    game.play("claim Casablanca–Marseille")
    assert held(game, 0) == {}
    assert game.view(0).seats[0].pieces["train"] == 19
    assert game.scores[0].routes == 1


def test_ROUTE_9_unmarked_spaces_as_ever_beside_marked_ones():
    """On no printed board; a board of one's own may have it: three spaces of red, one of them difficult."""
    on = board("world")
    mixed = tuple(
        replace(one, pairs=1, price=4) if route_text(one) == "Beijing–Novosibirsk red" else one for one in on.routes
    )
    game = start("world", on=table.altered("world", routes=mixed))
    hand(game, 0, "2 red + 2 green + 1 wild")
    expected = {"2 red + 2 green", "1 red + 2 green + 1 wild", "2 red + 1 green + 1 wild"}
    assert ways(game, "claim Beijing–Novosibirsk red") == each(*expected)
    hand(game, 0, "2 green + 1 white + 1 wild")
    assert "Beijing–Novosibirsk red" not in claims(game)
    hand(game, 0, "4 red")
    assert ways(game, "claim Beijing–Novosibirsk red") == each("4 red")


def each_way_to_pay(game, claim):
    """The cards of every sequence of answers that pays for a claim, by going through all of them."""
    paid = []

    def answer(at):
        if at.question.seat == 0 and at.question.kind in ("colour", "wilds", "doubles", "marked", "pair"):
            for action in at.legal:
                after = at.copy()
                after.play(action)
                answer(after)
        else:
            spent = Counter(game.view(0).hand) - Counter(at.view(0).hand)
            paid.append(tuple(sorted(spent.items())))

    begun = game.copy()
    begun.play(claim)
    answer(begun)
    return paid


def test_ROUTE_9_ruling_the_same_cards_are_one_payment_however_many_pairs_they_make():
    game = start("world")
    hand(game, 0, "2 green + 2 wild")
    assert each_way_to_pay(game, "claim Anchorage–Vancouver") == [
        (("green", 2), ("wild", 2))
    ]  # green and wild twice, too
    hand(game, 0, "4 green + 4 green port")
    paid = each_way_to_pay(game, "claim Anchorage–Vancouver")
    assert len(paid) == len(set(paid)) == 5  # so many of the four with a port mark, from none to all


def test_ROUTE_9_ruling_port_marks_of_pairs_are_asked_once_for_each_colour_at_the_end():
    game = start("world")
    hand(game, 0, "3 green + 2 green port + 1 red + 1 red port")
    game.play("claim Anchorage–Vancouver")  # one of the pairs is green, or red would have to be both
    assert game.legal.texts == ("pair green", "pair red")
    game.play("pair green")
    assert game.question.kind == "marked" and game.legal.texts == ("marked 1", "marked 2")
    game.play("marked 2")
    assert held(game, 0) == {"green": 1, "red": 1, "red port": 1}


@pytest.mark.parametrize("seed", range(12))
def test_ROUTE_9_each_payment_in_pairs_is_reached_by_one_sequence_of_answers_only(seed):
    luck = random.Random(seed)
    game = start("world")
    names = [f"{colour}{mark}" for colour in luck.sample(game.board.cards.colours, 2) for mark in ("", " port")]
    cards = {name: luck.randrange(5 if "port" not in name else 4) for name in names} | {"wild": luck.randrange(5)}
    hand(game, 0, " + ".join(f"{n} {name}" for name, n in cards.items() if n) or "1 wild")
    for one in game.board.routes:
        if one.pairs and route_text(one) in claims(game):
            paid = each_way_to_pay(game, f"claim {route_text(one)}")
            assert len(paid) == len(set(paid))
            expected = oracles.route_payments(one, Counter(game.view(0).hand))
            assert {frozenset(cards) for cards in paid} == expected


# -------------------------------------------------------------------------------------------- the second opinion


@pytest.mark.parametrize("edition", table.COSTLY_EDITIONS)
@pytest.mark.parametrize("seed", range(6))
def test_ROUTE_2_5_8_9_all_payments_of_every_route_are_those_of_the_oracle(edition, seed):
    luck = random.Random(f"{edition} {seed}")
    game = start(edition, 4)
    on = game.board
    box = [table.card_name(kind) for kind in range(table.KINDS) for _ in range(int(on.tables[0].copies[kind]))]
    dealt = luck.sample(box, luck.randrange(4, 12))
    colours = luck.sample(on.cards.colours, 2)  # few colours, so that payments get long
    dealt += [card for card in luck.sample(box, 40) if oracles.colour_of(card) in colours][: luck.randrange(9)]
    dealt += ["wild"] * luck.randrange(4)
    bound = Counter(box)
    cards = Counter({card: min(n, bound[card]) for card, n in Counter(dealt).items()})
    hand(game, 0, " + ".join(f"{n} {card}" for card, n in cards.items()))
    for one in on.routes:
        expected = oracles.route_payments(one, cards)
        name = route_text(one)
        assert (name in claims(game)) == bool(expected), name
        if expected:
            found = {
                frozenset((table.card_name(kind), n) for kind, n in way.cards) for way in game.payments(f"claim {name}")
            }
            assert found == expected, name
