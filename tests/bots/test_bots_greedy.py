"""The greedy bot: better than chance, at home with every mechanism, honest."""

from __future__ import annotations

import pytest

from branchline.arena import simulate
from branchline.boards import load_board
from branchline.bots import Position, make_bot
from branchline.bots.simple.greedy import GreedyBot
from branchline.game import Game
from branchline.rules import kernel, knowledge
from branchline.rules import state as at
from table import EDITIONS, SEATINGS

KINDS = (
    ("CLAIM", at.CLAIM),
    ("STATION", at.STATION),
    ("PORT", at.PORT),
    ("TAKE", at.TAKE),
    ("BLIND", at.BLIND),
    ("REFILL_FROM", at.REFILL_FROM),
    ("DRAW_TICKETS", at.DRAW_TICKETS),
    ("SWAP_PIECES", at.SWAP_PIECES),
    ("PASS", at.PASS),
    ("PAY_EXTRA", at.PAY_EXTRA),
    ("WITHDRAW", at.WITHDRAW),
    ("MIX", at.MIX),
    ("PAY_COLOUR", at.PAY_COLOUR),
    ("PICK_PASSENGER", at.PICK_PASSENGER),
    ("WITH_WILDS", at.WITH_WILDS),
    ("WITH_DOUBLES", at.WITH_DOUBLES),
    ("WITH_MARKED", at.WITH_MARKED),
    ("WITH_PAIR", at.WITH_PAIR),
    ("KEEP", at.KEEP),
    ("TRAINS_IN_FLEET", at.TRAINS_IN_FLEET),
    ("SWAP_FOR", at.SWAP_FOR),
)

EVERYWHERE = {"CLAIM", "TAKE", "BLIND", "DRAW_TICKETS", "PAY_COLOUR", "WITH_WILDS", "KEEP"}
_AFLOAT = {"PORT", "REFILL_FROM", "SWAP_PIECES", "SWAP_FOR", "WITH_DOUBLES", "WITH_MARKED", "TRAINS_IN_FLEET"}
ALSO = {
    "germany": {"MIX", "PICK_PASSENGER"},
    "europe": {"STATION", "PAY_EXTRA", "WITHDRAW"},
    "berlin": set[str](),
    "world": _AFLOAT | {"WITH_PAIR"},
    "great_lakes": _AFLOAT,
}


def kind_of(action: int) -> str:
    return [name for name, first in KINDS if first <= action][-1]


def positions(edition: str, seats: int, seed: int, every: int = 1) -> list[Position]:
    """Questions put to greedy bots in one game."""
    game = Game(load_board(edition), seats, seed)
    bots = [make_bot("greedy", seat) for seat in range(seats)]
    found = []
    while not game.over:
        position = Position.of(game)
        if len(game.actions) % every == 0:
            found.append(position)
        game.play(bots[position.seat].choose(position))
    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_greedy_beats_random_nearly_always(edition: str) -> None:
    (first, second) = simulate(edition, ["greedy", "random"], 40, seed=1).standings
    assert (first.bot, second.bot) == ("greedy", "random")
    assert first.wins >= 34


@pytest.mark.parametrize(("edition", "seats"), SEATINGS)
def test_greedy_plays_by_the_rules_with_every_number_of_seats(edition: str, seats: int) -> None:
    results = simulate(edition, ["greedy"], 10, seed=2, seats=seats, audited=True)
    assert results.played == 10
    assert results.dried_up == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_greedy_chooses_the_same_whatever_is_hidden(edition: str) -> None:
    board = load_board(edition)
    table = kernel.record_in(board.tables)
    for position in positions(edition, 3, seed=5, every=9):
        chosen = GreedyBot(1).choose(position)
        for seed in (1, 2):
            buffer = kernel.new_buffer(at.STATE)
            knowledge.redact(table, position.state, kernel.record_in(buffer), position.seat)
            knowledge.imagine(table, kernel.record_in(buffer), position.seat, seed)
            seen = kernel.new_buffer(at.STATE)
            knowledge.redact(table, kernel.record_in(buffer), kernel.record_in(seen), position.seat)
            imagined = Position(board, kernel.record_in(seen), position.seat, position.legal)
            assert GreedyBot(1).choose(imagined) == chosen


def test_greedy_leaves_what_it_is_shown_as_it_was() -> None:
    game = Game(load_board("world"), 2, 3)
    bot = GreedyBot(1)
    for _ in range(60):
        seat = game.question.seat
        assert seat is not None
        seen = game.redacted(seat)
        shown = seen.tobytes()
        action = bot.choose(Position(game.board, kernel.record_in(seen), seat, tuple(int(one) for one in game.legal)))
        assert seen.tobytes() == shown
        game.play(action)


def test_greedy_remembers_nothing_that_makes_it_play_otherwise() -> None:
    """The plan on its memory saves time: a bot that has just sat down would choose the same."""
    game = Game(load_board("berlin"), 2, 8)
    bots = [GreedyBot(0), GreedyBot(0)]
    same = 0
    while not game.over:
        position = Position.of(game)
        action = bots[position.seat].choose(position)
        same += action == GreedyBot(0).choose(position)
        game.play(action)
    assert same >= 0.9 * len(game.actions)  # an old plan may stay good where a new one would be as good
