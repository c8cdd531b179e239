"""Who sends a request: the browser behind a cookie, the remote bot behind a token, and what they may do in a room."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.responses import Response

from branchline.web.core.http.middleware import address_of
from branchline.web.core.http.state import ServerState
from branchline.web.core.pages import browser_settings, translation
from branchline.web.core.rooms import seats
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.perspective import Viewer
from branchline.web.core.security.tokens import is_token, token_hash
from branchline.web.core.visit import Visit

YEAR = 365 * 86_400
LONGEST_SETTING = 20


@dataclass(frozen=True)
class Client:
    """A browser or a remote bot."""

    key: str  # its secret
    fresh: bool  # it has just been given that secret
    visit: Visit
    doubtful: bool = False  # the key came in a cookie that a neighbouring site could have set
    beside: bool = False  # another server of this host has the usual cookie: browsers tell no ports apart

    @property
    def hash(self) -> str:
        """What is kept of the secret."""
        return token_hash(self.key)


def browser(request: HTTPConnection, server: ServerState) -> Client:
    """Return the browser that sends a request: known by its cookie, or new."""
    own = request.cookies.get(_cookie_beside(server), "")
    own = own if is_token(own) else request.cookies.get(_key_cookie(server), "")
    older = request.cookies.get(cookie_name("key", server.settings.root), "")
    known = own if is_token(own) else older
    return _client(request, server, known if is_token(known) else server.signer.browser_key(), own=own, known=known)


def has_cookie(request: HTTPConnection) -> bool:
    """Return whether the browser keeps our cookies at all."""
    name = cookie_name("key", root(request))
    return any(cookie.removeprefix("__Host-").partition("~of~")[0] == name for cookie in request.cookies)


async def recognised(request: HTTPConnection, server: ServerState, *, anew: bool = False) -> Client:
    """Return the browser that sends a request.

    A key that a neighbour or anybody else could have chosen counts only if it opens something: then it is a cookie of
    earlier versions. `anew`: so does any key. Somebody may have planted one of ours to share the seat it is about to
    be given.
    """
    client = browser(request, server)
    if client.fresh:
        return client
    doubtful = anew or client.doubtful or not server.signer.is_browser_key(client.key)
    if doubtful and not await server.live.read(server.store.is_known, client.hash):
        return _client(request, server, server.signer.browser_key())
    return client


def root(request: HTTPConnection) -> str:
    """Return the path before all others of the server that is addressed."""
    path: str = request.app.state.server.settings.root
    return path


def cookie_name(name: str, root: str) -> str:
    """Return the full name of a cookie.

    Browsers send those of the host's root below it too, so no two servers may share one.
    """
    return f"branchline_{name}{root.replace('/', '~')}"


def _key_cookie(server: ServerState) -> str:
    """Return the name of the cookie with the key: over https one that browsers take from this host only; its path
    must be `/`.
    """
    name = cookie_name("key", server.settings.root)
    return f"__Host-{name}" if server.settings.secure else name


def _cookie_beside(server: ServerState) -> str:
    """Return the name for a browser that keeps another server's key under the usual one; only this server uses it."""
    return f"{_key_cookie(server)}~of~{server.signer.name}"


def _chosen(request: HTTPConnection, name: str) -> str:
    return request.cookies.get(cookie_name(name, root(request)), "")


def has_chosen(request: HTTPConnection, name: str) -> bool:
    """Return whether a browser has chosen a setting of its pages, or the language."""
    return bool(_chosen(request, name))


def remember_setting(response: Response, server: ServerState, name: str, value: str) -> None:
    """Have a browser keep a setting, or forget it where the value is empty; what cannot be one changes nothing."""
    below = server.settings.root
    kept = cookie_name(name, below)
    good = value in languages() if name == "language" else value.isascii() and value.isalnum()
    if good and len(value) <= LONGEST_SETTING:
        response.set_cookie(kept, value, YEAR, path=below or "/", samesite="lax", secure=server.settings.secure)
    elif not value:
        response.delete_cookie(kept, path=below or "/")


