"""The pages by address."""

from __future__ import annotations

import functools

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from branchline.web.core.http import static_files
from branchline.web.core.http.page_requests import route
from branchline.web.core.http.state import ServerState
from branchline.web.lobby import routes as home_routes
from branchline.web.replay import routes as finished_routes
from branchline.web.table import routes as table_routes
from branchline.web.table.websocket import serve


class NumberInAddress(IntegerConvertor):
    """A number in an address, as `{n:int}`: at most nine digits, so that every database and every page can hold it."""

    regex = "[0-9]{1,9}"


register_url_convertor("int", NumberInAddress())


def routes(server: ServerState) -> list[Route | WebSocketRoute]:
    """The table of contents."""

    get = functools.partial(route, server)
    post = functools.partial(route, server, method="POST")

    async def socket(websocket: WebSocket) -> None:
        await serve(websocket, server, str(websocket.path_params["room"]))

    return [
        get("/", home_routes.home),
        get("/table", home_routes.real_table),
        get("/new", home_routes.new_form),
        post("/new", home_routes.new),
        post("/settings", home_routes.settings),
        get("/language/{code}", home_routes.language),
        get("/t/{room}", table_routes.table),
        post("/t/{room}/sit", table_routes.sit),
        post("/t/{room}/fill", table_routes.fill),
        post("/t/{room}/name", table_routes.name),
        post("/t/{room}/talk", table_routes.speak),
        post("/t/{room}/rematch", table_routes.rematch),
        get("/t/{room}/code.svg", table_routes.code),
        get("/j/{room}/{invite}", table_routes.join, anew=True),
        post("/j/{room}/{invite}", table_routes.take),
        get("/w/{room}/{key}", table_routes.watch),
        get("/d/{room}/{key}", table_routes.device, anew=True),
        post("/d/{room}/{key}", table_routes.move),
        get("/t/{room}/replay", finished_routes.replay),
        get("/t/{room}/replay/{n:int}.json", finished_routes.replay_json),
        get("/t/{room}/replay/{n:int}", finished_routes.replay),
        post("/t/{room}/replay/{n:int}/play", finished_routes.play_on),
        get("/t/{room}/analysis", finished_routes.analysis),
        get("/t/{room}/analysis.json", finished_routes.analysis_json),
        post("/t/{room}/analysis", finished_routes.begin_analysis),
        get("/t/{room}/review", finished_routes.review),
        get("/t/{room}/result.svg", finished_routes.result),
        get("/t/{room}/record.json", finished_routes.record),
        post("/upload", finished_routes.upload),
        Route("/static/{name:path}", static_files.static, methods=["GET"], include_in_schema=False),
        WebSocketRoute("/ws/{room}", socket),
    ]
