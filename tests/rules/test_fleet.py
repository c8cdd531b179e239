"""FLE: choosing a fleet in secret, and swapping its pieces."""

import pytest

import branchline as bl
from table import claims, hand, leave_pieces, new, own, start


def at_fleet(seats=2, first=0):
    game = new("world", seats, first=first)
    for _ in range(seats):
        game.play("keep all")
    return game


# ------------------------------------------------------------------------------------------------------- FLE-1


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_FLE_1_after_the_tickets_everybody_chooses_ten_to_twenty_five_trains(seats):
    game = at_fleet(seats, first=1)
    for n in range(seats):
        assert str(game.question) == f"seat {(1 + n) % seats}: fleet"
        expected = {f"fleet {trains} trains {60 - trains} ships" for trains in range(10, 26)}
        assert set(game.legal.texts) == expected
        game.play(f"fleet {10 + 3 * n} trains")
    assert str(game.question) == "seat 1: turn"
    for n in range(seats):
        trains = 10 + 3 * n
        seat = game.view(None).seats[(1 + n) % seats]
        assert seat.pieces == {"train": trains, "ship": 60 - trains}
        assert seat.box == {"train": 25 - trains, "ship": trains - 10}


@pytest.mark.parametrize(
    "text", ["fleet 9 trains", "fleet 26 trains", "fleet 20 trains 41 ships", "fleet 61 trains", "fleet"]
)
def test_FLE_1_no_other_fleet_is_accepted(text):
    game = at_fleet()
    before = game.fingerprint
    with pytest.raises(bl.IllegalAction):
        game.play(text)
    assert game.fingerprint == before


def test_FLE_1_secret_until_all_have_chosen():
    game, other = at_fleet(3), at_fleet(3)
    events = game.play("fleet 11 trains")
    others = other.play("fleet 25 trains")
    for watcher in (1, 2, None):
        assert game.view(watcher) == other.view(watcher)
        assert game.redacted(watcher).tobytes() == other.redacted(watcher).tobytes()
        assert [e.for_seat(watcher) for e in events] == [e.for_seat(watcher) for e in others]
    assert game.view(0).fleet == 11 and game.view(1).fleet is None
    for twin in (game, other):
        twin.play("fleet 15 trains")
        twin.play("fleet 15 trains")
    assert game.view(1).seats[0].pieces == {"train": 11, "ship": 49}
    assert other.view(1).seats[0].pieces == {"train": 25, "ship": 35}


# ------------------------------------------------------------------------------------------------------- FLE-2


def test_FLE_2_a_whole_turn_goes_into_swapping():
    game = start("world", fleet=20)
    game.play("swap")
    assert str(game.question) == "seat 0: swap"
    expected = {f"swap {n} ship{'s' * (n > 1)} for trains" for n in range(1, 6)}
    expected |= {f"swap {n} train{'s' * (n > 1)} for ships" for n in range(1, 11)}
    assert set(game.legal.texts) == expected
    game.play("swap 2 ships for trains")  # the rulebook's picture
    seat = game.view(None).seats[0]
    assert seat.pieces == {"train": 22, "ship": 38} and seat.box == {"train": 3, "ship": 12}
    assert game.scores[0].total == -2
    assert str(game.question) == "seat 1: turn"


def test_FLE_2_as_often_as_one_likes_and_below_zero():
    game = start("world", fleet=20)
    for _ in range(3):
        game.play("swap")
        game.play("swap 5 ships for trains")
        game.play("swap")
        game.play("swap 1 train for ships")
        game.play("swap")
        game.play("swap 5 trains for ships")
        game.play("swap")
        game.play("swap 1 ship for trains")
    assert game.scores.totals == (-30, -6)
    assert [one.swaps for one in game.sheet().seats] == [-30, -6]
    assert game.view(None).seats[0].pieces == {"train": 20, "ship": 40}


def test_FLE_2_no_more_than_the_box_holds_and_the_stock_can_return():
    game = start("world", fleet=25)
    game.play("swap")
    assert all("for ships" in text for text in game.legal.texts)  # no trains are in the box
    game = start("world", fleet=20)
    leave_pieces(game, 0, 3, 1)
    game.play("swap")
    assert set(game.legal.texts) == {
        "swap 1 ship for trains",
        "swap 1 train for ships",
        "swap 2 trains for ships",
        "swap 3 trains for ships",
    }


def test_FLE_2_with_nothing_to_swap_the_action_is_not_there():
    game = start("world", fleet=25)
    leave_pieces(game, 0, 0, 30)
    assert "swap" not in game.legal
    with pytest.raises(bl.IllegalAction, match="nothing to swap"):
        game.play("swap")


def test_FLE_2_swapped_pieces_are_played_with():
    game = start("world", fleet=10)
    leave_pieces(game, 0, 0, 50)
    hand(game, 0, "1 wild")
    assert not {name for name in claims(game) if name == "Caracas–Lima white"}
    hand(game, 0, "2 white")
    assert "Caracas–Lima white" not in claims(game)
    game.play("swap")
    game.play("swap 2 ships for trains")
    own(game, 1, "Bangkok–Hong Kong black")
    game.play("blind train")
    game.play("blind train")
    assert "Caracas–Lima white" in claims(game)


def test_FLE_2_only_where_there_is_a_fleet():
    for edition in ("germany", "europe", "berlin"):
        assert "swap" not in start(edition).legal


def test_FLE_2_in_score_position():
    answer = bl.score_position({"edition": "world", "seats": [{"swapped": 7}, {}]})
    assert [one["swaps"] for one in answer["seats"]] == [-7, 0]
    assert [one["total"] for one in answer["seats"]] == [-19, -12]  # and three ports not built
