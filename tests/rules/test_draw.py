"""DRAW: taking cards, from the market and blind, to the last card of the box."""

import pytest

import table
from table import discards, hand, happened, held, hoard, market, new, own, start, take_tickets, top

PLAIN = ["red", "blue", "green", "black", "orange"]
WORLD_MARKET = ["red", "green", "black", "red ship", "green ship", "black double ship"]
ONE_DECK = ("germany", "europe", "berlin")


def deck_size(game, deck=0):
    return game.view(None).deck_sizes[deck]


# ------------------------------------------------------------------------------------------------------ DRAW-1


@pytest.mark.parametrize("edition", ONE_DECK)
def test_DRAW_1_two_cards_a_turn_and_the_market_is_filled_at_once(edition):
    game = start(edition)
    market(game, PLAIN)
    hand(game, 0, "")
    top(game, ["purple", "red", "red"])
    game.play("market 2")
    assert game.view(None).market == ("red", "purple", "green", "black", "orange")
    assert str(game.question) == "seat 0: second_card"
    game.play("blind")
    assert held(game, 0) == {"blue": 1, "red": 1}
    assert game.question.seat == 1 and game.question.kind == "turn"


@pytest.mark.parametrize("edition", ONE_DECK)
@pytest.mark.parametrize(
    "cards", [("market 1", "market 1"), ("market 3", "blind"), ("blind", "market 5"), ("blind",) * 2]
)
def test_DRAW_1_each_card_from_the_market_or_blind(edition, cards):
    game = start(edition)
    market(game, PLAIN)
    top(game, ["purple", "red", "purple"])
    before = sum(held(game, 0).values())
    for card in cards:
        assert game.question.seat == 0
        game.play(card)
    assert sum(held(game, 0).values()) == before + 2
    assert game.question.seat == 1


@pytest.mark.parametrize(("deck", "card"), [("train", "white"), ("ship", "white ship")])
def test_DRAW_1_world_the_taker_says_from_which_deck_a_card_is_replaced(deck, card):
    game = start("world")
    market(game, WORLD_MARKET)
    top(game, ["white", "white ship"])
    game.play("market 5")
    assert str(game.question) == "seat 0: refill"
    assert set(game.legal.texts) == {"refill train", "refill ship"}
    game.play(f"refill {deck}")
    assert game.view(None).market[4] == card
    assert str(game.question) == "seat 0: second_card"


def test_DRAW_1_world_all_six_may_become_cards_of_one_deck():
    game = start("world", 2)
    market(game, WORLD_MARKET)
    top(game, ["white"] * 4)
    for slot in (4, 5, 6):
        game.play(f"market {slot}")
        game.play("refill train")
    assert not any("ship" in name for name in game.view(None).market)


def test_DRAW_1_world_a_wild_taken_is_replaced_from_either_deck_too():
    game = start("world")
    market(game, ["wild", *WORLD_MARKET[1:]])
    top(game, ["white ship"])
    game.play("market 1")
    assert game.question.kind == "refill" and game.question.seat == 0
    game.play("refill ship")
    assert game.view(None).market[0] == "white ship"
    assert game.question.seat == 1


def test_DRAW_1_world_without_a_choice_of_decks_nobody_is_asked():
    game = start("world")
    market(game, WORLD_MARKET)
    hoard(game, 1, deck=0)
    top(game, ["white ship"])
    game.play("market 1")
    assert game.view(None).market[0] == "white ship"
    assert game.question.kind == "second_card"


def test_DRAW_1_world_blind_from_either_deck():
    game = start("world")
    market(game, WORLD_MARKET)
    hand(game, 0, "")
    top(game, ["white", "white double ship"])
    assert {"blind train", "blind ship"} <= set(game.legal.texts)
    game.play("blind ship")
    game.play("blind train")
    assert held(game, 0) == {"white": 1, "white double ship": 1}


def test_DRAW_1_what_was_turned_up_is_told_also_when_it_is_the_same_card_again():
    game = start("europe")
    market(game, PLAIN)
    top(game, ["blue"])
    assert happened(game.play("market 2")) == ["takes blue", "blue turned up"]


# ------------------------------------------------------------------------------------------------------ DRAW-2


@pytest.mark.parametrize("edition", ONE_DECK)
def test_DRAW_2_a_market_wild_is_the_only_card_of_the_turn(edition):
    game = start(edition)
    market(game, ["wild", *PLAIN[1:]])
    top(game, ["purple"])
    hand(game, 0, "")
    game.play("market 1")
    assert held(game, 0) == {"wild": 1}
    assert game.question.seat == 1


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_DRAW_2_the_second_card_is_never_a_market_wild(edition):
    game = start(edition)
    market(game, [*(WORLD_MARKET[:-1] if edition in table.SAILING else PLAIN[:-1]), "wild"])
    wild = len(game.view(None).market)
    assert f"market {wild}" in game.legal
    game.play("blind train" if edition in table.SAILING else "blind")
    assert game.question.kind == "second_card"
    assert f"market {wild}" not in game.legal
    assert {f"market {n}" for n in range(1, wild)} <= set(game.legal.texts)


