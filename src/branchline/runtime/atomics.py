"""How threads in compiled code tell each other something without Python: numbers that are written and read whole.

All threads see all of these reads and writes in one order, and what was written before them (C++: `seq_cst`).
"""

from __future__ import annotations

import platform
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.base import BaseContext
from numba.core.typing.templates import Signature

from branchline.runtime.lanes import Made, Values, address, compiled_in
from branchline.runtime.mode import BUILDING

_WORD = ir.IntType(64)
_X86, _ARM = ("x86_64", "AMD64"), ("aarch64", "arm64")


@compiled_in
def load(_typing_context: object, numbers: types.Type, _row: types.Type, _at: types.Type) -> Made:
    """Return `numbers[row, at]`, of int64, as any thread has last written it."""

    def emit(context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values) -> ir.Value:
        return builder.load_atomic(_address(context, builder, signature, arguments), "seq_cst", 8)

    return types.int64(numbers, types.int64, types.int64), emit


@compiled_in
def store(_typing_context: object, numbers: types.Type, _row: types.Type, _at: types.Type, _number: types.Type) -> Made:
    """Write `numbers[row, at]`, of int64."""

    def emit(context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values) -> ir.Value:
        builder.store_atomic(arguments[3], _address(context, builder, signature, arguments), "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(numbers, types.int64, types.int64, types.int64), emit


@compiled_in
def fetch_add(
    _typing_context: object, numbers: types.Type, _row: types.Type, _at: types.Type, _more: types.Type
) -> Made:
    """Add to `numbers[row, at]`, of int64, while no other thread does; gives what stood there before."""

    def emit(context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values) -> ir.Value:
        return builder.atomic_rmw("add", _address(context, builder, signature, arguments), arguments[3], "seq_cst")

    return types.int64(numbers, types.int64, types.int64, types.int64), emit


@compiled_in
def pause(_typing_context: object) -> Made:
    """Do nothing for a few nanoseconds: to be called while waiting for a number."""

    def emit(context: BaseContext, builder: ir.IRBuilder, _signature: Signature, _arguments: Values) -> ir.Value:
        if BUILDING:  # the engine has one thread
            pass
        elif platform.machine() in _X86:
            _call(builder, "llvm.x86.sse2.pause")
        elif platform.machine() in _ARM:
            _call(builder, "llvm.aarch64.isb", ir.Constant(ir.IntType(32), 15))  # its own hint takes no time
        return context.get_dummy_value()

    return types.void(), emit


def _address(context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values) -> ir.Value:
    numbers, row, at = arguments[:3]
    return address(context, builder, signature.args[0], numbers, row, at, _WORD)


def _call(builder: ir.IRBuilder, name: str, *arguments: Any) -> None:
    """Have LLVM write one of the processor's instructions that has no result."""
    kind = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
    builder.call(builder.module.declare_intrinsic(name, (), kind), arguments)
