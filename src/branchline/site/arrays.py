"""What the program uses of NumPy, in plain Python, for browsers: there is no NumPy for Pyodide on PyPI or npm.

`begin.numpy_stands_in` puts this module in its place. Arrays are views of bytes with a shape and strides, as NumPy's
are, so that records in the engine's memory are read and written without copies. What is computed with whole arrays is
computed number by number: right, and slow, which is fine for what a page needs. `tests/site/test_arrays.py` compares
all of it with NumPy itself.
"""

from __future__ import annotations

import array as packed
import builtins
import ctypes
import io
import itertools
import math
import operator
import struct
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import EllipsisType
from typing import Any, TypeAlias

Thing: TypeAlias = Any
"""What NumPy takes and gives: numbers, texts, lists of them, arrays, and what makes types of them."""

inf, nan, pi = math.inf, math.nan, math.pi
newaxis = None
__version__ = "2.0"  # whose ways these are

# ------------------------------------------------------------------------------------------------ types of numbers


class generic:
    """A type of numbers. There are no scalars of NumPy's here: an element is a number of Python's."""

    code = ""

    def __new__(cls, number: Thing = 0) -> Thing:
        """Return the number as an element of an array of this type is read."""
        return dtype(cls).rounded(number)


class number(generic):
    """A number."""


class integer(number):
    """A whole number."""


class signedinteger(integer):
    """A whole number with a sign."""


class unsignedinteger(integer):
    """A whole number without a sign."""


class floating(number):
    """A real number."""


class int8(signedinteger):
    """One byte."""

    code = "b"


class int16(signedinteger):
    """Two bytes."""

    code = "h"


class int32(signedinteger):
    """Four bytes."""

    code = "i"


class int64(signedinteger):
    """Eight bytes."""

    code = "q"


class uint8(unsignedinteger):
    """One byte."""

    code = "B"


class uint16(unsignedinteger):
    """Two bytes."""

    code = "H"


class uint32(unsignedinteger):
    """Four bytes."""

    code = "I"


class uint64(unsignedinteger):
    """Eight bytes."""

    code = "Q"


class float16(floating):
    """Two bytes."""

    code = "e"


class float32(floating):
    """Four bytes."""

    code = "f"


class float64(floating):
    """Eight bytes."""

    code = "d"


class bool_(generic):
    """True or False."""

    code = "?"


class str_(generic):
    """A text."""

    code = "U"


intp = int64


class void(generic):
    """A record in memory: its fields by their names."""

    __slots__ = ("_array",)

    def __new__(cls, array: Thing = None) -> Thing:
        """Return the one record of an array without axes."""
        return object.__new__(cls)

    def __init__(self, array: ndarray) -> None:
        """See the one record of an array without axes."""
        object.__setattr__(self, "_array", array)

    def __getitem__(self, name: str) -> Thing:
        return _plain(self._array[name])

    def __setitem__(self, name: str, value: object) -> None:
        self._array[name] = value

    @property
    def dtype(self) -> dtype:
        """Where its fields lie."""
        return self._array.dtype

    @property
    def nbytes(self) -> int:
        """The bytes that it takes."""
        return self._array.dtype.itemsize

    @property
    def __array_interface__(self) -> dict[str, Thing]:
        return {"data": (self._array.ctypes.data, False)}

    def tobytes(self) -> bytes:
        """Return its bytes."""
        return self._array.tobytes()

    def copy(self) -> Thing:
        """Return another one with the same bytes."""
        return type(self)(self._array.copy())


