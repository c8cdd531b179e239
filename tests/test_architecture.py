"""The layers are as `docs/architecture.md` says: imports go down, the rules know no edition and nothing outside."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import branchline
from branchline.boards import builtin_boards

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "branchline"

LAYERS = (
    "__main__",
    "cli",
    "commands",
    "assistants",
    "site",
    "web",
    "teaching",
    "training",
    "engine",
    "envs",
    "workshop",
    "analysis",
    "arena",
    "bots",
    "draw",
    "tabletop",
    "game",
    "rules",
    "boards",
    "runtime",
    "providers",
    "moved",
    "cache",
    "child_process",
    "copying",
    "csv_table",
    "languages",
    "whole_file",
    "documents",
    "decoding",
    "plain_data",
    "errors",
    "file_lock",
)
"""From top to bottom."""

MODULES = sorted(PACKAGE.rglob("*.py"))
NAMES = {
    ".".join(("branchline", *module.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): module
    for module in MODULES
}
"""From `branchline.game.view` to its file."""

METHODS = {("branchline.boards.board", "branchline.boards.names"), ("branchline.game.game", "branchline.game.record")}
"""The types of what two methods give, which registered functions do: `Board.index` and `Game.record`."""

RULES = sorted((PACKAGE / "rules").glob("*.py"))
OUTSIDE = {"time", "datetime", "random", "secrets", "os", "sys", "io", "pathlib", "tempfile", "socket", "subprocess"}


def called(module: Path) -> str:
    return module.relative_to(PACKAGE).as_posix()


@cache
def tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


@cache
def nodes(module: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree(module)))


def imports(module: Path) -> list[tuple[str, int]]:
    """Everything a module imports, at its top, inside a function, or for types alone, with its line.

    `from package import module` counts as the module.
    """
    found = []
    for node in nodes(module):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{called(module)}:{node.lineno}: imports are written in full here"
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            whole = "branchline.__version__"
            found += [(name if name in {whole, *NAMES} else node.module or "", node.lineno) for name in inside]
    return found


def upward(module: Path) -> Iterator[str]:
    """The imports of a module that do not go down."""
    own = called(module).split("/")[0].removesuffix(".py")
    if own not in LAYERS:
        yield f"{own} is in no layer: add it to docs/architecture.md and to LAYERS"
        return
    for name, line in imports(module):
        root, _, rest = name.partition(".")
        layer = rest.split(".")[0]
        if root != "branchline" or layer == "__version__":
            continue
        where = f"{called(module)}:{line}"
        if layer not in LAYERS:
            yield f"{where}: imports the public names; import from the layer itself"
        elif LAYERS.index(layer) < LAYERS.index(own):
            yield f"{where}: {own} imports {layer}, which is above it"


def test_imports_go_down() -> None:
    names = PACKAGE / "__init__.py"  # the list of the public names; it fetches them when they are used
    assert [fault for module in MODULES if module != names for fault in upward(module)] == []


def test_no_module_imports_itself_by_way_of_others() -> None:
    """No circles: not at the top of a module, not inside a function, and not for types alone."""
    graph = {
        name: {
            found for found, _ in imports(module) if found in NAMES and found != name and (name, found) not in METHODS
        }
        for name, module in NAMES.items()
        if name != "branchline"
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        raise AssertionError(" → ".join(reversed(circle.args[1]))) from None


WEB = PACKAGE / "web"
FEATURES = {folder.name for folder in WEB.iterdir() if (folder / "__init__.py").is_file()} - {"core", "serving"}


def room_of(name: str) -> str:
    """The feature of the web application that a module belongs to; `core`; or empty for what puts them together."""
    parts = name.split(".")
    return parts[2] if parts[:2] == ["branchline", "web"] and parts[2:3] and parts[2] in {*FEATURES, "core"} else ""


def test_features_know_each_other_through_core_alone() -> None:
    """Each is a folder that could be taken out; `core` knows none, `app` and `serving` put them together."""
    assert len(FEATURES) > 10
    for name, module in NAMES.items():
        own = room_of(name)
        for found, line in imports(module) if own else ():
            there = room_of(found)
            where = f"{called(module)}:{line}"
            assert there in {own, "core", ""}, f"{where}: {own} imports {there}; what both need belongs into web/core"
            assert found.split(".")[:2] != ["branchline", "web"] or there, f"{where}: imports {found}, which is above"


def test_templates_and_scripts_of_features_know_each_other_through_core_alone() -> None:
    reached = re.compile(r"""(?:include|extends) "(\w+)/|from "(?:\.\./)+(\w+)/|(?:asset|module)\(["'](\w+)/""")
    for file in [*WEB.rglob("*.html"), *WEB.rglob("*.js")]:
        own = file.relative_to(WEB).parts[0]
        there = {found for groups in reached.findall(file.read_text(encoding="utf-8")) for found in groups if found}
        assert not (there & FEATURES) - {own}, f"{called(file)} uses files of {there}"


def test_every_feature_is_listed() -> None:
    text = (WEB / "features.py").read_text(encoding="utf-8")
    listed = set(re.findall(r'^    "(\w+)",', text, re.MULTILINE))
    assert listed == FEATURES - {"api", "site"}, "app.py puts the JSON interface in; the site runs in browsers"


def test_the_page_lists_every_layer_in_order() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    there = [layer for layer in LAYERS if (PACKAGE / layer).is_dir()]
    listed = re.findall(r"^\s*(\w+)/ ", text, re.MULTILINE)
    assert [layer for layer in listed if layer in there] == there
    assert len(text.splitlines()) <= 250, "a newcomer reads it in one sitting"


def test_the_rules_name_no_edition() -> None:
    edition = re.compile(rf"\b({'|'.join(builtin_boards())})\b", re.IGNORECASE)
    for module in RULES:
        named = edition.search(module.read_text(encoding="utf-8"))
        assert named is None, f"{called(module)} names {named and named[0]}"


def test_no_code_asks_which_edition_it_is() -> None:
    """Commands give examples, and pages have a sentence about each edition; both are words for people."""
    editions = set(builtin_boards())
    for module in MODULES:
        if {"commands", "web"} & set(module.parts):
            continue
        for node in nodes(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value.casefold() not in editions, f"{called(module)}:{node.lineno}: {node.value!r}"


def test_the_rules_know_nothing_of_the_outside() -> None:
    """No clock, no files, no foreign luck, no printing; `kernel.py` only says how the rules are run."""
    for module in RULES:
        if module.name == "kernel.py":
            continue
        for name, line in imports(module):
            assert name.split(".")[0] not in OUTSIDE, f"{called(module)}:{line}: imports {name}"
        for node in nodes(module):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                where = f"{called(module)}:{node.lineno}"
                assert node.func.id not in ("open", "print", "input"), f"{where}: {node.func.id}()"
            if isinstance(node, ast.Attribute):
                assert node.attr != "random", f"{called(module)}:{node.lineno}: numpy's luck"


def test_every_module_says_what_it_is_for() -> None:
    assert [called(module) for module in MODULES if not ast.get_docstring(tree(module))] == []


def test_names_say_what_things_are() -> None:
    """No `Manager`, `Helper` or `Util`: such names say nothing."""
    empty = re.compile(r"(manager|helper|util)s?$", re.IGNORECASE)
    for module in MODULES:
        assert not empty.search(module.stem), called(module)
        for node in nodes(module):
            if isinstance(node, ast.ClassDef):
                assert not empty.search(node.name), f"{called(module)}:{node.lineno}: {node.name}"


def test_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == branchline.__version__
    assert f"## [{branchline.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
