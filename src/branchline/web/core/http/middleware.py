"""What stands between the network and the rooms: sizes, rates, origins, and the headers of every answer."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from ipaddress import IPv6Address, ip_address
from typing import Any

from starlette.requests import ClientDisconnect

from branchline.web.core.http import addresses
from branchline.web.core.http.rate_limits import RateLimits
from branchline.web.core.settings import Limits, Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Refuse = Callable[[Scope, int, str], tuple[bytes, str]]
"""Makes the body and the content type of a refusal: scope, status, word."""

Largest = Callable[[Limits], int]
"""From the limits of a server to the most bytes that a request may bring."""

log = logging.getLogger("branchline.server")

LONGEST_PATH = 500  # letters; ours have 120

MOST_TOLD = 5  # addresses that the log speaks of: anybody can write any

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_API = "/api/"


def address_of(scope: Scope) -> str:
    """Return the address of a request; see `household`."""
    return household((scope.get("client") or ("unknown", 0))[0])


def household(host: str) -> str:
    """Return an address as it is counted: for IPv6, the half that a household shares."""
    try:
        address = ip_address(host)
    except ValueError:
        return str(host)
    return str(IPv6Address(int(address) >> 64 << 64)) if isinstance(address, IPv6Address) else str(address)


def header(scope: Scope, name: str) -> str:
    """Return a header of a request, or an empty text."""
    wanted = name.encode()
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == wanted), "")


def is_our_origin(scope: Scope, origin: str, settings: Settings) -> bool:
    """Return whether one of our pages sent this."""
    scheme = str(scope["scheme"]).replace("ws", "http")
    return addresses.is_our_origin(origin, scheme, header(scope, "host"), settings)


def policy(nonce: str, *, runs_engine: bool = False) -> str:
    """Return the policy for our pages; only few of them may run the engine, which is WebAssembly."""
    scripts = "'self' 'wasm-unsafe-eval'" if runs_engine else "'self'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; media-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'; manifest-src 'self'; worker-src 'self'"
    )


def _is_path(scope: Scope) -> bool:
    """Return whether a path can be one of ours: no file has another name, and no room or log line such a number."""
    return len(scope["path"]) <= LONGEST_PATH and scope["path"].isprintable()


def _headers(nonce: str, settings: Settings) -> list[tuple[bytes, bytes]]:
    headers = {
        "content-security-policy": policy(nonce),
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    }
    if settings.secure:
        headers["strict-transport-security"] = "max-age=31536000"
    return [(name.encode(), value.encode()) for name, value in headers.items()]


class BodyRefused(Exception):  # noqa: N818  it reads as a sentence
    """The body of a request is too large, or does not come."""

    def __init__(self, status: int, word: str) -> None:
        """Make the error of an HTTP status and a word."""
        self.status, self.word = status, word
        super().__init__(word)


class SecurityMiddleware:
    """The layer around everything that pages are made by."""

    def __init__(
        self, app: App, settings: Settings, rates: RateLimits, refuse: Refuse, largest: Mapping[str, Largest]
    ) -> None:
        """Wrap an application. `refuse` words a refusal; `largest`: see `Feature`."""
        self.app, self.settings, self.rates, self.refuse, self.largest = app, settings, rates, refuse, largest
        self._told: set[str] = set()  # addresses of which the log has spoken
        self._here: Counter[str] = Counter()  # requests and WebSockets by address, also of those behind a proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or one WebSocket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        address = address_of(scope)
        self._here[address] += 1
        try:
            if scope["type"] == "http":
                await self._answer(scope, receive, send)
            elif self._is_crowded(scope) or not self._may_dial(scope):
                await send({"type": "websocket.close", "code": 1008})  # before it is accepted: an answer 403
            else:
                await self.app(scope, receive, send)
        finally:
            self._here[address] -= 1
            if not self._here[address]:
                del self._here[address]

    def _is_crowded(self, scope: Scope) -> bool:
        return self._here[address_of(scope)] > self.settings.limits.connections_per_address

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        nonce = secrets.token_urlsafe(16)
        scope.setdefault("state", {})["nonce"] = nonce
        answer = _Response(send, _headers(nonce, self.settings))
        problem = self._problem(scope)
        if problem:
            await self._refuse(scope, answer, *problem)
            return
        try:
            await self.app(scope, self._counted(scope, receive, answer), answer)
        except BodyRefused as refusal:
            if not answer.begun:
                answer.refusal = None
                await self._refuse(scope, answer, refusal.status, refusal.word)
        except ClientDisconnect:  # in the middle of its body: nobody is left to be answered
            return
        except Exception:  # a fault of ours: logged with all we know, told in one word
            log.exception("%s %s failed", scope["method"], scope["path"])
            if not answer.begun:
                await self._refuse(scope, answer, 500, "broken")

    def _may_dial(self, scope: Scope) -> bool:
        """Return whether a WebSocket may be opened: each reads from the database, as a page does."""
        origin = header(scope, "origin")
        if origin and not is_our_origin(scope, origin, self.settings):
            self._why_not(scope, origin)  # for the log; whoever holds the socket says no
        return self.rates.allow("reads", address_of(scope)) and _is_path(scope)

    def _problem(self, scope: Scope) -> tuple[int, str] | None:
        safe = scope["method"] in _SAFE_METHODS
        if self._is_crowded(scope) or not self.rates.allow("reads" if safe else "writes", address_of(scope)):
            return 429, "too_many"
        if not addresses.is_our_host(header(scope, "host"), self.settings):
            return 421, "elsewhere"
        if not _is_path(scope):
            return 404, "not_found"
        length = header(scope, "content-length")
        if length and (not length.isdecimal() or len(length) > 18 or int(length) > self._most(scope)):
            return 413, "too_large"
        if safe or scope["path"].startswith(_API):  # remote bots send a token of their own, and no cookie counts there
            return None
        origin, site = header(scope, "origin"), header(scope, "sec-fetch-site")
        if origin and not is_our_origin(scope, origin, self.settings):
            return 403, self._why_not(scope, origin)
        if site and site not in ("same-origin", "none"):
            return 403, "other_site"
        return None

    def _why_not(self, scope: Scope, origin: str) -> str:
        """Return why an origin is refused; for each that seems ours, log once which option the server needs."""
        if origin == "null":
            return "no_origin"
        hosts = header(scope, "host"), header(scope, "x-forwarded-host")
        if header(scope, "sec-fetch-site") != "same-origin" and not addresses.seems_ours(origin, hosts):
            return "other_site"
        if origin not in self._told and len(self._told) < MOST_TOLD and len(origin) < LONGEST_PATH:
            self._told.add(origin)
            log.warning(
                "forms and tables are refused to browsers at %s, because this server does not know that address: "
                "if it is the right one, start the server with %s",
                origin if origin.isprintable() else ascii(origin),
                addresses.option_for(origin, self.settings),
            )
        return "unknown_address"

    def _most(self, scope: Scope) -> int:
        limits = self.settings.limits
        path = scope["path"]
        largest = self.largest.get(path) or self.largest.get(f"/{path[1:].partition('/')[0]}/")
        return limits.body if largest is None else largest(limits)

    def _counted(self, scope: Scope, receive: Receive, answer: _Response) -> Receive:
        left = self._most(scope)

        until = asyncio.get_running_loop().time() + self.settings.limits.request
        whole = False

        async def counted() -> Message:
            nonlocal left, whole
            if whole:  # what comes now is the end of the connection, and may take its time
                return await receive()
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                answer.refusal = BodyRefused(408, "bad_request")  # whatever the application makes of it
                raise answer.refusal from None
            whole = not message.get("more_body", False)
            left -= len(message.get("body", b""))
            if left < 0:
                answer.refusal = BodyRefused(413, "too_large")
                raise answer.refusal
            return message

        return counted

    async def _refuse(self, scope: Scope, send: Send, status: int, word: str) -> None:
        body, kind = self.refuse(scope, status, word)
        headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
        if status == 429:
            headers.append((b"retry-after", b"5"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


class _Response:
    """Sends an answer with our headers in front."""

    def __init__(self, send: Send, headers: list[tuple[bytes, bytes]]) -> None:
        self._send, self._headers = send, headers
        self.begun = False
        self.refusal: BodyRefused | None = None  # when there is one, only the guard answers

    async def __call__(self, message: Message) -> None:
        if self.refusal is not None and not self.begun:
            raise self.refusal
        if message["type"] == "http.response.start":
            self.begun = True
            own = {name for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(pair for pair in self._headers if pair[0] not in own)]
            if b"cache-control" not in own:
                message["headers"].append((b"cache-control", b"no-store"))
        await self._send(message)