class record(void):
    """A record whose fields are read as attributes, too."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Thing:
        if name not in self._array.dtype.fields:
            raise AttributeError(name)
        return _plain(self._array[name])

    def __setattr__(self, name: str, value: object) -> None:
        self._array[name] = value


_OF_CODE = {
    one.code: one
    for one in (int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, bool_)
}
_OF_PYTHON = {int: int64, float: float64, bool: bool_}
_KINDS = {
    "?": "b",
    "e": "f",
    "f": "f",
    "d": "f",
    "V": "V",
    "U": "U",
    **dict.fromkeys("bhiq", "i"),
    **dict.fromkeys("BHIQ", "u"),
}
_NAMES = {
    "i1": "b",
    "i2": "h",
    "i4": "i",
    "i8": "q",
    "u1": "B",
    "u2": "H",
    "u4": "I",
    "u8": "Q",
    "f2": "e",
    "f4": "f",
    "f8": "d",
    "b1": "?",
    "bool": "?",
    "l": "q",
    "int": "q",
    "float": "d",
}


class dtype:
    """What one element of an array is: a number, a record of fields, or (in a field) several numbers."""

    __slots__ = ("alignment", "base", "code", "fields", "itemsize", "kind", "names", "shape", "type")

    def __class_getitem__(cls, _of: object) -> type[dtype]:
        return cls

    def __new__(cls, of: Thing, align: bool = False) -> dtype:
        """Return what is described; see NumPy."""
        if isinstance(of, dtype):
            return of
        self = object.__new__(cls)
        self.shape: tuple[int, ...] = ()
        self.fields: dict[str, tuple[dtype, int]] | None = None
        self.names: tuple[str, ...] | None = None
        self.base = self
        if isinstance(of, list):
            self._lay_out(of, align)
        elif isinstance(of, tuple):
            first, second = of
            if isinstance(first, type) and issubclass(first, void):  # records seen as this type
                inner = dtype(second)
                for name in ("code", "itemsize", "kind", "alignment", "fields", "names"):
                    setattr(self, name, getattr(inner, name))
                self.type: Thing = first
            else:
                self._repeat(dtype(first), (second,) if isinstance(second, int) else tuple(second))
        else:
            self._name(of)
        return self

    def _name(self, of: Thing) -> None:
        if isinstance(of, str):
            text = of.lstrip("<=|")
            code = _NAMES.get(text, text)
            found: Thing = _OF_CODE.get(code) or {name.__name__: name for name in _OF_CODE.values()}.get(text)
            if found is None and text.startswith("U"):
                found, self.itemsize = str_, 4 * int(text[1:])
        else:
            found = _OF_PYTHON.get(of, of)
        if not (isinstance(found, type) and issubclass(found, generic)):
            raise TypeError(f"no type of numbers: {of!r}")
        self.type, self.code = found, found.code
        if found is not str_:
            self.itemsize = struct.calcsize(self.code)
        self.kind, self.alignment = _KINDS[self.code], builtins.min(self.itemsize, 8)

    def _repeat(self, of: dtype, shape: tuple[int, ...]) -> None:
        self.base, self.shape = of.base, (*shape, *of.shape)
        self.itemsize, self.alignment = of.itemsize * math.prod(shape), of.alignment
        self.code, self.kind, self.type = "V", "V", void

    def _lay_out(self, of: Iterable[tuple[Thing, ...]], align: bool) -> None:
        self.code, self.kind, self.type, self.alignment = "V", "V", void, 1
        self.fields, end = {}, 0
        for name, kind, *shape in of:
            field = dtype((kind, shape[0])) if shape and shape[0] != () else dtype(kind)
            if align:
                end = -(-end // field.alignment) * field.alignment
                self.alignment = builtins.max(self.alignment, field.alignment)
            self.fields[name] = field, end
            end += field.itemsize
        self.names = tuple(self.fields)
        self.itemsize = -(-end // self.alignment) * self.alignment

    def __getitem__(self, name: str) -> dtype:
        assert self.fields is not None
        return self.fields[name][0]

    def __eq__(self, other: object) -> bool:
        try:
            found = dtype(other)
        except TypeError:
            return False
        if self.fields is not None or self.shape:
            return (self.fields, self.shape, self.itemsize) == (found.fields, found.shape, found.itemsize)
        return self.code == found.code and self.itemsize == found.itemsize and not found.shape and found.fields is None

    def __hash__(self) -> int:
        return hash((self.code, self.itemsize, self.names, self.shape))

    def __repr__(self) -> str:
        return f"dtype({self.names or self.type.__name__})"

    @property
    def str(self) -> Thing:
        """What NumPy writes for it: the kind and the bytes."""
        return f"{'|' if self.itemsize == 1 else '<'}{self.kind}{self.itemsize}"

    @property
    def descr(self) -> list[tuple[Thing, ...]]:
        """The fields, as NumPy lists them."""
        listed: list[tuple[Thing, ...]] = []
        for name, (kind, _) in (self.fields or {}).items():
            listed.append((name, kind.base.str, kind.shape) if kind.shape else (name, kind.str))
        return listed

    @property
    def name(self) -> str:
        """What NumPy calls it."""
        return str(self.type.__name__).rstrip("_")

    def rounded(self, number: Thing) -> Thing:
        """Return a number as an element of this type holds it."""
        if self.kind == "f":
            return float(number) if self.code == "d" else struct.unpack("f", struct.pack("f", number))[0]
        if self.kind == "b":
            return bool(number)
        if self.kind in "iu":
            return _wrapped(int(number), self)
        return str(number)


def _wrapped(number: int, kind: dtype) -> int:
    """Return a whole number as the bytes of this type hold it: what does not fit is cut off at the top."""
    bits = 8 * kind.itemsize
    number &= (1 << bits) - 1
    return number - (1 << bits) if kind.kind == "i" and number >> (bits - 1) else number


class iinfo:
    """The least and the most of a type of whole numbers."""

    def __init__(self, kind: Thing) -> None:
        """Describe the limits of this type."""
        found = dtype(kind)
        signed = found.kind == "i"
        self.bits = 8 * found.itemsize
        self.max = (1 << (self.bits - signed)) - 1
        self.min = -(1 << (self.bits - 1)) if signed else 0


# ------------------------------------------------------------------------------------------------ arrays


class _Flags:
    """What can be done with an array."""

    def __init__(self, array: ndarray) -> None:
        self._array = array

    @property
    def writeable(self) -> bool:
        """Whether it may be written into."""
        return self._array._writeable

    @writeable.setter
    def writeable(self, may: bool) -> None:
        self._array._writeable = may

    @property
    def c_contiguous(self) -> bool:
        """Whether it lies without gaps, the last axis quickest."""
        return self._array._whole

    def __getitem__(self, name: str) -> bool:
        return bool(getattr(self, name.lower()))


class _Addresses:
    """Where an array lies."""

    def __init__(self, array: ndarray) -> None:
        self.data = _begin_of(array._memory) + array._offset if array.nbytes else 0


def _begin_of(memory: memoryview) -> int:
    if memory.readonly:
        buffer = ctypes.py_object(memory)
        view = (ctypes.c_ssize_t * 16)()
        ctypes.pythonapi.PyObject_GetBuffer(buffer, view, 0)
        address = view[0]
        ctypes.pythonapi.PyBuffer_Release(view)
        return int(address)
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def _strides_of(shape: Sequence[int], size: int) -> tuple[int, ...]:
    strides = []
    for length in reversed(shape):
        strides.append(size)
        size *= length
    return tuple(reversed(strides))


class ndarray:
    """Numbers or records along axes: a view of bytes."""

    __slots__ = ("_memory", "_offset", "_whole", "_writeable", "dtype", "shape", "strides")
    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 0

    def __class_getitem__(cls, _of: object) -> type[ndarray]:
        return cls

    def __init__(
        self,
        shape: int | Sequence[int],
        kind: Thing = float64,
        buffer: Thing = None,
        *,
        dtype: Thing = None,
        offset: int = 0,
    ) -> None:
        """See so many elements in a buffer, or in new bytes, all zero."""
        found = _dtype(kind if dtype is None else dtype)
        self.shape = (shape,) if isinstance(shape, int) else tuple(map(int, shape))
        if found.shape:
            self.shape, found = (*self.shape, *found.shape), found.base
        self.dtype = found
        self.strides = _strides_of(self.shape, found.itemsize)
        size = math.prod(self.shape) * found.itemsize
        memory = memoryview(bytearray(size) if buffer is None else buffer)
        self._memory = (
            memory if memory.format == "B" and memory.ndim == 1 else (memory.cast("B") if memory.nbytes else memory)
        )
        self._offset, self._whole, self._writeable = offset, True, not memory.readonly
        if self._memory.nbytes < offset + size:
            raise TypeError("buffer is too small for requested array")

    # ---------------------------------------------------------------------------------------- what it is

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many elements it has."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def flags(self) -> _Flags:
        """What can be done with it."""
        return _Flags(self)

    @property
    def ctypes(self) -> _Addresses:
        """Where it lies."""
        return _Addresses(self)

    @property
    def T(self) -> ndarray:
        """The same, its axes in reverse order."""
        return self.transpose()

    @property
    def flat(self) -> Iterator[Thing]:
        """All elements, one by one."""
        return iter(self._numbers())

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Thing]:
        if self.ndim == 1 and self.dtype.kind != "V":
            return iter(self._numbers())
        return (self[n] for n in range(len(self)))

    def __contains__(self, number: object) -> bool:
        return number in self._numbers()

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError("the truth value of an array with more than one element is ambiguous")
        return bool(self._numbers()[0])

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __index__(self) -> int:
        return operator.index(self.item())

    def __repr__(self) -> str:
        return f"array({self.tolist()!r}, {self.dtype!r})"

    def __buffer__(self, _flags: int) -> memoryview:
        if not self._whole:
            raise BufferError("an array with gaps cannot be seen as a buffer")
        part = self._memory[self._offset : self._offset + self.nbytes]
        if not self._writeable:
            part = part.toreadonly()
        if self.dtype.code in "VU" or not self.size:
            return part
        return part.cast(self.dtype.code, self.shape) if self.ndim else part.cast(self.dtype.code)  # type: ignore[arg-type]

    # ---------------------------------------------------------------------------------------- views

    def _view(
        self, shape: Sequence[int], strides: Sequence[int], offset: int, kind: dtype | None = None, of: Thing = None
    ) -> Thing:
        found = object.__new__(of or type(self))
        found.dtype = kind or self.dtype
        found.shape, found.strides, found._offset = tuple(shape), tuple(strides), offset
        found._memory, found._writeable = self._memory, self._writeable
        found._whole = found.strides == _strides_of(found.shape, found.dtype.itemsize)
        if not found._whole:  # axes of one element may be anywhere
            pairs = [pair for pair in zip(found.shape, found.strides, strict=True) if pair[0] != 1]
            found._whole = 0 in found.shape or [pair[1] for pair in pairs] == list(
                _strides_of([pair[0] for pair in pairs], found.dtype.itemsize)
            )
        return found

    def view(self, kind: Thing) -> Thing:
        """Return the same bytes as elements of another type, or as an array of another class."""
        if isinstance(kind, type) and issubclass(kind, ndarray):
            return self._view(self.shape, self.strides, self._offset, of=kind)
        found = _dtype(kind)
        if not self._whole:
            raise ValueError("an array with gaps has no other view")
        count = (self.shape[-1] if self.shape else 1) * self.dtype.itemsize // found.itemsize
        shape = (*self.shape[:-1], count)
        return self._view(shape, _strides_of(shape, found.itemsize), self._offset, found)

    def reshape(self, *shape: Thing) -> Thing:
        """Return the same elements along other axes."""
        wanted = list(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else list(shape)
        if -1 in wanted:
            rest = math.prod(length for length in wanted if length != -1)
            wanted[wanted.index(-1)] = self.size // rest if rest else 0
        if math.prod(wanted) != self.size:
            raise ValueError(f"cannot reshape array of size {self.size} into shape {tuple(wanted)}")
        whole = self if self._whole else self.copy()
        return whole._view(wanted, _strides_of(wanted, self.dtype.itemsize), whole._offset)

    def ravel(self) -> Thing:
        """Return all elements along one axis."""
        return self.reshape(-1)

    flatten = ravel

    def transpose(self, *axes: int) -> Thing:
        """Return the same elements with their axes in another order."""
        order = axes or tuple(reversed(range(self.ndim)))
        return self._view([self.shape[n] for n in order], [self.strides[n] for n in order], self._offset)

    def squeeze(self) -> Thing:
        """Return it without axes of one element."""
        kept = [pair for pair in zip(self.shape, self.strides, strict=True) if pair[0] != 1]
        return self._view([one[0] for one in kept], [one[1] for one in kept], self._offset)

    # ---------------------------------------------------------------------------------------- elements

    def _offsets(self) -> list[int]:
        """Return where each element begins."""
        found = [self._offset]
        for length, stride in zip(self.shape, self.strides, strict=True):
            steps = range(0, length * stride, stride) if stride else [0] * length
            found = [at + step for at in found for step in steps]
        return found

    def _numbers(self) -> list[Thing]:
        """Return all elements as Python has them."""
        kind = self.dtype
        if kind.code == "V":
            return [_element(self, at) for at in self._offsets()]
        if kind.code == "U":
            return [
                bytes(self._memory[at : at + kind.itemsize]).decode("utf-32-le").rstrip("\0") for at in self._offsets()
            ]
        if self._whole:
            part = self._memory[self._offset : self._offset + self.nbytes]
            if kind.code == "e":
                return list(struct.unpack(f"<{self.size}e", part))
            return part.cast(kind.code).tolist() if self.size else []
        read = struct.Struct(kind.code).unpack_from
        memory = self._memory
        return [read(memory, at)[0] for at in self._offsets()]

    def tolist(self) -> Thing:
        """Return the elements, axis in axis."""
        found: Thing = self._numbers()
        if not self.shape:
            return found[0]
        for length in reversed(self.shape[1:]):
            count = len(found) // length if length else math.prod(self.shape[:-1])
            found = [found[n * length : (n + 1) * length] for n in range(count)]
        return found

    def item(self, *_place: int) -> Thing:
        """Return the only element."""
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._numbers()[0]

    def tobytes(self) -> bytes:
        """Return the bytes of all elements."""
        if self._whole:
            return bytes(self._memory[self._offset : self._offset + self.nbytes])
        size = self.dtype.itemsize
        return b"".join(bytes(self._memory[at : at + size]) for at in self._offsets())

    def copy(self) -> Thing:
        """Return the same elements in bytes of their own."""
        found = ndarray(self.shape, self.dtype, bytearray(self.tobytes()))
        return found if type(self) is ndarray else found.view(type(self))

    def __copy__(self) -> Thing:
        return self.copy()

    def __deepcopy__(self, _memo: object) -> Thing:
        return self.copy()

    def __reduce__(self) -> tuple[Thing, ...]:
        return _unpickled, (self.shape, self.dtype.code, self.tobytes())

    def astype(self, kind: Thing, copy: bool = True) -> Thing:
        """Return the elements as another type."""
        found = _dtype(kind)
        if found == self.dtype:
            return self.copy()
        return _packed(self._numbers(), self.shape, found)

    def fill(self, number: Thing) -> None:
        """Set all elements."""
        self[...] = number

    def _place(self, index: Thing) -> tuple[list[Thing], Thing]:
        """Return the parts of an index, one for each axis of the view that they are looked up in, and that view."""
        parts = list(index) if isinstance(index, tuple) else [index]
        parts = [_as_index(part) for part in parts]
        used = builtins.sum(
            part.ndim
            if isinstance(part, ndarray) and part.dtype.kind == "b"
            else part is not None and part is not Ellipsis
            for part in parts
        )
        if builtins.any(part is Ellipsis for part in parts):
            where = next(n for n, part in enumerate(parts) if part is Ellipsis)
            parts[where : where + 1] = [slice(None)] * (self.ndim - used)
        else:
            parts += [slice(None)] * (self.ndim - used)
        spread: list[Thing] = []
        for part in parts:
            if isinstance(part, ndarray) and part.dtype.kind == "b":
                spread += part.nonzero()
            else:
                spread.append(part)
        return spread, self

    def _basic(self, parts: Sequence[Thing]) -> tuple[Thing, list[tuple[int, ndarray]]]:
        """Return the view that numbers, slices and new axes give, and the arrays of indices with their axes."""
        shape: list[int] = []
        strides: list[int] = []
        offset, axis = self._offset, 0
        chosen: list[tuple[int, ndarray]] = []
        for part in parts:
            if part is None:
                shape.append(1)
                strides.append(0)
                continue
            if axis >= self.ndim:
                raise IndexError("too many indices for array")
            length, stride = self.shape[axis], self.strides[axis]
            axis += 1
            if isinstance(part, slice):
                steps = range(*part.indices(length))
                shape.append(len(steps))
                strides.append(stride * steps.step)
                offset += stride * steps.start if len(steps) else 0
            elif isinstance(part, ndarray):
                chosen.append((len(shape), part))
                shape.append(length)
                strides.append(stride)
            else:
                if not -length <= part < length:
                    raise IndexError(f"index {part} is out of bounds for axis {axis - 1} with size {length}")
                offset += stride * (part % length if length else 0)
        return self._view(shape, strides, offset), chosen

    def _chosen(self, view: ndarray, chosen: Sequence[tuple[int, ndarray]]) -> tuple[tuple[int, ...], list[int]]:
        """Return the shape that arrays of indices give, and where each element of it begins."""
        shape, spread = _together([one for _, one in chosen])
        axes = [axis for axis, _ in chosen]
        rest = [n for n in range(view.ndim) if n not in axes]
        begins = [0] * math.prod(shape)
        for axis, numbers in zip(axes, spread, strict=True):
            length, stride = view.shape[axis], view.strides[axis]
            for n, number in enumerate(numbers):
                if not -length <= number < length:
                    raise IndexError(f"index {number} is out of bounds for an axis with size {length}")
                begins[n] += (number % length) * stride
        first = axes[0] if axes == list(range(axes[0], axes[0] + len(axes))) else 0
        before = [n for n in rest if n < first]
        after = rest[len(before) :]
        left = view._view([view.shape[n] for n in before], [view.strides[n] for n in before], view._offset)._offsets()
        right = view._view([view.shape[n] for n in after], [view.strides[n] for n in after], 0)._offsets()
        found = [one + begin + other for one in left for begin in begins for other in right]
        return (*(view.shape[n] for n in before), *shape, *(view.shape[n] for n in after)), found

    def _field(self, name: str) -> Thing:
        fields = self.dtype.fields
        if fields is None or name not in fields:
            raise ValueError(f"no field of name {name}")
        kind, at = fields[name]
        inner = _strides_of(kind.shape, kind.base.itemsize)
        return self._view((*self.shape, *kind.shape), (*self.strides, *inner), self._offset + at, kind.base, ndarray)

    def __getitem__(self, index: Thing) -> Thing:
        if isinstance(index, str):
            return self._field(index)
        if type(index) is int and self.shape:
            length = self.shape[0]
            if not -length <= index < length:
                raise IndexError(f"index {index} is out of bounds for axis 0 with size {length}")
            at = self._offset + (index % length) * self.strides[0]
            return self._view(self.shape[1:], self.strides[1:], at) if self.ndim > 1 else _element(self, at)
        parts, _ = self._place(index)
        view, chosen = self._basic(parts)
        if not chosen:
            whole = not view.shape and not builtins.any(isinstance(part, slice) for part in parts) and bool(parts)
            return _element(view, view._offset) if whole and index is not Ellipsis else view
        shape, offsets = self._chosen(view, chosen)
        size = self.dtype.itemsize
        memory = self._memory
        found = ndarray(shape, self.dtype, bytearray(b"".join(bytes(memory[at : at + size]) for at in offsets)))
        return found if type(self) is ndarray else found.view(type(self))

    def __setitem__(self, index: Thing, value: Thing) -> None:
        if not self._writeable:
            raise ValueError("assignment destination is read-only")
        if isinstance(index, str):
            self._field(index)[...] = value
            return
        parts, _ = self._place(index)
        view, chosen = self._basic(parts)
        shape, offsets = self._chosen(view, chosen) if chosen else (view.shape, view._offsets())
        kind = self.dtype
        if kind.code == "V":
            if isinstance(value, int) and value == 0:
                content = bytes(kind.itemsize)
            else:
                content = value.tobytes() if isinstance(value, (ndarray, void)) else bytes(value)
            content *= len(offsets) * kind.itemsize // len(content)
            for n, at in enumerate(offsets):
                self._memory[at : at + kind.itemsize] = content[n * kind.itemsize : (n + 1) * kind.itemsize]
            return
        numbers = _spread(asarray(value), shape)
        write = struct.Struct(kind.code).pack_into
        convert = float if kind.kind == "f" else bool if kind.kind == "b" else int
        memory = self._memory
        for at, one in zip(offsets, numbers, strict=True):
            try:
                write(memory, at, convert(one))
            except struct.error:
                if isinstance(value, ndarray):
                    write(memory, at, _wrapped(int(one), kind))
                else:
                    raise OverflowError(f"Python integer {one} out of bounds for {kind.name}") from None

    # ---------------------------------------------------------------------------------------- arithmetic

    def _with(self, other: Thing, do: Callable[[Thing, Thing], Thing], back: bool = False, of: Thing = None) -> Thing:
        if isinstance(other, (str, bytes)) or other is None:
            return NotImplemented
        one, two = self, asarray(other)
        kind = of or _common(one, other, two)
        shape = _broadcast(one.shape, two.shape)
        left, right = _spread(one, shape), _spread(two, shape)
        if back:
            left, right = right, left
        return _packed(list(map(do, left, right)), shape, kind)

    def __add__(self, other: Thing) -> Thing:
        return self._with(other, operator.or_ if _both_bool(self, other) else operator.add)

    def __radd__(self, other: Thing) -> Thing:
        return self._with(other, operator.add, True)

    def __sub__(self, other: Thing) -> Thing:
        return self._with(other, operator.sub)

    def __rsub__(self, other: Thing) -> Thing:
        return self._with(other, operator.sub, True)

    def __mul__(self, other: Thing) -> Thing:
        return self._with(other, operator.mul)

    def __rmul__(self, other: Thing) -> Thing:
        return self._with(other, operator.mul, True)

    def __truediv__(self, other: Thing) -> Thing:
        return self._with(other, _divide, of=_real(self, other))

    def __rtruediv__(self, other: Thing) -> Thing:
        return self._with(other, _divide, True, of=_real(self, other))

    def __floordiv__(self, other: Thing) -> Thing:
        return self._with(other, operator.floordiv)

    def __rfloordiv__(self, other: Thing) -> Thing:
        return self._with(other, operator.floordiv, True)

    def __mod__(self, other: Thing) -> Thing:
        return self._with(other, operator.mod)

    def __rmod__(self, other: Thing) -> Thing:
        return self._with(other, operator.mod, True)

    def __pow__(self, other: Thing) -> Thing:
        return self._with(other, operator.pow)

    def __rpow__(self, other: Thing) -> Thing:
        return self._with(other, operator.pow, True)

    def __and__(self, other: Thing) -> Thing:
        return self._with(other, operator.and_)

    __rand__ = __and__

    def __or__(self, other: Thing) -> Thing:
        return self._with(other, operator.or_)

    __ror__ = __or__

    def __xor__(self, other: Thing) -> Thing:
        return self._with(other, operator.xor)

    __rxor__ = __xor__

    def __lshift__(self, other: Thing) -> Thing:
        return self._with(other, operator.lshift)

    def __rshift__(self, other: Thing) -> Thing:
        return self._with(other, operator.rshift)

    def __rlshift__(self, other: Thing) -> Thing:
        return self._with(other, operator.lshift, True)

    def __rrshift__(self, other: Thing) -> Thing:
        return self._with(other, operator.rshift, True)

    def __eq__(self, other: Thing) -> Thing:
        return self._with(other, operator.eq, of=_BOOL)

    def __ne__(self, other: Thing) -> Thing:
        return self._with(other, operator.ne, of=_BOOL)

    def __lt__(self, other: Thing) -> Thing:
        return self._with(other, operator.lt, of=_BOOL)

    def __le__(self, other: Thing) -> Thing:
        return self._with(other, operator.le, of=_BOOL)

    def __gt__(self, other: Thing) -> Thing:
        return self._with(other, operator.gt, of=_BOOL)

    def __ge__(self, other: Thing) -> Thing:
        return self._with(other, operator.ge, of=_BOOL)

    def _each(self, do: Callable[[Thing], Thing], of: Thing = None) -> Thing:
        return _packed(list(map(do, self._numbers())), self.shape, of or self.dtype)

    def __neg__(self) -> Thing:
        return self._each(operator.neg)

    def __abs__(self) -> Thing:
        return self._each(builtins.abs)

    def __invert__(self) -> Thing:
        return self._each(operator.not_ if self.dtype.kind == "b" else operator.invert)

    def __matmul__(self, other: Thing) -> Thing:
        return _product(self, asarray(other))

    def _in_place(self, found: Thing) -> Thing:
        self[...] = found
        return self

    def __iadd__(self, other: Thing) -> Thing:
        return self._in_place(self + other)

    def __isub__(self, other: Thing) -> Thing:
        return self._in_place(self - other)

    def __imul__(self, other: Thing) -> Thing:
        return self._in_place(self * other)

    def __itruediv__(self, other: Thing) -> Thing:
        return self._in_place(self / other)

    def __ior__(self, other: Thing) -> Thing:
        return self._in_place(self | other)

    def __iand__(self, other: Thing) -> Thing:
        return self._in_place(self & other)

    # ---------------------------------------------------------------------------------------- along axes

    def _along(self, axis: Thing, do: Callable[[list[Thing]], Thing], kind: Thing, keepdims: bool = False) -> Thing:
        if axis is None:
            found = do(self._numbers())
            if keepdims:
                return _packed([found], (1,) * self.ndim, _dtype(kind))
            return found if kind is None else _dtype(kind).rounded(found)
        axes = [one % self.ndim for one in (axis if isinstance(axis, tuple) else (axis,))]
        rest = [n for n in range(self.ndim) if n not in axes]
        turned = self.transpose(*rest, *axes)
        shape = tuple(self.shape[n] for n in rest)
        length = math.prod(self.shape[n] for n in axes)
        numbers = turned._numbers()
        found = [do(numbers[n * length : (n + 1) * length]) for n in range(math.prod(shape))]
        if keepdims:
            shape = tuple(1 if n in axes else self.shape[n] for n in range(self.ndim))
        if not shape:
            return _dtype(kind).rounded(found[0])
        return _packed(found, shape, _dtype(kind))

    def sum(self, axis: Thing = None, keepdims: bool = False, dtype: Thing = None) -> Thing:
        """Return the sums along an axis, or of all."""
        kind = dtype or (self.dtype if self.dtype.kind == "f" else float64 if self.dtype.kind == "V" else int64)
        return self._along(axis, _sum, kind, keepdims)

    def prod(self, axis: Thing = None) -> Thing:
        """Return the products along an axis, or of all."""
        return self._along(axis, math.prod, self.dtype if self.dtype.kind == "f" else int64)

    def mean(self, axis: Thing = None, keepdims: bool = False) -> Thing:
        """Return the means."""
        return self._along(axis, _mean, float64 if self.dtype.code != "f" else float32, keepdims)

    def var(self, axis: Thing = None, ddof: int = 0) -> Thing:
        """Return the variances."""
        return self._along(axis, lambda row: _var(row, ddof), float64)

    def std(self, axis: Thing = None, ddof: int = 0) -> Thing:
        """Return the standard deviations."""
        return self._along(axis, lambda row: math.sqrt(_var(row, ddof)), float64)

    def min(self, axis: Thing = None, keepdims: bool = False) -> Thing:
        """Return the least."""
        return self._along(axis, builtins.min, self.dtype, keepdims)

    def max(self, axis: Thing = None, keepdims: bool = False) -> Thing:
        """Return the most."""
        return self._along(axis, builtins.max, self.dtype, keepdims)

    def any(self, axis: Thing = None) -> Thing:
        """Return whether any is true."""
        return self._along(axis, builtins.any, bool_)

    def all(self, axis: Thing = None) -> Thing:
        """Return whether all are true."""
        return self._along(axis, builtins.all, bool_)

    def argmin(self, axis: Thing = None) -> Thing:
        """Return where the least is, the first of them."""
        return self._along(axis, lambda row: builtins.min(range(len(row)), key=row.__getitem__), int64)

    def argmax(self, axis: Thing = None) -> Thing:
        """Return where the most is, the first of them."""
        return self._along(axis, lambda row: builtins.max(range(len(row)), key=row.__getitem__), int64)

    def _rows(self, axis: int, do: Callable[[list[Thing]], list[Thing]], kind: Thing) -> Thing:
        """Return what a function makes of each row along an axis."""
        axis %= self.ndim
        order = [*(n for n in range(self.ndim) if n != axis), axis]
        turned = self.transpose(*order)
        numbers, length = turned._numbers(), self.shape[axis]
        made = [do(numbers[n * length : (n + 1) * length]) for n in range(self.size // length if length else 0)]
        width = len(made[0]) if made else 0
        shape = (*(self.shape[n] for n in order[:-1]), width)
        found = _packed([one for row in made for one in row], shape, _dtype(kind))
        return found.transpose(*(order.index(n) for n in range(self.ndim)))

    def cumsum(self, axis: Thing = None, dtype: Thing = None) -> Thing:
        """Return the sums so far."""
        whole = self.ravel() if axis is None else self
        kind = dtype or (self.dtype if self.dtype.kind == "f" else int64)
        return whole._rows(0 if axis is None else axis, lambda row: list(itertools.accumulate(row)), kind)

    def argsort(self, axis: int = -1, kind: str | None = None) -> Thing:
        """Return the places of the elements in rising order; of equal ones the first comes first."""
        return self._rows(axis, lambda row: sorted(range(len(row)), key=row.__getitem__), int64)

    def sort(self, axis: int = -1) -> None:
        """Bring the elements into rising order."""
        self[...] = self._rows(axis, sorted, self.dtype)

    def nonzero(self) -> tuple[Thing, ...]:
        """Return the places of what is not zero, an array for each axis."""
        found = [n for n, one in enumerate(self._numbers()) if one]
        places = []
        for step, length in zip(_strides_of(self.shape, 1), self.shape, strict=True):
            places.append(_packed([n // step % length for n in found], (len(found),), _INT))
        return tuple(places)

    def round(self, digits: int = 0) -> Thing:
        """Return the elements rounded, halves to the even number."""
        return self._each(lambda one: builtins.round(one, digits))

    def clip(self, least: Thing, most: Thing) -> Thing:
        """Return the elements, brought between two bounds."""
        return minimum(maximum(self, least), most)

    def repeat(self, times: Thing, axis: int | None = None) -> Thing:
        """Return each element several times."""
        return repeat(self, times, axis)

    def take(self, places: Thing, axis: int = 0) -> Thing:
        """Return the elements at some places."""
        return self[(slice(None),) * axis + (asarray(places),)]

    def dot(self, other: Thing) -> Thing:
        """Return the product of matrices."""
        return self @ other


def _unpickled(shape: tuple[int, ...], code: str, content: bytes) -> ndarray:
    return ndarray(shape, code, bytearray(content))


def _dtype(kind: Thing) -> dtype:
    return kind if isinstance(kind, dtype) else dtype(kind)


_BOOL, _INT, _FLOAT = dtype(bool_), dtype(int64), dtype(float64)


def _plain(found: Thing) -> Thing:
    """Return a number for an array without axes."""
    return found.item() if isinstance(found, ndarray) and not found.shape and found.dtype.kind != "V" else found


def _element(array: ndarray, at: int) -> Thing:
    kind = array.dtype
    if kind.code == "V":
        one = array._view((), (), at, of=ndarray)
        return (kind.type if issubclass(kind.type, void) else void)(one)
    if kind.code == "U":
        return bytes(array._memory[at : at + kind.itemsize]).decode("utf-32-le").rstrip("\0")
    return struct.unpack_from(kind.code, array._memory, at)[0]


def _as_index(part: Thing) -> Thing:
    if part is None or part is Ellipsis or isinstance(part, slice):
        return part
    if isinstance(part, ndarray):
        return part if part.shape or part.dtype.kind == "b" else operator.index(part.item())
    if isinstance(part, (list, tuple, range)):
        found = asarray(part)
        return found if found.size else found.astype(int64)
    if isinstance(part, bool):
        return asarray([part])
    return operator.index(part)


def _divide(one: float, two: float) -> float:
    if two:
        return one / two
    return nan if one == 0 or one != one else math.copysign(inf, one) * math.copysign(1.0, two)


def _both_bool(one: ndarray, other: Thing) -> bool:
    return one.dtype.kind == "b" and (
        isinstance(other, bool) or (isinstance(other, ndarray) and other.dtype.kind == "b")
    )


def _common(one: ndarray, other: Thing, two: ndarray) -> dtype:
    """Return the type of what comes of two operands; numbers of Python's follow the array."""
    first = one.dtype
    if isinstance(other, bool):
        return first
    if isinstance(other, int):
        return _INT if first.kind == "b" else first
    if isinstance(other, float):
        return first if first.kind == "f" else _FLOAT
    return _common_kind(first, two.dtype)