@pytest.mark.parametrize("edition", ONE_DECK)
def test_DRAW_2_nor_a_wild_that_has_just_come_up(edition):
    game = start(edition)
    market(game, PLAIN)
    top(game, ["wild", "red"])
    game.play("market 3")
    assert game.view(None).market[2] == "wild"
    assert game.question.kind == "second_card"
    assert set(game.legal.texts) == {"market 1", "market 2", "market 4", "market 5", "blind"}


# ------------------------------------------------------------------------------------------------------ DRAW-3


@pytest.mark.parametrize("edition", ONE_DECK)
def test_DRAW_3_a_blind_wild_counts_as_one_ordinary_card(edition):
    game = start(edition)
    market(game, PLAIN)
    top(game, ["wild", "wild"])
    hand(game, 0, "")
    game.play("blind")
    assert game.question.seat == 0 and game.question.kind == "second_card"
    game.play("blind")
    assert held(game, 0) == {"wild": 2}
    assert game.question.seat == 1


# ------------------------------------------------------------------------------------------------------ DRAW-4


@pytest.mark.parametrize("edition", ONE_DECK)
def test_DRAW_4_a_third_wild_sweeps_the_market(edition):
    game = start(edition)
    market(game, ["wild", "wild", "red", "blue", "green"])
    top(game, ["wild", "black", "black", "orange", "orange", "purple"])
    events = happened(game.play("market 3"))
    assert game.view(None).market == ("black", "black", "orange", "orange", "purple")
    assert discards(game) == {"wild": 3, "blue": 1, "green": 1}
    assert "market swept" in events
    assert game.question.kind == "second_card"  # the turn goes on


@pytest.mark.parametrize("edition", ONE_DECK)
def test_DRAW_4_two_wilds_do_not_sweep(edition):
    game = start(edition)
    market(game, ["wild", "red", "black", "blue", "green"])
    top(game, ["wild"])
    game.play("market 3")
    assert game.view(None).market == ("wild", "red", "wild", "blue", "green")


@pytest.mark.parametrize("edition", ONE_DECK)
def test_DRAW_4_at_set_up_too_and_again_and_again(edition):
    dealt = 2 * table.board(edition).cards.hand[0]
    swept = ["wild", "red", "wild", "red", "wild"]
    second = ["wild", "wild", "blue", "wild", "blue"]
    game = new(edition, cards=[*PLAIN[:4], *PLAIN[:4]][:dealt] + swept + second + PLAIN)
    assert game.view(None).market == tuple(PLAIN)
    assert discards(game) == {"wild": 6, "red": 2, "blue": 2}


def test_DRAW_4_world_three_wilds_of_six_are_swept_and_three_of_each_deck_turned():
    game = start("world")
    market(game, ["wild", "wild", "red", "red ship", "green ship", "black ship"])
    top(game, ["wild", "white", "white", "green", "white ship", "white ship", "yellow double ship"])
    game.play("market 6")
    game.play("refill train")
    assert game.view(None).market == ("white", "white", "green", "white ship", "white ship", "yellow double ship")
    assert discards(game) == {"wild": 3, "red": 1, "red ship": 1, "green ship": 1}


def test_DRAW_4_ruling_after_ten_sweeps_in_a_row_they_lie():
    on = table.altered("berlin", cards=_cards("berlin", wild=60))
    sweeps = ["wild", "wild", "wild", "red", "red"]
    game = new("berlin", on=on, cards=["blue"] * 4 + [*["wild"] * 5] * 10 + sweeps)
    assert game.view(None).market == tuple(sweeps)
    assert discards(game) == {"wild": 50}


def test_DRAW_4_ruling_after_nine_a_tenth_sweep_still_comes():
    on = table.altered("berlin", cards=_cards("berlin", wild=60))
    game = new("berlin", on=on, cards=["blue"] * 4 + [*["wild"] * 5] * 10 + PLAIN)
    assert game.view(None).market == tuple(PLAIN)


def test_DRAW_4_ruling_where_no_other_market_can_be_they_lie():
    """All cards but five are in hands, three of them wild: a sweep could only bring them back."""
    game = start("europe")
    market(game, ["wild", "wild", "red", "blue", "green"])
    hoard(game, 1)
    _move(game, 1, "wild")
    top(game, ["wild"])
    hand(game, 0, "")
    hoard(game, 1, leave=1)
    game.play("market 3")
    assert game.view(None).market == ("wild", "wild", "wild", "blue", "green")
    assert discards(game) == {}


