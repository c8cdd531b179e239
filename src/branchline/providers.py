"""Methods of a lower layer that an upper one carries out, without being imported from below.

`Board.svg`, `Board.index`, `Game.svg`, `Game.record` and `Tournament.report` look up here who provides them, when they
are called. Whoever is above both sides registers the provider: `boards`, `game`, or the package itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Provider = Callable[..., Any]

_loaders: dict[str, Callable[[], Provider]] = {}


def register(name: str, load: Callable[[], Provider]) -> None:
    """Let `load()` fetch the provider of this name: not now, but whenever it is wanted."""
    _loaders[name] = load


def provider(name: str) -> Provider:
    """Return the provider of this name. Raise `KeyError` where nobody has registered one."""
    return _loaders[name]()
