"""One seat of a game in words."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest

from branchline.bots import BotError
from branchline.envs.rewards import EnvError
from branchline.envs.text import RULES, SeatInWords


def last_line_of(prompt: str) -> str:
    return prompt.rpartition("you may: ")[2].split("; ")[-1].strip()


def test_a_model_that_answers_plays_a_whole_game() -> None:
    game = SeatInWords("berlin", 3, seed=4, opponents=["random", "greedy"], seat=1)
    prompt = game.prompt
    assert prompt.startswith(RULES) and "routes:" in prompt
    while not game.over:
        assert game.reward == 0.0 and last_line_of(prompt) == game.legal[-1]
        prompt = game.answer(f"Let me think.\n{game.legal[-1]}")
    assert "the game is over" in prompt
    assert game.legal == ()
    assert game.reward in (1.0, -0.5, 0.25)


def test_the_same_answers_give_the_same_game() -> None:
    told = []
    for _ in range(2):
        game = SeatInWords("berlin", seed=9, opponents="random")
        told.append([game.prompt, *(game.answer(game.legal[0]) for _ in range(12))])
    assert told[0] == told[1]


def test_a_model_reads_what_the_others_did_meanwhile() -> None:
    game = SeatInWords("berlin", seed=2, opponents="random")
    told = "".join(game.answer(game.legal[0]) for _ in range(8))
    assert "seat 0: " in told and "seat 1: " in told


def test_refusals_say_why_and_too_many_in_a_row_lose() -> None:
    game = SeatInWords("berlin", opponents="random", tries=3)
    for answer in ("claim Atlantis–Berlin", ""):
        assert game.answer(answer).startswith("Refused: ")
    game.answer(game.legal[0])
    for answer in ("", "no"):
        assert game.answer(answer).startswith("Refused: ") and not game.over
    game.answer("\x00")
    assert game.over and game.reward == -1.0 and game.legal == ()
    with pytest.raises(EnvError, match="the game is over"):
        game.answer("pass")


def test_a_copy_plays_on_alone() -> None:
    game = SeatInWords("berlin", seed=5, opponents="random")
    other = copy.deepcopy(game)
    assert other.answer(other.legal[-1]) == game.answer(game.legal[-1])


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(EnvError, match="seat"):
        SeatInWords("berlin", seat=2)
    with pytest.raises(EnvError, match="expected 1 for 2 seats"):
        SeatInWords("berlin", opponents=["random", "greedy"])
    with pytest.raises(BotError):
        SeatInWords("berlin", opponents="nobody-of-this-name")


def test_the_examples_of_the_page_run() -> None:
    page = Path(__file__).parents[2] / "docs" / "assistants.md"
    pieces = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(pieces) == 2
    for piece in pieces:
        exec(compile(piece, page.name, "exec"), {"__name__": "example"})
