"""The public classes and functions of the package, found by walking, so that a new one cannot be forgotten."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from types import FunctionType
from typing import Any

import branchline
from branchline.boards import BranchlineError

PACKAGES = ("branchline", *(f"branchline.{one}" for one in ("boards", "game", "bots", "analysis", "arena", "envs")))
ENVIRONMENTS = tuple(f"branchline.envs.{one}" for one in ("aec", "single", "vector"))
"""Modules that are imported by name, as they need extras; all in them that has no underscore is public."""

PICKED = {
    "branchline.envs.gpu": ("GpuBatch", "play_random"),
    "branchline.envs.data_set": ("record_decisions",),
    "branchline.envs.seat_batch": ("SeatBatch",),
}
"""Of these modules what the documents name; the rest is there for them."""


@cache
def public(packages: tuple[str, ...] = PACKAGES) -> dict[str, Any]:
    """Name → class or function, each once."""
    found: dict[str, Any] = {}
    for name in packages:
        module = importlib.import_module(name)
        found |= {one: getattr(module, one) for one in module.__all__}
    for name in ENVIRONMENTS:
        module = importlib.import_module(name)
        own = {one: value for one, value in vars(module).items() if getattr(value, "__module__", "") == name}
        found |= {one: value for one, value in own.items() if not one.startswith("_")}
    for name, picked in PICKED.items():
        found |= {one: getattr(importlib.import_module(name), one) for one in picked}
    return {name: one for name, one in found.items() if isinstance(one, (type, FunctionType))}


def classes() -> dict[str, type]:
    """The public classes that are no errors."""
    return {name: one for name, one in public().items() if isinstance(one, type) and not issubclass(one, Exception)}


def errors() -> Iterator[type[BranchlineError]]:
    """Every kind of `BranchlineError`, wherever it is."""
    for one in pkgutil.walk_packages(branchline.__path__, "branchline."):
        if not one.name.endswith("__main__") and ".migrations." not in one.name:
            with suppress(ModuleNotFoundError):  # an extra that is not here
                importlib.import_module(one.name)
    waiting: list[type[BranchlineError]] = [BranchlineError]
    while waiting:
        one = waiting.pop()
        if one.__module__.startswith("branchline."):
            yield one
        waiting += one.__subclasses__()


def calls() -> Iterator[str]:
    """What of the package itself, the arena and the environments can be called with arguments.

    That is functions, classes that look at their arguments, and methods, as `Class.method`.
    """
    for name, one in public(("branchline", "branchline.arena", "branchline.envs")).items():
        if isinstance(one, FunctionType):
            if inspect.signature(one).parameters and not hasattr(one, "py_func"):
                yield name
        elif not issubclass(one, Exception):
            yield from (f"{name}.{method}" for method in _methods(one))
            if "__init__" in vars(one) and not hasattr(one, "__dataclass_fields__") and not _is_protocol(one):
                yield name


def _methods(one: type) -> Iterator[str]:
    for name, value in vars(one).items():
        function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        if name.startswith("_") or not isinstance(function, FunctionType) or _is_protocol(one):
            continue
        if len(inspect.signature(function).parameters) > 1:
            yield name


def _is_protocol(one: type) -> bool:
    return bool(getattr(one, "_is_protocol", False))
