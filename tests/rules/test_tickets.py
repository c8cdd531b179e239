"""TIC: drawing and keeping tickets, and when one is done."""

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

import branchline as bl
import oracles
import table
from branchline.game.actions import route_text
from table import board, new, start, take_tickets, ticket_deck

FIRST = {"europe": (4, 2), "berlin": (2, 1), "world": (5, 3)}  # drawn, to be kept
LATER = {"germany": (4, 1), "europe": (3, 1), "berlin": (2, 1), "world": (4, 1)}


def kept_counts(game):
    """How many tickets the answers to the question keep."""
    return {text.count(",") + 1 for text in game.legal.texts}


def all_kept(edition, seats, **how):
    """A game after the first choice of all seats; each keeps the last it may."""
    game = new(edition, seats, **how)
    while game.question.kind in ("mix", "keep_tickets"):
        game.play(game.legal[-1])
    return game


# ------------------------------------------------------------------------------------------------------- TIC-1


@pytest.mark.parametrize("edition", FIRST)
def test_TIC_1_first_tickets(edition):
    drawn, least = FIRST[edition]
    game = new(edition)
    assert str(game.question) == "seat 0: keep_tickets"
    assert len(game.question.tickets) == drawn and game.question.keep_at_least == least
    assert kept_counts(game) == set(range(least, drawn + 1))
    assert len(game.legal) == sum(1 for n in range(2**drawn) if n.bit_count() >= least)


def test_TIC_1_europe_one_long_and_three_regular():
    for seed in range(20):
        game = new("europe", 5, seed=seed)
        for seat in range(5):
            decks = [board("europe").ticket_rules.decks[ticket.deck] for ticket in game.view(seat).offer]
            assert sorted(decks) == ["long", "regular", "regular", "regular"]


@pytest.mark.parametrize("edition", LATER)
def test_TIC_1_later_tickets_one_at_least(edition):
    drawn, least = LATER[edition]
    game = start(edition)
    game.play("tickets")
    if edition == "germany":
        game.play("mix 3 short")
    assert len(game.question.tickets) == drawn and game.question.keep_at_least == least
    assert kept_counts(game) == set(range(1, drawn + 1))
    before = game.view(0).seats[0].tickets
    game.play(game.legal[0])
    assert game.view(1).seats[0].tickets == before + 1
    assert str(game.question) == "seat 1: turn"


def test_TIC_1_europe_later_tickets_are_regular():
    for seed in range(10):
        game = start("europe", seed=seed)
        game.play("tickets")
        assert {ticket.deck for ticket in game.question.tickets} == {1}


@pytest.mark.parametrize("edition", ["berlin", "world"])
def test_TIC_1_first_tickets_refused_go_under_the_deck(edition):
    game = new(edition)
    before = ticket_deck(game)
    refused = [ticket.name for ticket in game.question.tickets][-(2 if edition == "world" else 1) :]
    kept = [ticket.name for ticket in game.question.tickets if ticket.name not in refused]
    game.play("keep " + ", ".join(kept))
    assert ticket_deck(game) == before + refused


def test_TIC_1_europe_first_tickets_refused_leave_the_game_unseen():
    game = new("europe")
    offered = [ticket.name for ticket in game.question.tickets]
    before = ticket_deck(game, 0) + ticket_deck(game, 1)
    game.play("keep " + ", ".join(offered[:2]))
    assert ticket_deck(game, 0) + ticket_deck(game, 1) == before
    game.play("keep all")
    gone = set(offered[2:])
    take_tickets(game, 1, leave=0)
    everything = {t.name for seat in range(2) for t in game.view(seat).tickets}
    assert everything == {ticket.name for ticket in game.board.tickets} - gone
    assert game.view(1).seats[0].tickets == 2  # the number is public, which ones is not
    assert "tickets" not in game.legal


@pytest.mark.parametrize("edition", ["europe", "berlin", "world"])
def test_TIC_1_later_tickets_refused_go_under_the_deck(edition):
    game = start(edition)
    game.play("tickets")
    offered = [ticket.name for ticket in game.question.tickets]
    deck = 1 if edition == "europe" else 0
    before = ticket_deck(game, deck)
    game.play(f"keep {offered[0]}")
    assert ticket_deck(game, deck) == before + offered[1:]


