"""END: who starts, the last turns, passing, longest trails, ties and shared victories."""

import random
from collections import Counter
from itertools import pairwise

import pytest

import branchline as bl
import oracles
import table
from table import board, hand, hoard, leave_pieces, market, new, own, rest, start, take_tickets, top

# pieces left, extra turns
TRIGGER = {"germany": (2, 1), "europe": (2, 1), "berlin": (1, 1)} | dict.fromkeys(table.SAILING, (6, 2))

# ------------------------------------------------------------------------------------------------------- END-0


@pytest.mark.parametrize(("edition", "seats"), table.SEATINGS)
def test_END_0_the_first_seat_is_drawn_by_lot_or_as_the_set_up_says(edition, seats):
    drawn = Counter(bl.Game(board(edition), seats, seed).question.seat for seed in range(40 * seats))
    assert set(drawn) == set(range(seats)) and min(drawn.values()) > 15
    for first in range(seats):
        game = new(edition, seats, first=first)
        assert game.question.seat == first and game.view(None).first_seat == first


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_END_0_then_the_seats_follow_one_another(edition):
    game = start(edition, 3, first=2)
    order = []
    for _ in range(7):
        order.append(game.question.seat)
        rest(game)
    assert order == [2, 0, 1, 2, 0, 1, 2]


# ------------------------------------------------------------------------------------------------------- END-1


def last_turns(edition, seats, seat=0, pieces=None):
    """A game in which this seat, having few pieces, ends its turn; and who has turns from then on."""
    game = start(edition, seats)
    while game.question.seat != seat:
        rest(game)
    leave_pieces(game, seat, pieces if pieces is not None else TRIGGER[edition][0])
    rest(game)
    order = []
    while not game.over and len(order) < 3 * seats:
        order.append(game.question.seat)
        rest(game)
    return game, order


@pytest.mark.parametrize(("edition", "seats"), table.SEATINGS)
def test_END_1_everybody_has_the_extra_turns_the_triggers_owner_last(edition, seats):
    for seat in (0, seats - 1):
        game, order = last_turns(edition, seats, seat)
        round_ = [(seat + 1 + n) % seats for n in range(seats)]
        assert order == round_ * TRIGGER[edition][1]
        assert game.over and game.question.kind == "over" and game.question.seat is None
        assert game.scores.final and game.scores.winners


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_END_1_one_piece_more_does_not_trigger(edition):
    game, order = last_turns(edition, 2, pieces=TRIGGER[edition][0] + 1)
    assert not game.over and len(order) == 6


@pytest.mark.parametrize(
    ("edition", "first", "second"),
    [("berlin", 0, 1), ("berlin", 1, 0), ("world", 3, 3), ("world", 0, 6), ("world", 6, 0)],
)
def test_END_1_both_kinds_of_pieces_count_together(edition, first, second):
    game = start(edition)
    leave_pieces(game, 0, first + 1, second)
    rest(game)
    rest(game)
    assert game.view(0).turns_to_go is None
    leave_pieces(game, 0, first, second)
    rest(game)
    assert game.view(0).turns_to_go == 2 * TRIGGER[edition][1]


def test_END_1_the_trigger_is_looked_at_when_a_turn_ends_not_before():
    game = start("germany")
    leave_pieces(game, 0, 3)
    hand(game, 0, "1 white")
    game.play("claim Bremen–Bremerhaven")
    assert game.question.kind == "passenger" and game.view(0).turns_to_go is None  # the turn is not over
    events = []
    while game.question.kind == "passenger":
        events = game.play("passenger none")
    assert game.view(0).turns_to_go == 2 and game.question.last_turns
    assert "the last turns begin" in table.happened(events)


def test_END_1_a_second_seat_running_out_changes_nothing():
    game = start("europe", 3)
    leave_pieces(game, 0, 0)
    rest(game)
    leave_pieces(game, 1, 0)
    turns = 0
    while not game.over:
        rest(game)
        turns += 1
    assert turns == 3


