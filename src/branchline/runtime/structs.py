"""Records of fixed layout, each declared once: a class whose annotated fields say what its bytes are.

    class Hands(Struct):
        seats: Int8
        held: Annotated[Matrix, np.int16, MAX_SEATS, KINDS]

A type checker and an editor read that `hands.seats` and `hands.held[seat, kind]` are whole numbers; `layout` reads
which type of numbers each field consists of, and the lengths of its axes. No record is an instance of its class: it is
a NumPy record, or a view of one in plain Python (`rules.kernel.record_in`), and compiled code works on its bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

import numpy as np
import numpy.typing as npt

Index = TypeVar("Index", contravariant=True)
Element = TypeVar("Element")
Kind = TypeVar("Kind", bound="Struct")


class Array(Protocol[Index, Element]):
    """Numbers that are read and written by their indices: a field of a record, or an array of its own."""

    def __getitem__(self, index: Index, /) -> Element: ...

    def __setitem__(self, index: Index, element: Element, /) -> None: ...

    def __iter__(self) -> Iterator[Element]: ...

    def __len__(self) -> int: ...

    def tolist(self) -> list[Any]:
        """Return the numbers, axis in axis."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of its axes."""


Vector: TypeAlias = Array[int, int]
Matrix: TypeAlias = Array[tuple[int, int], int]
Tensor: TypeAlias = Array[tuple[int, int, int], int]
"""Whole numbers along one, two and three axes."""

RealMatrix: TypeAlias = Array[tuple[int, int], float]
"""Real numbers along two axes."""


class Reals(Protocol):
    """Real numbers along one axis, of which parts can be looked at."""

    @overload
    def __getitem__(self, index: int, /) -> float: ...

    @overload
    def __getitem__(self, index: slice, /) -> Reals: ...

    def __setitem__(self, index: int, number: float, /) -> None: ...

    def __len__(self) -> int: ...


Int8: TypeAlias = Annotated[int, np.int8]
Int16: TypeAlias = Annotated[int, np.int16]
Int32: TypeAlias = Annotated[int, np.int32]
Int64: TypeAlias = Annotated[int, np.int64]
"""A field of one whole number."""


class Struct:
    """What the declarations of records derive from."""

    if TYPE_CHECKING:

        def __getitem__(self, field: str) -> Any: ...

        def __setitem__(self, field: str, value: object) -> None: ...


class Records(Protocol[Element]):
    """Records of one kind that are read and written by their numbers."""

    def __getitem__(self, index: int, /) -> Element: ...

    def __setitem__(self, index: int, record: Element, /) -> None: ...

    def __iter__(self) -> Iterator[Element]: ...

    def __len__(self) -> int: ...


if TYPE_CHECKING:

    class Layout(np.dtype[np.void], Generic[Kind]):  # type: ignore[misc]  # final, but there are only type checkers here
        """Where the fields of records of one kind lie."""

    class Buffer(npt.NDArray[np.void], Generic[Kind]):
        """An array of records of one kind."""

        @overload  # type: ignore[override]
        def __getitem__(self, index: int, /) -> Kind: ...

        @overload
        def __getitem__(self, index: str, /) -> npt.NDArray[Any]: ...

        @overload
        def __getitem__(self, index: slice | npt.NDArray[np.bool_], /) -> Buffer[Kind]: ...

        def __getitem__(self, index: Any, /) -> Any: ...

        def __iter__(self) -> Iterator[Kind]: ...  # type: ignore[override]

else:

    class Layout(Generic[Kind]):
        """What `np.dtype` is for records of one kind."""

    class Buffer(Generic[Kind]):
        """What `np.ndarray` is for records of one kind."""


def layout(struct: type[Kind], **shapes: tuple[int, ...]) -> Layout[Kind]:
    """Return the layout of a record, its fields aligned; those named in `shapes` have other lengths than declared."""
    fields = []
    for name, hint in get_type_hints(struct, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{struct.__name__}.{name}: expected a type of numbers, such as Int8, not {hint}")
        kind, *shape = get_args(hint)[1:]
        fields.append((name, kind, shapes.get(name, tuple(shape))))
    return cast("Layout[Kind]", np.dtype(fields, align=True))


def without_gaps(layout: Layout[Kind]) -> Layout[Kind]:
    """Return the same layout with the gaps that alignment leaves as fields of their own.

    NumPy copies fields, not gaps: without this a copy of a state would end up with other bytes than the state.
    """
    fields: list[tuple[str, np.dtype[np.generic]]] = []
    end = 0
    for name in layout.names or ():
        field, offset = layout.fields[name][:2]  # type: ignore[index]
        if offset > end:
            fields.append((f"gap_{end}", np.dtype((np.int8, (offset - end,)))))
        fields.append((name, field))
        end = offset + field.itemsize
    if layout.itemsize > end:
        fields.append((f"gap_{end}", np.dtype((np.int8, (layout.itemsize - end,)))))
    return cast("Layout[Kind]", np.dtype(fields, align=True))
