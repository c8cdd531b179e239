"""What the others have done since a player decided last: a line, and marks on the map until the player acts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from branchline.game import Event
from branchline.rules.catalogue import BUILDS, DRAWS, event_words
from branchline.web.core.pages import components, labels
from branchline.web.core.pages.render import part
from branchline.web.core.pages.translation import Translator, translator_for
from branchline.web.core.seen import LogEntry, TableContext

_MOST = 40  # steps that are told: more have gone by while somebody was away
_DRAWN = event_words(does=DRAWS)
_BUILT = event_words(does=BUILDS)


@dataclass(frozen=True)
class StoryDeed:
    """One thing that somebody did, in a few words, and what it lights on the map."""

    text: str
    highlights: str = ""


@dataclass(frozen=True)
class StoryTurn:
    """What one player did in a row."""

    seat: int
    deeds: tuple[StoryDeed, ...]
    cards: int = 0
    tickets: int = 0


def entries(context: TableContext) -> tuple[LogEntry, ...]:
    """Return the steps of the others since the viewer's own last one; none for those who only watch."""
    if context.seat is None or context.over:
        return ()
    since: list[LogEntry] = []
    for entry in reversed(context.log[-_MOST:]):
        if entry.kind == "action":
            if entry.seat == context.seat:
                break
            since.append(entry)
    return tuple(reversed(since))


def story(context: TableContext) -> str:
    """Return the element `story`; `data-lately` says what is marked, and for whom: `route-3:1 place-5:2`."""
    words, since = translator_for(context.visit.language), entries(context)
    marks = [
        f"{element}:{entry.seat}"
        for entry in since
        for event in entry.events
        if event.kind in _BUILT
        for element in _lights(event).split()
    ]
    return part("table/story.html", words, context=context, turns=_turns(words, context, since), marks=" ".join(marks))


def _turns(words: Translator, context: TableContext, since: Sequence[LogEntry]) -> list[StoryTurn]:
    turns = []
    for seat, group in groupby(since, key=lambda entry: entry.seat):
        events = [event for entry in group for event in entry.events]
        deeds = tuple(_deeds(words, context, events))
        if deeds:
            turns.append(StoryTurn(seat, deeds, _drawn(events), _kept(events)))
    return turns


def _deeds(words: Translator, context: TableContext, events: Sequence[Event]) -> Iterable[StoryDeed]:
    """Yield what was built, then how many cards and tickets were drawn."""
    for event in events:
        if event.kind in _BUILT or event.kind == "withdraw":
            yield StoryDeed(_built(words, context, event), _lights(event))
    if cards := _drawn(events):
        yield StoryDeed(words.many("{count} card", "{count} cards", cards))
    if tickets := _kept(events):
        yield StoryDeed(words.many("{count} new ticket", "{count} new tickets", tickets))


def _drawn(events: Sequence[Event]) -> int:
    return sum(event.kind in _DRAWN for event in events)


def _kept(events: Sequence[Event]) -> int:
    return sum(event.count for event in events if event.kind == "keep")


def _built(words: Translator, context: TableContext, event: Event) -> str:
    if event.kind == "withdraw" and event.route is not None:
        return words("back from {route}", route=event.route.name)
    if event.route is not None:
        return labels.route(words, context.board, event.route)
    assert event.place is not None
    if event.kind == "station":
        return words("station in {place}", place=event.place.name)
    return words("port in {place}", place=event.place.name)


def _lights(event: Event) -> str:
    return components.highlights(event.route, event.place)
