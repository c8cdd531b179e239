"""The array itself: a view of bytes with a shape and strides, its elements, and what is computed with it."""

from __future__ import annotations

import array as packed
import ctypes
import itertools
import math
import operator
import struct
from collections.abc import Callable, Iterator, Sequence
from types import EllipsisType

from branchline.site.arrays.number_types import (
    BOOL,
    FLOAT,
    INT,
    Thing,
    bool_,
    dtype,
    dtype_of,
    float32,
    float64,
    int64,
    void,
    wrapped,
)
from branchline.site.arrays.plain_numbers import broadcast_shape, divided, mean_of, strides_of, sum_of, variance_of


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
        found = dtype_of(kind if dtype is None else dtype)
        self.shape = (shape,) if isinstance(shape, int) else tuple(map(int, shape))
        if found.shape:
            self.shape, found = (*self.shape, *found.shape), found.base
        self.dtype = found
        self.strides = strides_of(self.shape, found.itemsize)
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
        found._whole = found.strides == strides_of(found.shape, found.dtype.itemsize)
        if not found._whole:  # axes of one element may be anywhere
            pairs = [pair for pair in zip(found.shape, found.strides, strict=True) if pair[0] != 1]
            found._whole = 0 in found.shape or [pair[1] for pair in pairs] == list(
                strides_of([pair[0] for pair in pairs], found.dtype.itemsize)
            )
        return found

    def view(self, kind: Thing) -> Thing:
        """Return the same bytes as elements of another type, or as an array of another class."""
        if isinstance(kind, type) and issubclass(kind, ndarray):
            return self._view(self.shape, self.strides, self._offset, of=kind)
        found = dtype_of(kind)
        if not self._whole:
            raise ValueError("an array with gaps has no other view")
        count = (self.shape[-1] if self.shape else 1) * self.dtype.itemsize // found.itemsize
        shape = (*self.shape[:-1], count)
        return self._view(shape, strides_of(shape, found.itemsize), self._offset, found)

    def reshape(self, *shape: Thing) -> Thing:
        """Return the same elements along other axes."""
        wanted = list(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else list(shape)
        if -1 in wanted:
            rest = math.prod(length for length in wanted if length != -1)
            wanted[wanted.index(-1)] = self.size // rest if rest else 0
        if math.prod(wanted) != self.size:
            raise ValueError(f"cannot reshape array of size {self.size} into shape {tuple(wanted)}")
        whole = self if self._whole else self.copy()
        return whole._view(wanted, strides_of(wanted, self.dtype.itemsize), whole._offset)

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
        cells = self._cells()
        if cells is not None:
            return self._spread_out(cells) if self.size else []
        read = struct.Struct(kind.code).unpack_from
        memory = self._memory
        return [read(memory, at)[0] for at in self._offsets()]

    def _cells(self) -> memoryview | None:
        """Return the memory as numbers of this type; None where its elements do not lie where such numbers begin."""
        size, code = self.dtype.itemsize, self.dtype.code
        if code in "VUe" or self._offset % size or any(stride % size for stride in self.strides):
            return None
        return self._memory[: self._memory.nbytes // size * size].cast(code)  # type: ignore[call-overload,no-any-return]

    def _spread_out(self, cells: memoryview) -> list[Thing]:
        """Return all elements; what steps of nothing repeat is read once."""
        size = self.dtype.itemsize
        axes = [
            (length, stride // size) for length, stride in zip(self.shape, self.strides, strict=True) if length != 1
        ]
        times = 1
        while axes and not axes[-1][1]:
            times *= axes.pop()[0]
        found = _read(cells, axes, self._offset // size)
        return found if times == 1 else [one for one in found for _ in range(times)]

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
        return _unpickled, (self.shape, self.dtype, self.tobytes())

    def astype(self, kind: Thing, copy: bool = True) -> Thing:
        """Return the elements as another type."""
        found = dtype_of(kind)
        if found == self.dtype:
            return self.copy()
        return pack(self._numbers(), self.shape, found)

    def fill(self, number: Thing) -> None:
        """Set all elements."""
        self[...] = number

    def _place(self, index: Thing) -> tuple[list[Thing], Thing]:
        """Return the parts of an index, one for each axis of the view that they are looked up in, and that view."""
        parts = list(index) if isinstance(index, tuple) else [index]
        parts = [_as_index(part) for part in parts]
        used = sum(
            part.ndim
            if isinstance(part, ndarray) and part.dtype.kind == "b"
            else part is not None and part is not Ellipsis
            for part in parts
        )
        if any(part is Ellipsis for part in parts):
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
        shape, spread = spread_together([one for _, one in chosen])
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
        inner = strides_of(kind.shape, kind.base.itemsize)
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
            whole = not view.shape and not any(isinstance(part, slice) for part in parts) and bool(parts)
            return _element(view, view._offset) if whole and index is not Ellipsis else view
        shape, offsets = self._chosen(view, chosen)
        size = self.dtype.itemsize
        cells = view._cells()
        if cells is not None:
            found = pack([cells[at // size] for at in offsets], shape, self.dtype)
        else:
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
        kind = self.dtype
        if not chosen and view._whole and kind.kind == "f" and kind.code != "e":
            content = packed.array(kind.code, map(float, spread(asarray(value), view.shape)))
            self._memory[view._offset : view._offset + view.nbytes] = memoryview(content).cast("B")
            return
        shape, offsets = self._chosen(view, chosen) if chosen else (view.shape, view._offsets())
        if kind.code == "V":
            if isinstance(value, int) and value == 0:
                content = bytes(kind.itemsize)
            else:
                content = value.tobytes() if isinstance(value, (ndarray, void)) else bytes(value)
            content *= len(offsets) * kind.itemsize // len(content)
            for n, at in enumerate(offsets):
                self._memory[at : at + kind.itemsize] = content[n * kind.itemsize : (n + 1) * kind.itemsize]
            return
        numbers = spread(asarray(value), shape)
        write = struct.Struct(kind.code).pack_into
        convert = float if kind.kind == "f" else bool if kind.kind == "b" else int
        memory = self._memory
        for at, one in zip(offsets, numbers, strict=True):
            try:
                write(memory, at, convert(one))
            except struct.error:
                if isinstance(value, ndarray):
                    write(memory, at, wrapped(int(one), kind))
                else:
                    raise OverflowError(f"Python integer {one} out of bounds for {kind.name}") from None

    # ---------------------------------------------------------------------------------------- arithmetic

    def _with(self, other: Thing, do: Callable[[Thing, Thing], Thing], back: bool = False, of: Thing = None) -> Thing:
        if isinstance(other, (str, bytes)) or other is None:
            return NotImplemented
        one, two = self, asarray(other)
        kind = of or common_type(one, other, two)
        shape = broadcast_shape(one.shape, two.shape)
        left, right = spread(one, shape), spread(two, shape)
        if back:
            left, right = right, left
        return pack(list(map(do, left, right)), shape, kind)

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
        return self._with(other, divided, of=_real(self, other))

    def __rtruediv__(self, other: Thing) -> Thing:
        return self._with(other, divided, True, of=_real(self, other))

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
        return self._with(other, operator.eq, of=BOOL)

    def __ne__(self, other: Thing) -> Thing:
        return self._with(other, operator.ne, of=BOOL)

    def __lt__(self, other: Thing) -> Thing:
        return self._with(other, operator.lt, of=BOOL)

    def __le__(self, other: Thing) -> Thing:
        return self._with(other, operator.le, of=BOOL)

    def __gt__(self, other: Thing) -> Thing:
        return self._with(other, operator.gt, of=BOOL)

    def __ge__(self, other: Thing) -> Thing:
        return self._with(other, operator.ge, of=BOOL)

    def _each(self, do: Callable[[Thing], Thing], of: Thing = None) -> Thing:
        return pack(list(map(do, self._numbers())), self.shape, of or self.dtype)

    def __neg__(self) -> Thing:
        return self._each(operator.neg)

    def __abs__(self) -> Thing:
        return self._each(abs)

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
                return pack([found], (1,) * self.ndim, dtype_of(kind))
            return found if kind is None else dtype_of(kind).rounded(found)
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
            return dtype_of(kind).rounded(found[0])
        return pack(found, shape, dtype_of(kind))

    def sum(self, axis: Thing = None, keepdims: bool = False, dtype: Thing = None) -> Thing:
        """Return the sums along an axis, or of all."""
        kind = dtype or (self.dtype if self.dtype.kind == "f" else float64 if self.dtype.kind == "V" else int64)
        return self._along(axis, sum_of, kind, keepdims)

    def prod(self, axis: Thing = None) -> Thing:
        """Return the products along an axis, or of all."""
        return self._along(axis, math.prod, self.dtype if self.dtype.kind == "f" else int64)

    def mean(self, axis: Thing = None, keepdims: bool = False) -> Thing:
        """Return the means."""
        return self._along(axis, mean_of, float64 if self.dtype.code != "f" else float32, keepdims)

    def var(self, axis: Thing = None, ddof: int = 0) -> Thing:
        """Return the variances."""
        return self._along(axis, lambda row: variance_of(row, ddof), float64)

    def std(self, axis: Thing = None, ddof: int = 0) -> Thing:
        """Return the standard deviations."""
        return self._along(axis, lambda row: math.sqrt(variance_of(row, ddof)), float64)

    def min(self, axis: Thing = None, keepdims: bool = False) -> Thing:
        """Return the least."""
        return self._along(axis, min, self.dtype, keepdims)

    def max(self, axis: Thing = None, keepdims: bool = False) -> Thing:
        """Return the most."""
        return self._along(axis, max, self.dtype, keepdims)

    def any(self, axis: Thing = None) -> Thing:
        """Return whether any is true."""
        return self._along(axis, any, bool_)

    def all(self, axis: Thing = None) -> Thing:
        """Return whether all are true."""
        return self._along(axis, all, bool_)

    def argmin(self, axis: Thing = None) -> Thing:
        """Return where the least is, the first of them."""
        return self._along(axis, lambda row: min(range(len(row)), key=row.__getitem__), int64)

    def argmax(self, axis: Thing = None) -> Thing:
        """Return where the most is, the first of them."""
        return self._along(axis, lambda row: max(range(len(row)), key=row.__getitem__), int64)

    def _rows(self, axis: int, do: Callable[[list[Thing]], list[Thing]], kind: Thing) -> Thing:
        """Return what a function makes of each row along an axis."""
        axis %= self.ndim
        order = [*(n for n in range(self.ndim) if n != axis), axis]
        turned = self.transpose(*order)
        numbers, length = turned._numbers(), self.shape[axis]
        made = [do(numbers[n * length : (n + 1) * length]) for n in range(self.size // length if length else 0)]
        width = len(made[0]) if made else 0
        shape = (*(self.shape[n] for n in order[:-1]), width)
        found = pack([one for row in made for one in row], shape, dtype_of(kind))
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
        for step, length in zip(strides_of(self.shape, 1), self.shape, strict=True):
            places.append(pack([n // step % length for n in found], (len(found),), INT))
        return tuple(places)

    def round(self, digits: int = 0) -> Thing:
        """Return the elements rounded, halves to the even number."""
        return self._each(lambda one: round(one, digits))

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


def _unpickled(shape: tuple[int, ...], kind: dtype, content: bytes) -> ndarray:
    return ndarray(shape, kind, bytearray(content))


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


def _both_bool(one: ndarray, other: Thing) -> bool:
    return one.dtype.kind == "b" and (
        isinstance(other, bool) or (isinstance(other, ndarray) and other.dtype.kind == "b")
    )


def common_type(one: ndarray, other: Thing, two: ndarray) -> dtype:
    """Return the type of what comes of two operands; numbers of Python's follow the array."""
    first = one.dtype
    if isinstance(other, bool):
        return first
    if isinstance(other, int):
        return INT if first.kind == "b" else first
    if isinstance(other, float):
        return first if first.kind == "f" else FLOAT
    return common_kind(first, two.dtype)


def common_kind(first: dtype, second: dtype) -> dtype:
    """Return the type that holds the elements of both types."""
    if first.code == second.code:
        return first
    if "f" in (first.kind, second.kind):
        if {first.kind, second.kind} <= {"f", "b"} or first.kind == second.kind:
            return first if (first.kind == "f" and first.itemsize >= second.itemsize) or second.kind != "f" else second
        whole = first if second.kind == "f" else second
        real = second if second.kind == "f" else first
        return real if real.code == "d" or whole.itemsize <= 2 else FLOAT
    if first.kind == "b":
        return second
    if second.kind == "b":
        return first
    if first.kind == second.kind:
        return first if first.itemsize >= second.itemsize else second
    signed, other = (first, second) if first.kind == "i" else (second, first)
    if other.itemsize < signed.itemsize:
        return signed
    return FLOAT if other.itemsize == 8 else dtype("bhiq"["bhiq".index({1: "b", 2: "h", 4: "i"}[other.itemsize]) + 1])


def _real(one: ndarray, other: Thing) -> dtype:
    found = common_type(one, other, asarray(other))
    return found if found.kind == "f" else FLOAT


def _read(cells: memoryview, axes: Sequence[tuple[int, int]], at: int) -> list[Thing]:
    """Return numbers along axes, each with its length and step in cells, that begin at a cell."""
    if not axes:
        return [cells[at]]
    (length, step), *inner = axes
    if not step:
        return _read(cells, inner, at) * length
    if not inner:
        end = at + length * step
        return cells[at : end if end >= 0 else None : step].tolist()
    return [one for n in range(length) for one in _read(cells, inner, at + n * step)]


def pack(numbers: list[Thing], shape: Sequence[int], kind: dtype) -> ndarray:
    """Return an array of numbers of Python's."""
    if kind.code == "?":
        return ndarray(shape, kind, bytearray(map(bool, numbers)))
    if kind.kind in "iu":
        try:
            content = packed.array(kind.code, numbers)
        except (OverflowError, TypeError):
            content = packed.array(kind.code, [wrapped(int(one), kind) for one in numbers])
    elif kind.code == "U":
        return ndarray(
            shape, kind, bytearray(b"".join(one.encode("utf-32-le").ljust(kind.itemsize, b"\0") for one in numbers))
        )
    elif kind.code == "e":
        return ndarray(shape, kind, bytearray(struct.pack(f"<{len(numbers)}e", *numbers)))
    else:
        content = packed.array(kind.code, numbers)
    return ndarray(shape, kind, content) if numbers else ndarray(shape, kind)


def spread(one: ndarray, shape: Sequence[int]) -> list[Thing]:
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
    if broadcast_shape(lengths, tuple(shape)) != tuple(shape):
        raise ValueError(f"could not broadcast input array from shape {one.shape} into shape {tuple(shape)}")
    return one._view(
        shape,
        [
            0 if length == 1 and wide != 1 else stride
            for length, stride, wide in zip(lengths, strides, shape, strict=True)
        ],
        one._offset,
    )


def spread_together(arrays: Sequence[ndarray]) -> tuple[tuple[int, ...], list[list[Thing]]]:
    """Return the shape that arrays have together, and the elements of each as if it had that shape."""
    shape = broadcast_shape(*(one.shape for one in arrays))
    return shape, [spread(one, shape) for one in arrays]


def _product(one: ndarray, two: ndarray) -> Thing:
    left, right = one.tolist(), two.tolist()
    rows = left if one.ndim == 2 else [left]
    columns = list(zip(*right, strict=True)) if two.ndim == 2 else [right]
    found = [[sum(map(operator.mul, row, column)) for column in columns] for row in rows]
    result = array(found, dtype=common_kind(one.dtype, two.dtype))
    if one.ndim == 1:
        result = result[0]
    return result[..., 0] if two.ndim == 1 else result


def asarray(thing: Thing, dtype: Thing = None) -> Thing:
    """Return an array as it is, or a new one."""
    if isinstance(thing, ndarray):
        return thing if dtype is None or dtype_of(dtype) == thing.dtype else thing.astype(dtype)
    return array(thing, dtype=dtype)


ascontiguousarray = asarray


def array(thing: Thing, dtype: Thing = None, copy: bool = True) -> Thing:
    """Return a new array of numbers, lists of them, and so on."""
    if isinstance(thing, ndarray):
        return thing.copy() if dtype is None else thing.astype(dtype)
    if isinstance(thing, memoryview):
        kind = dtype_of("q" if thing.format == "l" else thing.format)
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
        if any(len(row) != length for row in rows):
            raise ValueError("setting an array element with a sequence of another length")
        shape, numbers = (*shape, length), [one for row in rows for one in row]
    if dtype is not None:
        kind = dtype_of(dtype)
        if kind.kind in "iu" and any(isinstance(one, float) for one in numbers):
            numbers = [int(one) for one in numbers]
        return pack([_number(one) for one in numbers], shape, kind)
    numbers = [_number(one) for one in numbers]
    if any(isinstance(one, str) for one in numbers):
        return pack(numbers, shape, dtype_of(f"U{max(map(len, numbers), default=1) or 1}"))
    if len(kinds) == 1:
        return pack(numbers, shape, kinds.pop())
    if not numbers or any(isinstance(one, float) for one in numbers):
        return pack(numbers, shape, FLOAT)
    return pack(numbers, shape, BOOL if all(isinstance(one, bool) for one in numbers) else INT)


def _number(one: Thing) -> Thing:
    if isinstance(one, (int, float, str)):
        return one
    return one.__index__() if hasattr(one, "__index__") else float(one)


def repeat(thing: Thing, times: Thing, axis: int | None = None) -> Thing:
    """Return each element, or each part along an axis, several times."""
    found = asarray(thing)
    found = found.ravel() if axis is None else found
    axis = axis or 0
    counts = spread(asarray(times), (found.shape[axis],))
    places = [n for n, count in enumerate(counts) for _ in range(count)]
    return found.take(array(places, dtype=int64), axis)


def elementwise(do: Callable[[Thing, Thing], Thing], of: Thing = None) -> Callable[..., Thing]:
    """Return a function of two arrays that does something with each pair of their elements."""

    def function(one: Thing, two: Thing, out: Thing = None) -> Thing:
        if not isinstance(one, (ndarray, list, tuple)) and not isinstance(two, (ndarray, list, tuple)):
            return do(one, two)
        return one._with(two, do, False, of) if isinstance(one, ndarray) else asarray(two)._with(one, do, True, of)

    return function


def _larger(one: Thing, two: Thing) -> Thing:
    return one if one >= two or one != one else two


def _smaller(one: Thing, two: Thing) -> Thing:
    return one if one <= two or one != one else two


maximum, minimum = elementwise(_larger), elementwise(_smaller)


Index = EllipsisType | int | slice | None
