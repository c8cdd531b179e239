"""The baseline of information set search: legal, the same for the same seed, and without peeking."""

from __future__ import annotations

import pytest

import branchline as bl
from branchline.bots import BotError
from branchline.bots.search.ismcts import IsmctsBot


@pytest.mark.long
def test_it_is_fit_to_play() -> None:
    found = bl.check_bot(IsmctsBot.told("3"), boards=["berlin"])
    assert found.ok, str(found)


@pytest.mark.long
def test_it_beats_a_bot_that_does_not_search() -> None:
    found = bl.simulate("berlin", [IsmctsBot.told("80"), "greedy"], 4, seed=5)
    assert {one.bot: one.wins for one in found.standings}["ismcts@80"] >= 3


def test_it_is_told_a_number_of_rounds() -> None:
    assert IsmctsBot.told("40").rounds == 40
    with pytest.raises(BotError, match="ismcts@400"):
        IsmctsBot.told("0.5s")
