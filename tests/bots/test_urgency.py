"""When the planner claims: what makes haste, and what can wait."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from branchline.boards import load_board
from branchline.bots.api import memory as memories
from branchline.bots.api import weights
from branchline.bots.api.bot import Position
from branchline.bots.planner import plan, planner, route_values, ticket_prospects, urgency
from branchline.game import Game
from branchline.rules import kernel, turn
from branchline.rules.sets import is_legal
from branchline.rules.state import CLAIM, SCRATCH
from table import EDITIONS

HASTE = ("filled", "hurry", "rated", "scoring", "attached", "contested")


class Turn:
    """What a planner has in mind at the beginning of a turn."""

    def __init__(self, position: Position) -> None:
        self.seat = position.seat
        self.board = kernel.record_in(position.board.tables)
        self.state = position.state
        self.scratch = kernel.record_in(kernel.new_buffer(SCRATCH))
        self.memory = kernel.record_in(memories.new_memory())
        planner.PlannerBot.weights_on(position.board, int(position.state.seats)).put_in(self.memory)
        planner.want(self.board, self.state, self.memory, self.seat)
        turn.legal(self.board, self.state, self.scratch)
        self.weigh()

    def weigh(self, **numbers: int) -> None:
        """Of the weights that make haste only these count. All routes are ready, tunnels with a reserve."""
        for name in (*HASTE, "ready", "reserve"):
            self.memory.weight[weights.NAMES.index(name)] = numbers.get(name, 0)

    def payable(self) -> list[int]:
        """Routes that may be claimed with the cards meant for them, tunnels with a reserve."""
        return [
            route
            for route in range(self.board.routes)
            if is_legal(self.scratch, CLAIM + route) and self.memory.rate[route] > 0 and self.memory.missing[route] <= 0
        ]

    def claim(self, may_draw: bool = True) -> int:
        """What is claimed; -1: nothing."""
        here = self.board, self.state, self.scratch, self.memory, self.seat
        return int(urgency.choose_claim(*here, self.haste(), may_draw))

    def haste(self) -> int:
        """Of all claims."""
        return int(urgency.haste_of_all(self.board, self.state, self.memory, self.seat))


def turns(edition: str, seats: int = 3) -> Iterator[Turn]:
    """Turns of one game between planners in which there is something to claim."""
    game = Game(load_board(edition), seats, 4)
    players = [planner.PlannerBot(seat) for seat in range(seats)]
    while not game.over:
        position = Position.of(game)
        if game.question.kind == "turn" and len(game.actions) % 3 == 0:
            found = Turn(position)
            if found.payable() and found.memory.aims:
                yield found
        game.play(players[position.seat].choose(position))


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_not_urgent_waits_as_long_as_cards_can_be_drawn(edition: str) -> None:
    for now in turns(edition):
        assert now.claim() == plan.NO_ROUTE
        assert now.claim(may_draw=False) in range(now.board.routes)
        assert now.haste() < urgency.ENOUGH


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_best_route_is_claimed_at_once_by_whoever_waits_for_nothing(edition: str) -> None:
    for now in turns(edition):
        now.weigh(rated=100, hurry=weights.LARGEST, filled=weights.LARGEST)
        now.memory.time_left = 100
        highest = now.memory.rate[now.memory.aim[0]]
        per_cent = {route: min(now.memory.rate[route], highest) * 100 // highest for route in now.payable()}
        assert per_cent[now.claim()] == max(per_cent.values())


def test_the_end_and_a_full_hand_make_haste() -> None:
    for now in turns("europe"):
        now.weigh(hurry=100)
        for time, haste in ((100, 100), (200, 50), (1000, 10)):
            now.memory.time_left = time
            assert now.haste() == haste
            assert (now.claim() == plan.NO_ROUTE) == (haste < urgency.ENOUGH)
        now.weigh(filled=100)
        now.memory.time_left = 3000
        now.state.pieces[now.seat] = 10, 0
        for held, haste in ((0, 0), (5, 50), (10, 100), (20, 200)):
            now.state.hand_size[now.seat] = held, 0
            assert now.haste() == haste


def test_whoever_is_behind_asks_less_of_tickets_and_whoever_leads_more() -> None:
    for now in turns("germany"):
        now.memory.weight[weights.DRAW_AT], now.memory.weight[weights.DARING] = 100, 50
        for own, others, asked in ((30, 10, 200), (10, 30, 0), (20, 20, 100), (300, 0, 400), (0, 300, -200)):
            now.state.route_points[: now.state.seats] = others
            now.state.route_points[now.seat] = own
            assert ticket_prospects.asked_of_tickets(now.state, now.memory, now.seat) == asked


@pytest.mark.parametrize("edition", EDITIONS)
def test_of_several_routes_the_contested_one_the_dear_one_or_the_near_one_goes_first(edition: str) -> None:
    differed = 0
    for now in turns(edition):
        routes = now.payable()

        def others_at(route: int, now: Turn = now) -> int:
            ends = now.board.route_a[route], now.board.route_b[route]
            return sum(bool(route_values.others_are_at(now.state, now.seat, end)) for end in ends)

        def near(route: int, now: Turn = now) -> bool:
            return bool(plan.touches(now.board, now.state, now.seat, route))

        for name, worth in (
            ("contested", others_at),
            ("scoring", lambda route, now=now: int(now.board.route_points[route])),
            ("attached", near),
        ):
            now.weigh(**{name: 100})
            chosen, most = now.claim(), max(map(worth, routes))
            assert chosen in routes if most else chosen == plan.NO_ROUTE
            assert not most or worth(chosen) == most
            differed += len(set(map(worth, routes))) > 1
    assert differed
