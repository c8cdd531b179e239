"""What is said over the WebSockets of tables: by browsers, read with suspicion into a small record, and to them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal, NotRequired, TypeAlias, TypedDict, get_args

from branchline.web.core.rooms.talk import LONGEST_TYPED
from branchline.workshop.draft import is_unicode

LONGEST_ACTION = 1000
LONGEST_WISH = 200
LONGEST_FOUND = 4000


class BadMessage(Exception):  # noqa: N818  it reads as a sentence
    """This is no message of ours."""


@dataclass(frozen=True)
class SocketMessage:
    """`do` says what; `DOINGS` says which of the other fields belong to it."""

    do: str
    version: int = -1  # what the sender has seen
    action: str = ""
    seat: int | None = None  # whose; left out: the one that has the device
    what: str = ""
    page: str = ""  # the nonce of the page that says hello, once
    text: str = ""
    reaction: str = ""  # in place of a text
    everybody: bool = False  # for spectators too
    on: bool = False
    found: str = ""  # JSON of what the browser has worked out; empty: it cannot
    again: bool = False  # sent before on a line that broke: what was done then is not done twice


@dataclass(frozen=True)
class Doing:
    """Something that a browser can say, with the fields of the message that belong to it."""

    meaning: str
    fields: tuple[str, ...] = ()


DOINGS = {
    "hello": Doing("show what has changed since the page was made, or else everything", ("version", "page")),
    "play": Doing("play an action: its text, also a whole payment", ("version", "action", "seat")),
    "undo": Doing("take the last action back", ("version", "seat")),
    "resign": Doing("a bot plays this seat for good", ("seat",)),
    "sit": Doing("hot-seat: the device has been handed over; no seat: cover the cards", ("seat",)),
    "show": Doing("work out what was pressed, such as `route-12`, `place-3`", ("what",)),
    "back": Doing("return my seats from the bot"),
    "links": Doing("replace my links; the old ones stop working"),
    "say": Doing("say a line or a reaction, to the seats or to everybody", ("text", "reaction", "everybody")),
    "hint": Doing("the coach's next step: where to look, what to do, why"),
    "found": Doing("what the coach's next step is, worked out in the browser", ("version", "found")),
    "tutor": Doing("warn me before large mistakes, or no longer", ("on",)),
    "agree": Doing("I agree to a coach for everybody, or no longer", ("on",)),
    "ping": Doing("answer, if this connection still works"),
}


class Shown(TypedDict):
    """What has changed for this viewer: elements by id, and what happened, for those who listen."""

    version: int
    fragments: dict[str, str]
    events: list[dict[str, object]]
    title: str
    sound: str | None


class Dealt(TypedDict):
    """The same at a table where only cards are dealt; `said` is what a screen reader reads."""

    version: int
    fragments: dict[str, str]
    said: str


class Refusal(TypedDict):
    """Why something was not done: a word, and a sentence in the reader's language. A refused line comes back."""

    version: NotRequired[int]
    error: str
    why: str
    text: NotRequired[str]


class Panel(TypedDict):
    """What was to be shown: elements by id."""

    panel: dict[str, str]


class Done(TypedDict):
    """That something was done (`links`); the page has a sentence for it."""

    said: str


class Cautioned(TypedDict):
    """That an action was not played; the fragment `coach` says why, and repeating it plays it."""

    cautioned: bool


class Pong(TypedDict):
    """That the connection works."""

    do: Literal["pong"]


Answer: TypeAlias = Shown | Dealt | Refusal | Panel | Done | Cautioned | Pong
ANSWERS: tuple[type, ...] = get_args(Answer)


def read_message(text: str | bytes | None) -> SocketMessage:
    """Return a message from its JSON text. Raise `BadMessage`."""
    if not isinstance(text, str):
        raise BadMessage("messages are text")
    try:
        table = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise BadMessage("not JSON") from None
    if not isinstance(table, dict):
        raise BadMessage("a message is an object")
    do = table.get("do")
    if not isinstance(do, str) or do not in DOINGS:
        raise BadMessage(f'"do" is one of {", ".join(DOINGS)}')
    return SocketMessage(
        do,
        version=_number(table, "version", -1),
        action=_text(table, "action", LONGEST_ACTION),
        seat=None if table.get("seat") is None else _number(table, "seat", -1),
        what=_text(table, "what", LONGEST_WISH),
        page=_text(table, "page", LONGEST_WISH),
        text=_any_text(table, "text", LONGEST_TYPED),
        reaction=_text(table, "reaction", LONGEST_WISH),
        everybody=table.get("everybody") is True,
        on=table.get("on") is True,
        found=_any_text(table, "found", LONGEST_FOUND),
        again=table.get("again") is True,
    )


def _number(table: dict[str, object], name: str, otherwise: int) -> int:
    value = table.get(name, otherwise)
    if isinstance(value, bool) or not isinstance(value, int) or not -1 <= value < 1 << 31:
        raise BadMessage(f'"{name}" is a whole number')
    return value


def _any_text(table: dict[str, object], name: str, longest: int) -> str:
    value = table.get(name, "")
    if not isinstance(value, str) or len(value) > longest:
        raise BadMessage(f'"{name}" is a text of at most {longest} characters')
    return value


def _text(table: dict[str, object], name: str, longest: int) -> str:
    value = _any_text(table, name, longest)
    if not value.isprintable() or not is_unicode(value):
        raise BadMessage(f'"{name}" has letters that cannot be shown')
    return value


def _no_number(word: str) -> object:
    raise ValueError(word)
