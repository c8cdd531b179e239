"""Games that go on from the bytes of a state, whole or redacted."""

from __future__ import annotations

import random

import pytest

import branchline as bl
from branchline.boards import load_board
from branchline.bots import Position
from branchline.game import Game, SetupError
from branchline.rules.state import KEEP_TICKETS
from table import COSTLY_EDITIONS


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_a_game_goes_on_from_its_bytes(edition: str) -> None:
    game, luck = Game(load_board(edition), 3, seed=4), random.Random(4)
    while not game.over:
        again = Game.resume(game.board, game.state.tobytes(), seed=4, actions=game.actions)
        action = luck.choice(list(game.legal))
        assert again.play(action) == game.play(action)
        assert again.fingerprint == game.fingerprint and again.record() == game.record()


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_what_a_seat_may_do_follows_from_what_it_may_know(edition: str) -> None:
    game, luck = Game(load_board(edition), 3, seed=5), random.Random(5)
    while not game.over:
        asked = game.question.seat
        known = Game.resume(game.board, game.redacted(asked))
        assert list(known.legal.texts) == list(game.legal.texts)
        for seat in (0, 1, 2, None):
            seen = game.redacted(seat)
            assert Game.resume(game.board, seen).redacted(seat).tobytes() == seen.tobytes()
        game.play(luck.choice(list(game.legal)))


def test_why_not_is_said_for_any_seat_from_what_it_knows() -> None:
    game = Game(load_board("europe"), 2, seed=6)
    for seat in (0, 1):
        known = Game.resume(game.board, game.redacted(seat))
        assert known.why_not(0, seat)
    assert game.why_not(0) == game.why_not(0, game.question.seat)


@pytest.mark.parametrize("content", [b"", b"x", b"\0" * 100_000])
def test_bytes_of_another_size_are_refused(content: bytes) -> None:
    with pytest.raises(SetupError, match="bytes"):
        Game.resume(load_board("berlin"), content)


@pytest.mark.parametrize("edition", ["berlin", "europe", "germany", "world"])
def test_a_question_about_what_is_hidden_can_be_looked_at_not_answered(edition: str) -> None:
    game = bl.Game(bl.load_board(edition), 2, 1)
    while Position.of(game).question != KEEP_TICKETS:
        game.play(game.legal[0])
    asked = game.question.seat
    assert asked is not None and game.playable
    shown = bl.Game.resume(game.board, game.redacted(1 - asked))
    assert not shown.playable
    with pytest.raises(bl.IllegalAction, match="cannot be played on"):
        shown.play(shown.legal[0])
    with pytest.raises(bl.BranchlineError, match="cannot be played on"):
        Position.of(shown)
