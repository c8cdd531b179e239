"""Every whole number is handed to a compiled rule as 64 bits, whatever its width and even if it is written out.

Otherwise Numba would compile a rule again for each width in which the records keep numbers, and for each number
written out in a call; that would cost a third of the compilation.
"""

from __future__ import annotations

from typing import Any

from numba import types


def wide(argument: Any) -> Any:
    """Return the type as which an argument of this type is handed over."""
    plain = types.unliteral(argument)
    return types.int64 if isinstance(plain, types.Integer) else plain


def call_with_wide_numbers(dispatcher: Any) -> None:
    """Let compiled code call this function with such types."""
    template_for = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return template_for(tuple(map(wide, args)), {name: wide(argument) for name, argument in kws.items()})

    dispatcher.get_call_template = get_call_template