def test_DRAW_4_ruling_with_one_card_more_another_market_is_possible():
    """The same with a plain card under the wild: of six cards three wilds need not lie open again."""
    game = start("europe", seed=3)
    market(game, ["wild", "wild", "red", "blue", "green"])
    hand(game, 0, "")
    top(game, ["wild", "white", "white", "white"])
    hoard(game, 1, leave=4)
    events = happened(game.play("market 3"))
    assert "market swept" in events and "discards shuffled" in events
    assert deck_size(game) + sum(discards(game).values()) + 5 == 8


def test_DRAW_4_world_ruling_counts_what_either_deck_can_give():
    game = start("world")
    market(game, ["wild", "wild", "red", "red ship", "green ship", "black ship"])
    hand(game, 0, "")
    top(game, ["wild"])
    hoard(game, 1, deck=0, leave=1)
    game.play("market 3")
    game.play("refill train")
    assert game.view(None).market[:3] == ("wild", "wild", "wild")  # no other train cards are left
    assert discards(game) == {}


def _cards(edition, **changes):
    from dataclasses import replace

    return replace(table.board(edition).cards, **changes)


def _move(game, seat, card):
    """Give one card of a hand back under the deck."""
    from branchline.game.cards import card_kind
    from branchline.rules.cards import deck_of, put_into_deck

    kind = card_kind(card, game.board)
    assert game._state.hand[seat, kind] > 0
    game._state.hand[seat, kind] -= 1
    game._state.hand_size[seat, deck_of(kind)] -= 1
    put_into_deck(game._state, kind, 1)


# ------------------------------------------------------------------------------------------------------ DRAW-5


@pytest.mark.parametrize("edition", ONE_DECK)
def test_DRAW_5_an_empty_deck_is_refilled_when_a_card_is_needed(edition):
    game = start(edition)
    market(game, PLAIN)
    top(game, ["red"])
    hoard(game, 1, leave=1)
    hand_of_others = held(game, 1)
    _move(game, 1, "blue")
    _move(game, 1, "green")
    _to_discards(game)
    game.play("blind")
    assert deck_size(game) == 0 and sum(discards(game).values()) == 2  # not before it is needed
    game.play("blind")
    assert deck_size(game) == 1 and discards(game) == {}
    assert sum(hand_of_others.values()) > 20


def _to_discards(game):
    """The two topmost cards of the deck but one go to the discards."""
    from branchline.rules import cards

    state = game._state
    for _ in range(2):
        state.deck_size[0] -= 1
        cards.discard(state, int(state.deck[0, state.deck_size[0]]), 1)
    game._legal = None


def test_DRAW_5_world_each_deck_has_its_own_discards_and_wilds_belong_to_the_trains():
    game = start("world")
    market(game, WORLD_MARKET)
    hoard(game, 1, deck=0)
    hoard(game, 1, deck=1)
    _move(game, 1, "wild")
    _move(game, 1, "red")
    game._state.deck_size[0] = 0
    from branchline.game.cards import card_kind
    from branchline.rules import cards

    for name in ("wild", "red"):
        cards.discard(game._state, card_kind(name, game.board), 1)
    game._legal = None
    assert "blind train" in game.legal and "blind ship" not in game.legal
    game.play("blind train")
    assert deck_size(game) == 1 and discards(game) == {}
    table.check_conserved(game.board, game.state)


def test_DRAW_5_ruling_the_other_deck_replaces_market_cards_where_one_has_nothing():
    game = start("world")
    market(game, WORLD_MARKET)
    top(game, ["white", "yellow"])
    hoard(game, 1, deck=1)
    game.play("market 5")  # a ship goes, only train cards can come
    assert game.view(None).market[4] == "white"


def test_DRAW_5_ruling_a_sweep_too_is_filled_from_the_other_deck():
    game = start("world")
    market(game, ["wild", "wild", "red", "red", "green", "black"])
    top(game, ["wild", "white", "white", "green", "green", "yellow", "yellow"])
    hoard(game, 1, deck=1)
    game.play("market 3")
    assert game.view(None).market == ("white", "white", "green", "green", "yellow", "yellow")


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_DRAW_5_ruling_where_nothing_is_left_the_place_stays_empty(edition):
    game = start(edition)
    market(game, WORLD_MARKET if edition in table.SAILING else PLAIN)
    for deck in range(2):
        hoard(game, 1, deck=deck, leave=0 if deck else 1)
    game.play("market 1")  # replaced by the last card
    assert None not in game.view(None).market
    game.play("market 2")
    assert game.view(None).market[1] is None
    assert "market 2" not in game.legal