def _client(request: HTTPConnection, server: ServerState, key: str, own: str = "", known: str = "") -> Client:
    visit = Visit(
        language=language(request),
        settings={name: _setting(_chosen(request, name)) for name in browser_settings.NAMES},
        csrf=server.signer.form_token(key),
        nonce=getattr(request.state, "nonce", ""),
        path=request.url.path,
        root=server.settings.root,
        network=server.settings.network and server.settings.network + server.settings.root,
        origin=server.settings.url,
        alone=server.settings.alone,
    )
    usual = request.cookies.get(_key_cookie(server), "")
    foreign = is_token(usual) and usual != key and not server.signer.is_browser_key(usual)
    beside = foreign or _cookie_beside(server) in request.cookies
    return Client(key, key != known, visit, doubtful=key == known != own, beside=beside)


def remember(response: Response, client: Client, server: ServerState) -> Response:
    """Give a browser its key to keep."""
    if client.fresh or client.doubtful:
        secure, below = server.settings.secure, server.settings.root
        name = _cookie_beside(server) if client.beside else _key_cookie(server)
        where = "/" if secure else below or "/"
        response.set_cookie(name, client.key, YEAR, path=where, httponly=True, samesite="lax", secure=secure)
        if secure:
            response.delete_cookie(cookie_name("key", below), path=below or "/")
    return response


def passer_by(request: HTTPConnection) -> Visit:
    """Return what a page made for nobody in particular needs: the language, and how it looks."""
    return Visit(
        language=language(request),
        settings={name: _setting(_chosen(request, name)) for name in ("theme", "motion")},
        nonce=getattr(request.state, "nonce", ""),
        path=request.url.path,
        root=root(request),
    )


def languages() -> tuple[str, ...]:
    """Return the languages that the pages speak."""
    return tuple(translation.LANGUAGES)


def language(request: HTTPConnection) -> str:
    """Return the language that was chosen, or the one the browser prefers among ours.

    A WebSocket speaks the language of its page, which says so: not every browser sends its languages along with it.
    """
    spoken = languages()
    of_page = request.query_params.get("language", "") if request.scope["type"] == "websocket" else ""
    for chosen in (of_page, _chosen(request, "language")):
        if chosen in spoken:
            return chosen
    for wish in _wishes(request.headers.get("accept-language", "")):
        if wish in spoken:
            return wish
    return spoken[0]


def _wishes(text: str) -> list[str]:
    """Return the languages of an Accept-Language header, the most wanted first."""
    wishes = []
    for place, part in enumerate(text[:500].split(",")):
        code, _, weight = part.partition(";")
        try:
            wanted = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            wanted = 0.0
        wishes.append((-wanted, place, code.strip().lower().split("-")[0]))
    return [code for _, _, code in sorted(wishes)]


def _setting(text: str) -> str:
    return text if text.isalnum() and text.isascii() and len(text) <= LONGEST_SETTING else ""


def bearer(request: HTTPConnection) -> str:
    """Return the token of a remote bot, or nothing."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    token = token.strip()
    return token if scheme.lower() == "bearer" and is_token(token) else ""


async def viewer_of(
    request: HTTPConnection, server: ServerState, live_room: LiveRoom, key: str, visit: Visit
) -> Viewer | None:
    """Return what the holder of a key may see of a room, or None."""
    room = live_room.room
    key_hash = token_hash(key)
    rights = await server.live.read(server.store.rights, room.id, key_hash)
    mine = tuple(seat for seat in rights if seat != seats.WATCH)
    host = room.row.host == key_hash
    if not rights and not host and not room.options.open:
        return None
    if mine or host:
        live_room.address = address_of(request.scope)
    return Viewer(mine=mine, host=host, invited=host or seats.WATCH in rights, visit=visit)
