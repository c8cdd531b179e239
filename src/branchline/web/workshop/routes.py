"""What the workshop tells the application of itself."""

from __future__ import annotations

from starlette.routing import Route

from branchline.boards import Board
from branchline.web.core.feature import Feature
from branchline.web.core.http.page_requests import PageRequest
from branchline.web.core.http.state import BoardPage, ServerState
from branchline.web.workshop import balance_routes, draft_routes, printed_routes
from branchline.web.workshop.balancing import Balances
from branchline.web.workshop.store import purge


async def _board(req: PageRequest) -> Board:
    return (await draft_routes.made_board(req)).board


def _all_routes(server: ServerState) -> list[Route]:
    """Return all routes, those of comparisons first: addresses of drafts look alike."""
    return [*printed_routes.routes(server), *draft_routes.routes(server), *balance_routes.routes(server)]


FEATURE = Feature(
    _all_routes,
    words=("workshop",),
    largest={"/workshop/": lambda limits: limits.board},
    parts=(lambda server: Balances(server.store),),
    places=(BoardPage("draft", "/workshop/{draft}/{key}", _board, draft_routes.made_board),),
    purges=((purge, "deleted %s drafts of boards that nobody has opened for %g days"),),
)
