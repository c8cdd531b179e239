"""From rules to a WebAssembly file: Numba types them and hands them to LLVM, which optimises the whole once.

Each entry point gets a plain interface: addresses and lengths for what lies in memory, numbers for the rest, and a
number back. Nothing but entry points can be called from outside, and nothing outside is called.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import Linkage
from numba.core import types
from numba.core.base import BaseContext
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Flags, compile_extra
from numba.core.registry import cpu_target
from numba.core.typing.templates import Signature
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from branchline.engine import layouts
from branchline.engine.entry_points import ENTRY_POINTS, ArrayOf, EntryPoint, Kind
from branchline.plain_data import JsonObject
from branchline.runtime import shared_code, whole_program
from branchline.runtime.engine_file import ARRAY, NUMBER, REAL, RECORD, SECTION, STOP
from branchline.runtime.lanes import Made, Values
from branchline.runtime.moved_engine import addresses, leb

PACKAGE = Path(__file__).parent.parent
TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext,+mutable-globals"
STACK = 1 << 20  # bytes

BYTES = types.CPointer(types.int8)


class BuildError(Exception):
    """The engine cannot be made: a tool is missing, or something outside would be called."""


@dataclass(frozen=True)
class Leaf:
    """One argument of the plain interface: what Numba is to make of it, and how the file describes it."""

    kind: str
    type: Any = None
    size: int = 0
    axes: int = 0

    @property
    def described(self) -> list[str | int]:
        """What stands in the file, see `runtime.engine.Argument`."""
        return [self.kind, self.size, self.axes]


# ------------------------------------------------------------------------------------------------ interfaces


def leaves_of(kind: Kind) -> Iterator[Leaf]:
    """Yield what an argument of an entry point is in the plain interface; a named tuple is several."""
    if kind is int:
        yield Leaf(NUMBER, types.int64)
    elif kind is float:
        yield Leaf(REAL, types.float64)
    elif isinstance(kind, ArrayOf):
        element = numba.from_dtype(np.dtype(kind.of))
        yield Leaf(ARRAY, types.Array(element, kind.axes, "C"), np.dtype(kind.of).itemsize, kind.axes)
    elif isinstance(kind, np.dtype):
        yield Leaf(RECORD, numba.from_dtype(kind), kind.itemsize)
    else:
        for part in kind[1]:
            yield from leaves_of(part)


def _record_at(kind: types.Record) -> Any:
    """Return what makes a record of an address."""

    @intrinsic
    def record_at(_context: object, _address: types.Type) -> Made:
        def emit(context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Values) -> ir.Value:
            return builder.bitcast(arguments[0], context.get_value_type(kind))

        return kind(BYTES), emit

    return record_at


def _array_at(kind: types.Array) -> Any:
    """Return what makes an array of an address and its lengths."""

    @intrinsic
    def array_at(_context: object, _address: types.Type, _lengths: types.Type) -> Made:
        def emit(context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Values) -> ir.Value:
            value = make_array(kind)(context, builder)
            step = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
            lengths = [builder.extract_value(arguments[1], n) for n in range(kind.ndim)]
            steps = [step]
            for length in reversed(lengths[1:]):
                steps.insert(0, builder.mul(steps[0], length))
            data = builder.bitcast(arguments[0], value.data.type)
            populate_array(value, data=data, shape=lengths, strides=steps, itemsize=step, meminfo=None)
            return value._getvalue()

        return kind(BYTES, types.UniTuple(types.int64, kind.ndim)), emit

    return array_at


class _Wrapper:
    """The source of a function with the plain interface that calls a rule, in Numba's subset of Python."""

    def __init__(self, entry: EntryPoint) -> None:
        self.names: JsonObject = {"rule": entry.rule}
        self.parameters: list[tuple[str, types.Type]] = []
        self.leaves: list[Leaf] = []
        handed = ", ".join([self._expression(kind) for kind in entry.kinds])
        parameters = ", ".join(name for name, _ in self.parameters)
        exec(f"def plain({parameters}):\n    return rule({handed})", self.names)
        self.function: Any = self.names["plain"]
        self.function.__module__ = "branchline.engine"
        self.function.__qualname__ = self.function.__name__ = entry.name.replace(".", "_")

    def _expression(self, kind: Kind) -> str:
        if isinstance(kind, tuple):
            name = self._known(kind[0])
            return f"{name}({', '.join([self._expression(part) for part in kind[1]])})"
        (leaf,) = leaves_of(kind)
        self.leaves.append(leaf)
        if leaf.kind in (NUMBER, REAL):
            return self._parameter(leaf.type)
        address = self._parameter(BYTES)
        if leaf.kind == RECORD:
            return f"{self._known(_record_at(leaf.type))}({address})"
        lengths = "".join(f"{self._parameter(types.int64)}, " for _ in range(leaf.axes))
        return f"{self._known(_array_at(leaf.type))}({address}, ({lengths}))"

    def _parameter(self, kind: types.Type) -> str:
        self.parameters.append((f"a{len(self.parameters)}", kind))
        return self.parameters[-1][0]

    def _known(self, thing: object) -> str:
        name = f"known_{len(self.names)}"
        self.names[name] = thing
        return name


