"""The addresses that this server goes by: the public one, if it was told, and the names that requests call it.

A `Host` header is what somebody wrote into a request. No link is made of it: links are paths, which the browser
completes with the address where it is, or begin with the public address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from email.utils import parseaddr
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from branchline.web.core.http.plan import ServeError
from branchline.web.core.settings import MailServer, Settings

_PATH = re.compile(r"(?:/[\w-][\w.-]*)+", re.ASCII)
_LONGEST_PATH = 100


def public_address(text: str, taken: Callable[[], frozenset[str]] = frozenset) -> str:
    """Return a public address as it stands in front of paths (`https://example.org/games`). Raise `ServeError`."""
    parts = _split(text)
    bare = parts is not None and not (parts.query or parts.fragment or parts.username)
    if parts is None or not bare or parts.scheme not in ("http", "https") or not parts.hostname:
        raise ServeError(
            f"--url {text}: expected http:// or https:// and a name, as in https://play.example.org, "
            "and perhaps a path, as in https://example.org/games"
        )
    return f"{parts.scheme}://{parts.netloc.lower()}{public_path(parts.path, f'--url {text}', taken)}"


def browser_address(text: str) -> str:
    """Return the address at which a browser says that it is, without a path. Raise `ServeError`."""
    parts = _split(text)
    if parts is None or parts.path not in ("", "/"):
        raise ServeError("expected an address without a path")
    return public_address(text)


def public_path(text: str, option: str, taken: Callable[[], frozenset[str]]) -> str:
    """Return the path below which the server is, as it stands in front of paths (`/games`). Raise `ServeError`.

    None that begins as a path of the application does: where a proxy may or may not take it away, nobody could tell.
    """
    path = text.rstrip("/")
    if not path:
        return ""
    if not _PATH.fullmatch(path) or len(path) > _LONGEST_PATH:
        raise ServeError(
            f"{option}: expected a path of letters, digits, hyphens, full stops and underscores, as in /games"
        )
    if (first := path.split("/")[1]) in taken():
        raise ServeError(f"{option}: pages of the server have addresses that begin with /{first}; choose another path")
    return path


_PORTS = {"starttls": 587, "tls": 465, "none": 25}
_SENDER = re.compile(r"[^\s<>@,;\"]+@[^\s<>@,;\"]+")


def mail_server(smtp: str, sender: str, security: str, user: str, password: str, *, url: str) -> MailServer | None:
    """Return the mail server of `--smtp HOST[:PORT]`; None where there is none. Raise `ServeError`."""
    if not smtp:
        return None
    parts = _split(f"//{smtp}")
    if parts is None or not parts.hostname or parts.username or parts.path:
        raise ServeError(f"--smtp {smtp}: expected a name and perhaps a port, as in mail.example.org:587")
    if not url:
        raise ServeError("--smtp: give --url too; mails hold links to the tables")
    address = parseaddr(sender)[1]
    if not _SENDER.fullmatch(address) or not sender.isprintable():
        raise ServeError("--smtp-from: expected an address, as in games@example.org")
    if user and not password:
        raise ServeError("--smtp-user: put the password into the environment, as BRANCHLINE_SMTP_PASSWORD")
    return MailServer(parts.hostname, sender, parts.port or _PORTS[security], user, password, security)


def is_our_host(host: str, settings: Settings) -> bool:
    """Return whether a request may address the server by this name.

    With a public address: its name, those of `--origin`, `localhost`, and addresses in numbers. Without: any name.
    """
    if not settings.url or not host:
        return True
    parts = _split(f"//{host}")
    name = parts.hostname if parts else None
    known = {address.hostname for address in map(_split, (settings.url, *settings.origins)) if address is not None}
    return name is not None and (name == "localhost" or _is_number(name) or name in known)


def is_our_origin(origin: str, scheme: str, host: str, settings: Settings) -> bool:
    """Return whether a page of ours sent a request with this `Origin`, by this scheme to this `Host`."""
    if origin in settings.origins or (settings.url and origin == settings.origin):
        return True
    return is_our_host(host, settings) and origin == f"{'https' if settings.secure else scheme}://{host}"


def seems_ours(origin: str, hosts: Iterable[str]) -> bool:
    """Return whether an unknown origin is probably our own: a request addresses one of these hosts by the same name."""
    parts = _split(origin)
    return parts is not None and parts.scheme in ("http", "https") and parts.netloc.lower() in {*map(str.lower, hosts)}


def option_for(origin: str, settings: Settings) -> str:
    """Return the option that would make the server accept an address at which it is reached."""
    if settings.url:
        return f"--origin {origin}"
    return f"--url {origin} --secure --proxy ADDRESS" if origin.startswith("https:") else f"--url {origin}"


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018  it is read to see whether it is one
    except ValueError:
        return None
    return parts


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
