"""One search finds the cheapest ways, whatever a step costs."""

from __future__ import annotations

import random
from collections.abc import Callable

import branchline as bl
from branchline.boards.ways import Reached, Step, nearest_first, passes, way_to


def steps_from(board: bl.Board, start: bl.Place, price: list[int]) -> Callable[[int], list[Step[int]]]:
    """The steps over all routes of a board, at these prices."""

    def steps(here: int) -> list[Step[int]]:
        if not passes(board, start, here):
            return []
        routes = [route for route in board.routes if here in (route.a.index, route.b.index)]
        return [(route.a.index + route.b.index - here, price[route.index], route.index) for route in routes]

    return steps


def test_ways_agree_with_trying_again_until_nothing_gets_better() -> None:
    board = bl.load_board("germany")
    luck = random.Random(3)
    for start in luck.sample(board.places, 5):
        steps = steps_from(board, start, [luck.randint(0, 6) for _ in board.routes])
        far = {start.index: 0}
        for _ in board.places:
            for here in list(far):
                for there, cost, _ in steps(here):
                    far[there] = min(far.get(there, 1 << 30), far[here] + cost)
        reached: dict[int, Reached] = dict(nearest_first(start.index, steps))
        assert {here: way.cost for here, way in reached.items()} == far
        assert [way.cost for way in reached.values()] == sorted(far.values())
        for here, way in reached.items():
            costs = {route: cost for place in reached for _, cost, route in steps(place)}
            assert sum(costs[route] for route in way_to(here, reached)) == way.cost


def test_nothing_leads_on_through_a_country() -> None:
    board = bl.load_board("germany")
    country = next(place for place in board.places if place.kind == "country")
    assert passes(board, country, country.index) and not passes(board, board.places[0], country.index)