def test_END_1_anything_may_be_done_in_the_last_turns_and_counts():
    game = start("europe", 2)
    leave_pieces(game, 0, 2)
    rest(game)
    hand(game, 1, "2 black")
    game.play("claim Roma–Venezia")
    hand(game, 0, "1 black")
    game.play("claim Amsterdam–Bruxelles")
    assert game.over
    assert [one.routes for one in game.scores.seats] == [1, 2]


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_END_1_when_it_is_over_nothing_more_can_be_done(edition):
    game, _ = last_turns(edition, 2)
    assert len(game.legal) == 0
    before = game.fingerprint
    for text in ("blind", "pass", "tickets"):
        with pytest.raises(bl.IllegalAction, match="over"):
            game.play(text)
    assert game.fingerprint == before


# ------------------------------------------------------------------------------------------------------- END-2


def nothing_possible(edition, seats=2):
    """A game in which nobody can do a thing: no cards, no tickets, no pieces to place them."""
    game = start(edition, seats, fleet=25)
    market(game, [None] * sum(game.board.cards.market))
    take_tickets(game, 0, leave=0)
    for seat in range(seats):
        leave_pieces(game, seat, 0, 0)
        if edition in table.SAILING:
            game._state.box[seat, 0] = game._state.box[seat, 1] = 0
    _throw_away_all_cards(game)
    return game


def _throw_away_all_cards(game):
    """The cards of all decks, discards and hands vanish from the table."""
    state = game._state
    for deck in range(2):
        state.deck_size[deck] = state.discard_size[deck] = 0
    for kind in range(table.KINDS):
        state.discards[kind] = 0
        for seat in range(state.seats):
            state.hand[seat, kind] = state.seen[seat, kind] = 0
    for seat in range(state.seats):
        state.hand_size[seat, 0] = state.hand_size[seat, 1] = 0
    game._legal = None


@pytest.mark.parametrize(("edition", "seats"), table.SEATINGS)
def test_END_2_when_every_seat_has_passed_in_a_row_the_game_ends_and_is_scored(edition, seats):
    game = nothing_possible(edition, seats)
    for n in range(seats):
        leave_pieces(game, n, 9, 0)  # not the end by pieces
    for n in range(seats):
        assert not game.over and game.question.seat == n
        assert game.legal.texts == ("pass",)
        assert table.happened(game.play("pass"))[0] == "passes"
    assert game.over and game.scores.final and game.scores.winners


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_END_2_passing_is_allowed_only_with_no_possible_action(edition):
    game = start(edition)
    assert "pass" not in game.legal
    with pytest.raises(bl.IllegalAction, match="passing is allowed only when"):
        game.play("pass")
    game = nothing_possible(edition)
    assert "pass" in game.legal
    hand(game, 0, "")
    table.tickets(game, 0)  # the tickets are back in their deck
    assert game.legal.texts == ("tickets",)


def test_END_2_one_possible_claim_or_station_or_swap_forbids_passing():
    game = nothing_possible("europe")
    game._state.hand[0, 0] = game._state.hand_size[0, 0] = 1
    game._legal = None
    assert all(text.startswith("station") for text in game.legal.texts)
    leave_pieces(game, 0, 1)
    assert "claim Dieppe–Paris" in game.legal and "pass" not in game.legal
    game = nothing_possible("world")
    leave_pieces(game, 0, 0, 7)
    game._state.box[0, 0] = 1
    game._legal = None
    assert game.legal.texts == ("swap",)


def test_END_2_a_turn_between_passes_starts_the_count_anew():
    game = nothing_possible("berlin", 3)
    for seat in range(3):
        leave_pieces(game, seat, 9, 0)
    game.play("pass")
    game.play("pass")
    game._state.hand[2, 0] = game._state.hand_size[2, 0] = 1
    game._legal = None
    game.play("claim Checkpoint Charlie–Jüdisches Museum")
    assert not game.over
    assert game.legal.texts == ("market 1",)  # the spent card is one to be had again
    game.play("market 1")
    for seat in (1, 2, 0):
        assert not game.over and game.question.seat == seat
        game.play(game.legal[0])  # seat 0 has a card to claim with, the others pass
    assert not game.over


