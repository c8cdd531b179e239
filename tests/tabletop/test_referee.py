"""May I …? The referee says what the game itself would: payments, tunnels, stations, ports, closed lines."""

from __future__ import annotations

import random
import time

import pytest

from branchline.boards import Board, load_board
from branchline.game import Game
from branchline.game.cards import read_cards
from branchline.rules import state as at
from branchline.tabletop.referee import MINE, MOST_WAYS, OTHERS, Inquiry, Verdict, judge
from table import COSTLY_EDITIONS


def asked(board: Board, action: int, cards: str, **more: object) -> Verdict:
    return judge(board, Inquiry(action, dict(read_cards(cards, board)) if cards else {}, **more))  # type: ignore[arg-type]


def texts(verdict: Verdict) -> list[str]:
    return [way.payment.text for way in verdict.ways]


def route(board: Board, name: str, colour: str | None = None) -> int:
    a, _, b = name.partition("–")
    return board.index.route(a, b, colour).index


EUROPE, WORLD = load_board("europe"), load_board("world")


@pytest.mark.parametrize("name", COSTLY_EDITIONS)
def test_it_allows_what_a_game_allows_with_the_same_hand(name: str) -> None:
    """Hands from a game in play, the board empty: as the first turn of a game in which that hand was dealt."""
    board = load_board(name)
    game = Game(board, seats=3, seed=11)
    luck = random.Random(11)
    compared = 0
    while not game.over and compared < 3:
        game.play(int(luck.choice(list(game.legal))))
        if game.over or game.question.kind != "turn" or len(game.actions) < 40:
            continue
        state = game._buffer
        seat = int(state["seat"][0])
        hand = {kind: int(count) for kind, count in enumerate(state["hand"][0][seat]) if count}
        pieces = tuple(int(state["pieces"][0][seat][kind]) for kind in range(len(board.pieces.names)))
        for line in board.routes:
            if state["route_owner"][0][line.index] != at.NOBODY or any(
                one.parallel == line.parallel and one is not line for one in board.routes
            ):
                continue
            action = game.legal.get(line.index)
            verdict = judge(board, Inquiry(line.index, hand, 3, pieces))
            assert (action is not None) == (not verdict.why) == bool(verdict.ways)
            if action is not None:
                assert texts(verdict) == [one.text for one in game.payments(action)][:MOST_WAYS]
        compared += 1
    assert compared == 3


def test_a_gray_route_says_what_each_colour_lacks() -> None:
    verdict = asked(EUROPE, route(EUROPE, "Barcelona–Marseille"), "3 red + 1 blue + 1 wild")
    assert texts(verdict) == ["3 red + 1 wild"]
    assert not verdict.whole and dict(verdict.missing)["blue"] == 2 and dict(verdict.missing)["green"] == 3
    assert asked(EUROPE, route(EUROPE, "Barcelona–Marseille"), "3 red + 1 wild").whole


def test_a_tunnels_cards_are_counted_for_each_payment() -> None:
    turned = tuple(kind for one in ("red", "wild", "blue") for kind in read_cards(one, EUROPE))
    verdict = asked(EUROPE, route(EUROPE, "Angora–Constantinople"), "3 red + 1 blue + 2 wild", turned=turned)
    found = {way.payment.text: (way.extra, [one.text for one in way.extras]) for way in verdict.ways}
    assert found["2 red"] == (2, ["1 red + 1 wild", "2 wild"])
    assert found["2 wild"] == (1, []), "the wilds are spent: the cards are taken back"
    assert found["1 red + 1 wild"] == (2, ["2 red", "1 red + 1 wild"])


def test_nothing_turned_and_nothing_matching_are_two_things() -> None:
    tunnel = route(EUROPE, "Angora–Constantinople")
    assert asked(EUROPE, tunnel, "2 red").ways[0].extra is None
    turned = tuple(read_cards("blue", EUROPE)) * 3
    assert asked(EUROPE, tunnel, "2 red", turned=turned).ways[0].extra == 0
    assert asked(EUROPE, route(EUROPE, "Barcelona–Marseille"), "4 red", turned=turned).ways[0].extra is None


def test_lines_are_closed_by_others_and_barred_by_oneself() -> None:
    line = route(EUROPE, "Berlin–Frankfurt", "red")
    assert "closed" in asked(EUROPE, line, "3 red", seats=3, parallel=OTHERS).why
    assert texts(asked(EUROPE, line, "3 red", seats=4, parallel=OTHERS)) == ["3 red"]
    assert "nobody may hold two" in asked(EUROPE, line, "3 red", seats=4, parallel=MINE).why


def test_pieces_ferries_and_stations() -> None:
    assert (
        "needs 3 trains, you have 2"
        in asked(EUROPE, route(EUROPE, "Berlin–Frankfurt", "red"), "3 red", pieces=(2,)).why
    )
    ferry = next(one for one in EUROPE.routes if one.wilds == 2)
    assert "at least 2 wilds" in asked(EUROPE, ferry.index, "6 red + 1 wild").why
    wien = at.STATION + EUROPE.index.place("Wien").index
    assert texts(asked(EUROPE, wien, "2 red", built=1)) == ["2 red"]
    third = asked(EUROPE, wien, "2 red", built=2)
    assert "costs 3 cards" in third.why and dict(third.missing)["red"] == 1
    done = asked(EUROPE, wien, "9 red", built=3)
    assert done.why == "all your stations are built" and not done.missing


def test_ports_and_ships() -> None:
    port = at.PORT + next(one for one in WORLD.places if one.port).index
    cards = "2 red port + 1 red ship + 1 wild"
    assert asked(WORLD, port, cards).whole
    assert "no route to" in asked(WORLD, port, cards, reached=False).why
    sea = next(one for one in WORLD.routes if one.kind == "sea" and one.length == 5 and one.colour != "gray")
    superfluous = asked(WORLD, sea.index, f"2 {sea.colour} double ship + 2 {sea.colour} ship")
    assert texts(superfluous) == [f"1 {sea.colour} ship + 2 {sea.colour} double ship"] and not superfluous.whole


def test_the_largest_hand_is_answered_at_once() -> None:
    """All cards of the box pay for difficult terrain in very many ways."""
    hardest = max(WORLD.routes, key=lambda one: one.pairs)
    hand = {kind: int(count) for kind, count in enumerate(WORLD.tables[0].copies) if count}
    began = time.perf_counter()
    verdict = judge(WORLD, Inquiry(hardest.index, hand))
    assert len(verdict.ways) == MOST_WAYS and verdict.more
    assert time.perf_counter() - began < 5