def test_TIC_1_germany_later_tickets_refused_go_under_their_own_deck():
    game = start("germany")
    game.play("tickets")
    game.play("mix 2 short")
    offered = [ticket.name for ticket in game.question.tickets]
    before = [ticket_deck(game, deck) for deck in range(2)]
    game.play(f"keep {offered[0]}")
    assert ticket_deck(game, 0) == before[0] + offered[1:2]
    assert ticket_deck(game, 1) == before[1] + offered[2:]


@pytest.mark.parametrize("edition", LATER)
@pytest.mark.parametrize("left", [2, 1])
def test_TIC_1_fewer_in_the_deck_than_asked(edition, left):
    game = start(edition)
    take_tickets(game, 1, leave=left)
    if edition == "germany":
        table.tickets(game, 1, *[t.name for t in game.view(1).tickets], *ticket_deck(game, 1))  # short ones only
    before = game.view(0).seats[0].tickets
    game.play("tickets")
    if left == 1:  # a single one must be kept: nothing is asked
        assert str(game.question) == "seat 1: turn"
        assert game.view(0).seats[0].tickets == before + 1
    else:
        assert len(game.question.tickets) == left
        game.play("keep all")
        assert game.view(0).seats[0].tickets == before + 2


@pytest.mark.parametrize("edition", LATER)
def test_TIC_1_no_deck_no_action(edition):
    game = start(edition)
    take_tickets(game, 1, leave=0)
    assert "tickets" not in game.legal
    with pytest.raises(bl.IllegalAction, match="no tickets left"):
        game.play("tickets")


def test_TIC_1_a_ticket_kept_can_never_be_given_back():
    game = start("berlin")
    mine = set(game.view(0).tickets)
    game.play("tickets")
    assert not mine & set(game.question.tickets)
    game.play(game.legal[0])
    assert mine < set(game.view(0).tickets)


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_TIC_1_keeping_too_few_is_refused(edition):
    game = new(edition)
    if edition == "germany":
        game.play("mix 4 short")
        game.play("mix 4 short")
    least = game.question.keep_at_least
    names = [ticket.name for ticket in game.question.tickets]
    before = game.fingerprint
    with pytest.raises(bl.IllegalAction):
        game.play("keep " + ", ".join(names[: least - 1]) if least > 1 else "keep")
    assert game.fingerprint == before


# ------------------------------------------------------------------------------------------------------- TIC-2


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_TIC_2_germany_everybody_announces_and_draws_then_everybody_keeps(seats):
    game = new("germany", seats, first=1)
    order = [(1 + n) % seats for n in range(seats)]
    for n, seat in enumerate(order):
        assert str(game.question) == f"seat {seat}: mix"
        assert set(game.legal.texts) == {f"mix {count} short" for count in range(5)}
        game.play(f"mix {n % 5} short")
    for n, seat in enumerate(order):
        assert str(game.question) == f"seat {seat}: keep_tickets"
        decks = [ticket.deck for ticket in game.question.tickets]
        assert decks.count(0) == n % 5 and len(decks) == 4 and game.question.keep_at_least == 2
        assert game.view(None).seats[seat].announced_mix == n % 5  # announced is public
        game.play("keep all")
    assert game.question.kind == "turn"


def test_TIC_2_germany_returned_cards_go_back_only_after_all_have_drawn_and_both_decks_are_shuffled():
    game = new("germany", 2, tickets=[t.name for t in board("germany").tickets])
    game.play("mix 4 short")
    game.play("mix 4 short")
    first, second = (
        [board("germany").tickets[n].name for n in range(4)],
        [board("germany").tickets[n].name for n in range(4, 8)],
    )
    assert [t.name for t in game.question.tickets] == first
    game.play("keep " + ", ".join(first[:2]))
    assert [t.name for t in game.question.tickets] == second  # nobody draws what another gave back
    game.play("keep " + ", ".join(second[:2]))
    printed = [[t.name for t in board("germany").tickets if t.deck == deck] for deck in range(2)]
    for deck in range(2):
        now = ticket_deck(game, deck)
        assert sorted(now) == sorted(set(printed[deck]) - {*first[:2], *second[:2]})
        assert now != [name for name in printed[deck] if name in now]  # no longer in the stacked order


