"""What happened is told exactly: the events of an action, laid on what was known before it, give what is known after.

`Table` is what lies open on a table and, for one seat, its own hand and tickets. It is kept by the events alone and
compared with the view after every action. What follows from no event, it takes from the plain statement of the
rules (`Table.go_on`): whose turn comes next, that a turn has ended, what is asked next. Two things are not compared:
what somebody has begun to do while nothing has happened yet (paying, swapping, announcing a mix), which the view
names as the question; and what is laid open when the game is over, which is the score sheet's.
"""

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from test_golden import lines_of, regenerate

import table
from branchline.game.cards import card_kind
from branchline.game.events import _TEXTS
from branchline.rules import cards
from table import board, hand, happened, hoard, market, new, start, top


def deck_of(card):
    """The second deck is that of the ships."""
    return int("ship" in card)


def seat_facts(one):
    return {
        "cards": list(one.cards_by_deck),
        "known": Counter(one.known_cards),
        "tickets": one.tickets,
        "offered": one.tickets_on_offer,
        "pieces": dict(one.pieces),
        "box": dict(one.box),
        "routes": {route.index for route in one.routes},
        "stations": {place.name for place in one.stations},
        "stations left": one.stations_left,
        "ports": {place.name for place in one.ports},
        "ports left": one.ports_left,
        "passengers": Counter(one.passengers),
        "mix": one.announced_mix,
    }


def facts(view):
    """What a view says, in plain tables that can be written on."""
    asked = view.question
    return {
        "market": list(view.market),
        "decks": list(view.deck_sizes),
        "discards": Counter(view.discards),
        "ticket decks": list(view.ticket_decks.values()),
        "seats": [seat_facts(one) for one in view.seats],
        "turns": view.turns,
        "turns to go": view.turns_to_go,
        "closed": {route.index for route in view.closed},
        "waiting": {place.name: Counter(standing) for place, standing in view.passengers.items()},
        "points": [one.routes for one in view.scores.seats],
        "swaps": [one.swaps for one in view.scores.seats],
        "hand": Counter(view.hand),
        "own tickets": Counter(ticket.name for ticket in view.tickets),
        "own offer": Counter(ticket.name for ticket in view.offer),
        "own fleet": view.fleet,
        "asked": (asked.seat, asked.kind, asked.route, asked.place, asked.turned, asked.extra),
    }


