"""HIDE: who may know what. Nothing that is hidden from a seat may show in anything that seat is given."""

import random
from dataclasses import fields, replace

import numpy as np
import pytest

import branchline as bl
import table
from branchline.rules import kernel, knowledge, turn
from branchline.rules.playout import random_action
from branchline.rules.state import COLOUR, FOR_EXTRA, HIDDEN, NO_CARD, OVER, PASSENGER, SCRATCH, STATE, TUNNEL
from table import board, check_conserved, hand, held, market, own, start, top
from walks import at_state, random_walk


def redacted(on, buffer, seat):
    seen = kernel.new_buffer(STATE)
    knowledge.redact(kernel.record_in(on.tables), kernel.record_in(buffer), kernel.record_in(seen), seat)
    return seen


def imagined(on, seen, seat, seed):
    whole = seen.copy()
    knowledge.imagine(kernel.record_in(on.tables), kernel.record_in(whole), seat, seed)
    return whole


def moments(edition, seats, seed, count, on=None):
    """States of a random game: some at random, and one of every question that occurs."""
    path, _ = random_walk(on or board(edition), seats, seed)
    luck = random.Random(f"{edition} {seats} {seed}")
    chosen = set(luck.sample(range(len(path)), min(count, len(path)))) | {len(path) - 1}
    for question in np.unique(path["question"]):
        chosen.add(int(luck.choice(np.flatnonzero(path["question"] == question))))
    return [path[n : n + 1] for n in sorted(chosen)]


# ------------------------------------------------------------------------------------------ redact and imagine


@pytest.mark.parametrize(("edition", "seats"), table.COSTLY_SEATINGS)
def test_HIDE_what_is_imagined_looks_the_same_to_the_seat(edition, seats):
    on = board(edition)
    for buffer in moments(edition, seats, 1, 25):
        for seat in range(-1, seats):
            seen = redacted(on, buffer, seat)
            for seed in (1, 2):
                again = redacted(on, imagined(on, seen, seat, seed), seat)
                different = [name for name in STATE.names if seen[name].tobytes() != again[name].tobytes()]
                assert not different, (edition, seat, buffer["question"], different)


@pytest.mark.parametrize(("edition", "seats"), table.COSTLY_SEATINGS)
def test_HIDE_what_is_imagined_is_a_whole_and_conserved_position_that_can_be_played_on(edition, seats):
    on = board(edition)
    table_of, scratch = kernel.record_in(on.tables), kernel.record_in(kernel.new_buffer(SCRATCH))
    for buffer in moments(edition, seats, 2, 6):
        for seat in range(-1, seats):
            if buffer[0].question == OVER:
                continue  # all lies open
            whole = imagined(on, redacted(on, buffer, seat), seat, 3)
            check_conserved(on, whole)
            if seat != buffer[0].seat and COLOUR <= buffer[0].question < TUNNEL:
                continue  # another's payment of which only the turn is known
            state = kernel.record_in(whole)
            for _ in range(30):
                if whole[0].question == OVER:
                    break
                turn.legal(table_of, state, scratch)
                turn.apply(table_of, state, scratch, random_action(state, scratch))
            check_conserved(on, whole)


def tunnels_and_tickets_that_leave():
    """A board as no edition is: Germany with tunnels, where tickets not kept leave the game."""
    germany = board("germany")
    rules = germany.ticket_rules
    draws = {when: replace(getattr(rules, when), rejected="out") for when in ("first", "later")}
    routes = tuple(replace(one, kind="tunnel") for one in germany.routes)
    return replace(germany, routes=routes, tunnel_cards=3, ticket_rules=replace(rules, **draws))


@pytest.mark.long
def test_HIDE_where_backs_tell_the_decks_and_tickets_leave_the_game_what_is_imagined_can_be():
    on = tunnels_and_tickets_that_leave()
    nearly_empty = 0
    for seed in range(4):
        for buffer in moments("germany", 3, seed, 60, on):
            if buffer[0].question == OVER:
                continue  # all lies open
            nearly_empty += min(buffer[0].ticket_count) < 2
            for seat in range(-1, 3):
                seen = redacted(on, buffer, seat)
                for luck in range(3):
                    whole = imagined(on, seen, seat, luck)
                    check_conserved(on, whole)
                    assert not differences(seen, redacted(on, whole, seat))
    assert nearly_empty > 20