def test_END_2_ruling_two_rounds_in_which_nobody_can_do_more_than_swap_end_the_game_too():
    game = nothing_possible("world")
    for seat in range(2):
        leave_pieces(game, seat, 10, 10)
        game._state.box[seat, 0] = game._state.box[seat, 1] = 10
    game._legal = None
    turns = 0
    while not game.over:
        assert game.legal.texts == ("swap",)
        game.play("swap")
        game.play("swap 1 train for ships")
        turns += 1
    assert turns == 4


def test_END_2_ruling_a_swap_by_choice_does_not_count_as_idle():
    game = start("world")
    for _ in range(10):
        game.play("swap")
        game.play("swap 1 train for ships")
    assert not game.over and game._state.idle == 0


def round_and_round(game, *actions):
    """The seats do the same in each of their turns, as long as the game goes on; the number of turns."""
    while not game.over:
        for action in actions:
            game.play(action)
    return game.turns


@pytest.mark.long
def test_END_2_ruling_withdrawing_from_tunnels_for_ever_ends_after_500_rounds():
    game = start("europe")
    market(game, ["red", "blue", "orange", "black", "white"])
    hand(game, 0, "")
    hand(game, 1, "2 green")
    top(game, ["green"] * 3)
    hoard(game, 0, leave=3)  # so these three are turned again and again
    assert round_and_round(game, "claim Venezia–Zürich with 2 green", "withdraw") == 1000
    assert game.scores.final and game.scores.winners and game._state.idle == 0


def test_END_2_ruling_swapping_by_choice_for_ever_ends_after_500_rounds_too():
    game = start("world", fleet=20)
    to_and_fro = [f"swap 1 {one}" for one in ("train for ships", "ship for trains") for _ in range(2)]
    assert round_and_round(game, *(step for swap in to_and_fro for step in ("swap", swap))) == 1000
    assert game.scores[0].swaps == -500


def test_END_2_passing_counts_as_a_turn_of_the_last_ones():
    game = nothing_possible("berlin")
    leave_pieces(game, 1, 9, 0)
    game.play("pass")  # seat 0 has no pieces left
    assert game.view(0).turns_to_go == 2
    game.play("pass")
    assert game.over  # all have passed in a row, before the last turns are through


# ------------------------------------------------------------------------------------------------------- END-3


def trail(*routes):
    answer = bl.score_position({"edition": "europe", "seats": [{"routes": list(routes)}, {}]})
    return answer["seats"][0]["longest_trail"]["length"]


def test_END_3_a_loop_with_a_tail_is_one_trail():
    loop = [["Bruxelles", "Paris", "red"], ["Dieppe", "Paris"], ["Bruxelles", "Dieppe"]]
    assert trail(*loop) == 2 + 1 + 2
    assert trail(*loop, ["Amsterdam", "Bruxelles"]) == 6
    assert (
        trail(*loop, ["Amsterdam", "Bruxelles"], ["Brest", "Paris"]) == 8
    )  # four odd ends: the shortest tail stays out


def test_END_3_a_fork_counts_its_two_longest_arms():
    arms = [["Brest", "Paris"], ["Marseille", "Paris"], ["Dieppe", "Paris"]]
    assert trail(*arms) == 7


def test_END_3_pieces_apart_do_not_add_up():
    assert trail(["Brest", "Paris"], ["Palermo", "Smyrna"]) == 6


def test_END_3_places_may_repeat_routes_may_not():
    eight = [["Bruxelles", "Paris", "red"], ["Dieppe", "Paris"], ["Bruxelles", "Dieppe"]]
    eight += [["Paris", "Zürich"], ["Marseille", "Zürich"], ["Marseille", "Paris"]]
    assert trail(*eight) == 5 + 9


@pytest.mark.parametrize(
    ("lengths", "bonus"), [((3, 2), [10, 0]), ((3, 3), [10, 10]), ((2, 3, 3), [0, 10, 10]), ((0, 0), [0, 0])]
)
def test_END_3_all_who_tie_for_the_longest_get_ten(lengths, bonus):
    threes = [["Brest", "Paris"], ["Athína", "Sofia"], ["Amsterdam", "Essen"]]
    twos = [["Roma", "Venezia"], ["Berlin", "Essen"], ["Danzig", "Warszawa"]]
    seats = [{"routes": {3: [threes[n]], 2: [twos[n]], 0: []}[length]} for n, length in enumerate(lengths)]
    answer = bl.score_position({"edition": "europe", "seats": seats})
    assert [one["longest_trail"]["bonus"] for one in answer["seats"]] == bonus


