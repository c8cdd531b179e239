"""Why a built-in bot did what it did: read off its memory, put into words in one place.

action = bot.choose(position)
print(sentence(reason(bot, position, action)))     # heads for Wien: 4 of 9 pieces missing
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import pairwise

from branchline.boards import Place, Route, Ticket
from branchline.boards.tables import WORD
from branchline.bots.api.bot import Position
from branchline.bots.api.memory import Memory
from branchline.bots.planner import plan
from branchline.bots.search.search import Search
from branchline.rules.state import (
    BLIND,
    CLAIM,
    DRAW_TICKETS,
    KEEP,
    KEEP_TICKETS,
    PORT,
    SECOND_CARD,
    STATION,
    SWAP_PIECES,
    TAKE,
    TURN,
)

LIKELY = 0.5  # chance that another seat plans a route, from which on claiming it off the own plan is a block

SENTENCES = {
    "ticket": "heads for {place}: {missing} of {whole} pieces missing",
    "points": "takes {points} points",
    "block": "takes a route that somebody else seems to need",
    "cards": "collects cards for {points} points",
    "tickets": "looks for more tickets; not yet done: {missing} of {whole}",
    "kept": "keeps the tickets that go best together",
    "station": "builds a station to save a ticket",
    "port": "builds a port at {place}",
    "swap": "swaps pieces that its plan lacks",
    "detail": "settles a detail",
}
"""A sentence for each kind of reason; the words in braces are fields of `Reason`."""


@dataclass(frozen=True)
class Reason:
    """Why: one of the kinds of `SENTENCES`, and what it is about."""

    kind: str
    place: Place | None = None  # where it heads for, or builds
    ticket: Ticket | None = None  # that it serves
    missing: int = 0  # pieces the ticket still needs; of tickets: how many are not done
    whole: int = 0  # pieces of its whole connection; of tickets: how many are held
    points: int = 0  # that the route brings itself


def reason(bot: object, position: Position, action: int) -> Reason | None:
    """Return why the bot has just chosen this action in this position, or None for a bot that keeps no plan in a
    memory.
    """
    memory = getattr(bot, "memory", None)
    if memory is None or memory.first_way[len(position.board.places)] == 0:
        return None
    if position.question == KEEP_TICKETS and action >= KEEP:
        return Reason("kept")
    if position.question not in (TURN, SECOND_CARD):
        return Reason("detail")
    if action < STATION:
        route = position.board.routes[action - CLAIM]
        return _about_route(position, memory, route, "block" if _is_block(bot, route) else "points")
    if action < PORT:
        return Reason("station", place=position.board.places[action - STATION])
    if action < TAKE:
        return Reason("port", place=position.board.places[action - PORT])
    if action == DRAW_TICKETS:
        outlooks = [int(memory.outlook[n]) for n in range(memory.held_count)]
        return Reason("tickets", missing=sum(outlook != plan.DONE for outlook in outlooks), whole=len(outlooks))
    if action == SWAP_PIECES:
        return Reason("swap")
    if action < BLIND + 2 and memory.aims:
        return _about_route(position, memory, position.board.routes[int(memory.aim[0])], "cards")
    return Reason("detail")


def sentence(why: Reason) -> str:
    """Return a reason in English."""
    return SENTENCES[why.kind].format(
        place=why.place.name if why.place else "", missing=why.missing, whole=why.whole, points=why.points
    )


def _about_route(position: Position, memory: Memory, route: Route, otherwise: str) -> Reason:
    """Return the most valuable planned ticket that the route serves, or else the route itself, as a reason."""
    word, bit = divmod(route.index, WORD)
    for n in range(memory.held_count):
        if memory.outlook[n] == plan.PLANNED and int(memory.connection[n, word]) >> bit & 1:
            ticket = position.board.tickets[int(memory.held[n])]
            missing, whole = _pieces(position, memory, n, ticket)
            if missing > 0:  # else another way has done it since it was planned
                return Reason("ticket", ticket.places[-1], ticket, missing, whole, _points(position, route))
    return Reason(otherwise, points=_points(position, route))


def _is_block(bot: object, route: Route) -> bool:
    """Return whether the bot has imagined others, and these are likely to plan the route."""
    search = getattr(bot, "search", None)
    return isinstance(search, Search) and search.contested(route.index) >= LIKELY


def _points(position: Position, route: Route) -> int:
    return int(position.board.tables[0].route_points[route.index])


def _pieces(position: Position, memory: Memory, n: int, ticket: Ticket) -> tuple[int, int]:
    """Return the pieces missing of a ticket's planned connection, and of the whole of it, leg by leg."""
    missing = whole = 0
    for start, goal in pairwise(ticket.places):
        lacking, length = _leg(position, memory, n, start, goal)
        missing += lacking
        whole += length
    return missing, whole


def _leg(position: Position, memory: Memory, n: int, start: Place, goal: Place) -> tuple[int, int]:
    """Return the way between two places over own and planned routes with the fewest missing pieces: those, and its
    length.
    """
    heap = [(0, 0, start.index)]
    settled = set()
    while heap:
        missing, length, here = heapq.heappop(heap)
        if here == goal.index:
            return missing, length
        if here in settled:
            continue
        settled.add(here)
        for route in position.board.routes:
            if here in (route.a.index, route.b.index):
                own = position.state.route_owner[route.index] == position.seat
                word, bit = divmod(route.index, WORD)
                if own or int(memory.connection[n, word]) >> bit & 1:
                    there = route.a.index + route.b.index - here
                    heapq.heappush(heap, (missing + (0 if own else route.length), length + route.length, there))
    return 0, 0