def test_HIDE_while_passengers_are_chosen_nobody_is_shown_a_tunnel_that_was_paid():
    on, luck, met = tunnels_and_tickets_that_leave(), random.Random(1), 0
    game = bl.Game(on, 2, 1)
    while not game.over:
        if game._state.question == PASSENGER:
            met += game._state.paying_for == FOR_EXTRA
            for watcher in (None, 1 - game.question.seat):
                assert game.view(watcher).question.kind == "passenger"
        build = [one for one in game.legal if one.text.startswith(("claim", "pay extra"))]
        game.play(luck.choice(build or game.legal))
    assert met


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_HIDE_different_imaginings_differ(edition):
    on = board(edition)
    for buffer in moments(edition, 3, 4, 5)[2:6]:
        if buffer[0].question != OVER:
            seen = redacted(on, buffer, 0)
            assert imagined(on, seen, 0, 1).tobytes() != imagined(on, seen, 0, 2).tobytes()


def test_HIDE_imagining_is_fair():
    """Each card that is nowhere in sight is as likely in another's hand as its number says."""
    game = start("berlin")
    market(game, ["red", "red", "red", "red", "blue"])
    hand(game, 0, "2 red + 1 wild")
    hand(game, 1, "2 green")
    on, seen = game.board, game.redacted(0)
    counts = np.zeros(len(game.state["hand"][0, 0]))
    for seed in range(4000):
        counts += imagined(on, seen, 0, seed)[0].hand[1]
    wild, green, red = (counts[table.card_kind(name, on)] for name in ("wild", "green", "red"))
    unseen = 44 - 8
    assert red == 0  # all six lie in sight
    assert abs(wild - 8000 * 7 / unseen) < 150 and abs(green - 8000 * 6 / unseen) < 150


def test_HIDE_another_seats_known_cards_are_imagined_where_they_are():
    game = start("europe")
    market(game, ["red", "red", "blue", "green", "black"])
    top(game, ["yellow", "yellow"])
    hand(game, 0, "")
    game.play("market 1")
    game.play("market 2")
    seen = game.redacted(1)
    for seed in range(50):
        assert imagined(game.board, seen, 1, seed)[0].hand[0, table.card_kind("red", game.board)] == 2


# -------------------------------------------------------------------------------- nothing hidden shows anywhere


@pytest.mark.parametrize(("edition", "seats"), table.COSTLY_SEATINGS)
def test_HIDE_views_and_texts_do_not_change_when_all_that_is_hidden_does(edition, seats):
    """Two tables that a seat cannot tell apart: the same view, and if it is its turn the same legal texts."""
    on = board(edition)
    for buffer in moments(edition, seats, 3, 6):
        for seat in range(-1, seats):
            seen = redacted(on, buffer, seat)
            tables = [at_state(on, buffer)]
            if not (seat != buffer[0].seat and COLOUR <= buffer[0].question < TUNNEL):
                tables += [at_state(on, imagined(on, seen, seat, seed)) for seed in (5, 6)]
            eyes = None if seat < 0 else seat
            views = [one.view(eyes) for one in tables]
            assert all(view == views[0] for view in views)
            if seat == buffer[0].seat:
                assert all(one.legal.texts == tables[0].legal.texts for one in tables)
                assert all(one.question == tables[0].question for one in tables)


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_HIDE_events_for_the_others_do_not_change_when_all_that_is_hidden_does(edition):
    """What a watcher is told of an action, in two games that differ only in what the watcher cannot know."""
    luck = random.Random(edition)
    compared = 0
    for buffer in moments(edition, 3, 6, 60):
        if buffer[0].question == OVER or COLOUR <= buffer[0].question < TUNNEL:
            continue
        actor = int(buffer[0].seat)
        watcher = (actor + 1) % 3
        seen = redacted(board(edition), buffer, watcher)
        games = [at_state(board(edition), imagined(board(edition), seen, watcher, seed)) for seed in (7, 8)]
        own_business = ("claim", "station", "port", "keep")  # how these go on depends on the hand, openly so
        common = [a for a in games[0].legal if int(a) in games[1].legal and not a.text.startswith(own_business)]
        if not common:
            continue
        action = int(luck.choice(common))
        told = [[event.for_seat(watcher) for event in game.play(action)] for game in games]
        drawn = [[e for e in events if e.kind not in ("market", "sweep", "tunnel", "reshuffle")] for events in told]
        if drawn[0] and all(event.seat == actor for event in drawn[0] + drawn[1]):
            assert [e.kind for e in drawn[0]] == [e.kind for e in drawn[1]]
            assert all(event.secret is None for event in drawn[0] + drawn[1])
            compared += 1
    assert compared >= 5