def _common_kind(first: dtype, second: dtype) -> dtype:
    if first.code == second.code:
        return first
    if "f" in (first.kind, second.kind):
        if {first.kind, second.kind} <= {"f", "b"} or first.kind == second.kind:
            return first if (first.kind == "f" and first.itemsize >= second.itemsize) or second.kind != "f" else second
        whole = first if second.kind == "f" else second
        real = second if second.kind == "f" else first
        return real if real.code == "d" or whole.itemsize <= 2 else _FLOAT
    if first.kind == "b":
        return second
    if second.kind == "b":
        return first
    if first.kind == second.kind:
        return first if first.itemsize >= second.itemsize else second
    signed, other = (first, second) if first.kind == "i" else (second, first)
    if other.itemsize < signed.itemsize:
        return signed
    return _FLOAT if other.itemsize == 8 else dtype("bhiq"["bhiq".index({1: "b", 2: "h", 4: "i"}[other.itemsize]) + 1])


def _real(one: ndarray, other: Thing) -> dtype:
    found = _common(one, other, asarray(other))
    return found if found.kind == "f" else _FLOAT


def _packed(numbers: list[Thing], shape: Sequence[int], kind: dtype) -> ndarray:
    """Return an array of numbers of Python's."""
    if kind.code == "?":
        return ndarray(shape, kind, bytearray(map(bool, numbers)))
    if kind.kind in "iu":
        try:
            content = packed.array(kind.code, numbers)
        except (OverflowError, TypeError):
            content = packed.array(kind.code, [_wrapped(int(one), kind) for one in numbers])
    elif kind.code == "U":
        return ndarray(
            shape, kind, bytearray(b"".join(one.encode("utf-32-le").ljust(kind.itemsize, b"\0") for one in numbers))
        )
    elif kind.code == "e":
        return ndarray(shape, kind, bytearray(struct.pack(f"<{len(numbers)}e", *numbers)))
    else:
        content = packed.array(kind.code, numbers)
    return ndarray(shape, kind, content) if numbers else ndarray(shape, kind)


