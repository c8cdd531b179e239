"""Bots by name."""

from __future__ import annotations

import pytest

from branchline.boards import load_board
from branchline.bots import Bot, BotError, Position, bot_maker, bot_names, describe, make_bot
from branchline.game import Game


class Lowest:
    """Takes the lowest number."""

    name = "lowest"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, position: Position) -> int:
        return position.legal[0]


def test_the_bots_of_the_house_are_installed() -> None:
    assert {"random", "greedy"} <= set(bot_names())
    for name in ("random", "greedy"):
        bot = make_bot(name, 1)
        assert isinstance(bot, Bot)
        assert bot.name == name
        assert describe(name)


def test_a_name_is_found_in_any_case_and_with_blanks() -> None:
    assert bot_maker(" Greedy ") is bot_maker("greedy")


def test_an_unknown_bot_is_refused_with_a_guess() -> None:
    with pytest.raises(BotError, match=r'unknown bot "gredy" \(did you mean "greedy"\?\)'):
        make_bot("gredy")
    with pytest.raises(BotError, match='unknown bot "zzz"; there are '):
        make_bot("zzz")


def test_a_bot_that_is_not_installed_is_found_by_its_module() -> None:
    assert make_bot(f"{__name__}:Lowest", 7).name == "lowest"
    for name in ("nowhere:Bot", f"{__name__}:Nothing", ":", "a:b:c"):
        with pytest.raises(BotError, match="cannot be loaded"):
            make_bot(name)


def test_what_is_no_bot_is_refused() -> None:
    with pytest.raises(BotError, match="no name or no choose"):
        make_bot("builtins:complex", 1)


def test_a_random_bot_draws_its_luck_from_its_own_seed() -> None:
    position = Position.of(Game(load_board("europe"), 2, 1))
    chosen = [make_bot("random", seed).choose(position) for seed in range(200)]
    assert chosen == [make_bot("random", seed).choose(position) for seed in range(200)]
    assert len(set(chosen)) == len(position.legal)
    assert set(chosen) <= set(position.legal)
