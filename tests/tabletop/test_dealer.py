"""Dealing for a real board: nothing is lost, nothing is dealt that is not there, and one may take a step back."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import branchline as bl
from branchline.boards import builtin_boards, load_board
from branchline.game.cards import card_name
from branchline.game.events import events_from
from branchline.rules.state import STATE
from branchline.tabletop.dealer import Dealer, Gone, reveals


def everything(dealer: Dealer) -> tuple[Counter[str], Counter[int]]:
    """All cards by name and all tickets by number, wherever they are."""
    state = np.frombuffer(dealer.snapshot, STATE)[0]
    cards: Counter[str] = Counter()
    for deck in range(2):
        cards.update(card_name(int(kind)) for kind in state["deck"][deck][: state["deck_size"][deck]])
    cards.update(card_name(int(kind)) for kind in state["market"][: sum(dealer.board.cards.market)] if kind >= 0)
    for counts in (state["discards"], *state["hand"][: dealer.seats]):
        cards.update({card_name(kind): int(count) for kind, count in enumerate(counts) if count})
    tickets: Counter[int] = Counter()
    for deck, top in enumerate(state["ticket_top"]):
        ring = len(state["ticket_deck"][deck])
        places = ((int(top) + n) % ring for n in range(int(state["ticket_count"][deck])))
        tickets.update(int(state["ticket_deck"][deck][place]) for place in places)
    tickets.update(n for n, at in enumerate(state["ticket_at"][: len(dealer.board.tickets)]) if at != -1)
    return cards, tickets


def some_deed(dealer: Dealer, seat: int, luck: random.Random) -> str:
    """Something that a seat may do, or nothing."""
    view = dealer.view(seat)
    if view.offer:
        rules = dealer.board.ticket_rules.first if dealer.choosing else dealer.board.ticket_rules.later
        count = luck.randint(min(rules.keep, len(view.offer)), len(view.offer))
        return "keep " + " ".join(str(one.index) for one in luck.sample(view.offer, count))
    able = [*dealer.allowed(seat)]
    if not dealer.choosing:
        able.append("next")
        if view.hand:
            chosen = Counter(luck.choices(list(view.hand.elements()), k=luck.randint(1, 4))) & view.hand
            able += ["put " + " + ".join(f"{count} {name}" for name, count in chosen.items())] * 3
    deed = luck.choice(able) if able else ""
    return deed + luck.choice((" from train", " from ship")) if deed.startswith("take") and dealer.refills else deed


@pytest.mark.parametrize("name", builtin_boards())
@settings(max_examples=2, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**62 - 1), luck=st.randoms(use_true_random=False))
def test_no_card_and_no_ticket_is_lost_whatever_is_done(name: str, seed: int, luck: random.Random) -> None:
    board = load_board(name)
    dealer = Dealer(board, luck.randint(*board.seats), seed)
    box = everything(dealer)
    assert box[0].total() == board.cards.total and set(box[1]) == set(range(len(board.tickets)))
    assert set(box[1].values()) == {1}
    for _ in range(60):
        seat = luck.randrange(dealer.seats)
        deed = some_deed(dealer, seat, luck)
        if not deed:
            continue
        before = dealer.snapshot
        dealer.do(seat, deed)
        if luck.random() < 0.15:
            dealer.take_back(before)
        assert everything(dealer) == box
        dealer = Dealer.resume(board, dealer.snapshot)  # the store would refuse what cannot be


def ready(name: str, seats: int = 2, seed: int = 7) -> Dealer:
    """All have kept what they must, and no more."""
    dealer = Dealer(load_board(name), seats, seed)
    for seat in range(seats):
        if not dealer.view(seat).offer:
            dealer.do(seat, dealer.allowed(seat)[0])
    for seat in range(seats):
        offer = dealer.view(seat).offer[: dealer.board.ticket_rules.first.keep]
        dealer.do(seat, "keep " + " ".join(str(one.index) for one in offer))
    assert not dealer.choosing
    return dealer


@pytest.mark.parametrize("name", builtin_boards())
def test_it_begins_as_the_edition_says(name: str) -> None:
    board = load_board(name)
    dealer = Dealer(board, board.seats[1], 3)
    game = bl.Game(board, board.seats[1], 3)
    assert [dealer.view(seat).hand for seat in range(dealer.seats)] == [game.view(n).hand for n in range(game.seats)]
    assert dealer.view(None).market == game.view(None).market
    assert all(len(dealer.view(seat).offer) == sum(board.ticket_rules.first.deal) for seat in range(dealer.seats))


@pytest.mark.parametrize(
    "deed",
    [
        "",
        "take",
        "take 0 red",
        "take 9 red",
        "take 99 red",
        "keep 1",
        "keep 999",
        "put",
        "put nothing",
        "put 0 red",
        "put -1 red",
        "put 200 red",
        "put 13 red",
        "put 99999999999999999999 red",
        "put 1 gold",
        "draw ship",
        "tickets 9",
        "next next",
        "claim Paris–Dieppe",
        "put " + "1 red + " * 500 + "1 red",
        "\x00",
        "take １ red",
    ],
)
def test_what_is_no_deed_changes_nothing(deed: str) -> None:
    dealer = ready("europe")
    before = dealer.snapshot
    with pytest.raises(bl.IllegalAction):
        dealer.do(0, deed)
    assert dealer.snapshot == before


def test_a_card_that_somebody_else_has_taken_is_gone() -> None:
    dealer = ready("europe")
    card = dealer.view(0).market[0]
    dealer.do(0, f"take 1 {card}")
    other = next(name for name in dealer.board.cards.colours if name != dealer.view(0).market[0])
    with pytest.raises(Gone):
        dealer.do(1, f"take 1 {other}")


def test_nothing_is_drawn_before_all_have_chosen_and_too_few_tickets_are_refused() -> None:
    dealer = Dealer(load_board("europe"), 2, 7)
    assert dealer.allowed(0) == ()
    for deed in ("draw", "next", "turn", f"keep {dealer.view(0).offer[0].index}"):
        with pytest.raises(bl.IllegalAction):
            dealer.do(0, deed)


def test_the_taker_says_what_fills_the_market_up_where_there_are_two_decks() -> None:
    dealer = ready("world")
    sizes = dealer.view(0).deck_sizes
    slot, card = next((n, one) for n, one in enumerate(dealer.view(0).market, 1) if one and one != "wild")
    with pytest.raises(bl.IllegalAction):
        dealer.do(0, f"take {slot} {card}")
    dealer.do(0, f"take {slot} {card} from ship")
    after = dealer.view(0).deck_sizes
    assert after[0] == sizes[0] and after[1] < sizes[1]


def test_a_tunnel_turns_as_many_cards_as_the_edition_says_and_discards_them() -> None:
    dealer = ready("europe")
    facts = dealer.do(0, "turn")
    [event] = events_from(dealer.board, 0, facts)
    assert event.kind == "look" and len(event.cards) == dealer.board.tunnel_cards == len(dealer.turned)
    assert Counter(event.cards) == dealer.view(None).discards
    assert "turn" not in ready("berlin").allowed(0)


def test_what_was_put_away_can_be_taken_back_exactly_and_shows_nothing() -> None:
    dealer = ready("europe")
    before = dealer.snapshot
    card = next(iter(dealer.view(0).hand))
    assert not reveals(dealer.do(0, f"put 1 {card}"))
    assert reveals(dealer.do(0, "draw"))
    dealer.take_back(before)
    was = Dealer.resume(dealer.board, before)
    assert dealer.view(0).hand == was.view(0).hand and dealer.view(0).deck_sizes == was.view(0).deck_sizes
    assert everything(dealer) == everything(was)


def test_a_card_that_was_seen_and_put_back_does_not_lie_on_top_for_certain() -> None:
    drawn = set()
    for seed in range(12):
        dealer = ready("europe", seed=seed)
        before = dealer.snapshot
        [first] = events_from(dealer.board, 0, dealer.do(0, "draw"))
        dealer.take_back(before)
        [second] = events_from(dealer.board, 0, dealer.do(0, "draw"))
        drawn.add(first.secret == second.secret)
    assert drawn == {True, False}


def test_the_discards_are_shuffled_when_the_deck_is_empty_and_gaps_are_filled() -> None:
    dealer = ready("berlin")
    while "draw" in dealer.allowed(0):
        dealer.do(0, "draw")
    hand = dealer.view(0).hand
    name, count = hand.most_common(1)[0]
    facts = dealer.do(0, f"put {count} {name}")
    assert not reveals(facts) and "draw" in dealer.allowed(0)
    kinds = [event.kind for event in events_from(dealer.board, 0, dealer.do(0, "draw"))]
    assert kinds == ["reshuffle", "blind"]


@pytest.mark.parametrize("seat", [-1, 2, 10**9, True, 1.0, "0"])
def test_a_seat_that_is_not_there_is_refused(seat: object) -> None:
    dealer = ready("berlin")
    before = dealer.snapshot
    for look in (dealer.view, dealer.allowed, dealer.tickets):
        with pytest.raises(bl.SetupError, match="there is no seat"):
            look(seat)  # type: ignore[operator]
    with pytest.raises(bl.IllegalAction, match="there is no seat"):
        dealer.do(seat, "draw")  # type: ignore[arg-type]
    assert dealer.snapshot == before
