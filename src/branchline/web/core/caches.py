"""Caches with a bound in bytes: what was made is kept as long as there is room for it, the oldest goes first.

Each has a name under which its size is told (`metrics.CACHES`); `docs/server.md` lists them.
"""

from __future__ import annotations

import threading
import weakref
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Generic, ParamSpec, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")
Text = TypeVar("Text", bound=str)

MEGABYTE = 1 << 20
BOARD = 150_000  # bytes of a board, or somewhat more: whatever is kept by its board keeps the board as well
A_LETTER = 8  # bytes that what was read from JSON takes for each letter in which it is written, or somewhat less
ENTRY = 500  # bytes of an entry beside what is kept in it, as a rule: its key, and what holds it

_ALL: weakref.WeakSet[Cache[Hashable, object]] = weakref.WeakSet()


class Cache(Generic[Key, Value]):
    """Values by their keys, at most so many bytes of them. Threads may share it."""

    def __init__(self, name: str, most: int) -> None:
        """Begin an empty cache of at most `most` bytes."""
        self.name, self.most, self.size = name, most, 0
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        _ALL.add(self)  # type: ignore[arg-type]

    def __len__(self) -> int:
        """Return how many values are kept."""
        return len(self._kept)

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None."""
        with self._lock:
            entry = self._kept.get(key)
            if entry is None:
                return None
            self._kept.move_to_end(key)
            return entry[0]

    def put(self, key: Key, value: Value, size: int) -> None:
        """Keep a value of so many bytes; those that were not asked for longest make room. A larger one is not kept."""
        size += ENTRY
        with self._lock:
            self._remove(key)
            if size > self.most:
                return
            self._kept[key] = value, size
            self.size += size
            while self.size > self.most:
                self._remove(next(iter(self._kept)))

    def drop(self, key: Key) -> None:
        """Keep it no longer; nothing happens when it is not kept."""
        with self._lock:
            self._remove(key)

    def _remove(self, key: Key) -> None:
        _, size = self._kept.pop(key, (None, 0))
        self.size -= size


def kept(
    name: str, most: int, size_of: Callable[[Value], int]
) -> Callable[[Callable[Arguments, Value]], Callable[Arguments, Value]]:
    """Keep what a function makes of its arguments, up to so many bytes; texts among these count as well."""

    def decorate(make: Callable[Arguments, Value]) -> Callable[Arguments, Value]:
        cache: Cache[Hashable, Value] = Cache(name, most)

        @wraps(make)
        def made(*arguments: Arguments.args, **options: Arguments.kwargs) -> Value:
            key = (*arguments, *options.items()) if options else arguments
            value = cache.get(key)
            if value is None:
                value = make(*arguments, **options)
                texts = sum(bytes_of(argument) for argument in arguments if isinstance(argument, str))
                cache.put(key, value, size_of(value) + texts)
            return value

        return made

    return decorate


def kept_texts(
    name: str, most: int, *, beside: int = 0
) -> Callable[[Callable[Arguments, Text]], Callable[Arguments, Text]]:
    """Keep what a function makes of its arguments, a text, up to so many bytes; each counts for `beside` more."""

    def size_of(text: Text) -> int:
        return bytes_of(text) + beside

    return kept(name, most, size_of)


def bytes_of(text: str) -> int:
    """Return the memory that a text takes, or somewhat more: a text has one, two or four bytes per letter."""
    return len(text) if text.isascii() else 4 * len(text)


def sizes() -> Counter[str]:
    """Return the bytes that are in use now, by name of the cache."""
    bytes_kept: Counter[str] = Counter()
    for cache in list(_ALL):
        bytes_kept[cache.name] += cache.size
    return bytes_kept