class Table:
    """What one pair of eyes knows: a seat's, or (None) everybody's."""

    def __init__(self, game, eyes):
        self.board, self.eyes = game.board, eyes
        self.known = facts(game.view(eyes))
        self.seats = len(self.known["seats"])
        self.first = game.view(eyes).first_seat
        first = self.board.ticket_rules.first
        self.offered = [list(first.deal or (0, 0)) for _ in range(self.seats)]  # by deck
        self.setting_up = True
        self.drawn = 0  # cards in this turn
        self.claimed, self.stop = None, 0  # the route at whose ends passengers are being chosen, and which end
        self.turning = 0  # cards still in the deck when a reshuffle is told of

    # ------------------------------------------------------------------------------------------------- the events

    def tell(self, event):
        """Lay one event on the table."""
        mine = event.seat == self.eyes
        assert mine or event.secret is None
        getattr(self, f"_{event.kind}")(event, self.known["seats"][event.seat], mine)

    def _take(self, event, seat, mine):
        (card,), (slot,) = event.cards, event.slots
        assert self.known["market"][slot] == card
        self.known["market"][slot] = None
        seat["cards"][deck_of(card)] += 1
        seat["known"][card] += 1
        self.known["hand"][card] += mine
        self.drawn += 2 if card == "wild" else 1

    def _blind(self, event, seat, mine):
        deck = int(event.word == "ship")
        self.known["decks"][deck] -= 1
        seat["cards"][deck] += 1
        if mine:
            (card,) = event.secret
            assert deck_of(card) == deck
            self.known["hand"][card] += 1
        self.drawn += 1

    def _market(self, event, seat, mine):
        for card, slot in zip(event.cards, event.slots, strict=True):
            assert self.known["market"][slot] is None
            self.known["market"][slot] = card
            self.known["decks"][deck_of(card)] -= 1
            assert self.known["decks"][deck_of(card)] >= 0

    def _sweep(self, event, seat, mine):
        for card, slot in zip(event.cards, event.slots, strict=True):
            assert self.known["market"][slot] == card
            self.known["market"][slot] = None
            self.known["discards"][card] += 1
        assert not any(self.known["market"]), "the whole market is thrown away"

    def _reshuffle(self, event, seat, mine):
        deck = int(event.word == "ship")
        gone = [card for card in self.known["discards"] if deck_of(card) == deck]
        assert self.known["decks"][deck] == self.turning, "only an empty deck is refilled (DRAW-5)"
        assert event.count == sum(self.known["discards"][card] for card in gone) > 0
        self.known["decks"][deck] += event.count
        for card in gone:
            del self.known["discards"][card]

    def _mix(self, event, seat, mine):
        seat["mix"] = event.count

    def _tickets(self, event, seat, mine):
        self.offered[event.seat] = list(event.by_deck or (event.count,))
        assert sum(self.offered[event.seat]) == event.count
        seat["offered"] += event.count
        for deck, count in enumerate(self.offered[event.seat]):
            self.known["ticket decks"][deck] -= count
        if mine:
            self.known["own offer"] += Counter(event.secret)

    def _keep(self, event, seat, mine):
        rules = self.board.ticket_rules
        if (rules.first if self.setting_up else rules.later).rejected != "out":
            kept = event.by_deck or (event.count,)
            assert sum(kept) == event.count
            for deck, count in enumerate(kept):
                self.known["ticket decks"][deck] += self.offered[event.seat][deck] - count
        seat["tickets"] += event.count
        seat["offered"] = 0
        if mine:
            assert not Counter(event.secret) - self.known["own offer"]
            self.known["own tickets"] += Counter(event.secret)
            self.known["own offer"] = Counter()

    def _claim(self, event, seat, mine):
        self._pay(event, seat, mine)
        route = event.route
        seat["routes"].add(route.index)
        second = route.kind in ("sea", "subway")
        seat["pieces"][self.board.pieces.names[second]] -= route.length
        self.known["points"][event.seat] += event.points
        if self.seats <= self.board.one_line_up_to and route.lines > 1:
            taken = set().union(*(one["routes"] for one in self.known["seats"]))
            set_of = {one.index for one in self.board.routes if one.parallel == route.parallel and one.lines > 1}
            self.known["closed"] |= set_of - taken
        self.claimed, self.stop = route, -1

    def _pay(self, event, seat, mine):
        for card, count in Counter(event.cards).items():
            self.known["discards"][card] += count
            seat["cards"][deck_of(card)] -= count
            seat["known"][card] = max(0, seat["known"][card] - count)
            self.known["hand"][card] -= count * mine

    def _tunnel(self, event, seat, mine):
        self.known["decks"][0] -= len(event.cards)
        self.known["discards"].update(event.cards)
        seat["known"] |= Counter(event.laid)  # the larger number of each
        assert event.count == sum(card in ("wild", *event.laid) for card in event.cards)  # TUN-2, TUN-3

    def _withdraw(self, event, seat, mine):
        assert not Counter(event.cards) - seat["known"]

    def _station(self, event, seat, mine):
        self._pay(event, seat, mine)
        seat["stations"].add(event.place.name)
        seat["stations left"] -= 1

    def _port(self, event, seat, mine):
        self._pay(event, seat, mine)
        seat["ports"].add(event.place.name)
        seat["ports left"] -= 1

    def _passenger(self, event, seat, mine):
        self.known["waiting"][event.place.name][event.word] -= 1
        seat["passengers"][event.word] += 1

    def _swap(self, event, seat, mine):
        names = self.board.pieces.names
        given = names[1 - names.index(event.word)]
        for name, count in ((event.word, event.count), (given, -event.count)):
            seat["pieces"][name] += count
            seat["box"][name] -= count
        self.known["swaps"][event.seat] -= self.board.pieces.swap_price * event.count

    def _fleet(self, event, seat, mine):
        if mine:
            self.known["own fleet"] = int(event.secret[0])

    def _fleet_revealed(self, event, seat, mine):
        rules = self.board.pieces
        for name, box, count in zip(rules.names, rules.count, (event.count, rules.fleet - event.count), strict=True):
            seat["pieces"][name] = count
            seat["box"][name] = box - count

    def _last_turns(self, event, seat, mine):
        assert event.count == self.board.ending.extra_turns

    def _over(self, event, seat, mine):
        pass

    def _pass(self, event, seat, mine):
        pass

    # ------------------------------------------------------------------------------- what follows from the rules

    def go_on(self, events):
        """What is asked next, and of whom. Of an action without events only a passenger declined moves the game on."""
        kinds = {event.kind for event in events}
        seat, kind, *_ = self.known["asked"]
        if self.setting_up:
            self._set_up(events)
        elif "tunnel" in kinds and not kinds & {"claim"}:
            (event,) = (event for event in events if event.kind == "tunnel")
            self.known["asked"] = (seat, "tunnel", event.route, None, event.cards, event.count)
        elif "claim" in kinds or kind == "passenger":
            self._next_stop(kinds, events)
        elif "tickets" in kinds and "keep" not in kinds:
            self._ask("keep_tickets")
        elif kinds & {"take", "blind", "market"}:
            self._after_card(events)
        elif kinds:  # withdraw, station, port, keep, swap, pass
            self._end_turn(kinds, events)

    def _ask(self, kind, seat=None, route=None, place=None):
        self.known["asked"] = (self.known["asked"][0] if seat is None else seat, kind, route, place, (), 0)

    def _set_up(self, events):
        """Everybody in turn announces (where there is a mix), keeps, chooses a fleet (where there is one)."""
        for event in events:
            if event.kind in ("mix", "keep", "fleet"):
                seat = (event.seat + 1) % self.seats
                asked = self.known["asked"][1]
                if seat == self.first:
                    after = {"mix": "keep_tickets", "keep_tickets": "fleet" if self.board.pieces.fleet else "turn"}
                    asked = after.get(asked, "turn")
                self._ask(asked, seat)
                self.setting_up = asked != "turn"

    def _next_stop(self, kinds, events):
        while self.stop < 1:
            self.stop += 1
            place = (self.claimed.a, self.claimed.b)[self.stop]
            if +self.known["waiting"].get(place.name, Counter()):
                return self._ask("passenger", route=self.claimed, place=place)
        return self._end_turn(kinds, events)

    def _after_card(self, events):
        """DRAW-1, DRAW-6: a second card, if one can be had; World: first the place is filled from a deck of choice."""
        discards = Counter(deck_of(card) for card in self.known["discards"].elements())
        left = [count + discards[deck] for deck, count in enumerate(self.known["decks"])]
        kinds = {event.kind for event in events}
        if "take" in kinds and "market" not in kinds and len(left) == 2 and all(left):
            return self._ask("refill")
        to_be_had = any(left) or any(card not in (None, "wild") for card in self.known["market"])
        if self.drawn < 2 and to_be_had:
            return self._ask("second_card")
        return self._end_turn(kinds, events)

    def _end_turn(self, kinds, events):
        """END-1: everybody has so many turns more after the last ones began."""
        known = self.known
        known["turns"] += 1
        self.drawn, self.claimed = 0, None
        if known["turns to go"]:
            known["turns to go"] -= 1
        elif "last_turns" in kinds:
            known["turns to go"] = self.board.ending.extra_turns * self.seats
        if "over" in kinds:
            known["asked"] = (None, "over", None, None, (), 0)
        else:
            assert known["turns to go"] != 0
            self._ask("turn", (known["asked"][0] + 1) % self.seats)

    # ---------------------------------------------------------------------------------------------- the comparison

    def check(self, game, events):
        """Lay the events on the table; then it must look as the view does."""
        for event, then in pairwise((*events, None)):
            # Of a tunnel's cards the last ones may come from the reshuffled deck; they are told of all together.
            self.turning = self.known["decks"][0] if then and then.kind == "tunnel" else 0
            self.tell(event.for_seat(self.eyes))
        self.go_on(events)
        told, seen = self.known, facts(game.view(self.eyes))
        if not events or self.eyes is not None:  # the question may name what somebody has begun
            assert told["asked"][0] == seen["asked"][0]
            told = told | {"asked": seen["asked"]}
        for name, now in seen.items():
            assert _plain(told[name]) == _plain(now), f"{name} after {game.actions[-1]}: {happened(events)}"


