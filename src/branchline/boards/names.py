"""Finds places, routes and tickets by any spelling: printed, English or plain ASCII, in any case."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence

from branchline.boards.arguments import sequence, whole_number
from branchline.boards.board import Board, Place, Route, Ticket
from branchline.boards.faults import (
    UnknownName,
    UnknownPlace,
    UnknownRoute,
    UnknownTicket,
    did_you_mean,
    listed,
    quoted,
    shown,
)
from branchline.boards.letters import without_unseen
from branchline.boards.limits import MAX_LINES, MAX_NAME
from branchline.boards.wording import worded

# Letters that carry no accent Unicode could take off.
_PLAIN = str.maketrans(
    {
        "ß": "ss",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "ı": "i",
        "ħ": "h",
        "ŧ": "t",
    }
)
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})

SEPARATORS = "–—>/→-"
_SEPARATOR = re.compile(rf"\s*(?:->|[{SEPARATORS}])\s*")
_MINUS = "\u2212"
_LONGEST_TEXT = 400  # eight places with the longest names
_MOST_PARTS = 40


def common_marks(text: str) -> str:
    """Return a text with every blank of Unicode as a plain one, and every dash but – and — as a hyphen, without
    invisible characters.
    """
    return "".join(_common_mark(letter) for letter in text)


@functools.lru_cache(maxsize=4096)
def _common_mark(letter: str) -> str:
    if letter.isspace() or unicodedata.category(letter) == "Zs":
        return " "
    if not without_unseen(letter):
        return ""
    dash = letter == _MINUS or unicodedata.category(letter) == "Pd"
    return "-" if dash and letter not in "–—" else letter


def plain(text: str) -> str:
    """Return letters and digits only, lower case, without accents: `Al-Qahira` is `alqahira`, `Köln` is `koln`."""
    letters = unicodedata.normalize("NFKD", text.casefold().translate(_PLAIN))
    return "".join(letter for letter in letters.translate(_PLAIN) if letter.isalnum())


def german(text: str) -> str:
    """Return the same as Germans write it without umlauts: `Köln` is `koeln`."""
    return plain(unicodedata.normalize("NFC", text.casefold()).translate(_GERMAN))


@functools.lru_cache(maxsize=2048)
def spellings(name: str) -> tuple[str, ...]:
    """Return the plain forms under which a name is found."""
    return tuple(dict.fromkeys((plain(name), german(name))))


class PlaceIndex:
    """Finds the places, routes and tickets of a board by their names."""

    def __init__(self, board: Board) -> None:
        """Make the index of a board once; `board.index` keeps it."""
        self._board = board
        self._places = _register(board.places)
        self._routes: dict[frozenset[int], tuple[Route, ...]] = {}
        for route in board.routes:
            ends = frozenset((route.a.index, route.b.index))
            self._routes[ends] = (*self._routes.get(ends, ()), route)

    def find(self, text: str) -> Place | None:
        """Return the place with this name in any spelling, or None."""
        if not isinstance(text, str):
            raise UnknownPlace(f"expected the name of a place, not {shown(text)}")
        for spelling in spellings(text[:_LONGEST_TEXT]):
            if spelling in self._places:
                return self._places[spelling]
        return None

    def place(self, text: str | Place) -> Place:
        """Return the place with this name in any spelling. Raise `UnknownPlace` if there is none."""
        if isinstance(text, Place):
            if text not in self._board.places:
                raise UnknownPlace(f"{quoted(text.name)} is a place of another board")
            return text
        place = self.find(text)
        if place is None:
            raise self._unknown_place(text)
        return place

    def routes(self, a: str | Place, b: str | Place) -> tuple[Route, ...]:
        """Return all lines between two places, in the order of the file."""
        return self._routes.get(frozenset((self.place(a).index, self.place(b).index)), ())

    def route(self, a: str | Place, b: str | Place, colour: str | None = None, line: int | None = None) -> Route:
        """Return the route between two places; for parallel lines, `colour` or `line` (0, 1, 2) selects one."""
        one, other = self.place(a), self.place(b)
        if colour is not None and not isinstance(colour, str):
            raise UnknownRoute(f"colour: expected the name of a colour, not {shown(colour)}")
        if line is not None:
            whole_number("line", line, 0, MAX_LINES - 1, UnknownRoute)
        lines = self.routes(one, other)
        name = f"{one.name}–{other.name}"
        if not lines:
            raise UnknownRoute(worded("no route joins {name}{near}", name=name, near=self._neighbours(one)))
        fitting = [route for route in lines if colour in (None, route.colour) and line in (None, route.line)]
        if not fitting:
            named = colour if colour is None or len(colour) <= MAX_NAME else quoted(colour)
            asked = " ".join(word for word in (named, None if line is None else f"line {line}") if word)
            raise UnknownRoute(f"{name} has no {asked}; it has {_described(lines)}")
        if len({route.colour for route in fitting}) > 1:
            raise UnknownRoute(f"{name} has several lines; say which: {_described(fitting)}")
        return fitting[0]

    def ticket(self, names: str | Sequence[str | Place]) -> Ticket:
        """Return the ticket with these places, given as `Paris–Wien` or a sequence; order matters only for tours."""
        if isinstance(names, str):
            places = self.split_places(names)
        else:
            places = tuple(map(self.place, sequence("ticket", names, "the names of its places", UnknownTicket)))
        same = [ticket for ticket in self._board.tickets if set(ticket.places) == set(places)]
        exact = [ticket for ticket in same if ticket.places == places]
        fitting = exact or [ticket for ticket in same if len(ticket.places) == len(places)]
        if len(fitting) == 1:
            return fitting[0]
        wanted = "–".join(place.name for place in places)
        if fitting:
            raise UnknownTicket(f"several tickets join {wanted}; name the places in printed order")
        near = did_you_mean(wanted, (ticket.name for ticket in self._board.tickets))
        raise UnknownTicket(f"unknown ticket {quoted(wanted)}{near}")

    def split_places(self, text: str) -> tuple[Place, ...]:
        """Return the places named in `Lagos–Luanda–Djibouti`, separated by any of – — - > /.

        A hyphen may belong to a name (`Al-Qahira-Athina`): the text is cut wherever known names come out.
        """
        if not isinstance(text, str):
            raise UnknownPlace(f"expected names of places, not {shown(text)}")
        parts, marks = _cut(text)
        readings = self._readings(parts)
        if not readings:
            if joined := self._joined_by_to(text):
                return joined
            raise self._unknown_place(self._unread_part(parts))
        at_dashes = (*(number for number, mark in enumerate(marks, 1) if mark != "-"), len(parts))
        if at_dashes in readings:  # where there are better marks, hyphens belong to the names
            return self._read(parts, at_dashes)
        if len(readings) > 1:
            ways = ("–".join(place.name for place in self._read(parts, cuts)) for cuts in readings)
            raise UnknownName(f"{quoted(text)} can be read in several ways: {listed(ways)}")
        return self._read(parts, readings[0])

    def _joined_by_to(self, text: str) -> tuple[Place, ...]:
        """Return the places of `Paris to Dieppe`, where there is only one reading; else none."""
        words = common_marks(text).split(" ")
        pairs = set()
        for cut, word in enumerate(words):
            one, other = self.find(" ".join(words[:cut])), self.find(" ".join(words[cut + 1 :]))
            if word.casefold() == "to" and one and other:
                pairs.add((one, other))
        if len(pairs) > 1:
            ways = ("–".join(place.name for place in pair) for pair in pairs)
            raise UnknownName(f"{quoted(text)} can be read in several ways: {listed(sorted(ways))}")
        return pairs.pop() if pairs else ()

    def _readings(self, parts: list[str]) -> list[tuple[int, ...]]:
        """Return the ways (a few at most) to join neighbouring parts into places, each as the positions where places
        end.
        """
        ways: list[list[tuple[int, ...]]] = [[()], *([] for _ in parts)]
        for end in range(1, len(parts) + 1):
            for start in range(end):
                if ways[start] and self.find("".join(parts[start:end])):
                    ways[end] += [(*way, end) for way in ways[start]]
            del ways[end][8:]
        return ways[-1]

    def _read(self, parts: list[str], cuts: tuple[int, ...]) -> tuple[Place, ...]:
        starts = (0, *cuts[:-1])
        return tuple(self.place("".join(parts[start:end])) for start, end in zip(starts, cuts, strict=True))

    def _unread_part(self, parts: list[str]) -> str:
        """Return the first part that names no place, of a text that is not made of places throughout."""
        known = [False] * len(parts)
        for start in range(len(parts)):
            for end in range(start + 1, len(parts) + 1):
                if self.find("".join(parts[start:end])):
                    known[start:end] = [True] * (end - start)
        if all(known):  # names that overlap, as `Al` and `Qahira` could
            return "-".join(parts)
        start = known.index(False)
        end = next((k for k in range(start, len(parts)) if known[k]), len(parts))
        return "-".join(parts[start:end])

    def _unknown_place(self, text: str) -> UnknownPlace:
        names = [name for place in self._board.places for name in place.names]
        near = did_you_mean(text, names) or did_you_mean(plain(text), self._places)
        match = re.search(r'"(.*)"', near)
        if match:  # whatever spelling was near, offer the printed name
            near = f' (did you mean "{self.place(match[1]).name}"?)'
        return UnknownPlace(f"unknown place {quoted(text.strip())}{near}")

    def _neighbours(self, place: Place) -> str:
        others = {(r.b if r.a == place else r.a).name: None for r in self._board.routes if place in (r.a, r.b)}
        return worded("; {place} is joined to {others}", place=place.name, others=tuple(others)) if others else ""


def _register(places: Iterable[Place]) -> dict[str, Place]:
    """Return spelling → place. Printed names come before others, and all of them before transliterations."""
    register: dict[str, Place] = {}
    for write in (plain, german):
        for place in places:
            register.setdefault(write(place.name), place)
        for place in places:
            for name in place.names:
                register.setdefault(write(name), place)
    register.pop("", None)
    return register


def _cut(text: str) -> tuple[list[str], list[str]]:
    """Return the parts between all separators, and the separators."""
    text = common_marks(text).strip()
    if not text:
        raise UnknownPlace("no place is named")
    parts = _SEPARATOR.split(text)
    if len(text) > _LONGEST_TEXT or len(parts) > _MOST_PARTS:
        raise UnknownName(f"too long to be a list of places: {quoted(text)}")
    if not all(parts):
        raise UnknownPlace(f"a place is missing in {quoted(text)}")
    return parts, [mark.strip() for mark in _SEPARATOR.findall(text)]


def _described(lines: Iterable[Route]) -> str:
    return listed(f"{route.colour} (line {route.line})" for route in lines)
