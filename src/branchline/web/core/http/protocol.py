"""What a browser may say over the WebSocket: read with suspicion, into one of a few small records."""

from __future__ import annotations

import json
from dataclasses import dataclass

from branchline.web.core.rooms.talk import LONGEST_TYPED
from branchline.workshop.draft import is_unicode

LONGEST_ACTION = 1000
LONGEST_WISH = 200


class BadMessage(Exception):  # noqa: N818  it reads as a sentence
    """This is no message of ours."""


@dataclass(frozen=True)
class Message:
    """`do` says what; the other fields belong to some of the things that can be done."""

    do: str
    version: int = -1  # what the sender has seen
    action: str = ""  # play
    seat: int | None = None  # sit, resign
    what: str = ""  # show
    page: str = ""  # hello: the nonce of the page that says so, once
    text: str = ""  # say: a line
    reaction: str = ""  # say: instead of one
    everybody: bool = False  # say: for spectators too
    on: bool = False  # tutor: warn me; agree: to the coach
    again: bool = False  # sent before on a line that broke: what was done then is not done twice


DOINGS = ("hello", "play", "undo", "resign", "sit", "show", "back", "links", "say", "hint", "tutor", "agree", "ping")


def read_message(text: str | bytes | None) -> Message:
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
    return Message(
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
