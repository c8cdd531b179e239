"""What a seat sees, as plain values: everything is called by its name."""

from __future__ import annotations

import pytest

import branchline as bl
import table
from branchline.boards.board import COLOURS
from branchline.envs.plain import PAID, in_words, own
from branchline.game.actions import route_text


@pytest.mark.parametrize("edition", ["germany", "europe"])
def test_a_payment_names_its_route_and_its_colour(edition: str) -> None:
    board = table.board(edition)
    game, seen = bl.Game(board, 2, seed=1), 0
    for n in range(400):
        if game.over or seen > 5:
            break
        assert game.question.seat is not None
        payment = own(game, game.question.seat)["payment"]
        if payment is not None:
            seen += 1
            assert payment["for"] in PAID.values()
            assert payment["target"] in {*map(route_text, board.routes), *(place.name for place in board.places)}
            assert payment["colour"] in (*COLOURS, "undecided", "wilds only")
            assert f"target {payment['target']}" in in_words(own(game, game.question.seat))
        numbers = game.legal.numbers
        game.play(numbers[0] if n % 3 else numbers[-1])
    assert seen > 3