# ------------------------------------------------------------------------------------------------ lowering


@dataclass(frozen=True)
class Lowered:
    """An entry point as LLVM has it, not yet optimised."""

    name: str
    symbol: str  # of the function as Numba calls it
    parameters: tuple[str, ...]  # LLVM's types of the plain interface
    result: str | None
    leaves: tuple[Leaf, ...]
    library: JITCodeLibrary


RESULTS = {"none": None, "int64": NUMBER, "bool": "bool", "float64": REAL}
_NAMES = {BYTES: "ptr", types.int64: "i64", types.float64: "double"}


def lower(entry: EntryPoint) -> Lowered:
    """Type an entry point and all that it calls, and lower it."""
    plain = _Wrapper(entry)
    flags: Any = Flags()
    dispatcher: Any = entry.rule
    dispatcher._compiler.targetdescr.options.parse_as_flags(flags, dispatcher.targetoptions)
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    compiled: Any = compile_extra(
        cpu_target.typing_context,
        cpu_target.target_context,
        plain.function,
        tuple(kind for _, kind in plain.parameters),
        None,
        flags,
        {},
        pipeline_class=whole_program.Part,
    )
    result = str(compiled.signature.return_type)
    if result not in RESULTS:
        raise BuildError(f"{entry.name} gives {result}; an entry point gives a number or nothing")
    parameters = tuple(_NAMES[kind] for _, kind in plain.parameters)
    symbol = compiled.fndesc.llvm_func_name
    return Lowered(entry.name, symbol, parameters, RESULTS[result], tuple(plain.leaves), compiled.library)


def _shim(entry: Lowered) -> str:
    """Return the function that is called from outside: Numba's conventions end here."""
    handed = ", ".join(f"{kind} %a{n}" for n, kind in enumerate(entry.parameters))
    kept = {None: "ptr", NUMBER: "i64", REAL: "double", "bool": "i8"}[entry.result]
    result_type = {None: "void", NUMBER: "i64", REAL: "double", "bool": "i32"}[entry.result]
    lines = [
        f'declare i32 @"{entry.symbol}"(ptr, ptr, {", ".join(entry.parameters)})',
        f'define {result_type} @"{entry.name}"({handed}) {{',
        f"  %result = alloca {kept}",
        "  %failure = alloca ptr",
        f'  %status = call i32 @"{entry.symbol}"(ptr %result, ptr %failure, {handed})',
        "  %fine = icmp sle i32 %status, 0",
        "  br i1 %fine, label %done, label %failed",
        "failed:",
        "  call void @llvm.trap()",
        "  unreachable",
        "done:",
    ]
    if entry.result is None:
        lines.append("  ret void")
    else:
        lines.append(f"  %found = load {kept}, ptr %result")
        if entry.result == "bool":
            lines.append("  %whole = zext i8 %found to i32")
        lines.append(f"  ret {result_type} %{'whole' if entry.result == 'bool' else 'found'}")
    return "\n".join([*lines, "}"])


def _libraries(of: Sequence[Lowered]) -> list[JITCodeLibrary]:
    """Return the code of all that is called, each once, in an order that is always the same."""
    libraries: list[JITCodeLibrary] = []
    seen: set[int] = set()

    def add(library: JITCodeLibrary) -> None:
        if id(library) not in seen:
            seen.add(id(library))
            libraries.append(library)
            for other in library._linking_libraries:
                add(other)

    for entry in of:
        add(entry.library)
    return libraries


