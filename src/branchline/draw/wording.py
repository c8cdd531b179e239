"""The few words inside a drawing, for people who listen to it; a page in another language passes its own."""

from __future__ import annotations

from collections.abc import Mapping

ENGLISH: Mapping[str, str] = {
    "board": "Map of {places} places and {routes} routes.",
    "owned.one": "1 route is taken.",
    "owned.many": "{count} routes are taken.",
    "route": "{name}: {spaces}",
    "spaces.one": "1 {colour} space",
    "spaces.many": "{count} {colour} spaces",
    "subway": "subway for {price} {colour} cards",
    "kind.tunnel": "tunnel",
    "kind.ferry": "ferry",
    "kind.sea": "sea",
    "kind.tram": "tram",
    "wilds.one": "1 wild at least",
    "wilds.many": "{count} wilds at least",
    "pairs.one": "{count} difficult",
    "pairs.many": "{count} difficult",
    "points.one": "1 point",
    "points.many": "{count} points",
    "owner": "taken by seat {seat}",
    "closed": "closed",
    "station": "station of seat {seat}",
    "port": "port of seat {seat}",
    "may_port": "port city",
    "country": "country",
    "waypoint": "waypoint",
    "passengers.one": "1 passenger",
    "passengers.many": "{count} passengers",
    "passengers.of": "passengers: {colours}",
    "length": "spaces",
    "price": "cards",
    "worth": "points",
    "colour.purple": "purple",
    "colour.blue": "blue",
    "colour.orange": "orange",
    "colour.white": "white",
    "colour.green": "green",
    "colour.yellow": "yellow",
    "colour.black": "black",
    "colour.red": "red",
    "colour.gray": "gray",
}
"""Every phrase by its key, with the fields it is filled with."""


def say(words: Mapping[str, str], key: str, **fields: object) -> str:
    """Return a phrase, filled in; English where `words` does not have it."""
    return words.get(key, ENGLISH.get(key, key.rpartition(".")[2])).format(**fields)


def say_number(words: Mapping[str, str], key: str, count: int, **fields: object) -> str:
    """Return a phrase about a number of things: in a form for just this number, else for one or for many."""
    usual = f"{key}.{'one' if count == 1 else 'many'}"
    form = next((form for form in (f"{key}.{count}", usual, key) if form in words), usual)
    return say(words, form, count=count, **fields)
