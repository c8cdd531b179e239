"""The reasons of `game.reasons` in the reader's language: each of its sentences is known here by its form.

The reasons are one English line each. This is a translator, no second judge: of what it does not know it says in other
languages only that it is not possible.
"""

from __future__ import annotations

import re

from branchline.web.context import Player, TableContext
from branchline.web.pages import components, labels
from branchline.web.pages.translation import N_, N_many, Several, Translator, translator_for

_IN_GENERAL = N_("That is not possible now.")
_CLAIMS = r"(?P<route>.+?–.+?)"

_FORMS: tuple[tuple[str, str | Several], ...] = (
    (rf"{_CLAIMS} already belongs to you", N_("This route is already yours.")),
    (rf"{_CLAIMS} already belongs to seat (?P<seat>\d+)", N_("This route belongs to {name}.")),
    (
        rf"{_CLAIMS} is closed: .* with (?P<count>\d+) seats only one may be used",
        N_("Closed: with {count} players, only one of two parallel routes may be used."),
    ),
    (
        rf"{_CLAIMS}: you hold its parallel line.*",
        N_("You already own the parallel route, and no player may own both."),
    ),
    (
        rf"{_CLAIMS} needs (?P<need>\d+) (?P<piece>\w+?)s?, you have (?P<have>\d+)",
        N_("Not enough {piece}: you need {need} and have {have}."),
    ),
    (
        rf"{_CLAIMS} needs at least (?P<count>\d+) wilds?, you have (?P<have>\d+)",
        N_many(
            "You need at least {count} wild card and have {have}.",
            "You need at least {count} wild cards and have {have}.",
        ),
    ),
    (
        rf"{_CLAIMS} needs (?P<count>\d+) pairs of equal train cards.*",
        N_many(
            "Difficult terrain: you need {count} pair of equal cards, which you don’t have.",
            "Difficult terrain: you need {count} pairs of equal cards, which you don’t have.",
        ),
    ),
    (
        rf"{_CLAIMS} costs (?P<count>\d+) spaces of ship cards of any one colour.*",
        N_many(
            "You need ship cards of one colour for {count} space, which you don’t have.",
            "You need ship cards of one colour for {count} spaces, which you don’t have.",
        ),
    ),
    (
        rf"{_CLAIMS} costs (?P<count>\d+) spaces of ship cards of (?P<colour>\w+);.*",
        N_many(
            "You need {colour} ship cards for {count} space, which you don’t have.",
            "You need {colour} ship cards for {count} spaces, which you don’t have.",
        ),
    ),
    (
        rf"{_CLAIMS} costs (?P<count>\d+) cards of any one colour.*",
        N_many(
            "You need {count} card of one colour, which you don’t have.",
            "You need {count} cards of one colour, which you don’t have.",
        ),
    ),
    (
        rf"{_CLAIMS} costs (?P<count>\d+) cards of (?P<colour>\w+);.*",
        N_many(
            "You need {count} {colour} card, which you don’t have.",
            "You need {count} {colour} cards, which you don’t have.",
        ),
    ),
    (r"choose which tickets to keep first", N_("First choose which tickets to keep.")),
    (
        r"at least (?P<need>\d+) of the \d+ tickets have to be kept",
        N_("Too few tickets: you must keep at least {need}."),
    ),
    (r"seat (?P<seat>\d+) has to answer something else first", N_("Answer the other question first.")),
    (r"it is the (?:turn|question) of seat (?P<seat>\d+).*", N_("It is not your turn.")),
    (r"there are no stations in this edition", N_("There are no stations in this game.")),
    (r".+ has a station already", N_("There is already a station here.")),
    (r".+ is not a city", N_("This is not a city.")),
    (r"all your stations are built", N_("All your stations are built.")),
    (
        r"your next station costs (?P<count>\d+) cards of one colour.*",
        N_many(
            "Your next station costs {count} card of one colour, which you don’t have.",
            "Your next station costs {count} cards of one colour, which you don’t have.",
        ),
    ),
    (r"there are no ports in this edition", N_("There are no ports in this game.")),
    (r".+ has a port already", N_("There is already a port here.")),
    (r".+ is not a port city", N_("No port can be built here.")),
    (r"all your ports are built", N_("All your ports are built.")),
    (r"you have no route to .+ yet", N_("You have no route to this city yet.")),
    (
        r"a port costs (?P<need>\d+) train and (?P<ships>\d+) ship cards.*",
        N_("A port costs {need} train and {ships} ship cards of one colour, all with an anchor; you don’t have them."),
    ),
    (r"passing is allowed only when nothing else is possible", N_("You may pass only when you have no other move.")),
    (r"no such card can be drawn now", N_("This card cannot be taken now.")),
    (r"there are no tickets left", N_("There are no tickets left.")),
    (r"there is nothing to swap", N_("There is nothing to swap.")),
    (r"the game is over", N_("The game is over.")),
    (r".+ does not pay the price exactly", N_("These cards do not match the price exactly.")),
    (r"that is not possible now", _IN_GENERAL),
)

_KNOWN = tuple((re.compile(form, re.DOTALL), text) for form, text in _FORMS)


def in_words(words: Translator, players: tuple[Player, ...], reason: str) -> str:
    """A reason in the reader's language."""
    for form, text in _KNOWN:
        found = form.fullmatch(reason)
        if found:
            return words(text, **_fields(words, players, found.groupdict()))
    return reason if words.language == "en" else words(_IN_GENERAL)


def refusal(context: TableContext, reason: str) -> str:
    """Why what somebody at this table did is not allowed, in their language."""
    return in_words(translator_for(context.visit.language), context.players, reason)


def _fields(words: Translator, players: tuple[Player, ...], found: dict[str, str]) -> dict[str, str | int]:
    fields: dict[str, str | int] = {**found}
    if "count" in found:
        fields["count"] = int(found["count"])
    if "seat" in found:
        fields["name"] = components.name_of(words, players[int(found["seat"])])
    if "piece" in found:
        fields["piece"] = labels.pieces(words, found["piece"])
    if found.get("colour") in labels.COLOURS:
        fields["colour"] = labels.colour(words, found["colour"])
    return fields
