"""NumPy's types of numbers and records, and where their bytes lie."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable
from typing import Any, TypeAlias

Thing: TypeAlias = Any
"""What NumPy takes and gives: numbers, texts, lists of them, arrays, and what makes types of them."""
newaxis = None
__version__ = "2.0"  # whose ways these are


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

    def __init__(self, array: Thing) -> None:
        """See the one record of an array without axes."""
        object.__setattr__(self, "_array", array)

    def __getitem__(self, name: str) -> Thing:
        return plain(self._array[name])

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

    def __reduce__(self) -> tuple[Thing, ...]:
        return type(self), (self._array,)


class record(void):
    """A record whose fields are read as attributes, too."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Thing:
        if name not in self._array.dtype.fields:
            raise AttributeError(name)
        return plain(self._array[name])

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
        self.kind, self.alignment = _KINDS[self.code], min(self.itemsize, 8)

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
                self.alignment = max(self.alignment, field.alignment)
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

    def __reduce__(self) -> tuple[Thing, ...]:
        if self.code == "V":
            base = None if self.base is self else self.base
            return _unpickled, (base, {name: getattr(self, name) for name in self.__slots__ if name != "base"})
        return dtype, (f"U{self.itemsize // 4}" if self.code == "U" else self.code,)

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
            return wrapped(int(number), self)
        return str(number)


def _unpickled(base: dtype | None, described: dict[str, Thing]) -> dtype:
    self = object.__new__(dtype)
    self.base = self if base is None else base
    for name, value in described.items():
        setattr(self, name, value)
    return self


def wrapped(number: int, kind: dtype) -> int:
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


def dtype_of(kind: Thing) -> dtype:
    """Return the type that is meant."""
    return kind if isinstance(kind, dtype) else dtype(kind)


BOOL, INT, FLOAT = dtype(bool_), dtype(int64), dtype(float64)


def plain(found: Thing) -> Thing:
    """Return a number for an array without axes."""
    return found.item() if getattr(found, "shape", None) == () and found.dtype.kind != "V" else found
