"""PAS: passengers from the bag to the board, from there to the players, and what they are worth."""

import random
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

import branchline as bl
import oracles
from branchline.boards import COLOURS
from table import altered, board, hand, new, own, route, start


def stand(game, wanted):
    """These passengers, and no others, stand at the places named; they change places with those elsewhere."""
    on, waiting = game.board, game._state.waiting
    named = {on.index.place(place).index: colours for place, colours in wanted.items()}
    elsewhere = [place.index for place in on.places if place.index not in named]
    for place, colours in named.items():
        for colour in on.passengers.colours:
            n = COLOURS.index(colour)
            for _ in range(abs(colours.get(colour, 0) - waiting[place, n])):
                step = 1 if colours.get(colour, 0) > waiting[place, n] else -1
                other = next(index for index in elsewhere if step < 0 or waiting[index, n] > 0)
                waiting[place, n] += step
                waiting[other, n] -= step
    game._legal = None


# ------------------------------------------------------------------------------------------------------- PAS-1


@pytest.mark.parametrize("places", [100, 30, 7])
def test_passengers_as_any_deal_can_bring_them_can_be_stacked_over_any_other(places):
    everywhere = board("germany").places
    few = tuple(replace(place, passengers=place.passengers * (place.index < places)) for place in everywhere)
    on = altered("germany", places=few)  # where fewer places have any, the bag keeps some
    for seed in range(5):
        wanted = new("germany", 2, seed=seed, on=on).view(None).passengers
        names = [f"{place.name} {colour}" for place, here in wanted.items() for colour in Counter(here).elements()]
        assert bl.Game(on, 2, seed + 1, decks={"passengers": names}).view(None).passengers == wanted


def test_more_passengers_than_the_bag_or_a_place_holds_cannot_be_stacked():
    place = next(place for place in board("germany").places if place.passengers == 1)
    with pytest.raises(bl.SetupError, match="so many cannot wait there"):
        bl.Game(board("germany"), 2, 0, decks={"passengers": [f"{place.name} red", f"{place.name} blue"]})
    everywhere = [f"{place.name} red" for place in board("germany").places if place.passengers]
    with pytest.raises(bl.SetupError, match="so many cannot wait there"):
        bl.Game(board("germany"), 2, 0, decks={"passengers": everywhere})


@pytest.mark.parametrize("seed", range(10))
def test_PAS_1_sixty_from_the_bag_onto_the_places_of_the_rulebook(seed):
    game = new("germany", 3, seed=seed)
    standing = game.view(None).passengers
    assert {place.name: sum(here.values()) for place, here in standing.items()} == {
        place.name: place.passengers for place in game.board.places
    }
    assert sum((Counter(here) for here in standing.values()), Counter()) == Counter(
        dict.fromkeys(("red", "black", "green", "yellow", "blue", "white"), 10)
    )


def test_PAS_1_another_draw_for_another_seed():
    boards = {str(new("germany", seed=seed).view(None).passengers) for seed in range(5)}
    assert len(boards) == 5


# ------------------------------------------------------------------------------------------------------- PAS-2


def claim_berlin_magdeburg():
    """The rulebook's picture: from Magdeburg the green passenger, from Berlin the red one."""
    game = start("germany")
    stand(game, {"Berlin": {"red": 2, "green": 1, "blue": 2}, "Magdeburg": {"green": 1}})
    hand(game, 0, "3 red")
    game.play("claim Berlin–Magdeburg")
    return game


def test_PAS_2_one_from_each_end_choosing_the_colour():
    game = claim_berlin_magdeburg()
    assert str(game.question) == "seat 0: passenger" and game.question.place.name == "Berlin"
    assert set(game.legal.texts) == {"passenger red", "passenger green", "passenger blue", "passenger none"}
    game.play("passenger red")
    assert game.question.place.name == "Magdeburg"
    assert set(game.legal.texts) == {"passenger green", "passenger none"}
    game.play("passenger green")
    assert str(game.question) == "seat 1: turn"
    assert game.view(1).seats[0].passengers == {"red": 1, "green": 1}  # open for all to see
    berlin = game.board.index.place("Berlin")
    assert game.view(1).passengers[berlin] == {"red": 1, "green": 1, "blue": 2}
    assert game.board.index.place("Magdeburg") not in game.view(1).passengers