def test_TIC_2_germany_later_draws_announce_first_too():
    game = start("germany")
    game.play("tickets")
    assert str(game.question) == "seat 0: mix"
    game.play("mix 1 short")
    assert [ticket.deck for ticket in game.question.tickets] == [0, 1, 1, 1]
    assert game.view(1).seats[0].announced_mix == 1


@pytest.mark.parametrize(
    ("short", "long", "expected"),
    [(3, 9, {0, 1, 2, 3}), (9, 1, {3, 4}), (1, 2, None), (0, 3, None), (2, 3, {1, 2}), (2, 0, None)],
)
def test_TIC_2_never_more_from_a_deck_than_it_has(short, long, expected):
    game = start("germany")
    for deck, left in ((0, short), (1, long)):
        rest = ticket_deck(game, deck)[left:]
        table.tickets(game, 1, *[t.name for t in game.view(1).tickets], *rest)
    game.play("tickets")
    if expected is None:  # all that are left: nothing to announce
        assert game.question.kind == "keep_tickets"
        assert [ticket.deck for ticket in game.question.tickets] == [0] * short + [1] * long
    else:
        assert set(game.legal.texts) == {f"mix {count} short" for count in expected}


# ------------------------------------------------------------------------------------------------------- TIC-3


def score(edition, *seats):
    return bl.score_position({"edition": edition, "seats": list(seats)})["seats"]


def test_TIC_3_its_value_if_done_minus_its_value_if_not():
    anna, bert = score(
        "europe",
        {
            "routes": [["Paris", "Dieppe"], ["Paris", "Pamplona", "blue"], ["Madrid", "Pamplona", "white"]],
            "tickets": ["Madrid–Dieppe", "Kyïv–Sochi"],
        },
        {"tickets": ["Brest–Petrograd"]},
    )
    assert [one["points"] for one in anna["ticket_results"]] == [-8, 8]
    assert (anna["tickets"], anna["tickets_done"]) == (0, 1)
    assert (bert["tickets"], bert["tickets_done"]) == (-20, 0)


def test_TIC_3_by_ones_own_routes_only():
    anna, _ = score(
        "berlin",
        {"routes": [["Reichstag", "Brandenburger Tor", "black"]], "tickets": ["Reichstag–Gendarmenmarkt"]},
        {"routes": [["Brandenburger Tor", "Gendarmenmarkt", "red"]]},
    )
    assert anna["tickets"] == -3


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_TIC_3_secret_until_the_end_but_the_number_is_public(edition):
    game = start(edition, 3)
    for watcher in (1, 2, None):
        view = game.view(watcher)
        assert view.seats[0].tickets == len(game.view(0).tickets) > 0
        if watcher is None:
            assert view.tickets == ()
        else:
            assert not set(view.tickets) & set(game.view(0).tickets)


@pytest.mark.parametrize("edition", ["germany", "europe", "berlin"])
@pytest.mark.parametrize("seed", range(25))
def test_TIC_3_4_every_ticket_of_random_networks_as_the_oracle_says(edition, seed):
    on = board(edition)
    luck = random.Random(f"{edition} {seed}")
    owned = random_network(on, luck)
    held = luck.sample(on.tickets, min(20, len(on.tickets)))
    anna, _ = score(edition, as_seat(owned, held), {})
    for result, ticket in zip(anna["ticket_results"], sorted(held, key=lambda t: t.index), strict=True):
        assert result["ticket"] == ticket.name
        assert (result["points"], result["done"]) == oracles.ticket_points(ticket, owned)
    assert anna["tickets"] == sum(oracles.ticket_points(ticket, owned)[0] for ticket in held)


def random_network(on, luck):
    """Routes of one seat, within its pieces, one of each parallel set."""
    pieces = [*on.pieces.count, 0]
    fleet = on.pieces.fleet or 999
    owned = []
    for one in luck.sample(on.routes, len(on.routes)):
        kind = 1 if one.kind in ("sea", "subway") else 0
        if all(one.parallel != other.parallel for other in owned) and min(pieces[kind], fleet) >= one.length:
            pieces[kind] -= one.length
            fleet -= one.length
            owned.append(one)
    return owned


