"""How a board plays is told in a browser as by a server: with the same figures, tables and plots."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from branchline.arena.balance import figures, play_balance
from branchline.arena.balance.improve import suggestions
from branchline.arena.balance.sections import sections
from branchline.arena.executors import in_threads
from branchline.boards import load_board
from branchline.web.workshop.kept_figures import as_text
from table import costly

IN_A_BROWSER = """
import pathlib, sys
from branchline.site import begin
begin.numpy_stands_in()
from branchline.arena.balance.sections import sections
from branchline.arena.executors import in_threads
from branchline.boards import load_board
from branchline.web.workshop.kept_figures import from_text
text = pathlib.Path(sys.argv[1]).read_text()
found, _, _ = from_text(text, load_board(sys.argv[2]))
pathlib.Path(sys.argv[1]).write_text(sections(found, folded=True))
"""


@pytest.mark.parametrize("edition", costly(("berlin", "germany")))
def test_figures_are_shown_as_a_server_shows_them(edition: str, tmp_path: Path) -> None:
    board = load_board(edition)
    found = figures(play_balance(board, 12, 1, seats=[2, 3], jobs=1, on=in_threads))
    file = tmp_path / "figures.json"
    file.write_text(as_text(found, suggestions(found), None))
    subprocess.run([sys.executable, "-c", IN_A_BROWSER, str(file), edition], check=True, timeout=120)
    assert file.read_text() == sections(found, folded=True)