def test_PAS_2_one_may_but_need_not():
    game = claim_berlin_magdeburg()
    game.play("passenger none")
    game.play("passenger none")
    assert game.view(None).seats[0].passengers == {}
    assert str(game.question) == "seat 1: turn"


def test_PAS_2_where_nobody_stands_nobody_is_taken_and_nothing_is_asked():
    game = claim_berlin_magdeburg()
    game.play("passenger red")
    game.play("passenger green")
    hand(game, 1, "2 yellow")
    game.play("claim Leipzig–Magdeburg")  # nobody is left in Magdeburg
    assert game.question.place.name == "Leipzig"
    game.play("passenger none")
    assert str(game.question) == "seat 0: turn"


def test_PAS_2_from_countries_too():
    game = start("germany")
    hand(game, 0, "2 white")
    game.play("claim Emden–Niederlande")
    asked = []
    while game.question.kind == "passenger":
        asked.append(game.question.place.name)
        game.play(game.legal[0])
    assert asked == ["Emden", "Niederlande"]
    assert sum(game.view(None).seats[0].passengers.values()) == 2


def test_PAS_2_only_on_boards_with_passengers():
    game = start("germany", on=altered("germany", passengers=None))
    hand(game, 0, "3 red")
    game.play("claim Berlin–Magdeburg")
    assert str(game.question) == "seat 1: turn"


# ------------------------------------------------------------------------------------------------------- PAS-3


def points(*taken, colour="red"):
    seats = [{"passengers": {colour: n} if n else {}} for n in taken]
    return [one["passengers"] for one in bl.score_position({"edition": "germany", "seats": seats})["seats"]]


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ((3, 2, 1), [20, 10, 0]),
        ((3, 3, 2), [20, 20, 0]),  # a tie for most leaves no second
        ((3, 2, 2), [20, 10, 10]),
        ((2, 2, 2), [20, 20, 20]),
        ((4, 0), [20, 0]),  # nobody scores with none
        ((0, 0), [0, 0]),
        ((1, 1, 0, 0, 0), [20, 20, 0, 0, 0]),
        ((4, 2, 2, 1, 1), [20, 10, 10, 0, 0]),
        ((3, 3, 1, 1, 1), [20, 20, 0, 0, 0]),
        ((1, 0, 0, 0, 0), [20, 0, 0, 0, 0]),
        ((2, 1, 1, 1, 1), [20, 10, 10, 10, 10]),
    ],
)
def test_PAS_3_most_twenty_second_ten(taken, expected):
    assert points(*taken) == expected


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_PAS_3_every_combination_as_the_oracle_says(seats):
    for taken in product(range(4), repeat=seats):
        if sum(taken) <= 10:
            assert points(*taken) == oracles.passenger_points(taken), taken


@pytest.mark.parametrize("seed", range(20))
def test_PAS_3_every_colour_counts_for_itself(seed):
    luck = random.Random(seed)
    colours = board("germany").passengers.colours
    seats = [{"passengers": {}} for _ in range(luck.randrange(2, 6))]
    for colour in colours:
        for _ in range(luck.randrange(11)):
            taken = luck.choice(seats)["passengers"]
            taken[colour] = taken.get(colour, 0) + 1
    expected = [0] * len(seats)
    for colour in colours:
        each = oracles.passenger_points([seat["passengers"].get(colour, 0) for seat in seats])
        expected = [a + b for a, b in zip(expected, each, strict=True)]
    answer = bl.score_position({"edition": "germany", "seats": seats})["seats"]
    assert [one["passengers"] for one in answer] == expected


def test_PAS_3_counts_in_the_game_itself_too():
    game = claim_berlin_magdeburg()
    game.play("passenger red")
    game.play("passenger none")
    sheet = game.sheet()
    assert [one.passengers for one in sheet.seats] == [20, 0]
    assert route(game.board, "Berlin–Magdeburg").length == 3
    own(game, 1, "Bremen–Emden")
    assert game.sheet()[1].passengers == 0  # passengers come with claiming, not with owning
