"""How threads in compiled code tell each other something without Python: numbers that are written and read whole.

All threads see all of these reads and writes in one order, and what was written before them (C++: `seq_cst`).
"""

from __future__ import annotations

import platform
from typing import Any

from llvmlite import ir
from numba import types

from branchline.runtime.lanes import address, compiled_in
from branchline.runtime.mode import BUILDING

_WORD = ir.IntType(64)
_X86, _ARM = ("x86_64", "AMD64"), ("aarch64", "arm64")


@compiled_in
def load(_typing_context: Any, numbers: Any, _row: Any, _at: Any) -> Any:
    """`numbers[row, at]`, of int64, as any thread has last written it."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_address(context, builder, signature, arguments), "seq_cst", 8)

    return types.int64(numbers, types.int64, types.int64), emit


@compiled_in
def store(_typing_context: Any, numbers: Any, _row: Any, _at: Any, _number: Any) -> Any:
    """Write `numbers[row, at]`, of int64."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store_atomic(arguments[3], _address(context, builder, signature, arguments), "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(numbers, types.int64, types.int64, types.int64), emit


@compiled_in
def fetch_add(_typing_context: Any, numbers: Any, _row: Any, _at: Any, _more: Any) -> Any:
    """Add to `numbers[row, at]`, of int64, while no other thread does; gives what stood there before."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.atomic_rmw("add", _address(context, builder, signature, arguments), arguments[3], "seq_cst")

    return types.int64(numbers, types.int64, types.int64, types.int64), emit


@compiled_in
def pause(_typing_context: Any) -> Any:
    """Nothing, for a few nanoseconds: to be called while waiting for a number."""

    def emit(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        if BUILDING:  # the engine has one thread
            pass
        elif platform.machine() in _X86:
            _call(builder, "llvm.x86.sse2.pause")
        elif platform.machine() in _ARM:
            _call(builder, "llvm.aarch64.isb", ir.Constant(ir.IntType(32), 15))  # its own hint takes no time
        return context.get_dummy_value()

    return types.void(), emit


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    numbers, row, at = arguments[:3]
    return address(context, builder, signature.args[0], numbers, row, at, _WORD)


def _call(builder: Any, name: str, *arguments: Any) -> None:
    """Have LLVM write one of the processor's instructions that has no result."""
    kind = ir.FunctionType(ir.VoidType(), [one.type for one in arguments])
    builder.call(builder.module.declare_intrinsic(name, (), kind), arguments)
