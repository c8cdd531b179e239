"""TUN: laying open a payment, turning three cards, and what they ask more."""

from collections import Counter
from dataclasses import replace

import pytest

import branchline as bl
from table import altered, board, claims, discards, each, hand, happened, held, hoard, market, start, top, ways

PLAIN = ["red", "blue", "green", "black", "orange"]
GRAY = "Angora–Constantinople"  # two spaces, gray
GREEN = "Venezia–Zürich"  # two spaces, green


def tunnel(cards, turned, name=GRAY, pay=None, others=PLAIN):
    """A game in which seat 0 has just laid open its payment for a tunnel, these cards being turned."""
    game = start("europe")
    market(game, others)
    hand(game, 0, cards)
    top(game, turned)
    game.play(f"claim {name}" + (f" with {pay}" if pay else ""))
    return game


# ------------------------------------------------------------------------------------------------------- TUN-1


def test_TUN_1_the_payment_is_laid_open_then_three_cards_are_turned():
    game = tunnel("3 green", ["red", "green", "blue"], pay="2 green")
    assert str(game.question) == "seat 0: tunnel"
    assert game.question.turned == ("red", "green", "blue") and game.question.extra == 1
    assert game.question.route.name == GRAY
    assert game.view(1).question.turned == ("red", "green", "blue")


def test_TUN_1_everybody_knows_the_cards_laid_open():
    game = tunnel("3 green", ["red", "green", "blue"], pay="2 green")
    assert game.view(1).seats[0].known_cards == {"green": 2}


def test_TUN_1_without_a_match_the_route_is_claimed_at_once():
    game = tunnel("2 green", ["red", "blue", "black"], pay="2 green")
    assert str(game.question) == "seat 1: turn"
    assert [one.name for one in game.view(1).seats[0].routes] == [GRAY]
    assert game.scores[0].routes == 2


@pytest.mark.parametrize("left", [1, 2])
def test_TUN_1_fewer_cards_are_turned_if_fewer_exist(left):
    game = start("europe")
    market(game, PLAIN)
    hand(game, 0, "4 green")
    top(game, ["green"] * left)
    hoard(game, 1, leave=left)
    game.play(f"claim {GREEN}")
    assert game.question.turned == ("green",) * left
    assert game.question.extra == left


def test_TUN_1_with_no_card_left_there_is_no_risk():
    game = start("europe")
    hand(game, 0, "2 green")
    hoard(game, 1)
    game.play(f"claim {GREEN}")
    assert str(game.question) == "seat 1: turn"
    assert game.scores[0].routes == 2


def test_TUN_1_the_discards_are_shuffled_when_the_deck_ends_but_the_laid_cards_are_not_among_them():
    game = start("europe")
    market(game, PLAIN)
    hand(game, 0, "3 green")
    top(game, ["red"])
    hoard(game, 1, leave=1)
    state = game._state  # seat 1 throws away two of its blue cards
    from branchline.rules import cards

    cards.spend(state, 1, 1, 2)
    game.play(f"claim {GREEN} with 2 green")
    assert game.view(None).seats[0].routes and game.question.seat == 1
    events = game.events
    assert sorted(next(event for event in events if event.kind == "tunnel").cards) == ["blue", "blue", "red"]


def test_TUN_1_a_board_may_turn_another_number_of_cards():
    game = start("europe", on=altered("europe", tunnel_cards=5))
    hand(game, 0, "9 green")
    top(game, ["green", "red", "red", "red", "wild"])
    game.play(f"claim {GREEN}")
    assert game.question.extra == 2 and len(game.question.turned) == 5


# ------------------------------------------------------------------------------------------------------- TUN-2


@pytest.mark.parametrize(
    ("turned", "extra"),
    [
        (["red", "blue", "black"], 0),
        (["green", "blue", "black"], 1),
        (["wild", "blue", "black"], 1),
        (["green", "wild", "black"], 2),
        (["green", "green", "green"], 3),
        (["wild", "wild", "wild"], 3),
        (["wild", "green", "green"], 3),
    ],
)
@pytest.mark.parametrize("pay", ["2 green", "1 green + 1 wild"])
def test_TUN_2_each_card_of_the_colour_played_or_wild_asks_one_more(turned, extra, pay):
    game = tunnel("5 green + 1 wild", turned, pay=pay)
    if extra:
        assert game.question.extra == extra
        game.play("pay extra")
        if game.question.kind == "wilds":
            game.play("wilds 0")
        spent = Counter({"green": 5, "wild": 1}) - Counter(held(game, 0))
        assert spent == Counter({"green": int(pay[0]) + extra, "wild": pay.count("wild")})
    assert game.scores[0].routes == 2