def _plain(value):
    """Without what there is none of."""
    if isinstance(value, Counter):
        return {name: count for name, count in value.items() if count}
    if isinstance(value, dict):
        return {name: plain for name, one in value.items() if (plain := _plain(one)) not in ({}, ())}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def follow(games, seats=()):
    """Follow a game, given after each action, with the eyes of everybody and of these seats; the kinds of events."""
    kinds = set()
    games = iter(games)
    game = next(games)
    tables = [Table(game, eyes) for eyes in (None, *seats)]
    for game in games:
        kinds |= {event.kind for event in game.events}
        for one in tables:
            one.check(game, game.events)
    return kinds


def at_random(game, luck):
    yield game
    while not game.over:
        game.play(luck.choice(game.legal))
        yield game


# -------------------------------------------------------------------------------------------------------- the law


@pytest.mark.parametrize(("edition", "seats"), table.COSTLY_SEATINGS)
def test_events_lead_from_one_view_to_the_next_in_random_games(edition, seats):
    luck = random.Random(f"{edition} {seats}")
    follow(at_random(new(edition, seats, seed=luck.randrange(1000), first=None), luck), [luck.randrange(seats)])


RARE = ("europe_tunnels_and_stations", "germany_all_passed", "world_ports_and_swaps", "world_nothing_but_swaps")


