"""The log of what an action did is never too short."""

import random
from dataclasses import replace

from branchline.boards.limits import MAX_MARKET
from branchline.game.scratch import scratch_buffer
from branchline.rules.state import MAX_LOG, MOST_SWEEPS
from table import altered, board, new


def test_LOG_ten_sweeps_of_the_largest_market_fit():
    """Wilds upon wilds, each of which sweeps the market: all ten sweeps of an action, with both decks running out."""
    cards = board("world").cards
    places = (MAX_MARKET // 2, MAX_MARKET - MAX_MARKET // 2)
    game = new("world", 2, on=altered("world", cards=replace(cards, wild=60, market=places, sweep_at=1)))
    luck = random.Random(1)
    longest = 0
    for _ in range(300):
        drawing = [action for action in game.legal if action.text.startswith(("market", "refill"))]
        game.play(luck.choice(drawing or game.legal))
        longest = max(longest, int(scratch_buffer()["log_size"][0]))
    assert MOST_SWEEPS * 2 * MAX_MARKET < longest <= MAX_LOG