def test_TUN_2_the_printed_examples():
    """Two red laid, one red turned: one more red. Two green laid, a locomotive turned: one more green."""
    game = tunnel("3 red", ["blue", "red", "white"], "Erzurum–Sochi", pay="3 red")
    assert game.question.extra == 1
    game = tunnel("3 green", ["blue", "wild", "white"], pay="2 green")
    assert game.question.extra == 1


def test_TUN_2_the_extra_is_paid_in_the_colour_or_with_wilds_as_the_player_chooses():
    game = tunnel("4 green + 3 wild", ["green", "green", "blue"], pay="2 green")
    assert ways(game, "pay extra") == each("2 green", "1 green + 1 wild", "2 wild")
    game.play("pay extra")
    assert str(game.question) == "seat 0: wilds"
    assert set(game.legal.texts) == {"wilds 0", "wilds 1", "wilds 2"}
    game.play("wilds 1")
    assert held(game, 0) == {"green": 1, "wild": 2}


def test_TUN_2_the_extra_may_be_paid_in_one_go():
    game = tunnel("4 green + 3 wild", ["green", "green", "blue"], pay="2 green")
    game.play("pay extra with 1 green + 1 wild")
    assert held(game, 0) == {"green": 1, "wild": 2}
    assert game.scores[0].routes == 2


def test_TUN_2_the_extra_brings_no_pieces_and_no_points():
    game = tunnel("5 green", ["green", "green", "green"], pay="2 green")
    game.play("pay extra")
    assert game.view(0).seats[0].pieces == {"train": 43}
    assert game.scores[0].routes == 2


def test_TUN_2_the_colour_is_that_of_the_cards_played_also_on_a_gray_tunnel():
    game = tunnel("3 red + 3 green", ["green", "green", "black"], pay="2 red")
    assert str(game.question) == "seat 1: turn"


# ------------------------------------------------------------------------------------------------------- TUN-3


@pytest.mark.parametrize(
    ("turned", "extra"),
    [(["green", "red", "blue"], 0), (["wild", "green", "blue"], 1), (["wild", "wild", "green"], 2), (["wild"] * 3, 3)],
)
@pytest.mark.parametrize("name", [GRAY, GREEN])
def test_TUN_3_a_payment_of_wilds_is_lengthened_only_by_wilds(turned, extra, name):
    game = tunnel("6 wild + 4 green", turned, name, pay="2 wild")
    if extra == 0:
        assert str(game.question) == "seat 1: turn"
    else:
        assert game.question.extra == extra


def test_TUN_3_and_only_wilds_pay_it():
    game = tunnel("3 wild + 4 green", ["wild", "wild", "green"], pay="2 wild")
    assert set(game.legal.texts) == {"withdraw"}  # two wilds are asked, one is left, green does not help
    game = tunnel("4 wild + 4 green", ["wild", "wild", "green"], pay="2 wild")
    assert set(game.legal.texts) == {"withdraw", "pay extra"}
    assert ways(game, "pay extra") == each("2 wild")
    game.play("pay extra")
    assert held(game, 0) == {"green": 4}
    assert str(game.question) == "seat 1: turn"


# ------------------------------------------------------------------------------------------------------- TUN-4


def test_TUN_4_the_player_pays_all_of_the_extra_or_takes_the_whole_payment_back():
    game = tunnel("3 green + 1 red", ["green", "wild", "blue"], pay="2 green")
    assert set(game.legal.texts) == {"withdraw"}  # one of two does not do
    events = happened(game.play("withdraw"))
    assert "takes back 2 green" in events
    assert held(game, 0) == {"green": 3, "red": 1}
    assert str(game.question) == "seat 1: turn"
    assert not game.view(0).seats[0].routes and game.scores[0].routes == 0
    assert game.view(0).seats[0].pieces == {"train": 45}