def test_HIDE_a_redacted_state_is_zero_but_for_what_is_named():
    """Every field of the record, filled with a mark, is either on the list of what is public or comes out empty."""
    game = start("germany", 3)
    buffer = game.state
    hidden = {"deck", "luck", "ticket_deck", "ticket_top"}
    seen = redacted(game.board, buffer, 1)
    for name in hidden:
        assert buffer[name].any() and not seen[name].any(), name
    assert not seen["hand"][0, 0].any() and not seen["hand"][0, 2].any()
    assert (seen["hand"][0, 1] == buffer["hand"][0, 1]).all()
    assert set(seen["ticket_at"][0][: len(game.board.tickets)]) == {HIDDEN, 1}


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_HIDE_a_spectator_sees_no_hand_no_ticket_and_no_deck(edition):
    for buffer in moments(edition, 3, 9, 8):
        view = at_state(board(edition), buffer).view(None)
        assert (view.hand, view.tickets, view.offer, view.fleet) == ({}, (), (), None)
        seen = redacted(board(edition), buffer, -1)
        assert (seen["hand"] == seen["seen"]).all() and not seen["deck"].any() and not seen["luck"].any()
        if buffer[0].question != OVER:
            assert (seen["ticket_at"][0][: len(board(edition).tickets)] == HIDDEN).all()


# ------------------------------------------------------------------------------------------------ what is public


def test_HIDE_public_is_what_lies_open():
    game = start("europe", 3)
    market(game, ["red", "blue", "green", "black", "white"])
    hand(game, 0, "3 red + 2 wild")
    hand(game, 1, "1 green")
    own(game, 0, "Brest–Paris")
    table.station(game, 1, "Wien")
    for watcher in (0, 1, 2, None):
        view = game.view(watcher)
        assert view.market == ("red", "blue", "green", "black", "white")
        assert [seat.cards for seat in view.seats] == [5, 1, 4]
        assert [seat.tickets for seat in view.seats] == [4, 4, 4]
        assert [one.name for one in view.seats[0].routes] == ["Brest–Paris"]
        assert [place.name for place in view.seats[1].stations] == ["Wien"]
        assert [seat.pieces["train"] for seat in view.seats] == [42, 45, 45]
        assert view.scores.totals == (4, 0, 0)
        assert view.ticket_decks == {"long": 0, "regular": 31}  # the other long ones are back in the box


def test_HIDE_cards_taken_from_the_market_are_remembered_until_they_may_be_spent():
    game = start("europe")
    market(game, ["red", "black", "green", "black", "white"])
    hand(game, 0, "3 black")
    hand(game, 1, "")
    top(game, ["blue", "yellow", "blue", "yellow"])
    game.play("market 1")
    game.play("blind")
    assert game.view(1).seats[0].known_cards == {"red": 1}
    table.rest(game)
    game.play("market 2")
    game.play("market 4")
    assert game.view(1).seats[0].known_cards == {"red": 1, "black": 2}
    table.rest(game)
    game.play("claim Roma–Venezia")  # with two black: all the known ones may be gone
    assert game.view(1).seats[0].known_cards == {"red": 1}


def test_HIDE_a_market_wild_is_known_and_a_blind_one_is_not():
    game = start("berlin")
    market(game, ["wild", "black", "green", "black", "red"])
    game.play("market 1")
    assert game.view(1).seats[0].known_cards == {"wild": 1}
    top(game, ["wild", "wild"])
    game.play("blind")
    game.play("blind")
    assert game.view(0).seats[1].known_cards == {}
    assert held(game, 1)["wild"] >= 2


def test_HIDE_blind_cards_and_tickets_are_told_to_their_owner_only():
    game = start("europe", 3)
    top(game, ["wild"])
    (event,) = game.play("blind")
    assert event.secret == ("wild",) and event.for_seat(0).text == "wild"
    assert event.for_seat(1).secret is None and event.for_seat(1).text == "a card"
    assert event.for_seat(None).secret is None
    game.play("blind")
    (event,) = (one for one in game.play("tickets") if one.kind == "tickets")
    assert len(event.for_seat(1).secret) == 3 and event.for_seat(2).text == "3 tickets"
    assert game.view(1).offer and not game.view(2).offer
    assert game.view(2).question.tickets == ()
    assert game.view(2).question.keep_at_least == 1


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_HIDE_reshuffled_and_put_back_tickets_are_nobodys_to_see(edition):
    game = start(edition)
    game.play("tickets")
    if edition == "germany":
        game.play("mix 2 short")
    refused = game.view(0).offer[1:]
    game.play(game.legal[0])
    seen = game.redacted(0)
    assert all(seen["ticket_at"][0, ticket.index] == HIDDEN for ticket in refused)