def as_seat(owned, held, **more):
    return {
        "routes": [[one.a.name, one.b.name, f"line {one.line + 1}"] for one in owned],
        "tickets": [[place.name for place in ticket.places] for ticket in held],
        **more,
    }


# ------------------------------------------------------------------------------------------------------- TIC-4


def germany(routes, *names):
    return score("germany", {"routes": routes, "tickets": list(names)}, {})[0]["ticket_results"]


def test_TIC_4_a_country_is_passed_through_by_nothing():
    """The rulebook's example: Freiburg and Saarbrücken both reach France and are not joined by it."""
    through = [["Freiburg", "Frankreich"], ["Saarbrücken", "Frankreich"]]
    (result,) = germany([*through, ["Saarbrücken", "Mannheim"], ["Freiburg", "Konstanz"]], "Mannheim–Würzburg")
    assert not result["done"]
    (result,) = germany(
        [*through, ["Emden", "Münster"], ["Dortmund", "Münster", 1], ["Karlsruhe", "Saarbrücken"]], "Emden–Freiburg"
    )
    assert not result["done"]
    joined = [["Dresden", "Leipzig"], ["Leipzig", "Erfurt"]]
    (result,) = germany(
        [
            ["Kiel", "Dänemark"],
            ["Bremerhaven", "Dänemark"],
            ["Hamburg", "Kiel", "black"],
            ["Emden", "Bremerhaven"],
            *joined,
        ],
        "Emden–Hamburg",
    )
    assert not result["done"]


def test_TIC_4_a_connection_may_end_in_a_country_by_any_of_its_entries():
    for entry in (
        [["Saarbrücken", "Frankreich"], ["Mainz", "Saarbrücken"]],
        [["Karlsruhe", "Frankreich"], ["Karlsruhe", "Mannheim"], ["Mainz", "Mannheim", 1]],
    ):
        rest = [
            ["Frankfurt", "Mainz", 1],
            ["Frankfurt", "Würzburg", 1],
            ["Nürnberg", "Würzburg", 1],
            ["München", "Nürnberg", "blue"],
        ]
        (result,) = germany([*entry, *rest], "Frankreich–München")
        assert result["done"] and result["points"] == 8


def test_TIC_4_from_country_to_country_too():
    north = [["Bremerhaven", "Dänemark"], ["Emden", "Bremerhaven"], ["Emden", "Niederlande"]]
    (result,) = germany(north, "Dänemark–Niederlande")
    assert result["done"]
    (result,) = germany(
        [["Kiel", "Dänemark"], ["Emden", "Bremerhaven"], ["Emden", "Niederlande"]], "Dänemark–Niederlande"
    )
    assert not result["done"]
    two_thirds = [["Kiel", "Dänemark"], ["Bremerhaven", "Dänemark"], ["Emden", "Niederlande"]]
    (result,) = germany(two_thirds, "Dänemark–Niederlande")
    assert not result["done"]


# ------------------------------------------------------------------------------------------------------- TIC-5


def world(routes, *names, **more):
    return score("world", {"routes": routes, "tickets": list(names), **more}, {})[0]


def test_TIC_5_the_map_is_round():
    answer = world([["Tokyo", "Vancouver"], ["Vancouver", "Winnipeg"], ["New York", "Winnipeg"]], "New York–Tokyo")
    assert answer["tickets"] == 15


def test_TIC_5_routes_over_the_edge_are_claimed_like_any_other():
    game = start("world")
    table.hand(game, 0, "6 wild")
    over = {route_text(one) for one in game.board.routes if one.wraps and one.length <= 6 and one.pairs <= 3}
    assert over and over <= table.claims(game)


def test_TIC_5_connections_pass_through_the_waypoint():
    through = [["Cape Town", "Southern Ocean waypoint", "red"], ["Perth", "Southern Ocean waypoint", "white"]]
    assert world([*through, ["Cape Town", "Rio de Janeiro", "black"]], "Rio de Janeiro–Perth")["tickets"] == 17


def test_TIC_5_the_waypoint_is_on_no_ticket_and_takes_no_port():
    on = board("world")
    (waypoint,) = [place for place in on.places if place.kind == "waypoint"]
    assert not waypoint.port
    assert not [ticket for ticket in on.tickets if waypoint in ticket.places]