def test_TUN_4_declining_is_allowed_also_when_one_could_pay():
    game = tunnel("4 green", ["green", "blue", "red"], pay="2 green")
    assert set(game.legal.texts) == {"pay extra", "withdraw"}
    game.play("withdraw")
    assert held(game, 0) == {"green": 4} and game.question.seat == 1
    game.play("blind")
    game.play("blind")
    assert GRAY in claims(game)  # it is as free as before


def test_TUN_4_the_question_is_put_even_if_the_player_cannot_pay():
    game = tunnel("2 green", ["green", "blue", "red"], pay="2 green")
    assert str(game.question) == "seat 0: tunnel"
    assert set(game.legal.texts) == {"withdraw"}
    for watcher in (1, None):
        assert game.view(watcher).question.kind == "tunnel"


def test_TUN_4_whether_one_could_have_paid_is_not_to_be_seen():
    rich = tunnel("3 green", ["green", "blue", "red"], pay="2 green")
    poor = tunnel("2 green + 1 red", ["green", "blue", "red"], pay="2 green")
    for game in (rich, poor):
        game.play("withdraw")
    for seen in ("question", "seats", "discards", "market"):
        assert getattr(rich.view(1), seen) == getattr(poor.view(1), seen)


def test_TUN_4_what_was_laid_open_stays_known_after_withdrawing():
    game = tunnel("3 green", ["green", "blue", "red"], pay="2 green")
    game.play("withdraw")
    assert game.view(1).seats[0].known_cards == {"green": 2}


def test_TUN_4_after_withdrawing_nothing_else_can_be_done_in_that_turn():
    game = tunnel("2 green", ["green", "blue", "red"], pay="2 green")
    with pytest.raises(bl.IllegalAction):
        game.play("blind")
    game.play("withdraw")
    assert game.question.seat == 1


# ------------------------------------------------------------------------------------------------------- TUN-5


@pytest.mark.parametrize("answer", ["pay extra", "withdraw"])
def test_TUN_5_turned_cards_are_discarded_in_any_case(answer):
    game = start("europe")
    market(game, PLAIN)
    hand(game, 0, "3 green")
    top(game, ["green", "blue", "red"])
    before = Counter(discards(game))
    game.play("claim Angora–Constantinople with 2 green")
    game.play(answer)
    paid = Counter({"green": 3}) if answer == "pay extra" else Counter()
    assert Counter(discards(game)) - before == Counter({"green": 1, "blue": 1, "red": 1}) + paid


def test_TUN_5_also_when_nothing_matches():
    game = tunnel("2 green", ["black", "blue", "red"], pay="2 green")
    assert discards(game) == {"black": 1, "blue": 1, "red": 1, "green": 2}


# ------------------------------------------------------------------------------- mechanisms combine on any board


def test_TUN_a_tunnel_on_another_board_is_a_change_of_data():
    germany = board("germany")
    routes = tuple(replace(one, kind="tunnel") if one.name == "Bremen–Emden" else one for one in germany.routes)
    game = start("germany", on=altered("germany", routes=routes, tunnel_cards=3))
    market(game, PLAIN)
    hand(game, 0, "4 blue")
    top(game, ["blue", "red", "red"])
    game.play("claim Bremen–Emden with 3 blue")
    assert game.question.kind == "tunnel" and game.question.extra == 1
    game.play("pay extra")
    assert game.question.kind == "passenger"  # and then the passengers, as ever there


def test_TUN_3_with_port_marked_cards_too_a_payment_of_wilds_is_lengthened_only_by_wilds():
    """A tunnel on the World map: a turned card counts by its colour, with or without port mark."""
    routes = tuple(
        replace(one, kind="tunnel") if one.name == "Lima–Valparaiso" else one for one in board("world").routes
    )
    on = altered("world", routes=routes, tunnel_cards=3)
    for cards, pay, turned, extra in (
        ("2 wild", "2 wild", ["purple port", "purple", "red port"], 0),
        ("2 wild + 3 purple port", "2 wild", ["wild", "purple", "red port"], 1),
        ("2 purple", "2 purple", ["purple port", "red port", "purple"], 2),
        ("1 purple port + 1 wild", "1 purple port + 1 wild", ["purple", "red", "wild"], 2),
    ):
        game = start("world", on=on)
        hand(game, 0, cards)
        top(game, turned)
        game.play(f"claim Lima–Valparaiso line 1 with {pay}")
        assert game.question.extra == extra
        if extra:
            assert game.legal.texts == ("withdraw",)  # the port-marked purple ones do not pay for wilds
