"""Rules that are compiled once, on their own, and that the compiled code of all entry points jumps to.

Other rules become part of every entry point that leads to them. For a few large ones, which nearly all entry points
lead to, that would be most of what is compiled. Their machine code has a name that is the same in every process, so
that code which was compiled in another process finds it.
"""

from __future__ import annotations

import hashlib
from functools import partial
from importlib import import_module
from typing import Any

from llvmlite.binding import parse_assembly
from numba.core import itanium_mangler
from numba.core.funcdesc import default_mangler
from numba.core.registry import cpu_target

RULES: set[Any] = set()
"""These rules, as plain functions."""


def compiled(dispatcher: Any, arguments: tuple[Any, ...]) -> Any:
    """Compile such a rule, or fetch it from the cache, and tell Numba how to call it from other compiled code."""
    dispatcher.compile(arguments)
    code = dispatcher.overloads[arguments]
    context = dispatcher._compiler.targetdescr.target_context
    context.insert_user_function(code.fndesc, code.fndesc, [SharedCode(context.codegen(), dispatcher, arguments)])
    return code


class SharedCode:
    """What is linked into code that calls a shared rule: nothing, only a note that the rule must be there first."""

    def __init__(self, codegen: Any, dispatcher: Any, arguments: tuple[Any, ...]) -> None:
        """Begin the code of a shared rule for the types of its arguments."""
        rule = dispatcher.py_func
        self._codegen = codegen
        self._reload_init = {partial(_fetch, rule.__module__, rule.__qualname__, arguments)}

    def _ensure_finalized(self) -> None:
        """Do nothing: the code is final from the start."""

    def _get_module_for_linking(self) -> Any:
        return parse_assembly(str(self._codegen._create_empty_module("shared")))


def _fetch(module: str, rule: str, arguments: tuple[Any, ...]) -> None:
    """Have the machine code of a shared rule in this process. Numba calls this before it loads code that needs it."""
    getattr(import_module(module), rule).compile(arguments)


class _Symbol(str):
    """The name of a shared rule's machine code."""

    __slots__ = ()


def name(state: Any) -> None:
    """Give what is being compiled a name of this kind, if it is a shared rule."""
    if state.func_id.func in RULES:
        kinds = hashlib.sha256(repr((*state.args, state.return_type)).encode()).hexdigest()[:16]
        path = f"{state.func_id.modname}.{state.func_id.func_qualname}.of_{kinds}"
        state.func_id.unique_id = _Symbol(itanium_mangler.mangle(path, ()))


def _mangled(name: str, arguments: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
    """Return a name of this kind, or Numba's own, which holds numbers that differ from process to process."""
    if isinstance(uid, _Symbol) and not name.startswith(".NumbaEnv."):
        return uid
    return str(default_mangler(name, arguments, abi_tags=abi_tags, uid=uid))


cpu_target.target_context.mangler = _mangled
