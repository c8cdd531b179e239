"""Hands a record from Python to compiled code without asking NumPy to describe it.

Numba takes a record over through the buffer protocol. NumPy then writes down the format of all its fields, a hundred
of ours, each time: some twenty microseconds a record, more than most rules take. The address of the data stands in
the object itself, behind the header (`PyVoidScalarObject` of NumPy's C interface), so it is read from there.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import boxing, cgutils, pythonapi
from numba.extending import NativeValue

DATA = tuple.__basicsize__  # behind the header of an object with a size comes the address of the data


def unbox(record_type: Any, record: Any, context: Any) -> Any:
    """Return the address of a record's data, for the wrapper through which Python calls compiled code."""
    builder = context.builder
    kept_at = cgutils.pointer_add(builder, record, DATA)
    pointer = ir.PointerType(context.context.get_value_type(record_type))
    return NativeValue(builder.load(builder.bitcast(kept_at, pointer)))


def as_expected() -> bool:
    """Return whether this NumPy, in this Python, keeps the address there."""
    if np.void.__basicsize__ < DATA + ctypes.sizeof(ctypes.c_void_p):
        return False
    if sys.implementation.name != "cpython":  # where `id` is no address
        return False
    records = np.zeros(2, dtype=[("number", np.int64)])
    addresses = [ctypes.c_void_p.from_address(id(record) + DATA).value for record in (records[0], records[1])]
    return addresses == [records.ctypes.data, records.ctypes.data + records.itemsize]


def hand_over_addresses() -> None:
    """Let Numba take records over by their address, where that is known to work."""
    if pythonapi._unboxers.functions.get(types.Record) is boxing.unbox_record and as_expected():
        pythonapi._unboxers.functions[types.Record] = unbox
