"""What every handler of a page is given, and what it answers with: who asks, the form, the room, problems in words."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from branchline.boards import BranchlineError
from branchline.decoding import decoded
from branchline.web.core.http import clients
from branchline.web.core.http.clients import Client
from branchline.web.core.http.heavy_work import status_of
from branchline.web.core.http.middleware import address_of
from branchline.web.core.http.rate_limits import Costs, TooMuch
from branchline.web.core.http.state import ServerState
from branchline.web.core.jobs import JobError
from branchline.web.core.pages import messages
from branchline.web.core.rooms import seats
from branchline.web.core.rooms.ids import is_room_id
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.perspective import Viewer
from branchline.web.core.rooms.room import Refused
from branchline.web.core.rooms.steps import Unreadable
from branchline.web.core.visit import MessageContext, Visit
from branchline.workshop.draft import is_unicode

SEE_OTHER = 303
ASK_AGAIN = {"cache-control": "no-cache"}
"""Of what may be kept, but not shown without asking whether it is still the same."""
Fields = Mapping[str, str]
Made = TypeVar("Made")
_HEAVY = {422: "too_heavy", 429: "too_many"}
"""What is said of heavy work that came to no end, by status."""


class PageError(Exception):
    """What a page says instead of what was asked for."""

    def __init__(self, status: int, reason: str, detail: str = "") -> None:
        """Make the error of an HTTP status, a word for `MessageContext`, and a further line."""
        self.status, self.reason, self.detail = status, reason, detail
        super().__init__(reason)


@dataclass(frozen=True)
class PageRequest:
    """A request, who sent it, and the fields of its form."""

    http: Request
    server: ServerState
    client: Client
    fields: Fields

    @property
    def visit(self) -> Visit:
        """What pages need to know of the browser."""
        return self.client.visit

    def word(self, name: str) -> str:
        """Return a part of the address."""
        return str(self.http.path_params[name])


class NumberInAddress(IntegerConvertor):
    """A number in an address, as `{n:int}`: at most nine digits, so that every database and every page can hold it."""

    regex = "[0-9]{1,9}"


register_url_convertor("int", NumberInAddress())


Handler = Callable[[PageRequest], Awaitable[Response]]


def handler_for(
    server: ServerState, handler: Handler, *, anew: bool = False, signed: bool = False
) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler with everything around it: the client, the form and its token, problems in words, the cookie.

    `anew`: a browser that has no seats yet gets another key before it is offered one. `signed`: the address itself is
    proof enough, and programs that have no form send there too.
    """

    @functools.wraps(handler)
    async def handle(request: Request) -> Response:
        client = await clients.recognised(request, server, anew=anew)
        _paying.set((server.costs, address_of(request.scope)))
        try:
            fields = await _form(request) if request.method == "POST" else {}
            problem = _form_problem(server, request, fields, client) if request.method == "POST" and not signed else ""
            if problem:
                raise PageError(403, problem)
            response = await handler(PageRequest(request, server, client, fields))
        except TooMuch:
            response = message_page(client.visit, 429, "too_many")
            response.headers["retry-after"] = "5"
        except PageError as error:
            if error.status == 403 and is_script(request):
                response = JSONResponse(refusal_json(client.visit.language, error.reason), 403)
            else:
                response = message_page(client.visit, error.status, error.reason, error.detail)
        except Refused as refusal:
            response = message_page(client.visit, 409, refusal.reason, str(refusal))
        except Unreadable as error:
            response = message_page(client.visit, 500, "broken", str(error))
        except JobError as error:
            status = status_of(error)
            response = message_page(client.visit, status, _HEAVY.get(status, "broken"), error.message)
        except BranchlineError as error:
            response = message_page(client.visit, 400, "bad_request", error.message)
        return clients.remember(response, client, server)

    return handle


def route(
    server: ServerState, path: str, handler: Handler, method: str = "GET", *, anew: bool = False, signed: bool = False
) -> Route:
    """Return a route with the handler of its address; see `handler_for`."""
    answer = handler_for(server, handler, anew=anew, signed=signed)
    return Route(path, answer, methods=[method], include_in_schema=False)


async def _form(request: Request) -> Fields:
    """Return the fields of a form; for a file, its text."""
    try:
        async with request.form(max_files=1, max_fields=60, max_part_size=16_000_000) as form:
            fields = {}
            for name, value in form.items():
                if isinstance(value, UploadFile):
                    content = await value.read()
                    fields[name] = (await asyncio.to_thread(decoded, content)).text
                else:
                    if not is_unicode(value):
                        raise ValueError(f"{name}: half a letter")  # some charsets let them in
                    fields[name] = value
            return fields
    except (MultiPartException, HTTPException, ValueError, LookupError) as error:  # also of charsets and files
        raise PageError(400, "bad_request", str(error)) from None


