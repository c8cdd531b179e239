"""Several neighbouring numbers of an array at once, by the processor's vector instructions.

Numba reads and writes one number after the other, and `whole_program` leaves out LLVM's search for loops that could do
otherwise. The few places where it matters say so themselves. A function of the same name and meaning in plain Python is
in `rules.lanes`.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

_BYTE, _WORD = ir.IntType(8), ir.IntType(64)


def _place(context: Any, builder: Any, kind: Any, array: Any, row: Any, at: Any, lanes: Any) -> Any:
    """The address of `array[row, at]`, where so many lanes begin. The last axis has no gaps."""
    whole = make_array(kind)(context, builder, array)
    strides = cgutils.unpack_tuple(builder, whole.strides)
    width = ir.Constant(_WORD, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    offset = builder.add(builder.mul(row, strides[0]), builder.mul(at, width))
    begin = builder.bitcast(whole.data, _BYTE.as_pointer())
    return builder.bitcast(builder.gep(begin, [offset]), lanes.as_pointer())


def _all(builder: Any, number: Any, count: int) -> Any:
    """The same number in every lane."""
    lanes = ir.VectorType(number.type, count)
    first = builder.insert_element(ir.Constant(lanes, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    places = ir.Constant(ir.VectorType(ir.IntType(32), count), None)
    return builder.shuffle_vector(first, ir.Constant(lanes, ir.Undefined), places)


def _store(builder: Any, lanes: Any, place: Any) -> None:
    builder.store(lanes, place).align = 1


def _load(builder: Any, place: Any) -> Any:
    found = builder.load(place)
    found.align = 1
    return found


@intrinsic
def where_equal(_typing_context: Any, numbers: Any, _row: Any, _at: Any, _number: Any) -> Any:
    """Of the 64 bytes of `numbers[row]` from `at` on, those that are equal to a number, as bits."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, row, at, number = arguments
        bytes_ = ir.VectorType(_BYTE, 64)
        found = _load(builder, _place(context, builder, signature.args[0], array, row, at, bytes_))
        equal = builder.icmp_signed("==", found, _all(builder, builder.trunc(number, _BYTE), 64))
        return builder.bitcast(equal, _WORD)

    return types.int64(numbers, types.int64, types.int64, types.int64), emit


@intrinsic
def spread(_typing_context: Any, rows: Any, _row: Any, _at: Any, _word: Any) -> Any:
    """Write the 60 bits of a word to `rows[row]` from `at` on, a byte for each."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, row, at, word = arguments
        half, lanes = ir.IntType(32), ir.VectorType(_BYTE, 32)
        for first in (0, 28):  # the two halves overlap: nothing behind the word is written
            behind = ir.Constant(_WORD, first)
            bits = builder.trunc(builder.lshr(word, behind), half)
            ones = builder.zext(builder.bitcast(bits, ir.VectorType(ir.IntType(1), 32)), lanes)
            place = _place(context, builder, signature.args[0], array, row, builder.add(at, behind), lanes)
            _store(builder, ones, place)
        return context.get_dummy_value()

    return types.void(rows, types.int64, types.int64, types.int64), emit


@intrinsic
def scale_four(
    _typing_context: Any, numbers: Any, _row: Any, _at: Any, _plus: Any, _share: Any, rows: Any, _target: Any, _to: Any
) -> Any:
    """Write `(numbers[row, at + n] + plus) * share` to `rows[target, to + n]`, for four n; `rows` is of float32."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, row, at, plus, share, target, target_row, to = arguments
        kind = context.get_data_type(signature.args[0].dtype)
        found = _load(builder, _place(context, builder, signature.args[0], array, row, at, ir.VectorType(kind, 4)))
        number = ir.IntType(32)
        whole = builder.sext(found, ir.VectorType(number, 4))
        whole = builder.add(whole, _all(builder, builder.trunc(plus, number), 4))
        scaled = builder.fmul(builder.sitofp(whole, ir.VectorType(ir.DoubleType(), 4)), _all(builder, share, 4))
        lanes = ir.VectorType(ir.FloatType(), 4)
        _store(
            builder,
            builder.fptrunc(scaled, lanes),
            _place(context, builder, signature.args[5], target, target_row, to, lanes),
        )
        return context.get_dummy_value()

    number = types.int64
    return types.void(numbers, number, number, number, types.float64, rows, number, number), emit


@intrinsic
def fetch(_typing_context: Any, numbers: Any, _row: Any, _at: Any) -> Any:
    """Tell the processor that what stands at `numbers[row, at]`, and around it, is soon to be read and written."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, row, at = arguments
        place = _place(context, builder, signature.args[0], array, row, at, _BYTE)
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), (place.type, number, number, number))
        told = builder.module.declare_intrinsic("llvm.prefetch", (place.type,), kind)
        builder.call(told, (place, *(ir.Constant(number, one) for one in (0, 3, 1))))
        return context.get_dummy_value()

    return types.void(numbers, types.int64, types.int64), emit
