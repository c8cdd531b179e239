"""The pictures of the documents: each that is shown is there, and can be taken anew by one command."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"


def shown() -> set[str]:
    """The names of the pictures that pages show."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    return {name for page in pages for name in re.findall(r"!\[.*?\]\((?:docs/)?pictures/([^)]+)\)", page.read_text())}


def test_every_picture_that_is_shown_is_there() -> None:
    assert shown() <= {picture.name for picture in PICTURES.iterdir()}


def test_every_picture_of_the_application_is_taken_by_the_command() -> None:
    tree = ast.parse((ROOT / "tools" / "pictures.py").read_text())
    [pictured] = [
        one.value for one in ast.walk(tree) if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "PICTURED"
    ]
    assert isinstance(pictured, ast.Dict)
    taken = {ast.literal_eval(key) for key in pictured.keys if key}
    assert taken == {Path(name).stem for name in shown() if name.endswith(".png")}