def from_file(name):
    """A golden game, after each action."""
    game = regenerate.opening(name)[1]
    yield game
    for line in lines_of(name)[1:]:
        if game.over:
            break
        game.play(line.split("|")[0].strip().partition(" ")[2])
        yield game


@pytest.mark.long
def test_events_lead_from_one_view_to_the_next_in_games_that_have_every_kind_of_event():
    """Sweeps in a row, gaps filled, passes, ports, stations, tunnels paid and given up, both decks reshuffled."""
    dealt = {"put", "look", "next"}  # where phones deal for a real board; see test_dealer.py
    assert set().union(*(follow(from_file(name)) for name in RARE)) == set(_TEXTS) - dealt


# ------------------------------------------------------------------------------------- where little is to be seen


@pytest.mark.parametrize(
    "new_market", [["wild", "wild", "red", "blue", "green"], ["wild", "wild", "red", "blue", "black"]]
)
def test_a_sweep_is_told_although_the_market_looks_as_before_or_differs_in_one_place(new_market):
    game = start("europe")
    market(game, ["wild", "wild", "red", "blue", "green"])
    top(game, ["wild", *new_market])
    events = game.play("market 3")
    assert list(game.view(None).market) == new_market
    assert [event.kind for event in events] == ["take", "market", "sweep", "market"]
    _, replaced, swept, anew = events
    assert (replaced.cards, replaced.slots) == (("wild",), (2,))
    assert (swept.cards, swept.slots) == (("wild", "wild", "wild", "blue", "green"), (0, 1, 2, 3, 4))
    assert (list(anew.cards), anew.slots) == (new_market, (0, 1, 2, 3, 4))


def test_every_one_of_several_sweeps_in_a_row_is_told():
    game = start("europe")
    market(game, ["wild", "wild", "red", "blue", "green"])
    top(game, ["wild", "wild", "wild", "wild", "black", "blue", "white", "white", "orange", "orange", "red"])
    events = game.play("market 3")
    assert [event.kind for event in events] == ["take", "market", "sweep", "market", "sweep", "market"]
    assert events[4].cards == events[3].cards == ("wild", "wild", "wild", "black", "blue")
    assert events[5].cards == ("white", "white", "orange", "orange", "red")


def test_the_reshuffle_of_a_single_card_is_told():
    game = start("europe")
    hoard(game, 1)
    cards.spend(game._state, 1, card_kind("blue", game.board), 1)
    reshuffle, blind, *_ = game.play("blind")
    assert (reshuffle.kind, reshuffle.count, blind.secret) == ("reshuffle", 1, ("blue",))


def test_both_decks_of_world_reshuffled_for_one_market_are_told_by_their_names():
    game = start("world")
    market(game, ["red", "green", "wild", "wild", "green ship", "red ship"])
    top(game, ["wild"])
    hoard(game, 1, deck=0, leave=1)
    hoard(game, 1, deck=1)
    for name in ("white", "black", "yellow", "white ship", "black ship", "yellow ship"):
        cards.spend(game._state, 1, card_kind(name, game.board), 3)
    game.play("market 1")
    events = game.play("refill train")
    assert [event.kind for event in events[:2]] == ["market", "sweep"]
    assert [event.text for event in events if event.kind == "reshuffle"] == [
        "discards shuffled (train)",
        "discards shuffled (ship)",
    ]


def test_a_tunnel_that_turns_no_card_is_told():
    game = start("europe")
    hand(game, 0, "2 green")
    hoard(game, 1)
    events = game.play("claim Zürich–Venezia")
    assert [event.kind for event in events[:2]] == ["tunnel", "claim"]
    assert events[0].text == "turned nothing" and events[0].laid == ("green", "green")


def test_tickets_drawn_without_asking_are_those_of_the_seat_that_draws_them():
    """With two long tickets in the box, only the first seat has a mix to choose."""
    germany = board("germany")
    long = [ticket for ticket in germany.tickets if ticket.deck == germany.ticket_rules.decks.index("long")]
    tickets = [ticket for ticket in germany.tickets if ticket not in long[2:]]
    tickets = tuple(replace(ticket, index=n) for n, ticket in enumerate(tickets))
    game = new("germany", 3, on=table.altered("germany", tickets=tickets))
    eyes = [Table(game, seat) for seat in (None, 0, 1, 2)]
    events = game.play("mix 2 short")
    assert [(event.kind, event.seat) for event in events] == [
        (kind, seat) for seat in range(3) for kind in ("mix", "tickets")
    ]
    for one in eyes:
        one.check(game, events)
