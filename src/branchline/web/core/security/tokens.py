"""Tokens: who somebody is.

A browser or remote bot is a secret of 256 bits; only its hash is kept.
"""

from __future__ import annotations

import hashlib
import re
import secrets

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def new_token() -> str:
    """Return the secret of a browser or remote bot."""
    return secrets.token_urlsafe(32)


def is_token(text: str) -> bool:
    """Return whether a text has the form of a token."""
    return _TOKEN.fullmatch(text) is not None


def token_hash(token: str) -> str:
    """Return the hash that is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
