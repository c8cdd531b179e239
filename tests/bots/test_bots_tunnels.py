"""No bot of the house keeps a game from ending by trying the same tunnel for ever."""

from __future__ import annotations

from typing import Any

import pytest

from bots.test_bots_players import COMPILED
from branchline.boards import load_board
from branchline.boards.tables import WILD_KIND
from branchline.bots import bot_maker
from branchline.bots.api import memory as memories
from branchline.bots.api.bot import seen_in
from branchline.game import Game
from branchline.rules import kernel, knowledge, turn
from branchline.rules.state import OVER, SCRATCH, STATE, TURN

SEATS = 4
LIMIT = 1000  # actions; such a game takes 150 to 300


def dealt_out(seed: int) -> tuple[Any, Any]:
    """Board and state of a game whose deck is in the hands, but for three discards, two of them wild (TUN-5)."""
    game = Game(load_board("europe"), SEATS, seed)
    while game.state["question"][0] != TURN:
        game.play(game.legal[0])
    buffer = game.state.copy()
    state = seen_in(buffer)
    deck = sorted(int(kind) for kind in state.deck[0, : state.deck_size[0]])
    discards = [deck.pop(0), deck.pop(), deck.pop()]
    assert discards[1:] == [WILD_KIND, WILD_KIND]
    for n, kind in enumerate(deck):
        state.hand[n % SEATS, kind] += 1
        state.hand_size[n % SEATS, 0] += 1
    for kind in discards:
        state.discards[kind] += 1
    state.deck_size[0], state.discard_size[0] = 0, len(discards)
    return kernel.record_in(game.board.tables), buffer


@pytest.mark.parametrize("bot", COMPILED)
@pytest.mark.parametrize("seed", (0, 5, 6, 7))
def test_a_game_ends_although_the_cards_left_make_every_tunnel_fail(bot: str, seed: int) -> None:
    board, buffer = dealt_out(seed)
    state = kernel.record_in(buffer)
    maker: Any = bot_maker(bot)
    own = [kernel.record_in(memories.new_memory()) for _ in range(SEATS)]
    scratch = kernel.record_in(kernel.new_buffer(SCRATCH))
    actions = 0
    while state.question != OVER:
        seat = int(state.seat)
        seen = kernel.record_in(kernel.new_buffer(STATE))
        knowledge.redact(board, state, seen, seat)
        turn.legal(board, seen, scratch)
        turn.apply(board, state, scratch, int(maker.choice(board, seen, scratch, own[seat], seat)))
        actions += 1
        assert actions < LIMIT, "it does not end"
