"""The rules of boards and the referee, by address: for the boards offered here, and for that of a table or draft."""

from __future__ import annotations

import asyncio
import functools

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from branchline.boards import Board, BranchlineError
from branchline.boards import Route as BoardRoute
from branchline.boards.tables import KINDS
from branchline.rules import state as at
from branchline.tabletop.referee import FREE, MINE, OTHERS, Inquiry, judge
from branchline.web.core.feature import Feature
from branchline.web.core.http import clients
from branchline.web.core.http.page_requests import PageError, PageRequest, made_page, number_in, route
from branchline.web.core.http.state import ServerState
from branchline.web.core.rooms.boards import board_by_name, offered_boards
from branchline.web.core.visit import Visit
from branchline.web.rules import page as rules_page
from branchline.web.rules import referee_page
from branchline.web.rules.page import RulebooksContext, RulesContext
from branchline.web.rules.referee_page import RefereeContext

LONGEST_NAME = 100  # letters of what somebody asks for


def routes(server: ServerState) -> list[Route]:
    """Return the routes of the rules."""
    get = functools.partial(route, server)
    return [
        get("/rules", rulebooks),
        get("/rules/{board}", rules),
        get("/referee/{board}", referee),
        *[get(f"{place.path}/rules", rules) for place in server.places.values()],
        *[get(f"{place.path}/referee", referee) for place in server.places.values()],
    ]


async def rulebooks(req: PageRequest) -> Response:
    """Show the boards that are offered here."""
    boards = await asyncio.to_thread(offered_boards)
    return await made_page(rules_page.rulebooks, RulebooksContext(_visit(req), boards))


async def rules(req: PageRequest) -> Response:
    """Show the rules of a board."""
    board = await _board(req)
    return await made_page(rules_page.rules, RulesContext(_visit(req), board, _path(req, "referee"), _place(req)))


async def referee(req: PageRequest) -> Response:
    """Show the referee. A script is given the parts of the page that change."""
    board = await _board(req)
    context = await asyncio.to_thread(_answered, req, board)
    if "application/json" in req.http.headers.get("accept", ""):
        return JSONResponse(await asyncio.to_thread(referee_page.referee_parts, context), headers={"vary": "accept"})
    return await made_page(referee_page.referee, context)


def _visit(req: PageRequest) -> Visit:
    """Return the visit; for a service worker that keeps the page, one of nobody in particular."""
    return clients.passer_by(req.http) if "x-kept" in req.http.headers else req.visit


def _place(req: PageRequest) -> str:
    """Return the page that the board belongs to, or an empty text for a board offered here."""
    parameters = req.http.path_params
    return next(
        (place.path.format(**parameters) for word, place in req.server.places.items() if word in parameters), ""
    )


def _path(req: PageRequest, page: str) -> str:
    """Return the address of a page about the same board."""
    place = _place(req)
    return f"{place}/{page}" if place else f"/{page}/{req.word('board')}"


async def _board(req: PageRequest) -> Board:
    """Return the board in the address, ready to be drawn."""
    parameters = req.http.path_params
    place = next((place for word, place in req.server.places.items() if word in parameters), None)
    if place is not None:
        board = await place.board(req)
    else:
        try:
            board = await asyncio.to_thread(board_by_name, req.word("board"))
        except BranchlineError:
            raise PageError(404, "not_found") from None
    await req.server.layouts.ready(board)
    return board


# ------------------------------------------------------------------------------------------------ a question


def _answered(req: PageRequest, board: Board) -> RefereeContext:
    """Return what was asked, as far as it makes sense on this board, and the answer."""
    query = req.http.query_params
    copies = board.tables[0].copies

    def number(key: str, least: int, most: int, usual: int) -> int:
        given_count = number_in(query.get(key, ""), 3)
        return usual if given_count is None else min(max(given_count, least), most)

    kinds = [
        "route",
        *["station"] * (board.stations is not None),
        *["port"] * (board.ports is not None),
    ]
    subject = query.get("what", "") if query.get("what", "") in kinds else kinds[0]
    name = " ".join(query.get("name", "")[:LONGEST_NAME].split())
    action = _action(board, subject, name, req.visit.language)
    hand = {kind: number(f"h{kind}", 0, int(copies[kind]), 0) for kind in range(KINDS) if copies[kind]}
    most_built = len(board.stations.prices) if board.stations and subject == "station" else 0
    if board.ports and subject == "port":
        most_built = board.ports.count
    parallel = query.get("parallel", "") if query.get("parallel", "") in (FREE, MINE, OTHERS) else FREE
    turned = tuple(
        given_count
        if (given_count := number_in(query.get(f"t{n}", ""), 3)) is not None and given_count in hand
        else None
        for n in range(board.tunnel_cards)
    )
    seats = number("seats", *board.seats, usual=min(board.seats[0] + 1, board.seats[1]))
    pieces = tuple(number(f"p{n}", 0, most, most) for n, most in enumerate(board.pieces.count))
    built = number("built", 0, most_built, 0)
    reached = query.getlist("reached")[-1:] != ["0"]
    asked = None
    if action is not None:
        cards = tuple(kind for kind in turned if kind is not None)
        asked = Inquiry(action, hand, seats, pieces, parallel, built, reached, cards or None)
    return RefereeContext(
        visit=req.visit,
        board=board,
        path=_path(req, "referee"),
        rules=_path(req, "rules"),
        what=subject,
        name=name,
        asked=asked,
        verdict=judge(board, asked) if asked else None,
        hand=hand,
        seats=seats,
        pieces=pieces,
        parallel=parallel,
        built=built,
        reached=reached,
        turned=turned,
    )


def _action(board: Board, subject: str, name: str, language: str) -> int | None:
    """Return the action that a name means, in the list or in any other spelling, or None."""
    if subject != "route":
        place = board.index.find(name) if name else None
        return None if place is None else (at.STATION if subject == "station" else at.PORT) + place.index
    names = [_spelt(listed) for listed in referee_page.route_names(board, language)]
    if _spelt(name) in names:
        return at.CLAIM + names.index(_spelt(name))
    lines = _lines(board, name)
    return at.CLAIM + lines[0].index if lines else None


def _spelt(name: str) -> str:
    """Return a name as it is compared: in small letters, with plain spaces."""
    return " ".join(name.casefold().split())


def _lines(board: Board, name: str) -> tuple[BoardRoute, ...]:
    """Return the routes meant by `Berlin Wien` or `berlin-wien`."""
    try:
        ends = board.index.split_places(name)
        if len(ends) == 2:
            return board.index.routes(*ends)
    except BranchlineError:
        pass
    parts = name.split()
    for cut in range(1, len(parts)):
        a, b = board.index.find(" ".join(parts[:cut])), board.index.find(" ".join(parts[cut:]))
        if a is not None and b is not None:
            return board.index.routes(a, b)
    return ()


FEATURE = Feature(routes, words=("referee", "rules"))