@pytest.mark.parametrize("edition", ["germany", "berlin", "world"])
def test_END_3_only_europe_has_it(edition):
    one = board(edition).routes[0]
    answer = bl.score_position({"edition": edition, "seats": [{"routes": [[one.a.name, one.b.name, 1]]}, {}]})
    assert answer["seats"][0]["longest_trail"]["bonus"] == 0


def clump(on, luck, size):
    """A joined random network of one seat, clumpy rather than stringy, within its trains."""
    chosen, near, trains = [], {luck.choice(on.places)}, 45
    for _ in range(size * 6):
        inner = [one for one in on.routes if one.a in near and one.b in near]
        outer = [one for one in on.routes if (one.a in near) != (one.b in near)]
        one = luck.choice(inner if inner and luck.random() < 0.6 else outer or inner)
        if all(one.parallel != other.parallel for other in chosen) and one.length <= trains and len(chosen) < size:
            chosen.append(one)
            trains -= one.length
            near |= {one.a, one.b}
    return chosen


@pytest.mark.parametrize("edition", table.COSTLY_EDITIONS)
@pytest.mark.parametrize("part", range(4))
def test_END_3_brute_force_agrees_on_random_networks_of_every_board(edition, part):
    """Forty networks a board; boards without the bonus and without the countries' dead ends get the bonus for this."""
    on = table.altered(edition, longest_trail=10)
    luck = random.Random(f"{edition} {part}")
    for _ in range(10):
        chosen = clump(on, luck, luck.randrange(3, 14))
        if edition != "berlin" and luck.random() < 0.2:  # sometimes in two pieces
            chosen = chosen[: len(chosen) // 2] + [
                one for one in clump(on, luck, 5) if all(one.parallel != other.parallel for other in chosen)
            ]
        chosen = within_pieces(on, chosen)
        seat = {"routes": [[one.a.name, one.b.name, f"line {one.line + 1}"] for one in chosen]}
        answer = bl.score_position({"edition": edition, "seats": [seat, {}]}, on)["seats"][0]
        assert answer["longest_trail"]["length"] == longest(chosen), seat


def longest(routes):
    """The oracle's answer; each entry of a country is an end of its own (TIC-4)."""
    from dataclasses import replace

    apart = []
    for n, one in enumerate(routes):
        a, b = (replace(end, index=1000 + n) if end.kind == "country" else end for end in (one.a, one.b))
        apart.append(replace(one, a=a, b=b))
    return oracles.longest_trail(apart)


def within_pieces(on, routes):
    left, kept = [*on.pieces.count, 0], []
    for one in routes:
        kind = 1 if one.kind in ("sea", "subway") else 0
        if left[kind] >= one.length:
            left[kind] -= one.length
            kept.append(one)
    return kept


# ------------------------------------------------------------------------------------------------------- END-4


def winners(edition, *seats, on=None):
    answer = bl.score_position({"edition": edition, "seats": list(seats)}, on)
    return answer["winner_seats"], [one["total"] for one in answer["seats"]]


def test_END_4_most_points_win():
    assert winners("berlin", {"route_points": 10}, {"route_points": 11})[0] == [1]


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_END_4_shared_victory(edition):
    assert winners(edition, {"route_points": 3}, {"route_points": 3}, {"route_points": 2})[0] == [0, 1]


def test_END_4_germany_ties_more_tickets_then_more_passengers_then_shared():
    done = {"routes": [["Berlin", "Leipzig"]], "tickets": ["Berlin–Leipzig"]}
    first, totals = winners("germany", done | {"route_points": 0}, {"route_points": 19})
    assert totals == [19, 19] and first == [0]
    one, two = {"passengers": {"red": 1, "blue": 1}}, {"passengers": {"red": 1, "blue": 1, "green": 0}}
    assert winners("germany", one, two)[0] == [0, 1]
    more, totals = winners(
        "germany", {"passengers": {"red": 2}, "route_points": 0}, {"passengers": {"red": 1}, "route_points": 10}
    )
    assert totals == [20, 20] and more == [0]