def _broadcast(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    found: list[int] = []
    for lengths in itertools.zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        wide = {length for length in lengths if length != 1}
        if len(wide) > 1:
            raise ValueError(f"operands could not be broadcast together with shapes {shapes}")
        found.append(wide.pop() if wide else 1)
    return tuple(reversed(found))


def _spread(one: ndarray, shape: Sequence[int]) -> list[Thing]:
    """Return the elements of an array as if it had this shape."""
    if one.shape == tuple(shape):
        return one._numbers()
    if one.size == 1:
        return one._numbers() * math.prod(shape)
    return broadcast_to(one, shape)._numbers()


def broadcast_to(one: Thing, shape: Sequence[int]) -> Thing:
    """Return a view of an array with a larger shape."""
    one = asarray(one)
    lengths = (1,) * (len(shape) - one.ndim) + one.shape
    strides = (0,) * (len(shape) - one.ndim) + one.strides
    if _broadcast(lengths, tuple(shape)) != tuple(shape):
        raise ValueError(f"could not broadcast input array from shape {one.shape} into shape {tuple(shape)}")
    return one._view(
        shape,
        [
            0 if length == 1 and wide != 1 else stride
            for length, stride, wide in zip(lengths, strides, shape, strict=True)
        ],
        one._offset,
    )


def _together(arrays: Sequence[ndarray]) -> tuple[tuple[int, ...], list[list[Thing]]]:
    shape = _broadcast(*(one.shape for one in arrays))
    return shape, [_spread(one, shape) for one in arrays]


def _sum(row: list[Thing]) -> Thing:
    """Return a sum, reals added in the order that NumPy has: pairs of halves, eight at a time."""
    if not row or not isinstance(row[0], float):
        return builtins.sum(row)
    return _pairwise(row)


def _pairwise(row: list[float]) -> float:
    count = len(row)
    if count < 8:
        total = -0.0
        for one in row:
            total += one
        return total
    if count <= 128:
        parts = row[:8]
        at = 8
        while at + 8 <= count:
            for n in range(8):
                parts[n] += row[at + n]
            at += 8
        total = ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]))
        for one in row[at:]:
            total += one
        return total
    half = count // 2
    half -= half % 8
    return _pairwise(row[:half]) + _pairwise(row[half:])