# ------------------------------------------------------------------------------------------------------- TIC-6

TOUR = "Lagos–Luanda–Dar Es Salaam–Djibouti"  # 9 in order, 6 joined, −15


@pytest.mark.parametrize(
    ("routes", "points", "in_order"),
    [
        ([["Lagos", "Luanda", "purple"], ["Dar Es Salaam", "Luanda"], ["Dar Es Salaam", "Djibouti", "red"]], 9, True),
        # Cape Town between Luanda and Dar Es Salaam: other places may lie between
        (
            [
                ["Lagos", "Luanda", "purple"],
                ["Cape Town", "Luanda"],
                ["Cape Town", "Dar Es Salaam", "green"],
                ["Dar Es Salaam", "Djibouti", "red"],
            ],
            9,
            True,
        ),
        # Lagos and Luanda hang on a branch: joined, but no trail in order
        (
            [
                ["Casablanca", "Lagos"],
                ["Al-Qahira", "Casablanca"],
                ["Al-Qahira", "Djibouti", "red"],
                ["Dar Es Salaam", "Djibouti", "red"],
                ["Dar Es Salaam", "Luanda"],
            ],
            6,
            False,
        ),
        ([["Lagos", "Luanda", "purple"], ["Dar Es Salaam", "Luanda"]], -15, False),
        ([], -15, False),
    ],
)
def test_TIC_6_in_order_joined_or_neither(routes, points, in_order):
    answer = world(routes, tours=[TOUR])
    assert answer["tours"] == points
    assert answer["ticket_results"][0]["in_order"] == in_order
    assert answer["tickets_done"] == (points > 0)


def test_TIC_6_ruling_a_city_may_be_passed_before_its_turn_and_no_route_used_twice():
    tour = "Anchorage–Vancouver–Winnipeg–Cambridge Bay"
    there = [["Anchorage", "Vancouver"], ["Vancouver", "Winnipeg"]]
    assert world([*there, ["Cambridge Bay", "Winnipeg"]], tours=[tour])["tours"] == 18
    # a star round Winnipeg without Anchorage–Vancouver: to reach Winnipeg the route to Cambridge Bay is used up
    star = [["Anchorage", "Cambridge Bay"], ["Vancouver", "Winnipeg"], ["Cambridge Bay", "Winnipeg"]]
    assert world(star, tours=[tour])["tours"] == 12
    # with a way back over New York, Reykjavik to Cambridge Bay it is one trail through Cambridge Bay twice
    back = [["New York", "Winnipeg"], ["New York", "Reykjavik"], ["Cambridge Bay", "Reykjavik"]]
    loop = [["Los Angeles", "Vancouver", "red"], ["Los Angeles", "Winnipeg"]]
    assert world([*star, *back], tours=[tour])["tours"] == 12  # Vancouver is a dead end
    assert world([*star, *back, *loop], tours=[tour])["tours"] == 18


def test_TIC_4_TIC_6_the_trail_of_a_tour_never_passes_through_a_country():
    """No board has both: here Casablanca is a country, and the only way in order leads through it."""
    on = board("world")
    places = tuple(replace(one, kind="country") if one.name == "Casablanca" else one for one in on.places)
    cities = tuple(on.index.place(name) for name in ("Al-Qahira", "Marseille", "Athina"))
    routes = [
        ["Al-Qahira", "Casablanca"],
        ["Casablanca", "Marseille"],
        ["Al-Qahira", "Athina"],
        ["Athina", "Marseille"],
    ]
    for some, points in ((on.places, 30), (places, 20)):
        invented = table.altered("world", places=some, tickets=(bl.Ticket(0, 0, cities, 30, 20, 10),))
        seat = {"routes": routes, "tickets": [[city.name for city in cities]]}
        answer = bl.score_position({"edition": "world", "seats": [seat, {}]}, invented)["seats"][0]
        assert answer["tours"] == points