def test_HIDE_europe_tickets_put_out_of_the_game_are_known_to_that_seat_only():
    game = table.new("europe")
    out = game.view(0).offer[2:]
    game.play("keep " + ", ".join(ticket.name for ticket in game.view(0).offer[:2]))
    for ticket in out:
        assert game.redacted(0)["ticket_at"][0, ticket.index] not in (HIDDEN, 0)
        assert game.redacted(1)["ticket_at"][0, ticket.index] == HIDDEN


def test_HIDE_ruling_germanys_backs_tell_the_deck_of_a_held_ticket_elsewhere_they_do_not():
    game = start("germany")
    assert game.redacted(1)["tickets_held"][0, 0].tolist() == [2, 2]
    game = start("europe")
    assert game.state["tickets_held"][0, 0].tolist() == [1, 3]
    assert game.redacted(1)["tickets_held"][0, 0].tolist() == [4, 0]
    assert game.redacted(0)["tickets_held"][0, 0].tolist() == [1, 3]


def test_HIDE_ruling_a_payment_is_seen_when_it_is_laid_not_while_it_is_chosen():
    game = start("europe")
    hand(game, 0, "2 red + 2 blue + 2 wild")
    asked = game.view(1)
    game.play("claim Danzig–Warszawa")
    assert game.question.kind == "colour"
    for watcher in (1, None):
        assert game.view(watcher).question.kind == "turn"
        assert game.view(watcher).seats == asked.seats
        assert game.redacted(watcher)["target"][0] == -1
    assert game.view(0).question.route.name == "Danzig–Warszawa"
    game.play("pay red")
    assert game.view(1).question.kind == "turn"
    game.play("wilds 1")
    assert game.view(1).discards == {"red": 1, "wild": 1}


def differences(before, after):
    """The fields in which two redacted states differ."""
    return [name for name in STATE.names if before[name].tobytes() != after[name].tobytes()]


def random_payments(on, seats, seed):
    """Each payment of a random game that likes to build: the state it began from and those while it is chosen.

    What a tunnel asks more is a payment of its own, which begins from the open tunnel.
    """
    game, luck = bl.Game(on, seats, seed), random.Random(f"{on.id} {seats} {seed}")
    began, found = game.state, []
    while not game.over:
        if COLOUR <= game._state.question < TUNNEL:
            found.append((began, game.state))
        else:
            began = game.state
        build = [one for one in game.legal if one.text.startswith(("claim", "station", "port", "pay extra"))]
        game.play(luck.choice(build if build and luck.random() < 0.5 else game.legal))
    return found


def with_port_marks_and_tunnels():
    """A board as no edition is: every route of World is a tunnel, and cards have port marks."""
    world = board("world")
    routes = tuple(replace(one, kind="tunnel") if one.kind == "rail" and not one.pairs else one for one in world.routes)
    return replace(world, routes=routes, tunnel_cards=3)


@pytest.mark.parametrize(("edition", "seats"), [*table.COSTLY_SEATINGS, ("tunnels and port marks", 2)])
def test_HIDE_while_a_payment_is_chosen_the_others_see_what_they_saw_before_it_began(edition, seats):
    on = with_port_marks_and_tunnels() if edition not in table.EDITIONS else board(edition)
    kinds = set()
    for seed in (1, 2):
        for before, now in random_payments(on, seats, seed):
            kinds.add(int(now[0].question))
            for watcher in range(-1, seats):
                if watcher != now[0].seat:
                    assert not differences(redacted(on, before, watcher), redacted(on, now, watcher))
    assert kinds


def test_HIDE_the_last_tunnels_cards_lie_there_until_a_payment_is_laid():
    game = start("europe")
    market(game, ["red", "blue", "orange", "black", "white"])
    hand(game, 0, "2 green")
    hand(game, 1, "2 red + 2 blue + 2 wild")
    top(game, ["green", "red", "red"])
    game.play("claim Venezia–Zürich")
    game.play("withdraw")
    game._state.idle = 3  # as if others had had nothing to do
    lying = game.redacted(0)
    game.play("claim Danzig–Warszawa")
    game.play("pay red")
    assert game.question.kind == "wilds" and not differences(lying, game.redacted(0))
    events = game.play("wilds 1")
    assert [one.kind for one in events] == ["claim"]
    assert (game.redacted(0)["turned"] == NO_CARD).all() and game._state.idle == 0