def _mean(row: list[Thing]) -> float:
    return _divide(_sum(row), len(row))


def _var(row: list[Thing], ddof: int) -> float:
    middle = _mean(row)
    return _divide(_sum([(one - middle) ** 2 for one in row]), len(row) - ddof)


def _product(one: ndarray, two: ndarray) -> Thing:
    left, right = one.tolist(), two.tolist()
    rows = left if one.ndim == 2 else [left]
    columns = list(zip(*right, strict=True)) if two.ndim == 2 else [right]
    found = [[builtins.sum(map(operator.mul, row, column)) for column in columns] for row in rows]
    result = array(found, dtype=_common_kind(one.dtype, two.dtype))
    if one.ndim == 1:
        result = result[0]
    return result[..., 0] if two.ndim == 1 else result


# ------------------------------------------------------------------------------------------------ making arrays


def asarray(thing: Thing, dtype: Thing = None) -> Thing:
    """Return an array as it is, or a new one."""
    if isinstance(thing, ndarray):
        return thing if dtype is None or _dtype(dtype) == thing.dtype else thing.astype(dtype)
    return array(thing, dtype=dtype)


ascontiguousarray = asarray


def array(thing: Thing, dtype: Thing = None, copy: bool = True) -> Thing:
    """Return a new array of numbers, lists of them, and so on."""
    if isinstance(thing, ndarray):
        return thing.copy() if dtype is None else thing.astype(dtype)
    if isinstance(thing, memoryview):
        kind = _dtype("q" if thing.format == "l" else thing.format)
        return ndarray(thing.shape, kind, thing) if dtype is None else ndarray(thing.shape, kind, thing).astype(dtype)
    if isinstance(thing, void):
        return thing._array
    shape: tuple[int, ...] = ()
    numbers: list[Thing] = [thing]
    kinds: set[Thing] = set()
    while numbers and isinstance(numbers[0], (list, tuple, range, ndarray, memoryview, packed.array)):
        rows = [one.tolist() if isinstance(one, (ndarray, memoryview, packed.array)) else one for one in numbers]
        kinds |= {one.dtype for one in numbers if isinstance(one, ndarray)}
        length = len(rows[0])
        if builtins.any(len(row) != length for row in rows):
            raise ValueError("setting an array element with a sequence of another length")
        shape, numbers = (*shape, length), [one for row in rows for one in row]
    if dtype is not None:
        kind = _dtype(dtype)
        if kind.kind in "iu" and builtins.any(isinstance(one, float) for one in numbers):
            numbers = [int(one) for one in numbers]
        return _packed([_number(one) for one in numbers], shape, kind)
    numbers = [_number(one) for one in numbers]
    if builtins.any(isinstance(one, str) for one in numbers):
        return _packed(numbers, shape, _dtype(f"U{builtins.max(map(len, numbers), default=1) or 1}"))
    if len(kinds) == 1:
        return _packed(numbers, shape, kinds.pop())
    if not numbers or builtins.any(isinstance(one, float) for one in numbers):
        return _packed(numbers, shape, _FLOAT)
    return _packed(numbers, shape, _BOOL if builtins.all(isinstance(one, bool) for one in numbers) else _INT)