@pytest.mark.parametrize("edition", ["germany", "europe", "berlin"])
def test_DRAW_5_ruling_an_empty_place_is_filled_as_soon_as_there_are_cards_again(edition):
    game = start(edition, 4)
    one = {"germany": "Berlin–Hamburg blue", "europe": "Pamplona–Paris blue", "berlin": "Reichstag–Friedrichstraße"}
    length = table.route(game.board, one[edition]).length
    hand(game, 0, f"{length} blue")
    market(game, ["red", None, "green", None, "orange"])
    hoard(game, 1)
    game.play(f"claim {one[edition]}")
    while game.question.kind == "passenger":
        game.play("passenger none")
    assert game.view(None).market == ("red", "blue", "green", "blue", "orange")
    assert game.question.seat == 1
    assert deck_size(game) + sum(discards(game).values()) == length - 2


def test_DRAW_5_ruling_world_where_both_decks_have_cards_a_gap_is_filled_as_the_market_was_laid_out():
    game = start("world")
    market(game, [None, *WORLD_MARKET[1:5], None])
    top(game, ["white"] * 3 + ["white ship"])
    table.rest(game)
    assert game.view(None).market == ("white", *WORLD_MARKET[1:5], "white ship")


def test_DRAW_5_ruling_filled_gaps_are_no_sweep_in_the_events():
    game = start("europe")
    hand(game, 0, "4 blue")
    market(game, ["red", None, "green", None, "orange"])
    hoard(game, 1)
    events = happened(game.play("claim Pamplona–Paris blue"))
    assert "market swept" not in events and "blue, blue turned up" in events


# ------------------------------------------------------------------------------------------------------ DRAW-6


@pytest.mark.parametrize("edition", ["germany", "europe", "world"])
def test_DRAW_6_with_decks_and_discards_empty_nothing_may_be_drawn(edition):
    game = start(edition)
    market(game, WORLD_MARKET if edition in table.SAILING else PLAIN)
    for deck in range(2):
        hoard(game, 1, deck=deck)
    assert not [text for text in game.legal.texts if text.startswith(("market", "blind"))]
    assert "tickets" in game.legal


@pytest.mark.parametrize("edition", ["germany", "europe", "world"])
def test_DRAW_6_one_card_on_the_discards_suffices(edition):
    game = start(edition)
    market(game, WORLD_MARKET if edition in table.SAILING else PLAIN)
    top(game, ["white"])
    for deck in range(2):
        hoard(game, 1, deck=deck, leave=0 if deck else 1)
    texts = set(game.legal.texts)
    assert {"market 1", "market 5", "blind train" if edition in table.SAILING else "blind"} <= texts


def test_DRAW_6_berlin_the_market_lasts():
    game = start("berlin")
    market(game, PLAIN)
    hoard(game, 1)
    hand(game, 0, "")
    hoard(game, 1)
    assert {f"market {n}" for n in range(1, 6)} <= set(game.legal.texts)
    assert "blind" not in game.legal
    game.play("market 1")
    assert set(game.legal.texts) == {f"market {n}" for n in range(2, 6)}
    game.play("market 4")
    assert game.view(None).market == (None, "blue", "green", None, "orange")
    assert held(game, 0) == {"red": 1, "black": 1}


def test_DRAW_6_berlin_with_the_market_gone_too_there_is_nothing_to_draw():
    game = start("berlin")
    market(game, [None] * 5)
    hoard(game, 1)
    assert not [text for text in game.legal.texts if text.startswith(("market", "blind"))]


@pytest.mark.parametrize("edition", ["germany", "europe", "berlin"])
def test_DRAW_6_ruling_a_second_card_that_cannot_be_had_is_not_drawn(edition):
    game = start(edition)
    market(game, ["wild", "wild", None, None, None])
    top(game, ["red"])
    hoard(game, 1, leave=1)
    game.play("blind")  # what is left are wilds in the market
    assert str(game.question) == "seat 1: turn"


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_DRAW_6_ruling_a_player_may_not_stop_after_one_card_otherwise(edition):
    game = start(edition)
    game.play("blind train" if edition in table.SAILING else "blind")
    assert all(text.startswith(("market", "blind")) for text in game.legal.texts)
    assert len(game.legal) > 0


# ------------------------------------------------------------------------------------------------------ DRAW-7


def test_DRAW_7_there_is_no_hand_limit():
    game = start("europe")
    market(game, PLAIN)
    hoard(game, 0, leave=4)
    before = sum(held(game, 0).values())
    assert before > 90
    game.play("blind")
    game.play("blind")
    assert sum(held(game, 0).values()) == before + 2


def test_DRAW_7_a_hand_may_hold_all_that_is_not_on_the_table():
    game = start("berlin")
    own(game, 1, "Reichstag–Brandenburger Tor black")
    take_tickets(game, 1, leave=0)
    hoard(game, 0)
    assert {"claim Reichstag–Friedrichstraße", "claim Siegessäule–Hauptbahnhof"} <= set(game.legal.texts)