def random_tour_network(seed):
    """Routes that join the cities of one tour in printed or any other order, and a few more; and that tour."""
    on = board("world")
    luck = random.Random(seed)
    tour = luck.choice([ticket for ticket in on.tickets if ticket.tour])
    stops = list(tour.places) if seed % 3 == 0 else luck.sample(tour.places, len(tour.places))
    chosen = []
    for here, there in pairwise(stops):
        chosen += [
            one for one in short_way(on, luck, here, there, avoid=chosen if seed % 2 else ()) if one not in chosen
        ]
    near = {end for one in chosen for end in (one.a, one.b)}
    chosen += [one for one in luck.sample(on.routes, 12) if one.a in near or one.b in near][: seed % 4]
    sets = {one.parallel: one for one in chosen}
    chosen = list(sets.values())[:15]
    if seed % 5 == 0:
        chosen.remove(luck.choice(chosen))
    return chosen, tour


@pytest.mark.parametrize(
    ("tour", "through", "printed"),
    [
        # back from Marseille to Al-Qahira only by the place in question, which is no stop
        (("Al-Qahira", "Marseille", "Djibouti"), 30, 20),
        # the place in question stands in the middle of the tour
        (("Al-Qahira", "Casablanca", "Marseille"), 30, 20),
        # it is the tour's end, and may be
        (("Djibouti", "Marseille", "Casablanca"), 30, 30),
    ],
)
def test_TIC_5_a_tour_in_order_may_end_in_a_country_but_not_run_through_one(tour, through, printed):
    on = board("world")
    owned = [
        on.index.routes(a, b)[0] for a, b in pairwise(("Athina", "Marseille", "Casablanca", "Al-Qahira", "Athina"))
    ] + [on.index.routes("Al-Qahira", "Djibouti")[0]]
    ticket = bl.Ticket(0, 0, tuple(map(on.index.place, tour)), 30, 20, 10)
    for kind, points in (("city", through), ("country", printed)):
        places = tuple(replace(one, kind=kind) if one.name == "Casablanca" else one for one in on.places)
        own = table.altered("world", places=places, tickets=(ticket,), pieces=replace(on.pieces, count=(60, 60)))
        ends = [[own.places[one.index] for one in (route.a, route.b)] for route in on.routes]
        routes = tuple(replace(route, a=a, b=b) for route, (a, b) in zip(on.routes, ends, strict=True))
        own = replace(own, routes=routes, tickets=(replace(ticket, places=tuple(map(own.index.place, tour))),))
        seat = as_seat([own.routes[one.index] for one in owned], own.tickets)
        (result,) = bl.score_position({"edition": "world", "seats": [seat, {}]}, own)["seats"][0]["ticket_results"]
        assert (result["points"], result["in_order"]) == (points, points == 30), kind


def short_way(on, luck, start, goal, avoid):
    """The routes of a short way, at random among many, not using some routes if there is one without."""
    order = luck.sample(on.routes, len(on.routes))
    for usable in ([one for one in order if one not in avoid], order):
        ways, reached = [(start, ())], {start}
        for here, way in ways:
            for one in usable:
                if here in (one.a, one.b):
                    there = one.b if here == one.a else one.a
                    if there == goal:
                        return (*way, one)
                    if there not in reached:
                        reached.add(there)
                        ways.append((there, (*way, one)))
    raise AssertionError("the board is joined")


@pytest.mark.parametrize("part", range(5))
def test_TIC_6_tours_in_random_networks_as_the_oracle_says(part):
    for seed in range(30 * part, 30 * part + 30):
        chosen, tour = random_tour_network(seed)
        (answer, _) = score("world", as_seat(chosen, [tour]), {})
        (result,) = answer["ticket_results"]
        points, done = oracles.ticket_points(tour, chosen)
        assert (result["points"], result["done"]) == (points, done), seed
        assert result["in_order"] == (done and points == tour.value), seed


