"""The browser that asks, as every page needs to know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Visit:
    """The browser that asks: its settings and what its forms need."""

    language: str = "en"  # code of a language that is complete
    settings: Mapping[str, str] = field(default_factory=dict)  # by `browser_settings.NAMES`; "" when unset
    csrf: str = ""  # goes into every form, as the hidden field `csrf`
    nonce: str = ""  # for <style nonce="…"> in whole pages
    path: str = "/"  # where we are, for "back" fields
    root: str = ""  # what pages put before every path, as in /branchline; empty: the server is at the root of its host
    network: str = ""  # http://host{root} by which others in the network reach the server, where it listens to them
    alone: bool = False  # the pages come from this browser itself: nobody else can reach them
    origin: str = ""  # https://host{root}, before the paths of links for friends; empty: the browser knows where it is


@dataclass(frozen=True)
class MessageContext:
    """Something went wrong, or there is nothing here."""

    visit: Visit
    status: int
    reason: str  # a word: not_found, not_yours, taken, forged, no_cookie, too_large, broken, … (`lobby.page`)
    detail: str = ""  # one English line, where there is more to say
