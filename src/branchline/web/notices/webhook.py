"""Webhooks: what is sent, how it is signed, and how it gets to a public address and to no other.

Anybody may name a URL here, so the server must not be led to where only it can get. The name is looked up once, every
address found must be public, and the connection goes to the address that was checked. Redirects are not followed, the
answer is not read beyond its head, and everything has an end.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import socket
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from html import escape
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import unquote, urlsplit, urlunsplit

import httpx

from branchline import __version__
from branchline.plain_data import JsonObject
from branchline.web.notices.delivery import Undelivered
from branchline.web.notices.words import NoticeContext, NoticeWords

FORMATS = ("json", "ntfy", "discord", "matrix")
LOOKING_UP, CONNECTING, ANSWERING = 5.0, 5.0, 10.0  # seconds
RESOLVING = 4  # names that are looked up at once
TRIES = 2  # of the addresses of a name
_NAT64 = IPv6Network("64:ff9b::/96")
_WORTH_ANOTHER_TRY = frozenset({408, 425, 429})
_MARKDOWN = str.maketrans({letter: f"\\{letter}" for letter in "\\*_~`|>[]()#<"})


class Webhooks:
    """Sends notices to the URLs that people have chosen."""

    def __init__(self, *, private: bool = False) -> None:
        """Begin; with `private`, addresses that only this machine or its network can reach are allowed too."""
        self.private = private
        self._client: httpx.AsyncClient | None = None
        # Of its own: names that take long to look up shall hold up nothing but webhooks.
        self._resolving = ThreadPoolExecutor(RESOLVING, thread_name_prefix="resolving")

    async def send(self, url: str, form: str, notice: NoticeContext, words: NoticeWords, id_: str, secret: str) -> int:
        """Tell a webhook of something; the status it answers with, below 300. Raise `Undelivered`."""
        url, content = payload(url, form, notice, words, id_)
        body = json.dumps(content, ensure_ascii=False).encode()
        status = await self._post(url, body, {"Branchline-Notice": id_, **signature(secret, body)})
        if status >= 300:
            again = status >= 500 or status in _WORTH_ANOTHER_TRY
            raise Undelivered("status", phrase(status), again=again)
        return status

    async def close(self) -> None:
        """Let all connections go."""
        self._resolving.shutdown(wait=False, cancel_futures=True)
        if self._client is not None:
            await self._client.aclose()

    async def _post(self, url: str, body: bytes, headers: dict[str, str]) -> int:
        parts = httpx.URL(url)
        addresses = await self._addresses(parts.host, parts.port or {"http": 80, "https": 443}[parts.scheme])
        if self._client is None:  # TLS contexts take a while to make
            context = await asyncio.to_thread(ssl.create_default_context)
            self._client = httpx.AsyncClient(
                verify=context,
                trust_env=False,
                follow_redirects=False,
                timeout=httpx.Timeout(ANSWERING, connect=CONNECTING),
                limits=httpx.Limits(max_keepalive_connections=0),  # no connection serves another name
            )
        headers |= {
            "Host": parts.netloc.decode("ascii"),
            "Content-Type": "application/json",
            "User-Agent": f"branchline/{__version__}",
        }
        trouble: Undelivered | None = None
        for address in addresses[:TRIES]:
            request = self._client.build_request(
                "POST",
                parts.copy_with(host=address),
                content=body,
                headers=headers,
                extensions={"sni_hostname": parts.host},
            )
            try:
                async with asyncio.timeout(CONNECTING + ANSWERING):
                    response = await self._client.send(request, stream=True)
                    await response.aclose()
                return response.status_code
            except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
                trouble = Undelivered("connection", str(error), again=True)
            except (TimeoutError, httpx.TimeoutException):
                raise Undelivered("no_answer") from None  # it may have arrived: never twice
            except httpx.TransportError as error:
                raise Undelivered("no_answer", str(error)) from None
        assert trouble is not None
        raise trouble

    async def _addresses(self, host: str, port: int) -> list[str]:
        """Return the addresses of a name, all of which may be called. Raise `Undelivered`."""
        look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        try:
            async with asyncio.timeout(LOOKING_UP):
                resolved = await asyncio.get_running_loop().run_in_executor(self._resolving, look_up)
        except (OSError, UnicodeError, TimeoutError):
            raise Undelivered("name", host, again=True) from None
        addresses = list(dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in resolved))
        if not self.private and not all(is_public(address) for address in addresses):
            raise Undelivered("private", host)
        return addresses


def is_public(text: str) -> bool:
    """Return whether anybody on the internet could call an address; those that stand for others are unwrapped."""
    address: IPv4Address | IPv6Address = ip_address(text)
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if address in _NAT64:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if address.is_site_local:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def signature(secret: str, body: bytes, now: float | None = None) -> dict[str, str]:
    """Return the headers that show when a body was sent, and by whom."""
    moment = f"{time.time() if now is None else now:.0f}"
    digest = hmac.new(secret.encode(), moment.encode() + b"." + body, hashlib.sha256).hexdigest()
    return {"Branchline-Timestamp": moment, "Branchline-Signature": f"sha256={digest}"}


def payload(url: str, form: str, notice: NoticeContext, words: NoticeWords, id_: str) -> tuple[str, JsonObject]:
    """Return the content in one of FORMATS, and its address: ntfy takes JSON at the address above the topic."""
    if form == "discord":
        text_sent = f"**{_plain(words.title)}**\n{_plain(words.text)}\n<{notice.link}>"
        return url, {"content": text_sent, "username": "branchline", "allowed_mentions": {"parse": []}}
    if form == "matrix":
        text_sent = f"<b>{escape(words.title)}</b><br>{escape(words.text)}<br>"
        text_sent += f'<a href="{escape(notice.link)}">{escape(words.open)}</a>'
        text = f"{words.title}\n{words.text}\n{notice.link}"
        return url, {"text": text, "html": text_sent, "username": "branchline"}
    if form == "ntfy":
        parts = urlsplit(url)
        above, _, topic = parts.path.rstrip("/").rpartition("/")
        message = {"message": words.text, "title": words.title, "click": notice.link, "tags": ["steam_locomotive"]}
        root = urlunsplit((parts.scheme, parts.netloc, f"{above}/", parts.query, ""))
        return root, {"topic": unquote(topic), **message}
    head = {"id": id_, "kind": notice.kind, "language": notice.language, "board": notice.board, "seat": notice.seat}
    return url, {**head, "title": words.title, "text": words.text, "url": notice.link}


def _plain(text: str) -> str:
    """Return a text without Discord's markup."""
    return text.translate(_MARKDOWN)


def phrase(status: int) -> str:
    """Return a status with its usual name; the other server's name for it is not repeated."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
