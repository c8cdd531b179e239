"""Compiles an entry point together with all it calls, and optimises that once.

Numba optimises every function on its own, and again in each function that calls it. Rules call rules twenty deep, so
the same code is optimised many times over. Here a function that compiled code calls is a *part*: it is typed and
lowered once in a process, without being optimised, and gets no wrappers and no machine code of its own. A function
that Python calls, or that is handed over as a pointer, is an *entry point*: its parts are linked into it, and LLVM
optimises the whole once.

This builds on classes inside Numba. Where a version is not known to have them, `compiler` does without this module.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags, compile_extra
from numba.core.typed_passes import NativeLowering
from numba.core.typing.templates import make_concrete_template

from branchline.runtime import OURS, shared_code, typing_memory
from branchline.runtime.element_access import ElementLowering
from branchline.runtime.wide_numbers import wide

UNNEEDED = frozenset(
    {
        "WithLifting",
        "InlineClosureLikes",
        "RewriteSemanticConstants",
        "DeadBranchPrune",
        "RewriteDynamicRaises",
        "MakeFunctionToJitFunction",
        "InlineInlinables",
        "FindLiterallyCalls",
        "LiteralUnroll",
        "LiteralPropagationSubPipelinePass",
        "InlineOverloads",
        "NopythonRewrites",
        "NoPythonSupportedFeatureValidation",
        "DumpParforDiagnostics",
    }
)
"""Numba's passes over what our rules never contain: closures, `with`, exceptions, array expressions, …"""

VECTORS: set[Any] = set()
"""Entry points, as plain functions, whose loops are to work on several numbers at a time.

In rules that takes a fifth of the time to compile, and gains nothing.
"""


class PartLibrary(JITCodeLibrary):
    """The code of a part. It is not optimised here, but where it is called from."""

    def add_linking_library(self, library: Any) -> None:
        """Note what this part calls, directly or not."""
        if library not in self._linking_libraries:
            self._linking_libraries.append(library)

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Do nothing: nothing is left to do."""
        self._finalized = True


class EntryPointLibrary(JITCodeLibrary):
    """The code of an entry point, with everything that it calls."""

    vectorises = False  # see VECTORS

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal  # nobody else calls it, so it may be inlined and dropped
        manager = self._codegen._module_pass_manager(loop_vectorize=self.vectorises)
        passes, *builder = manager if isinstance(manager, tuple) else (manager,)  # alone up to Numba 0.61
        passes.run(self._final_module, *builder)


class _Unprinted(tuple[Any, ...]):
    """Types of arguments. Numba prints them for each pass, though nobody reads it; ours have a hundred fields."""

    def __str__(self) -> str:
        return "…"


def _needed(pipelines: Any, state: Any) -> Any:
    """Return the pipelines with our way to lower, and without the passes that find nothing to do in a rule."""
    state.args = _Unprinted(state.args)
    ours = state.func_id.modname.startswith(OURS)
    for pipeline in pipelines:
        pipeline._ENFORCING = not ours  # each pass over a rule makes the analyses that it needs
        pipeline.passes = [
            (ElementLowering, entry[1]) if entry[0] is NativeLowering else entry
            for entry in pipeline.passes
            if not ours or entry[0].__name__ not in UNNEEDED
        ]
    return pipelines


_compiling: list[Any] = []  # the entry point or part that is being compiled, below it what asked for it
typing_memory.remember_operators(lambda: bool(_compiling))


class _Ours(Compiler):
    """Tells whether it is one of us that is being compiled."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function, and let it be known meanwhile."""
        self.state.flags = typing_memory.settings(self.state.flags)
        _compiling.append(self)
        try:
            return super().compile_extra(func)
        finally:
            _compiling.pop()


class EntryPoint(_Ours):
    """How an entry point is compiled."""

    def define_pipelines(self) -> Any:
        """Return Numba's own pipelines, into a library of ours."""
        state = self.state
        state.library = EntryPointLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.vectorises = state.func_id.func in VECTORS
        state.library.enable_object_caching()
        shared_code.name(state)
        return _needed(super().define_pipelines(), state)


class Part(_Ours):
    """How a part is compiled."""

    def define_pipelines(self) -> Any:
        """Return Numba's own pipelines, as far as the code for LLVM."""
        state = self.state
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return _needed(super().define_pipelines(), state)


def call_parts(dispatcher: Any) -> None:
    """Let entry points and parts call this function as a part; compiled code of others calls it as an entry point."""
    parts: dict[Any, Any] = {}
    template_for, overload_for = dispatcher.get_call_template, dispatcher.get_overload

    def part(arguments: tuple[Any, ...]) -> Any:
        if arguments not in parts and dispatcher.py_func in shared_code.RULES:
            parts[arguments] = shared_code.compiled(dispatcher, arguments)
        elif arguments not in parts:
            target = dispatcher._compiler.targetdescr
            flags: Any = Flags()
            target.options.parse_as_flags(flags, dispatcher.targetoptions)
            flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
            context = target.target_context
            with dispatcher._compiling_counter:  # a rule may call itself
                result = compile_extra(
                    target.typing_context, context, dispatcher.py_func, arguments, None, flags, {}, pipeline_class=Part
                )
            called = [result.library, *result.library._linking_libraries]
            context.insert_user_function(result.fndesc, result.fndesc, called)
            parts[arguments] = result
        return parts[arguments]

    def get_call_template(args: Any, kws: Any) -> Any:
        named = {name: wide(argument) for name, argument in kws.items()}
        if not _compiling:
            return template_for(tuple(map(wide, args)), named)
        signature, folded = dispatcher._compiler.fold_argument_types(tuple(map(wide, args)), named)
        part(tuple(folded))
        name = dispatcher.py_func.__name__
        template = make_concrete_template(name, key=name, signatures=[result.signature for result in parts.values()])
        return template, signature, folded, {}

    def get_overload(arguments: Any) -> Any:
        if _compiling:
            return parts[tuple(arguments)].fndesc
        for overload in dispatcher.overloads.values() if shared_code.RULES else ():
            overload.library._reload_init.update(overload.reload_init)  # lost on its way through the cache
        return overload_for(arguments)

    dispatcher.get_call_template = get_call_template
    dispatcher.get_overload = get_overload
