"""The pictures of the documents: each is shown somewhere, and can be taken anew by one command."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"


def test_every_picture_is_shown_and_no_other_is_kept() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = {name for page in pages for name in re.findall(r"!\[.*?\]\((?:docs/)?pictures/([^)]+)\)", page.read_text())}
    assert shown == {one.name for one in PICTURES.iterdir()}


def test_every_picture_of_the_application_is_taken_by_the_command() -> None:
    tree = ast.parse((ROOT / "tools" / "pictures.py").read_text())
    [pictured] = [
        one.value for one in ast.walk(tree) if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "PICTURED"
    ]
    assert isinstance(pictured, ast.Dict)
    assert {ast.literal_eval(key) for key in pictured.keys if key} == {one.stem for one in PICTURES.glob("*.png")}
