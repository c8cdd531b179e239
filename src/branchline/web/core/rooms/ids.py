"""Ids of rooms: short, easy to read out, and impossible to guess one by one."""

from __future__ import annotations

import secrets

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look like another
LENGTH = 12


def new_room_id() -> str:
    """Return the id of a new room: about 59 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def is_room_id(text: str) -> bool:
    """Return whether a text has the form of a room's id."""
    return len(text) == LENGTH and all(letter in LETTERS for letter in text)
