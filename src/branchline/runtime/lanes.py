"""Several neighbouring numbers of an array at once, by the processor's vector instructions.

Numba reads and writes one number after the other, and `whole_program` leaves out LLVM's search for loops that could do
otherwise. The few places where it matters say so themselves. A function of the same name and meaning in plain Python is
in `rules.lanes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.base import BaseContext
from numba.core.typing.templates import Signature
from numba.extending import intrinsic
from numba.np.arrayobj import make_array


def compiled_in(function: Callable[..., Any]) -> Any:
    """Return Numba's `intrinsic`, typed so that callers are not asked for the first argument, which Numba fills in."""
    return intrinsic(function)


Values = Sequence[ir.Value]
Emitter = Callable[[BaseContext, ir.IRBuilder, Signature, Values], ir.Value]
Made = tuple[Signature, Emitter]
"""What an intrinsic takes and gives, and what writes it for LLVM."""

_BYTE, _WORD = ir.IntType(8), ir.IntType(64)


def address(
    context: BaseContext,
    builder: ir.IRBuilder,
    kind: types.Array,
    array: ir.Value,
    row: ir.Value,
    at: ir.Value,
    lanes: ir.Type,
) -> ir.Value:
    """Return the address of `array[row, at]`, where `lanes` lanes begin. The last axis has no gaps."""
    whole = make_array(kind)(context, builder, array)
    strides = cgutils.unpack_tuple(builder, whole.strides)
    width = ir.Constant(_WORD, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    offset = builder.add(builder.mul(row, strides[0]), builder.mul(at, width))
    begin = builder.bitcast(whole.data, _BYTE.as_pointer())
    return builder.bitcast(builder.gep(begin, [offset]), lanes.as_pointer())


def _all(builder: ir.IRBuilder, number: ir.Value, count: int) -> ir.Value:
    """Return the same number in every lane."""
    lanes = ir.VectorType(number.type, count)
    first = builder.insert_element(ir.Constant(lanes, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    places = ir.Constant(ir.VectorType(ir.IntType(32), count), None)
    return builder.shuffle_vector(first, ir.Constant(lanes, ir.Undefined), places)


def _store(builder: ir.IRBuilder, lanes: ir.Value, place: ir.Value) -> None:
    builder.store(lanes, place).align = _step(lanes.type)


def _load(builder: ir.IRBuilder, place: ir.Value) -> ir.Value:
    loaded = builder.load(place)
    loaded.align = _step(loaded.type)
    return loaded


def _step(lanes: ir.Type) -> int:
    """Return the bytes from one lane to the next: where each of them may begin."""
    return 4 if lanes.element == ir.FloatType() else int(lanes.element.width) // 8


@compiled_in
def where_equal(
    _typing_context: object, numbers: types.Type, _row: types.Type, _at: types.Type, _number: types.Type
) -> Made:
    """Return as bits which of the 64 bytes of `numbers[row]` from `at` on are equal to a number."""

    def emit(context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values) -> ir.Value:
        array, row, at, number = arguments
        bytes_ = ir.VectorType(_BYTE, 64)
        loaded = _load(builder, address(context, builder, signature.args[0], array, row, at, bytes_))
        equal = builder.icmp_signed("==", loaded, _all(builder, builder.trunc(number, _BYTE), 64))
        return builder.bitcast(equal, _WORD)

    return types.int64(numbers, types.int64, types.int64, types.int64), emit


@compiled_in
def spread(_typing_context: object, rows: types.Type, _row: types.Type, _at: types.Type, _word: types.Type) -> Made:
    """Write the 60 bits of a word to `rows[row]` from `at` on, a byte for each."""

    def emit(context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values) -> ir.Value:
        array, row, at, word = arguments
        half, lanes = ir.IntType(32), ir.VectorType(_BYTE, 32)
        for first in (0, 28):  # the two halves overlap: nothing behind the word is written
            behind = ir.Constant(_WORD, first)
            bits = builder.trunc(builder.lshr(word, behind), half)
            ones = builder.zext(builder.bitcast(bits, ir.VectorType(ir.IntType(1), 32)), lanes)
            place = address(context, builder, signature.args[0], array, row, builder.add(at, behind), lanes)
            _store(builder, ones, place)
        return context.get_dummy_value()

    return types.void(rows, types.int64, types.int64, types.int64), emit


def _ones(count: int, rows: types.Type) -> Made:
    """Return what writes `count` bits of a word, at most 32, to `rows`, of float32."""

    def emit(context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values) -> ir.Value:
        array, row, at, bits = arguments
        number, lanes = ir.IntType(32), ir.VectorType(ir.FloatType(), count)
        each = ir.Constant(ir.VectorType(number, count), [1 << n for n in range(count)])
        masked = builder.and_(_all(builder, builder.trunc(bits, number), count), each)
        one, zero = (ir.Constant(lanes, [each_one] * count) for each_one in (1.0, 0.0))
        ones = builder.select(builder.icmp_signed("==", masked, each), one, zero)
        _store(builder, ones, address(context, builder, signature.args[0], array, row, at, lanes))
        return context.get_dummy_value()

    return types.void(rows, types.int64, types.int64, types.int64), emit


@compiled_in
def ones_of_8(_typing_context: object, rows: types.Type, _row: types.Type, _at: types.Type, _bits: types.Type) -> Made:
    """Write the lowest 8 bits of a word to `rows[row]` from `at` on, a float32 for each."""
    return _ones(8, rows)


@compiled_in
def ones_of_32(_typing_context: object, rows: types.Type, _row: types.Type, _at: types.Type, _bits: types.Type) -> Made:
    """Write the lowest 32 bits of a word to `rows[row]` from `at` on, a float32 for each."""
    return _ones(32, rows)


@compiled_in
def divide_8(
    _typing_context: object,
    numbers: types.Type,
    _row: types.Type,
    _at: types.Type,
    _plus: types.Type,
    _scale: types.Type,
    rows: types.Type,
    _target: types.Type,
    _to: types.Type,
) -> Made:
    """Write `(numbers[row, at + n] + plus) / scale` to `rows[target, to + n]`, for eight n; `rows` is of float32."""

    def emit(context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values) -> ir.Value:
        array, row, at, plus, scale, target, target_row, to = arguments
        kind = context.get_data_type(signature.args[0].dtype)
        found = _load(builder, address(context, builder, signature.args[0], array, row, at, ir.VectorType(kind, 8)))
        number, lanes = ir.IntType(32), ir.VectorType(ir.FloatType(), 8)
        whole = builder.sext(found, ir.VectorType(number, 8))
        whole = builder.add(whole, _all(builder, builder.trunc(plus, number), 8))
        shares = builder.fdiv(builder.sitofp(whole, lanes), _all(builder, scale, 8))
        _store(builder, shares, address(context, builder, signature.args[5], target, target_row, to, lanes))
        return context.get_dummy_value()

    number = types.int64
    return types.void(numbers, number, number, number, types.float32, rows, number, number), emit


@compiled_in
def fetch(_typing_context: object, numbers: types.Type, _row: types.Type, _at: types.Type) -> Made:
    """Tell the processor that what stands at `numbers[row, at]`, and around it, is soon to be read and written."""

    def emit(context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Values) -> ir.Value:
        array, row, at = arguments
        place = address(context, builder, signature.args[0], array, row, at, _BYTE)
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), (place.type, number, number, number))
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", (place.type,), kind)
        builder.call(prefetch, (place, *(ir.Constant(number, argument) for argument in (0, 3, 1))))
        return context.get_dummy_value()

    return types.void(numbers, types.int64, types.int64), emit