def _form_problem(server: ServerState, request: Request, fields: Fields, client: Client) -> str:
    """Return why a form is not one that we gave to this browser, as a word for `MessageContext`, or an empty text."""
    token = fields.get("csrf", "")
    if not clients.has_cookie(request):
        return "no_cookie"  # they are blocked, or were deleted since
    if not token:
        return "no_token"
    ours = not client.fresh and server.signer.is_form_token(token, client.key)
    return "" if ours else "forged"


def is_script(request: HTTPConnection) -> bool:
    """Return whether a script of a page sends the request: it expects a sentence, not a page."""
    accepted = request.headers.get("accept", "")
    return bool(accepted) and "text/html" not in accepted and "sec-fetch-mode" in request.headers


def refusal_json(language: str, reason: str) -> dict[str, str]:
    """Return the answer to a script about a refusal."""
    return {"error": reason, "why": messages.why_not(language, reason)}


def message_page(visit: Visit, status: int, reason: str, detail: str = "") -> Response:
    """Return a page that says what went wrong."""
    return HTMLResponse(messages.message(MessageContext(visit, status, reason, detail)), status)


async def made_page(draw: Callable[[Any], str], context: Any, status: int = 200) -> Response:
    """Return a page made of its context in a thread: a long one would keep others waiting."""
    return HTMLResponse(await worked_out(draw, context), status)


_paying: ContextVar[tuple[Costs, str] | None] = ContextVar("paying", default=None)  # whose request this is


async def worked_out(make: Callable[..., Made], *arguments: object) -> Made:
    """Return the result of a function in a thread; the address that asks waits for its turn, and pays for the
    processor.
    """
    paying = _paying.get()
    if paying is None:
        return await asyncio.to_thread(make, *arguments)
    costs, address = paying
    await costs.turn(address)
    return await costs.in_thread(address, make, *arguments)


def download(content: str | bytes, kind: str, name: str) -> Response:
    """Return a file of a media type, to be saved under a name."""
    plain = quote(name, safe="")
    named = f'filename="{name}"' if plain == name else f"filename*=UTF-8''{plain}"  # RFC 6266
    return Response(content, media_type=kind, headers={"content-disposition": f"attachment; {named}"})


def redirect(address: str) -> Response:
    """Return a redirection to another page."""
    return RedirectResponse(address, SEE_OTHER)


def safe_path(text: str) -> str:
    """Return the address of one of our pages to go back to, or else the home page."""
    inside = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable() and len(text) < 300
    return text if inside else "/"


async def room_named(req: PageRequest) -> LiveRoom:
    """Return the room in the address."""
    room = req.word("room")
    live_room = await req.server.live.get(room, fresh=True) if is_room_id(room) else None
    if live_room is None:
        raise PageError(404, "not_found")
    return live_room


async def visible_room(req: PageRequest) -> tuple[LiveRoom, Viewer]:
    """Return a room that the client may see, and the client's role there.

    Whoever was sent the address of a private table is told what to ask for, and not whether there is such a table.
    """
    room = req.word("room")
    live_room = await req.server.live.get(room, fresh=True) if is_room_id(room) else None
    if live_room is not None:
        viewer = await clients.viewer_of(req.http, req.server, live_room, req.client.key, req.visit)
        if viewer is not None:
            return live_room, viewer
    raise PageError(404, "no_table")


def seat_named(req: PageRequest, viewer: Viewer | None = None) -> int:
    """Return the seat that a form is about; with a viewer, one of the viewer's own."""
    seat = number_in(req.fields.get("seat", ""), 2)
    if seat is None:
        raise PageError(400, "bad_request", "seat: expected a number")
    if viewer is not None and seat not in viewer.mine:
        raise PageError(403, "not_yours")
    return seat


def number_in(text: str, digits: int) -> int | None:
    """Return a whole number of at most `digits` digits, or None."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def name_given(req: PageRequest) -> str:
    """Return the name in the form, or an empty text."""
    return seats.clean_name(req.fields.get("name", ""))


def check_key(req: PageRequest, fits: bool) -> None:
    """Answer wrong keys as if nothing was there, and limit how often they are tried."""
    if not fits:
        if not req.server.rates.allow("guesses", address_of(req.http.scope)):
            raise PageError(429, "too_many")
        raise PageError(404, "not_found")


def limit(req: PageRequest, rate: str) -> None:
    """Limit how often an address asks for something; `rate` is one of `settings.Limits`."""
    if not req.server.rates.allow(rate, address_of(req.http.scope)):
        raise PageError(429, "too_many")
