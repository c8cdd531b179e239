"""Keys: who somebody is, which links open what, and that a form is ours.

A browser or remote bot is a secret of 256 bits; only its hash is kept. Links (to a seat, for watching, to another
device) are signed with the secret of the house: nothing has to be stored for them, and nobody can guess one.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

_KEY = re.compile(r"[A-Za-z0-9_-]{43}")
_ROOM_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look like another
ROOM_LENGTH = 12


def new_key() -> str:
    """The secret of a browser or remote bot."""
    return secrets.token_urlsafe(32)


def is_key(text: str) -> bool:
    """Whether a text has the form of a key."""
    return _KEY.fullmatch(text) is not None


def hashed(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def new_room() -> str:
    """The id of a new room: about 59 bits, easy to read out."""
    return "".join(secrets.choice(_ROOM_LETTERS) for _ in range(ROOM_LENGTH))


def is_room(text: str) -> bool:
    """Whether a text has the form of a room's id."""
    return len(text) == ROOM_LENGTH and all(letter in _ROOM_LETTERS for letter in text)


def same(one: str, other: str) -> bool:
    """Whether two keys are the same, in a time that does not tell how much of them is."""
    return hmac.compare_digest(one.encode(), other.encode())


class Seals:
    """What is signed with the secret of the house."""

    def __init__(self, secret: bytes) -> None:
        """Of the secret that all processes share."""
        self._secret = secret

    def link(self, *parts: object) -> str:
        """The key in a link about these things: 160 bits."""
        return self._sign("link", *parts)[:40]

    def fits(self, key: str, *parts: object) -> bool:
        """Whether a link's key is the one about these things."""
        return same(key, self.link(*parts))

    def form(self, browser: str) -> str:
        """A token for the forms of a browser, each time another one, so that compressing pages tells nothing."""
        salt = secrets.token_hex(8)
        return f"{salt}.{self._sign('form', salt, browser)}"

    def is_form_of(self, token: str, browser: str) -> bool:
        """Whether a form's token was given to this browser."""
        salt, _, signature = token.partition(".")
        return same(signature, self._sign("form", salt, browser))

    def _sign(self, *parts: object) -> str:
        said = "\0".join(str(part) for part in parts)
        return hmac.new(self._secret, said.encode(), hashlib.sha256).hexdigest()