def test_HIDE_a_tunnel_right_after_another_one_is_told_when_its_payment_is_laid():
    game = start("europe")
    market(game, ["red", "blue", "orange", "black", "white"])
    hand(game, 0, "2 green")
    hand(game, 1, "2 purple + 1 wild")
    top(game, ["green", "red", "red", "purple", "blue", "blue"])
    game.play("claim Venezia–Zürich")
    game.play("withdraw")
    assert table.happened(game.play("claim Marseille–Zürich")) == []
    told = ()
    while game.question.kind in ("colour", "wilds"):
        told = game.play(game.legal[0])
    assert told[0].kind == "tunnel"


def test_HIDE_ruling_while_a_tunnels_extra_is_being_chosen_the_others_see_the_tunnel_only():
    game = start("europe")
    market(game, ["red", "blue", "orange", "black", "white"])
    hand(game, 0, "4 green + 2 wild")
    top(game, ["green", "red", "red"])
    game.play("claim Venezia–Zürich with 2 green")
    at_tunnel = game.view(1)
    game.play("pay extra")
    assert game.question.kind == "wilds"
    assert game.view(1) == at_tunnel
    assert game.redacted(1)["laid"].sum() == 2


def test_HIDE_at_the_end_all_tickets_lie_open():
    path, _ = random_walk(board("europe"), 3, 1)
    seen = redacted(board("europe"), path[-1:], 0)
    assert (seen["ticket_at"] == path[-1:]["ticket_at"]).all()


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_HIDE_at_the_end_every_view_holds_the_full_sheet_the_winners_and_all_tickets(edition):
    path, _ = random_walk(board(edition), 3, 1)
    game = at_state(board(edition), path[-1:])
    for watcher in (None, 0, 2):
        view = game.view(watcher)
        assert view.scores == game.scores and view.scores.final and view.scores.winners
        for seat in view.seats:
            assert {one.ticket for one in view.scores[seat.seat].results} == set(seat.open_tickets)
            assert len(seat.open_tickets) == seat.tickets
    running = at_state(board(edition), path[-2:-1]).view(0)
    assert not running.scores.final and not any(seat.open_tickets for seat in running.seats)


def test_HIDE_a_view_counts_held_tickets_by_deck_where_the_backs_tell_it():
    assert [one.tickets_by_deck for one in start("germany").view(1).seats] == [{"short": 2, "long": 2}] * 2
    for watcher in (0, 1, None):
        assert start("europe").view(watcher).seats[0].tickets_by_deck == {}
    (deck,) = board("berlin").ticket_rules.decks
    assert start("berlin").view(None).seats[1].tickets_by_deck == {deck: 2}


def test_HIDE_the_sheet_does_not_count_tickets_that_are_still_on_offer():
    game = table.new("europe")
    assert game.sheet().totals == (12, 12)  # three stations each, and not a ticket kept
    assert all(not score.results for score in game.sheet().seats)
    game.play("keep all")
    kept = game.view(0).tickets
    assert {one.ticket for one in game.sheet()[0].results} == set(kept) and not game.sheet()[1].results
    assert len(game.view(1).offer) == 4  # looking has changed nothing


def test_HIDE_why_not_tells_only_what_the_seat_may_know():
    """The reason of a refusal is the same whatever the other seat holds."""
    reasons = set()
    for theirs in ("4 red", "2 blue + 2 wild"):
        game = start("europe")
        hand(game, 0, "1 green")
        hand(game, 1, theirs)
        with pytest.raises(bl.IllegalAction) as refusal:
            game.play("claim Brest–Paris")
        reasons.add(refusal.value.why)
    assert reasons == {"Brest–Paris costs 3 cards of black; your hand cannot pay that"}


def test_HIDE_a_view_has_no_field_that_is_not_looked_at_here():
    """A new field of the view is a new thing to hide: whoever adds one looks at this file."""
    known = "seat question hand tickets offer fleet market deck_sizes discards ticket_decks seats first_seat turns"
    known += " turns_to_go closed passengers scores"
    assert {field.name for field in fields(bl.View)} == set(known.split())