@pytest.mark.parametrize("seed", range(20))
def test_TIC_6_invented_tours_on_tangled_networks_as_the_oracle_says(seed):
    """Eight tours of four to six places each, on a clump of routes in which many ways lead from place to place."""
    on, luck = board("world"), random.Random(seed)
    chosen, near = [], {luck.choice([place for place in on.places if place.name in ("Tehran", "Beijing", "Hamburg")])}
    while len(chosen) < 13:
        inner = [one for one in on.routes if one.a in near and one.b in near and one.length < 5]
        outer = [one for one in on.routes if (one.a in near) != (one.b in near) and one.length < 5]
        inner, outer = (
            [one for one in some if all(one.parallel != other.parallel for other in chosen)] for some in (inner, outer)
        )
        one = luck.choice(inner or outer)
        chosen.append(one)
        near |= {one.a, one.b}
    places = sorted(near, key=lambda place: place.index)
    sizes = [luck.randrange(4, 7) for _ in range(8)]
    stops = [tuple(luck.sample(places, min(size, len(places)))) for size in sizes]
    tours = tuple(bl.Ticket(n, 0, cities, 30, 20, 10) for n, cities in enumerate(stops))
    invented = table.altered("world", tickets=tours, pieces=replace(on.pieces, count=(60, 60)))
    seat = as_seat(chosen, tours)
    answer = bl.score_position({"edition": "world", "seats": [seat, {}]}, invented)["seats"][0]
    for result, tour in zip(answer["ticket_results"], tours, strict=True):
        assert (result["points"], result["done"]) == oracles.ticket_points(tour, chosen), tour.name


def test_TIC_6_the_oracle_meets_all_three_results():
    """The random networks above are worth something: tours in order, joined only, and failed all occur."""
    met = Counter()
    for seed in range(150):
        chosen, tour = random_tour_network(seed)
        points, done = oracles.ticket_points(tour, chosen)
        met["in order" if points == tour.value else "joined" if done else "failed"] += 1
    assert min(met[result] for result in ("in order", "joined", "failed")) >= 8, met


# ------------------------------------------------------------------------------------------------------- TIC-7


def most_tickets(*done):
    """Seats that have done so many of two tickets each: their bonuses."""
    pairs = [
        ("Berlin–Leipzig", ["Berlin", "Leipzig"]),
        ("Hamburg–Rostock", None),
        ("Köln–Frankfurt", ["Frankfurt", "Köln", 1]),
    ]
    seats = []
    for n, count in enumerate(done):
        seats.append({"routes": [], "tickets": []})
        if count >= 1:
            name, one = [pairs[0], pairs[2], ("Berlin–Chemnitz", None)][n]
            if one:
                seats[n]["routes"].append(one)
            else:
                seats[n]["routes"] += [["Berlin", "Dresden"], ["Chemnitz", "Dresden"]]
            seats[n]["tickets"].append(name)
        if count >= 2:
            seats[n]["tickets"].append(["Emden–Hamburg", "Bremen–Kassel", "Hannover–Frankfurt"][n])
            seats[n]["routes"] += [
                [["Bremen", "Emden"], ["Bremen", "Hamburg"]],
                [["Bremen", "Hannover"], ["Hannover", "Kassel", 1]],
                [["Hannover", "Kassel", 2], ["Frankfurt", "Kassel", "blue"]],
            ][n]
    answers = score("germany", *seats)
    assert [one["tickets_done"] for one in answers] == list(done)
    return [one["globetrotter"] for one in answers]


@pytest.mark.parametrize(
    ("done", "bonus"),
    [
        ((2, 1, 0), [15, 0, 0]),
        ((1, 2, 2), [0, 15, 15]),
        ((1, 1, 1), [15, 15, 15]),
        ((0, 0, 1), [0, 0, 15]),
        ((0, 0), [0, 0]),
    ],
)
def test_TIC_7_most_tickets_fifteen_for_all_who_tie_one_at_least(done, bonus):
    assert most_tickets(*done) == bonus


def test_TIC_7_tickets_not_done_do_not_matter():
    answers = score(
        "germany",
        {"routes": [["Berlin", "Leipzig"]], "tickets": ["Berlin–Leipzig"]},
        {"tickets": ["Hamburg–Rostock", "Köln–Frankfurt"]},
    )
    assert [one["globetrotter"] for one in answers] == [15, 0]


@pytest.mark.parametrize("edition", ["europe", "berlin", "world"])
def test_TIC_7_only_germany_has_it(edition):
    ticket = {
        "europe": ("Dieppe", "Paris", "Edinburgh–Paris"),
        "berlin": ("Brandenburger Tor", "Reichstag", "Reichstag–Gendarmenmarkt"),
    }
    a, b, name = ticket.get(edition, ("Bangkok", "Hong Kong", "Hong Kong–Jakarta"))
    answers = score(edition, {"routes": [[a, b, 1]], "tickets": [name]}, {})
    assert [one["globetrotter"] for one in answers] == [0, 0]