def test_END_4_europe_ties_more_tickets_then_fewer_stations_then_the_longest_trail_then_shared():
    done = {
        "routes": [["Dieppe", "Paris"], ["Edinburgh", "London", "black"], ["Dieppe", "London", 1]],
        "tickets": ["Edinburgh–Paris"],
    }
    # 7 for the ticket, 10 for the trail, 12 for stations
    first, totals = winners("europe", done | {"route_points": 0}, {"route_points": 17})
    assert totals == [29, 29] and first == [0]
    fewer, totals = winners("europe", {"route_points": 4, "stations": ["Roma"]}, {"route_points": 0})
    assert totals == [12, 12] and fewer == [1]
    longer, totals = winners(
        "europe",
        {"route_points": 0, "routes": [["Roma", "Venezia"]]},
        {"route_points": 10, "routes": [["Amsterdam", "Bruxelles"]]},
    )
    assert totals == [22, 22] and longer == [0]
    shared, totals = winners("europe", {"routes": [["Roma", "Venezia"]]}, {"routes": [["Berlin", "Essen"]]})
    assert totals == [24, 24] and shared == [0, 1]


def test_END_4_europe_tickets_come_before_stations():
    done = {
        "routes": [["Dieppe", "Paris"], ["Edinburgh", "London", "black"], ["Dieppe", "London", 1]],
        "tickets": ["Edinburgh–Paris"],
    }
    first, totals = winners("europe", done | {"route_points": 0, "stations": ["Roma", "Wien"]}, {"route_points": 9})
    assert totals == [21, 21] and first == [0]


@pytest.mark.parametrize("edition", ["berlin", "world"])
def test_END_4_berlin_and_by_ruling_world_ties_more_tickets_then_shared(edition):
    done = {
        "berlin": {
            "routes": [["Reichstag", "Brandenburger Tor", 1], ["Brandenburger Tor", "Gendarmenmarkt", "red"]],
            "tickets": ["Reichstag–Gendarmenmarkt"],
        },
        "world": {"routes": [["Hong Kong", "Manila"], ["Jakarta", "Manila"]], "tickets": ["Hong Kong–Jakarta"]},
    }[edition]
    value = {"berlin": 3, "world": 5}[edition]
    first, totals = winners(edition, done | {"route_points": 0}, {"route_points": value})
    assert totals[0] == totals[1] and first == [0]
    second, totals = winners(edition, {"route_points": value}, done | {"route_points": 0})
    assert totals[0] == totals[1] and second == [1]


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_END_4_three_level_seats_are_compared_pair_by_pair(edition):
    """Whoever is behind anyone is out; who is level with the best shares."""
    seats = [{"route_points": n} for n in (5, 5, 4)]
    assert winners(edition, *seats)[0] == [0, 1]
    assert winners(edition, *reversed(seats))[0] == [1, 2]


def test_END_4_the_game_itself_names_the_same_winners_as_score_position():
    game = start("europe", 3)
    own(game, 0, "Brest–Paris", "Dieppe–Paris")
    own(game, 2, "Berlin–Danzig")
    table.station(game, 2, "Roma")
    table.tickets(game, 0, "Paris–Wien")
    table.tickets(game, 1, "Rostov–Erzurum")
    table.tickets(game, 2, "Sofia–Smyrna")
    position = {
        "edition": "europe",
        "seats": [
            {"routes": [["Brest", "Paris"], ["Dieppe", "Paris"]], "tickets": ["Paris–Wien"]},
            {"tickets": ["Rostov–Erzurum"]},
            {"routes": [["Berlin", "Danzig"]], "stations": ["Roma"], "tickets": ["Sofia–Smyrna"]},
        ],
    }
    sheet, answer = game.sheet(), bl.score_position(position)
    assert list(sheet.totals) == [one["total"] for one in answer["seats"]]
    assert list(sheet.winners) == answer["winner_seats"]
    for one, other in pairwise([sheet, game.sheet()]):
        assert one == other  # asking twice changes nothing
    hoard(game, 0)
    assert game.sheet() == sheet  # cards in hand are worth nothing