# ------------------------------------------------------------------------------------------------ the file


def _machine() -> llvm.TargetMachine:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(cpu="generic", features=FEATURES, opt=3, reloc="static")


def _module(text: str, layout: str) -> llvm.ModuleRef:
    """Return LLVM's code as a module for WebAssembly."""
    text = re.sub(r'target triple = ".*"', f'target triple = "{TRIPLE}"', text)
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{layout}"', text)
    text = re.sub(r'@"?sqrt"?\(', "@llvm.sqrt.f64(", text)  # an instruction there
    # An element lies behind the begin of its array, and no array at the end of all memory: so LLVM may put what is
    # added to an address into the load or store itself, where it costs nothing.
    text = re.sub(r"= getelementptr (?!inbounds)", "= getelementptr nuw ", text)
    return llvm.parse_assembly(_copied_as_memory(text))


_LOAD = re.compile(r"^  (%\S+) = load \[(\d+) x i8\], ptr (\S+), align \d+$")
_STORE = re.compile(r"^  store \[(\d+) x i8\] (%\S+), ptr (\S+), align \d+$")
_COPY = "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)"


def _copied_as_memory(text: str) -> str:
    """Have records that are assigned copied as memory; LLVM would hand each of their bytes over as an argument."""
    lines: list[str] = []
    loaded: dict[str, str] = {}
    for line in text.splitlines():
        if match := _LOAD.match(line):
            loaded[match[1]] = match[3]
        elif (match := _STORE.match(line)) and match[2] in loaded:
            source = loaded.pop(match[2])
            lines.append(f"  call void @llvm.memmove.p0.p0.i64(ptr {match[3]}, ptr {source}, i64 {match[1]}, i1 false)")
        else:
            lines.append(line)
    if loaded:
        raise BuildError(f"a record is handed over by its value: {', '.join(loaded)}")
    if len(lines) != text.count("\n") + 1 and _COPY not in text:
        lines.append(_COPY)
    return "\n".join(lines)


_LABEL = re.compile(r'^("[^"]*"|[\w.$-]+):')
_TARGET = re.compile(r'\blabel %("[^"]*"|[\w.$-]+)')
_STOP = f"""
@{STOP} = global i8 0
define internal void @stop_if_asked() alwaysinline {{
  %asked = load volatile i8, ptr @{STOP}
  %going = icmp eq i8 %asked, 0
  br i1 %going, label %on, label %stop
stop:
  call void @llvm.trap()
  unreachable
on:
  ret void
}}
"""


def _stoppable(text: str) -> str:
    """Have each turn of a loop look whether the call is to end; it costs a tenth of what wasmtime's own clock does.

    Whatever the order of the blocks, a loop has a jump to a block that does not come later than its own.
    """
    lines: list[str] = []
    begins: dict[str, int] = {}  # of the blocks of this function so far: where they begin
    heads: set[int] = set()
    for line in text.splitlines():
        if line.startswith("define "):
            begins.clear()
        elif match := _LABEL.match(line):
            begins[match[1]] = len(lines)
        else:
            heads.update(begins[name] for name in _TARGET.findall(line) if name in begins)
        lines.append(line)
    for head in sorted(heads, reverse=True):
        at = head + 1
        while " = phi " in lines[at]:
            at += 1
        lines.insert(at, "  call void @stop_if_asked()")
    return "\n".join(lines) + _STOP


def _optimised(entries: Sequence[Lowered], machine: llvm.TargetMachine) -> llvm.ModuleRef:
    """Return everything as one module, optimised once."""
    layout = str(machine.target_data)
    head = f'target triple = "{TRIPLE}"\ntarget datalayout = "{layout}"\ndeclare void @llvm.trap()\n'
    whole = llvm.parse_assembly(head + "\n".join(map(_shim, entries)))
    for library in _libraries(entries):
        whole.link_in(_module(str(library._final_module), layout))
    outside = {entry.name for entry in entries}
    for symbol in (*whole.functions, *whole.global_variables):
        if not symbol.is_declaration and symbol.name not in outside:
            symbol.linkage = Linkage.internal
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(whole, builder)
    wanting = [
        function.name
        for function in whole.functions
        if function.is_declaration and not function.name.startswith("llvm.")
    ]
    if wanting:
        raise BuildError(f"the engine would call what is not in it: {', '.join(wanting)}")
    whole = llvm.parse_assembly(_stoppable(str(whole)))
    inlining = llvm.create_new_module_pass_manager()
    inlining.add_always_inliner_pass()
    inlining.run(whole, builder)
    return whole


