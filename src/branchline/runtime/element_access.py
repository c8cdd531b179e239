"""Lowers `record.field[index]` to one address and one load or store.

Numba makes an array of the field first, with its shape and strides, and then indexes that: some eighty instructions,
which LLVM reduces to ten. Rules do little else than read and write such elements, so most of what would have to be
printed, parsed and optimised is this.

In Python a negative index counts from the end. Our own rules have none (`tests/rules/test_indices.py`), so they do not
look for that: everything is a tenth quicker without it. Rules of others do, in what they index themselves.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import ir
from numba.core.cgutils import get_record_member
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering
from numba.np.arrayobj import fix_integer_index

from branchline.runtime import OURS


def fields_only_indexed(blocks: Any, typemap: Any) -> set[str]:
    """Return the variables that hold a field of a record and serve only to get at single elements of it."""
    fields: dict[str, Any] = {}
    spoilt: set[str] = set()
    for block in blocks.values():
        indexed = set()
        for statement in block.body:
            used = {variable.name for variable in statement.list_vars()}
            name = _field_in(statement, typemap)
            if name is not None:
                if name in fields:
                    spoilt.add(name)  # assigned twice
                fields[name] = typemap[name]
                indexed.add(name)
                used.discard(name)
            element = _element_in(statement, typemap)
            if element is not None and element[0] in indexed:
                used -= {element[0]} - {variable.name for variable in element[1:]}
            spoilt |= used
    return set(fields) - spoilt


def _field_in(statement: Any, typemap: Any) -> str | None:
    """Return the variable to which this assigns a field that is an array of numbers."""
    if not isinstance(statement, ir.Assign) or not isinstance(statement.value, ir.Expr):
        return None
    if statement.value.op != "getattr" or not isinstance(typemap[statement.value.value.name], types.Record):
        return None
    field = typemap[statement.target.name]
    plain = isinstance(field, types.NestedArray) and isinstance(field.dtype, (types.Integer, types.Float))
    return statement.target.name if plain else None


def _element_in(statement: Any, typemap: Any) -> Any:
    """Return the array of which this reads or writes one element, the index, and what is written."""
    if isinstance(statement, (ir.SetItem, ir.StaticSetItem)):
        index = statement.index if isinstance(statement, ir.SetItem) else statement.index_var
        element: Any = (statement.target.name, index, statement.value)
    elif isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr):
        expression = statement.value
        if expression.op not in ("getitem", "static_getitem"):
            return None
        element = (expression.value.name, expression.index if expression.op == "getitem" else expression.index_var)
    else:
        return None
    array, index = typemap[element[0]], element[1]
    if index is None or not isinstance(array, types.NestedArray):
        return None
    return element if _is_one_element(array, typemap[index.name]) else None


def _is_one_element(array: Any, index: Any) -> bool:
    """Return whether an index of this type has a whole number for every dimension."""
    numbers: Any = index if isinstance(index, types.BaseTuple) else (index,)
    return len(numbers) == array.ndim and all(isinstance(number, types.Integer) for number in numbers)


class ElementLower(Lower):
    """Numba's lowering, but for elements of fields."""

    def pre_lower(self) -> None:
        """Find the fields."""
        super().pre_lower()
        self._only_indexed = fields_only_indexed(self.blocks, self.fndesc.typemap)
        self._begins: dict[str, Any] = {}  # where each of these fields begins

    def lower_inst(self, inst: Any) -> Any:
        """Lower one statement."""
        if isinstance(inst, ir.Del) and inst.value in self._only_indexed:
            return None
        if isinstance(inst, ir.Assign) and inst.target.name in self._only_indexed:
            self._begin(inst.target.name, inst.value)
            return None
        element = _element_in(inst, self.fndesc.typemap)
        if element is None or element[0] not in self._only_indexed:
            return super().lower_inst(inst)
        array = self.typeof(element[0])
        place = self._place(array, *element[:2])
        if isinstance(inst, ir.Assign):
            unpacked = self.context.unpack_value(self.builder, array.dtype, place)
            kept = self.context.cast(self.builder, unpacked, array.dtype, self.typeof(inst.target.name))
            self.storevar(kept, inst.target.name)
        else:
            handed = self.fndesc.calltypes[inst].args[2]
            value = self.context.cast(self.builder, self.loadvar(inst.value.name), self.typeof(inst.value.name), handed)
            value = self.context.cast(self.builder, value, handed, array.dtype)
            self.context.pack_value(self.builder, array.dtype, value, place)
        return None

    def _begin(self, name: str, field: Any) -> None:
        """Note where a field begins."""
        record = self.typeof(field.value.name)
        self.context.sentry_record_alignment(record, field.attr)
        number = self.context.get_data_type(self.typeof(name).dtype)
        whole = self.loadvar(field.value.name)
        self._begins[name] = get_record_member(self.builder, whole, record.offset(field.attr), number)

    def _place(self, array: Any, name: str, index: Any) -> Any:
        """Return where an element lies."""
        kind, value = self.typeof(index.name), self.loadvar(index.name)
        several = isinstance(kind, types.BaseTuple)
        kinds = tuple(kind) if several else (kind,)
        values = [self.builder.extract_value(value, n) for n in range(len(kinds))] if several else [value]
        at = None
        for number, index_value, size in zip(kinds, values, array.shape, strict=True):
            length = self.context.get_constant(types.intp, size)
            step = self._from_the_beginning(number, index_value, length)
            at = step if at is None else self.builder.add(self.builder.mul(at, length), step)
        return self.builder.gep(self._begins[name], [at])

    def _from_the_beginning(self, kind: Any, index: Any, length: Any) -> Any:
        """Return an index of any kind as the number of elements that lie before it."""
        if self.fndesc.modname.startswith(OURS):
            return self.context.cast(self.builder, index, kind, types.intp)
        return fix_integer_index(self.context, self.builder, kind, index, length)


@register_pass(mutates_CFG=True, analysis_only=False)
class ElementLowering(NativeLowering):
    """Numba's last pass, with the lowering above."""

    _name = "element_lowering"

    @property
    def lowering_class(self) -> Any:
        """What lowers."""
        return ElementLower
