"""The house stands as `docs/house.md` says: imports go down, the rules know no edition and nothing of the outside."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

import branchline
from branchline.atlas import builtin_boards

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "branchline"

FLOORS = (
    "__main__",
    "cli",
    "commands",
    "web",
    "envs",
    "analysis",
    "arena",
    "bots",
    "draw",
    "game",
    "rules",
    "atlas",
    "boards",
    "cache",
)
"""From the roof to the cellar."""

LAZY_DOORS = {
    ("atlas/board.py", "draw"),  # Board.svg
    ("game/game.py", "draw"),  # Game.svg
}
"""The only ways up: a method for convenience that imports when it is called."""

MODULES = sorted(PACKAGE.rglob("*.py"))
RULES = sorted((PACKAGE / "rules").glob("*.py"))
OUTSIDE = {"time", "datetime", "random", "secrets", "os", "sys", "io", "pathlib", "tempfile", "socket", "subprocess"}


def called(module: Path) -> str:
    return module.relative_to(PACKAGE).as_posix()


def tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def imports(module: Path) -> list[tuple[str, int, bool]]:
    """Names of everything imported, with its line and whether that happens as soon as the module is loaded."""
    parsed = tree(module)
    at_once = set(parsed.body)
    found = []
    for node in ast.walk(parsed):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno, node in at_once) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{called(module)}:{node.lineno}: imports are written in full here"
            names = [alias.name for alias in node.names]
            whole = [node.module or ""] if node.module != "branchline" else [f"branchline.{name}" for name in names]
            found += [(name, node.lineno, node in at_once) for name in whole]
    return found


@pytest.mark.parametrize("module", MODULES, ids=called)
def test_imports_go_down(module: Path) -> None:
    if module == PACKAGE / "__init__.py":
        return  # the list of the public names; it fetches them when they are used
    own = called(module).split("/")[0].removesuffix(".py")
    assert own in FLOORS, f"{own} is on no floor: put it into docs/house.md and into FLOORS"
    for name, line, at_once in imports(module):
        root, _, rest = name.partition(".")
        floor = rest.split(".")[0]
        if root != "branchline" or floor == "__version__":
            continue
        where = f"{called(module)}:{line}"
        assert floor in FLOORS, f"{where}: imports the public names; import from the floor itself"
        if (called(module), floor) in LAZY_DOORS:
            assert not at_once, f"{where}: this way up is open only when it is used"
        else:
            assert FLOORS.index(floor) >= FLOORS.index(own), f"{where}: {own} imports {floor}, which is above it"


def test_every_floor_of_the_house_is_in_its_description() -> None:
    text = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
    there = [floor for floor in FLOORS if (PACKAGE / floor).is_dir()]
    listed = re.findall(r"^\s*(\w+)/ ", text, re.MULTILINE)
    assert [floor for floor in listed if floor in there] == there


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
    for name, line, _ in imports(module):
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