def _linker() -> list[str]:
    """Return the command that links WebAssembly."""
    for name in ("wasm-ld", *(f"wasm-ld-{version}" for version in range(25, 13, -1))):
        if path := shutil.which(name):
            return [path]
    if importlib.util.find_spec("ziglang") is None:  # from PyPI, for machines without LLVM's linker
        raise BuildError("wasm-ld is missing: install Debian's lld, or ziglang from PyPI")
    return [sys.executable, "-m", "ziglang", "wasm-ld"]


def _linked(code: bytes, entries: Sequence[Lowered], stack: int = STACK) -> bytes:
    """Return the file, with nothing in it but what can be called; behind so many bytes of stack lies all else."""
    with tempfile.TemporaryDirectory() as folder:
        object_file, target = Path(folder) / "engine.o", Path(folder) / "engine.wasm"
        object_file.write_bytes(code)
        exported = [f"--export={entry.name}" for entry in entries]
        done = subprocess.run(
            [
                *_linker(), "--no-entry", "--strip-all", "--stack-first", "-z", f"stack-size={stack}",
                "--export=__heap_base", "--export=__stack_pointer", f"--export={STOP}", *exported,
                "-o", str(target), str(object_file),
            ],
            capture_output=True,
            text=True,
        )  # fmt: skip
        if done.returncode:
            raise BuildError(f"wasm-ld failed: {done.stderr.strip()}")
        return target.read_bytes()


def sources_of(modules: Sequence[str]) -> str:
    """Return a digest of the sources of these modules, by their paths in the package."""
    hashed = hashlib.sha256()
    for module in modules:
        hashed.update(module.encode() + b"\0" + (PACKAGE / module).read_bytes() + b"\0")
    return hashed.hexdigest()


def modules_in() -> list[str]:
    """Return the paths, in the package, of all sources that decide what is in the engine."""
    folders = ("rules", "bots", "engine")
    singles = (
        "boards/limits.py", "boards/tables.py", "arena/audit.py", "arena/choosers.py", "arena/play.py",
        "arena/watching.py", "envs/batch.py", "envs/casting.py", "envs/data_set.py",
        "envs/paying.py", "envs/seat_batch.py", "envs/team.py", "envs/telling.py", "runtime/element_access.py",
        "runtime/lanes.py", "runtime/atomics.py", "runtime/structs.py", "runtime/whole_program.py",
        "runtime/wide_numbers.py",
    )  # fmt: skip
    paths = [path for folder in folders for path in (PACKAGE / folder).rglob("*.py")]
    return sorted([*singles, *(path.relative_to(PACKAGE).as_posix() for path in paths)])


def _section(content: bytes) -> bytes:
    """Return a custom section of a WebAssembly file."""
    name = SECTION.encode()
    body = leb(len(name)) + name + content
    return b"\0" + leb(len(body)) + body


def build() -> bytes:
    """Return the engine: WebAssembly, and behind it what can be called and what it was made from.

    Raise `BuildError`.
    """
    shared_code.RULES.clear()  # here everything is one whole
    entries = [lower(entry) for entry in ENTRY_POINTS]
    machine = _machine()
    code = machine.emit_object(_optimised(entries, machine))
    file = _linked(code, entries)
    description = {
        "sources": sources_of(modules_in()),
        "addresses": addresses(file, _linked(code, entries, 2 * STACK)),
        "entry_points": {
            entry.name: {"arguments": [leaf.described for leaf in entry.leaves], "result": entry.result}
            for entry in entries
        },
        "layouts": {name: layouts.described(layout) for name, layout in layouts.LAYOUTS.items()},
        "numbers": layouts.numbers(),
    }
    return file + _section(json.dumps(description, separators=(",", ":")).encode())
