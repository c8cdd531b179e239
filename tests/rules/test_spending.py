"""Which cards a price could be paid with: the same as going through all payments."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import branchline as bl
import table
from branchline.game.actions import route_text
from branchline.game.cards import card_name
from branchline.rules.state import PORT, STATION, TAKE
from table import EDITIONS, board, hand, start


def _from_all_payments(game: bl.Game) -> dict[int, tuple[str, ...]]:
    found = {}
    for action in (number for number in game.legal.numbers if number < TAKE):
        kinds = sorted({kind for way in game.payments(action) for kind, _ in way.cards})
        found[action] = tuple(card_name(kind) for kind in kinds)
    return found


def _dealt(luck: random.Random, on: bl.Board, count: int) -> str:
    """So many cards by chance, more of some kinds than of others."""
    kinds = [kind for kind, copies in enumerate(on.tables[0].copies) if copies]
    liked = luck.sample(kinds, min(len(kinds), luck.randint(2, 7)))
    cards = [card_name(luck.choice(liked)) for _ in range(count)]
    most = {card_name(kind): int(on.tables[0].copies[kind]) for kind in kinds}
    named = {name: min(cards.count(name), most[name] - 2) for name in cards}
    return " + ".join(f"{many} {name}" for name, many in named.items() if many > 0) or "1 wild"


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_claim_knows_each_card_that_one_of_its_payments_spends(edition: str) -> None:
    luck, seen = random.Random(3), 0
    game = start(edition)
    for count in (2, 4, 6, 8, 11):
        hand(game, 0, _dealt(luck, board(edition), count))
        game = bl.Game.resume(game.board, game.state)
        before = game.fingerprint
        assert game.cards_for() == _from_all_payments(game)
        assert game.fingerprint == before, "asking changes nothing"
        seen += len(game.cards_for())
    assert seen > 40


def test_pairs_are_found_in_whatever_order_they_are_laid() -> None:
    game = start("world")
    for cards in (
        "2 red + 2 green",
        "1 red + 2 green + 1 wild",
        "1 white + 1 red + 3 wild",
        "2 red port + 1 red + 2 wild",
    ):
        hand(game, 0, cards)
        game = bl.Game.resume(game.board, game.state)
        asked = {n: found for n, found in game.cards_for().items() if n < STATION and game.board.routes[n].pairs}
        assert asked
        everything = _from_all_payments(game)
        assert asked == {number: everything[number] for number in asked}


def test_spaces_and_pairs_on_one_route() -> None:
    """On no printed board."""
    mixed = tuple(
        replace(one, pairs=1, price=4) if route_text(one) == "Beijing–Novosibirsk red" else one
        for one in board("world").routes
    )
    game = start("world", on=table.altered("world", routes=mixed))
    for cards in ("2 red + 2 green + 1 wild", "3 red + 2 green + 2 wild + 1 white", "1 red + 3 wild", "4 wild"):
        hand(game, 0, cards)
        game = bl.Game.resume(game.board, game.state)
        assert game.cards_for() == _from_all_payments(game)


def test_a_port_takes_marked_trains_ships_and_wilds() -> None:
    game = start("world")
    hand(game, 0, "2 purple port + 1 wild + 3 purple ship + 2 purple double ship + 1 green double ship")
    for action in ("claim Al-Qahira–Athina with 1 green double ship", "blind train", "blind train"):
        game.play(action)
    while game.question.seat != 0 or game.question.kind != "turn":
        game.play(game.legal[0])
    ports = {number for number in game.cards_for() if PORT <= number < TAKE}
    assert ports
    assert game.cards_for() == _from_all_payments(game)
    assert {"purple port", "purple ship", "wild"} <= set(game.cards_for()[min(ports)])
