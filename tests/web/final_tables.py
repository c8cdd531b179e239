"""Final positions of tables, in the form of `branchline score`: strewn at random, and from played games."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import branchline as bl
from branchline.game.sheet import Scores, SeatScore
from branchline.game.view import View

GOLDEN = Path(__file__).parent.parent / "golden"
sys.path.insert(0, str(GOLDEN))

import regenerate  # noqa: E402  it lies beside the games


def strewn(board: bl.Board, seats: int, seed: int) -> dict[str, Any]:
    """Networks grown route by route, with tickets that lie near them, and all else that a seat can have."""
    luck = random.Random(f"{board.id} {seats} {seed}")
    hands: list[dict[str, Any]] = [{"name": f"Seat {n}", "routes": [], "tickets": []} for n in range(seats)]
    left = [_Pieces(board) for _ in range(seats)]
    owned: list[list[bl.Route]] = [[] for _ in range(seats)]
    free = set(range(len(board.routes)))
    full = luck.uniform(0.3, 1.0)
    for _ in range(int(full * len(board.routes))):
        n = luck.randrange(seats)
        here = {place.index for route in owned[n] for place in (route.a, route.b)}
        near = [one for one in sorted(free) if here & {board.routes[one].a.index, board.routes[one].b.index}]
        route = board.routes[luck.choice(near if near and luck.random() < 0.85 else sorted(free))]
        if any(mine.parallel == route.parallel for mine in owned[n]) or not left[n].take(route):
            continue
        free.discard(route.index)
        owned[n].append(route)
        line = [route.line + 1] if route.lines > 1 else []
        hands[n]["routes"].append([route.a.name, route.b.name, *line])
    tickets = list(board.tickets)
    luck.shuffle(tickets)
    for ticket in tickets[: luck.randint(seats, 6 * seats)]:
        touched = [sum(any(p in (r.a, r.b) for r in owned[n]) for p in ticket.places) for n in range(seats)]
        n = max(range(seats), key=lambda seat: (touched[seat], luck.random()))
        hands[n]["tours" if ticket.tour else "tickets"] = [
            *hands[n].get("tours" if ticket.tour else "tickets", []),
            [*(place.name for place in ticket.places), ticket.value],
        ]
    _buildings(board, luck, hands)
    return {"edition": board.id, "seats": hands}


class _Pieces:
    """What a seat has left."""

    def __init__(self, board: bl.Board) -> None:
        self.kinds = list(board.pieces.count)
        self.all = board.pieces.fleet or sum(self.kinds)

    def take(self, route: bl.Route) -> bool:
        kind = 1 if route.kind in ("sea", "subway") else 0
        if route.length > min(self.kinds[kind], self.all):
            return False
        self.kinds[kind] -= route.length
        self.all -= route.length
        return True


def _buildings(board: bl.Board, luck: random.Random, hands: list[dict[str, Any]]) -> None:
    cities = [place for place in board.places if place.kind == "city"]
    harbours = [place for place in board.places if place.port]
    luck.shuffle(cities)
    luck.shuffle(harbours)
    for hand in hands:
        if board.stations:
            built = luck.randint(0, len(board.stations.prices))
            hand["stations"] = [cities.pop().name for _ in range(built)]
        if board.ports:
            hand["ports"] = [harbours.pop().name for _ in range(luck.randint(0, board.ports.count))]
            hand["swapped"] = luck.choice([0, 0, 1, 5])
        if board.passengers:
            most = board.passengers.each // len(hands)
            hand["passengers"] = {colour: luck.randint(0, most) for colour in board.passengers.colours}
        if luck.random() < 0.05:
            hand["route_points"] = luck.randint(0, 120)


def played() -> list[tuple[dict[str, Any], Scores]]:
    """The ends of the golden games, of all editions, and how the rules scored them."""
    found = []

    def watch(game: bl.Game) -> None:
        if game.over:
            view, sheet = game.view(None), game.sheet()
            hands = [_hand(game.board, view, n, sheet[n]) for n in range(len(sheet))]
            found.append(({"edition": game.board.id, "seats": hands}, sheet))

    for name in regenerate.GAMES:
        list(regenerate.replayed(name, (GOLDEN / f"{name}.txt").read_text("utf-8").splitlines(), watch))
    return found


def _hand(board: bl.Board, view: View, n: int, score: SeatScore) -> dict[str, Any]:
    seat = view.seats[n]
    found: dict[str, Any] = {
        "name": f"Seat {n}",
        "routes": [[one.a.name, one.b.name, *([one.line + 1] if one.lines > 1 else [])] for one in seat.routes],
        "tickets": [[*(place.name for place in one.ticket.places), one.ticket.value] for one in score.results],
    }
    if seat.stations:
        found["stations"] = [place.name for place in seat.stations]
    if seat.ports:
        found["ports"] = [place.name for place in seat.ports]
    if any(seat.passengers.values()):
        found["passengers"] = {colour: count for colour, count in seat.passengers.items() if count}
    if score.swaps:
        found["swapped"] = -score.swaps // board.pieces.swap_price
    return found