def _number(one: Thing) -> Thing:
    if isinstance(one, (int, float, str)):
        return one
    return one.__index__() if hasattr(one, "__index__") else float(one)


def frombuffer(content: Thing, dtype: Thing = float64) -> Thing:
    """Return an array that sees the bytes of something."""
    kind = _dtype(dtype)
    memory = memoryview(content)
    return ndarray(memory.nbytes // kind.itemsize, kind, memory)


def zeros(shape: Thing, dtype: Thing = float64) -> Thing:
    """Return an array of zeros."""
    return ndarray(shape, dtype)


empty = zeros


def full(shape: Thing, number: Thing, dtype: Thing = None) -> Thing:
    """Return an array of one number."""
    found = ndarray(shape, dtype or asarray(number).dtype)
    found[...] = number
    return found


def ones(shape: Thing, dtype: Thing = float64) -> Thing:
    """Return an array of ones."""
    return full(shape, 1, dtype)


def zeros_like(like: Thing, dtype: Thing = None) -> Thing:
    """Return zeros in the shape of another array."""
    like = asarray(like)
    return ndarray(like.shape, dtype or like.dtype)


empty_like = zeros_like


def full_like(like: Thing, number: Thing, dtype: Thing = None) -> Thing:
    """Return one number in the shape of another array."""
    like = asarray(like)
    return full(like.shape, number, dtype or like.dtype)


def ones_like(like: Thing, dtype: Thing = None) -> Thing:
    """Return ones in the shape of another array."""
    return full_like(like, 1, dtype)


def arange(*bounds: Thing, dtype: Thing = None) -> Thing:
    """Return numbers from a first one on, before a last one."""
    begin, end, step = slice(*bounds).start or 0, slice(*bounds).stop, slice(*bounds).step or 1
    count = builtins.max(0, math.ceil((end - begin) / step))
    return array([begin + n * step for n in range(count)], dtype=dtype or (None if count else int64))


def linspace(begin: Thing, end: Thing, count: int = 50, axis: int = 0) -> Thing:
    """Return so many numbers from one to another."""
    first, last = asarray(begin) * 1.0, asarray(end) * 1.0
    step = (last - first) / (count - 1) if count > 1 else last - first
    rows = [asarray(first + step * n) for n in range(count)]
    if count > 1:
        rows[-1] = asarray(last + first * 0.0)
    return stack(rows, axis=axis)


def eye(count: int) -> Thing:
    """Return the matrix of one."""
    return array([[float(one == other) for other in range(count)] for one in range(count)])


def diag(values: Thing) -> Thing:
    """Return the diagonal of a matrix, or a matrix with this diagonal."""
    values = asarray(values)
    if values.ndim == 2:
        return array([values[n, n] for n in range(builtins.min(values.shape))])
    found = zeros((len(values), len(values)), values.dtype)
    for n, one in enumerate(values):
        found[n, n] = one
    return found


def meshgrid(x: Thing, y: Thing) -> list[Thing]:
    """Return the coordinates of a grid."""
    x, y = asarray(x), asarray(y)
    shape = (len(y), len(x))
    return [broadcast_to(x[None, :], shape).copy(), broadcast_to(y[:, None], shape).copy()]


def triu_indices(count: int, above: int = 0) -> tuple[Thing, Thing]:
    """Return the places on and over the diagonal of a matrix."""
    pairs = [(one, other) for one in range(count) for other in range(one + above, count)]
    return array([one for one, _ in pairs], dtype=int64), array([other for _, other in pairs], dtype=int64)


# ------------------------------------------------------------------------------------------------ joining, cutting


def concatenate(parts: Iterable[Thing], axis: int = 0) -> Thing:
    """Return arrays one behind the other."""
    arrays = [asarray(one) for one in parts]
    kind = arrays[0].dtype
    for one in arrays[1:]:
        kind = _common_kind(kind, one.dtype) if kind.kind != "V" else kind
    axis %= arrays[0].ndim
    shape = list(arrays[0].shape)
    shape[axis] = builtins.sum(one.shape[axis] for one in arrays)
    if axis == 0:
        if kind.kind == "V":
            return ndarray(shape, kind, bytearray(b"".join(one.tobytes() for one in arrays)))
        return _packed([number for one in arrays for number in one._numbers()], shape, kind)
    outer = math.prod(shape[:axis])
    widths = [one.size // outer if outer else 0 for one in arrays]
    numbers = [one._numbers() for one in arrays]
    found = [
        number for n in range(outer) for own, width in zip(numbers, widths, strict=True)
        for number in own[n * width : (n + 1) * width]
    ]  # fmt: skip
    return _packed(found, shape, kind)


def stack(parts: Iterable[Thing], axis: int = 0) -> Thing:
    """Return arrays of one shape along a new axis."""
    arrays = [asarray(one) for one in parts]
    axis %= arrays[0].ndim + 1
    place = (*[slice(None)] * axis, None)
    return concatenate([one[place] for one in arrays], axis)


def hstack(parts: Iterable[Thing]) -> Thing:
    """Return arrays side by side."""
    arrays = [asarray(one) for one in parts]
    return concatenate(arrays, 0 if arrays[0].ndim == 1 else 1)


def vstack(parts: Iterable[Thing]) -> Thing:
    """Return arrays one under the other."""
    return concatenate([one if (one := asarray(part)).ndim > 1 else one[None, :] for part in parts])


def column_stack(parts: Iterable[Thing]) -> Thing:
    """Return arrays as columns."""
    return concatenate([one if (one := asarray(part)).ndim > 1 else one[:, None] for part in parts], 1)


def repeat(thing: Thing, times: Thing, axis: int | None = None) -> Thing:
    """Return each element, or each part along an axis, several times."""
    found = asarray(thing)
    found = found.ravel() if axis is None else found
    axis = axis or 0
    counts = _spread(asarray(times), (found.shape[axis],))
    places = [n for n, count in enumerate(counts) for _ in range(count)]
    return found.take(array(places, dtype=int64), axis)


def tile(thing: Thing, times: Thing) -> Thing:
    """Return an array several times, side by side."""
    found, times = asarray(thing), (times,) if isinstance(times, int) else tuple(times)
    found = found.reshape((1,) * (len(times) - found.ndim) + found.shape)
    times = (1,) * (found.ndim - len(times)) + times
    for axis, count in enumerate(times):
        found = concatenate([found] * count, axis) if count > 1 else found
    return found


def delete(thing: Thing, places: Thing, axis: int | None = None) -> Thing:
    """Return an array without some places along an axis."""
    found = asarray(thing)
    found = found.ravel() if axis is None else found
    axis = (axis or 0) % found.ndim
    gone = set(arange(found.shape[axis])[places if isinstance(places, slice) else asarray(places).ravel()].tolist())
    return found.take(array([n for n in range(found.shape[axis]) if n not in gone], dtype=int64), axis)


def roll(thing: Thing, steps: int, axis: int = 0) -> Thing:
    """Return the parts along an axis moved on, in a ring."""
    found = asarray(thing)
    length = found.shape[axis]
    return found.take(array([(n - steps) % length for n in range(length)], dtype=int64), axis)


def where(asked: Thing, *choices: Thing) -> Thing:
    """Return elements of one array where something is true, and of another elsewhere; alone: the places."""
    if not choices:
        return asarray(asked).nonzero()
    one, two = map(asarray, choices)
    shape, (asked, left, right) = _together([asarray(asked), one, two])
    kind = _common(one, choices[1], two) if isinstance(choices[0], ndarray) else _common(two, choices[0], one)
    return _packed([a if yes else b for yes, a, b in zip(asked, left, right, strict=True)], shape, kind)


def sort(thing: Thing, axis: int = -1) -> Thing:
    """Return the elements in rising order."""
    return asarray(thing)._rows(axis, sorted, asarray(thing).dtype)


def unique(
    thing: Thing, return_counts: bool = False, return_inverse: bool = False, return_index: bool = False
) -> Thing:
    """Return the different elements in rising order."""
    found = asarray(thing)
    numbers = found._numbers()
    kept = sorted(set(numbers))
    parts = [_packed(kept, (len(kept),), found.dtype)]
    if return_index:
        parts.append(array([numbers.index(one) for one in kept], dtype=int64))
    if return_inverse:
        at = {one: n for n, one in enumerate(kept)}
        parts.append(array([at[one] for one in numbers], dtype=int64).reshape(found.shape))
    if return_counts:
        parts.append(array([numbers.count(one) for one in kept], dtype=int64))
    return parts[0] if len(parts) == 1 else tuple(parts)


def flatnonzero(thing: Thing) -> Thing:
    """Return the places of what is not zero."""
    return asarray(thing).ravel().nonzero()[0]


def nonzero(thing: Thing) -> Thing:
    """Return the places of what is not zero, an array for each axis."""
    return asarray(thing).nonzero()


def argwhere(thing: Thing) -> Thing:
    """Return the places of what is not zero, one a row."""
    return stack(asarray(thing).nonzero(), axis=1)


def bincount(thing: Thing, weights: Thing = None, minlength: int = 0) -> Thing:
    """Return how often each number occurs, or what their weights add up to."""
    numbers = asarray(thing)._numbers()
    found: list[Thing] = [0] * builtins.max(minlength, builtins.max(numbers, default=-1) + 1)
    if weights is None:
        for one in numbers:
            found[one] += 1
        return array(found, dtype=int64)
    for one, weight in zip(numbers, asarray(weights)._numbers(), strict=True):
        found[one] += weight
    return array(found, dtype=float64)


def searchsorted(row: Thing, wanted: Thing, side: str = "left") -> Thing:
    """Return before which elements of a sorted array others belong."""
    import bisect

    numbers, look = asarray(row)._numbers(), bisect.bisect_left if side == "left" else bisect.bisect_right
    found = asarray(wanted)
    return _plain(_packed([look(numbers, one) for one in found._numbers()], found.shape, _INT))


def unpackbits(thing: Thing, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> Thing:
    """Return the bits of bytes."""
    order = range(8) if bitorder == "little" else range(7, -1, -1)
    found = asarray(thing)
    return (found.ravel() if axis is None else found)._rows(
        -1 if axis is None else axis, lambda row: [one >> n & 1 for one in row for n in order][:count], uint8
    )


def lexsort(keys: Sequence[Thing]) -> Thing:
    """Return the order by several keys, the last one first."""
    rows = [asarray(one)._numbers() for one in keys][::-1]
    return array(sorted(range(len(rows[0])), key=lambda n: [row[n] for row in rows]), dtype=int64)


def diff(thing: Thing, axis: int = -1) -> Thing:
    """Return the steps from each element to the next."""
    found = asarray(thing)
    return found._rows(axis, lambda row: [b - a for a, b in itertools.pairwise(row)], found.dtype)


# ------------------------------------------------------------------------------------------------ functions


def _real_function(do: Callable[[float], float]) -> Callable[..., Thing]:
    def function(thing: Thing) -> Thing:
        if not isinstance(thing, (ndarray, list, tuple)):
            return _safely(do)(float(thing))
        found = asarray(thing)
        return found._each(_safely(do), found.dtype if found.dtype.kind == "f" else _FLOAT)

    return function


def _safely(do: Callable[[float], float]) -> Callable[[float], float]:
    def safe(one: float) -> float:
        try:
            return do(one)
        except OverflowError:
            return inf
        except ValueError:
            return -inf if do is math.log and one == 0 else nan

    return safe


sqrt, exp, log = map(_real_function, (math.sqrt, math.exp, math.log))
sin, cos, tan, arcsinh, radians, degrees = map(
    _real_function, (math.sin, math.cos, math.tan, math.asinh, math.radians, math.degrees)
)
ceil = _real_function(lambda one: float(math.ceil(one)))
floor = _real_function(lambda one: float(math.floor(one)))
log1p, expm1, tanh = map(_real_function, (math.log1p, math.expm1, math.tanh))


def _pairs(do: Callable[[Thing, Thing], Thing], of: Thing = None) -> Callable[..., Thing]:
    def function(one: Thing, two: Thing, out: Thing = None) -> Thing:
        if not isinstance(one, (ndarray, list, tuple)) and not isinstance(two, (ndarray, list, tuple)):
            return do(one, two)
        return one._with(two, do, False, of) if isinstance(one, ndarray) else asarray(two)._with(one, do, True, of)

    return function


def _larger(one: Thing, two: Thing) -> Thing:
    return one if one >= two or one != one else two


def _smaller(one: Thing, two: Thing) -> Thing:
    return one if one <= two or one != one else two


maximum, minimum = _pairs(_larger), _pairs(_smaller)
hypot = _pairs(math.hypot, _FLOAT)
arctan2 = _pairs(math.atan2, _FLOAT)
logical_and, logical_or = (
    _pairs(lambda one, two: bool(one and two), _BOOL),
    _pairs(lambda one, two: bool(one or two), _BOOL),
)


def clip(thing: Thing, least: Thing, most: Thing) -> Thing:
    """Return numbers, brought between two bounds."""
    return minimum(maximum(thing, least), most)


def abs(thing: Thing) -> Thing:
    """Return numbers without their sign."""
    return builtins.abs(thing if not isinstance(thing, (list, tuple)) else asarray(thing))


absolute = abs


def sign(thing: Thing) -> Thing:
    """Return the signs of numbers."""
    return asarray(thing)._each(lambda one: (one > 0) - (one < 0))


def square(thing: Thing) -> Thing:
    """Return the squares of numbers."""
    return thing * thing if isinstance(thing, (int, float, ndarray)) else asarray(thing) * asarray(thing)


def round(thing: Thing, digits: int = 0) -> Thing:
    """Return numbers rounded, halves to the even one."""
    return thing.round(digits) if isinstance(thing, ndarray) else builtins.round(thing, digits)


def isfinite(thing: Thing) -> Thing:
    """Return whether numbers are finite."""
    return asarray(thing)._each(math.isfinite, _BOOL) if isinstance(thing, (ndarray, list)) else math.isfinite(thing)


def isnan(thing: Thing) -> Thing:
    """Return whether numbers are none."""
    return asarray(thing)._each(lambda one: one != one, _BOOL) if isinstance(thing, (ndarray, list)) else thing != thing


def _method(name: str) -> Callable[..., Thing]:
    def function(thing: Thing, *arguments: Thing, **named: Thing) -> Thing:
        out = named.pop("out", None)
        found = getattr(asarray(thing), name)(*arguments, **named)
        if out is not None:
            out[...] = found
        return found

    return function


sum, prod, mean, var, std, cumsum = map(_method, ("sum", "prod", "mean", "var", "std", "cumsum"))
any, all, min, max = map(_method, ("any", "all", "min", "max"))  # type: ignore[assignment]
argmin, argmax, argsort = map(_method, ("argmin", "argmax", "argsort"))
amin, amax = min, max
reshape, ravel, transpose = map(_method, ("reshape", "ravel", "transpose"))


def ptp(thing: Thing, axis: Thing = None) -> Thing:
    """Return how far numbers lie apart."""
    found = asarray(thing)
    return found.max(axis) - found.min(axis)


def quantile(thing: Thing, shares: Thing, axis: Thing = None) -> Thing:
    """Return numbers below which these shares lie, between two by the way between them."""
    found, wanted = asarray(thing), asarray(shares)

    def at(share: float) -> Callable[[list[Thing]], float]:
        def of(row: list[Thing]) -> float:
            row = sorted(row)
            place = share * (len(row) - 1)
            low = math.floor(place)
            high, part = builtins.min(low + 1, len(row) - 1), place - low
            step = row[high] - row[low]
            return float(row[high] - step * (1 - part) if part >= 0.5 else row[low] + step * part)

        return of

    rows = [found._along(axis, at(share), float64) for share in wanted._numbers()]
    if not wanted.shape:
        return rows[0]
    return stack(rows) if isinstance(rows[0], ndarray) else array(rows, dtype=float64)


def median(thing: Thing, axis: Thing = None) -> Thing:
    """Return the number in the middle."""
    return quantile(thing, 0.5, axis)


def array_equal(one: Thing, two: Thing) -> bool:
    """Return whether two arrays have the same shape and elements."""
    one, two = asarray(one), asarray(two)
    return one.shape == two.shape and one._numbers() == two._numbers()


class _Adding:
    """Sums into places of an array."""

    @staticmethod
    def at(into: ndarray, places: Thing, numbers: Thing) -> None:
        """Add to the element at each place, also to one several times."""
        view, chosen = into._basic(into._place(places)[0])
        shape, offsets = into._chosen(view, chosen)
        read = struct.Struct(into.dtype.code)
        for at, one in zip(offsets, _spread(asarray(numbers), shape), strict=True):
            read.pack_into(into._memory, at, read.unpack_from(into._memory, at)[0] + one)

    @staticmethod
    def reduceat(thing: Thing, places: Thing) -> Thing:
        """Return the sums of the parts that begin at some places."""
        found, begins = asarray(thing), asarray(places)._numbers()
        ends = [*begins[1:], len(found)]
        return stack(
            [found[one : builtins.max(other, one + 1)].sum(axis=0) for one, other in zip(begins, ends, strict=True)]
        )


add = _Adding()


class linalg:
    """Systems of equations."""

    @staticmethod
    def lstsq(system: Thing, right: Thing, rcond: None = None) -> tuple[Thing, ...]:
        """Return what solves a system of as many equations as unknowns, by elimination; a list, as NumPy does."""
        rows = [
            [*map(float, left), *map(float, values)]
            for left, values in zip(system.tolist(), right.tolist(), strict=True)
        ]
        count = len(rows)
        for n in range(count):
            best = builtins.max(range(n, count), key=lambda one: builtins.abs(rows[one][n]))
            rows[n], rows[best] = rows[best], rows[n]
            pivot = rows[n]
            for other in rows[n + 1 :]:
                part = other[n] / pivot[n]
                if part:
                    for column in range(n, len(other)):
                        other[column] -= part * pivot[column]
        found = [[0.0] * (len(rows[0]) - count) for _ in range(count)]
        for n in range(count - 1, -1, -1):
            for column in range(len(found[0])):
                known = builtins.sum(rows[n][other] * found[other][column] for other in range(n + 1, count))
                found[n][column] = (rows[n][count + column] - known) / rows[n][n]
        return (array(found),)


# ------------------------------------------------------------------------------------------------ files


class _Archive:
    """The arrays of a file with several."""

    def __init__(self, file: Thing) -> None:
        self._archive = zipfile.ZipFile(file)
        self.files = [name.removesuffix(".npy") for name in self._archive.namelist()]

    def __getitem__(self, name: str) -> Thing:
        return _read(self._archive.read(f"{name}.npy"))

    def __contains__(self, name: str) -> bool:
        return name in self.files

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def items(self) -> Iterator[tuple[str, Thing]]:
        """Yield all names and arrays."""
        return ((name, self[name]) for name in self.files)

    def __enter__(self) -> _Archive:
        return self

    def __exit__(self, *_error: object) -> None:
        self._archive.close()


def load(file: Thing, allow_pickle: bool = False) -> Thing:
    """Return the array of a file, or an archive of several."""
    content = file.read() if hasattr(file, "read") else Path(file).read_bytes()
    return _Archive(io.BytesIO(content)) if content[:2] == b"PK" else _read(content)


def _read(content: bytes) -> Thing:
    import ast

    if content[:6] != b"\x93NUMPY":
        raise ValueError("not a file of NumPy")
    wide = content[6] > 1
    (length,) = struct.unpack_from("<I" if wide else "<H", content, 8)
    begin = 12 if wide else 10
    said = ast.literal_eval(content[begin : begin + length].decode("latin1"))
    found = ndarray(said["shape"], said["descr"], bytearray(content[begin + length :]))
    return found.transpose() if said["fortran_order"] else found


Index = EllipsisType | int | slice | None
