"""Modules that have moved, still found by the names that bots of other people import them by."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "branchline.atlas": "branchline.boards",
    "branchline.bots.bot": "branchline.bots.api.bot",
    "branchline.bots.memory": "branchline.bots.api.memory",
    "branchline.bots.reasons": "branchline.bots.search.reasons",
}
"""The old name of a module or package → the new one."""


class _Moved(Loader):
    """Hands out a module that is there under another name: it is the same one, not a copy."""

    def __init__(self, name: str) -> None:
        self._name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # the import has put the old name there


class MovedModules(MetaPathFinder):
    """Finds old names, before anything else does: below an old package the new one would be loaded twice."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is now, if it has moved."""
        for old, new in MOVED.items():
            if fullname == old or fullname.startswith(f"{old}."):
                return ModuleSpec(fullname, _Moved(new + fullname.removeprefix(old)))
        return None


def install() -> None:
    """Let old names be found in this process."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.insert(0, MovedModules())
