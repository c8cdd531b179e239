"""The layers are as `docs/architecture.md` says: imports go down, the rules know no edition and nothing outside."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import branchline
from branchline.atlas import builtin_boards

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "branchline"

LAYERS = (
    "__main__",
    "cli",
    "commands",
    "web",
    "learn",
    "training",
    "envs",
    "workshop",
    "analysis",
    "arena",
    "bots",
    "draw",
    "game",
    "rules",
    "atlas",
    "runtime",
    "providers",
    "boards",
    "cache",
    "whole_file",
)
"""From top to bottom."""

MODULES = sorted(PACKAGE.rglob("*.py"))
NAMES = {
    ".".join(("branchline", *module.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): module
    for module in MODULES
}
"""From `branchline.game.view` to its file."""

RULES = sorted((PACKAGE / "rules").glob("*.py"))
OUTSIDE = {"time", "datetime", "random", "secrets", "os", "sys", "io", "pathlib", "tempfile", "socket", "subprocess"}


def called(module: Path) -> str:
    return module.relative_to(PACKAGE).as_posix()


@cache
def tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def imports(module: Path, *, typing: bool = True) -> list[tuple[str, int]]:
    """Everything a module imports, at its top or inside a function, with its line.

    `from package import module` counts as the module. Without `typing`: not what only a type checker reads.
    """
    parsed = tree(module)
    unread = {
        inner
        for node in ast.walk(parsed)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = []
    for node in ast.walk(parsed):
        if not typing and node in unread:
            continue
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{called(module)}:{node.lineno}: imports are written in full here"
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            whole = "branchline.__version__"
            found += [(name if name in {whole, *NAMES} else node.module or "", node.lineno) for name in inside]
    return found


@pytest.mark.parametrize("module", MODULES, ids=called)
def test_imports_go_down(module: Path) -> None:
    if module == PACKAGE / "__init__.py":
        return  # the list of the public names; it fetches them when they are used
    own = called(module).split("/")[0].removesuffix(".py")
    assert own in LAYERS, f"{own} is in no layer: add it to docs/architecture.md and to LAYERS"
    for name, line in imports(module):
        root, _, rest = name.partition(".")
        layer = rest.split(".")[0]
        if root != "branchline" or layer == "__version__":
            continue
        where = f"{called(module)}:{line}"
        assert layer in LAYERS, f"{where}: imports the public names; import from the layer itself"
        assert LAYERS.index(layer) >= LAYERS.index(own), f"{where}: {own} imports {layer}, which is above it"


def test_no_module_imports_itself_by_way_of_others() -> None:
    """No circles: not at the top of a module, and not inside a function either."""
    graph = {
        name: {found for found, _ in imports(module, typing=False) if found in NAMES and found != name}
        for name, module in NAMES.items()
        if name != "branchline"
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        raise AssertionError(" → ".join(reversed(circle.args[1]))) from None


def test_the_page_lists_every_layer_in_order() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    there = [layer for layer in LAYERS if (PACKAGE / layer).is_dir()]
    listed = re.findall(r"^\s*(\w+)/ ", text, re.MULTILINE)
    assert [layer for layer in listed if layer in there] == there


@pytest.mark.parametrize("module", RULES, ids=called)
def test_the_rules_name_no_edition(module: Path) -> None:
    named = re.search(rf"\b({'|'.join(builtin_boards())})\b", module.read_text(encoding="utf-8"), re.IGNORECASE)
    assert named is None, f"{called(module)} names {named and named[0]}"


# Commands give examples, and pages have a sentence about each edition; both are words for people.
@pytest.mark.parametrize("module", [one for one in MODULES if not {"commands", "web"} & set(one.parts)], ids=called)
def test_no_code_asks_which_edition_it_is(module: Path) -> None:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert node.value.casefold() not in builtin_boards(), f"{called(module)}:{node.lineno}: {node.value!r}"


@pytest.mark.parametrize("module", [one for one in RULES if one.name != "kernel.py"], ids=called)
def test_the_rules_know_nothing_of_the_outside(module: Path) -> None:
    """No clock, no files, no foreign luck, no printing; `kernel.py` only says how the rules are run."""
    for name, line in imports(module):
        assert name.split(".")[0] not in OUTSIDE, f"{called(module)}:{line}: imports {name}"
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("open", "print", "input"), f"{called(module)}:{node.lineno}: {node.func.id}()"
        if isinstance(node, ast.Attribute):
            assert node.attr != "random", f"{called(module)}:{node.lineno}: numpy's luck"


@pytest.mark.parametrize("module", MODULES, ids=called)
def test_every_module_says_what_it_is_for(module: Path) -> None:
    assert ast.get_docstring(tree(module)), f"{called(module)} has no docstring"


def test_names_say_what_things_are() -> None:
    """No `Manager`, `Helper` or `Util`: such names say nothing."""
    empty = re.compile(r"(manager|helper|util)s?$", re.IGNORECASE)
    for module in MODULES:
        assert not empty.search(module.stem), called(module)
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.ClassDef):
                assert not empty.search(node.name), f"{called(module)}:{node.lineno}: {node.name}"


def test_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == branchline.__version__
    assert f"## [{branchline.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
