"""The audit holds for the rules as they are, and would notice if it did not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from branchline.arena import AuditError, audit, simulate
from branchline.arena.table import Table
from branchline.boards import load_board
from branchline.bots.simple.random import RandomBot
from branchline.game import Game
from branchline.rules import kernel, scoring
from branchline.rules.state import SCRATCH
from table import COSTLY_SEATINGS, SEATINGS


@pytest.mark.parametrize(("edition", "seats"), COSTLY_SEATINGS)
def test_every_law_holds_after_every_action(edition: str, seats: int) -> None:
    assert simulate(edition, ["random"], 20, seed=11, seats=seats, audited=True).played == 20


@pytest.mark.long
@pytest.mark.parametrize(("edition", "seats"), SEATINGS)
def test_every_law_holds_in_thousands_of_games(edition: str, seats: int) -> None:
    """Three hundred in each cell, others in every one."""
    seed = 12 + SEATINGS.index((edition, seats))
    assert simulate(edition, ["random"], 300, seed=seed, seats=seats, audited=True).played == 300


def spoil_hand(state: Any) -> None:
    state.hand[0, 32] += 1


def spoil_discard_size(state: Any) -> None:
    state.discard_size[0] += 1


def spoil_hand_size(state: Any) -> None:
    state.hand_size[1, 0] += 1


def spoil_pieces(state: Any) -> None:
    state.pieces[0, 0] -= 1


def spoil_ticket(state: Any) -> None:
    state.ticket_count[0] -= 1


def spoil_held(state: Any) -> None:
    state.tickets_held[1, 0] += 1


def spoil_passengers(state: Any) -> None:
    state.passengers[0, 1] += 1


def spoil_free(state: Any) -> None:
    state.free[0] ^= 1


def spoil_reached(state: Any) -> None:
    state.reached[1, 0] ^= 1


def spoil_closed(state: Any) -> None:
    for route in range(len(state.route_owner)):
        if state.route_owner[route] == -1:
            state.route_owner[route] = -2
            state.free[route // 60] &= ~(1 << (route % 60))
            return


def spoil_points(state: Any) -> None:
    state.route_points[0] += 1


def spoil_station(state: Any) -> None:
    state.stations_built[0] += 1


def spoil_port(state: Any) -> None:
    state.ports_built[0] += 1


@pytest.mark.parametrize(
    ("spoil", "law"),
    [
        (spoil_hand, audit.CARDS),
        (spoil_discard_size, audit.SIZES),
        (spoil_hand_size, audit.SIZES),
        (spoil_pieces, audit.PIECES),
        (spoil_ticket, audit.TICKETS),
        (spoil_held, audit.HELD),
        (spoil_passengers, audit.PASSENGERS),
        (spoil_free, audit.ROUTES),
        (spoil_reached, audit.ROUTES),
        (spoil_closed, audit.PARALLELS),
        (spoil_points, audit.POINTS),
        (spoil_station, audit.STATIONS),
        (spoil_port, audit.PORTS),
    ],
)
def test_what_gets_lost_is_noticed(spoil: Callable[[Any], None], law: int) -> None:
    game = Game(load_board("germany"), 2, 3)
    for _ in range(60):
        game.play(int(next(iter(game.legal))))
    board, buffer = kernel.record_in(game.board.tables), game.state
    state = kernel.record_in(buffer)
    passengers = audit.passengers_in_play(board, state)
    assert audit.broken_law(board, state, passengers) == 0
    spoil(state)
    assert audit.broken_law(board, state, passengers) == law


def test_a_score_that_is_not_the_sum_of_its_parts_is_noticed() -> None:
    board = load_board("berlin")
    table = Table(board, [RandomBot] * 2, 1)
    table.play(0, 1)
    state, tables = table.workspace.state, kernel.record_in(board.tables)
    scratch = kernel.record_in(kernel.new_buffer(SCRATCH))
    scoring.score(tables, state, scratch)
    assert audit.scores_agree(tables, state, scratch)
    scratch.total[1] += 1
    assert not audit.scores_agree(tables, state, scratch)


def test_a_broken_law_is_reported_with_what_it_takes_to_see_it_again() -> None:
    table = Table(load_board("berlin"), [RandomBot] * 2, 77, audited=True)
    games = table.play(0, 3)
    games["broken"][1] = audit.TICKETS
    with pytest.raises(AuditError, match=r"game 1 \(berlin, 2 seats, after \d+ actions\), seed 77: .* every ticket is"):
        table._complain(games)
    assert len(audit.LAWS) == audit.SUM + 1
