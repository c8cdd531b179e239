"""The tests of what is pure in the scripts of the pages: Node runs them, on boards that Python hands over."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import branchline as bl
from branchline.boards import Board
from branchline.boards.advice import shortest_way
from branchline.boards.names import plain
from branchline.languages import LANGUAGES, language
from branchline.web.core.pages import assets
from branchline.web.count.page import count_facts
from needs import missing
from table import EDITIONS

TESTS = Path(__file__).parent / "javascript"
ODD = ("Straße", "Łódź", "Ærøskøbing", "Plzeň", "I'll-be 2", "ＦＵＬＬ", "Đakovo", "ﬁn", "…", "Ω mega", "е́")


def test_the_tests_written_in_javascript_pass(tmp_path: Path) -> None:
    node = shutil.which("node") or missing("node is not installed")
    for name, file in assets.files().items():
        if file.suffix == ".js":
            target = tmp_path / "static" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    boards = [bl.load_board(edition) for edition in ("europe", "germany")]
    (tmp_path / "boards.json").write_text(
        json.dumps(
            {
                "plain": {name: plain(name) for name in (*ODD, *_all_names())},
                "small": {code: language(code).small_words for code in LANGUAGES},
                "boards": [{"facts": json.loads(count_facts(board, "pl")), "ways": _ways(board)} for board in boards],
            }
        )
    )
    tests = [shutil.copy(one, tmp_path) for one in sorted(TESTS.glob("*.test.js"))]
    done = subprocess.run([node, "--test", *map(str, tests)], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "# fail 0" in done.stdout and "# pass 0" not in done.stdout


def _all_names() -> set[str]:
    boards = [bl.load_board(edition) for edition in EDITIONS]
    return {name for board in boards for place in board.places for name in (place.name, *place.names)}


def _ways(board: Board) -> list[tuple[int, int, int]]:
    """Return pairs of places and the length of the shortest way between them."""
    places = board.places
    pairs = [(places[n], places[(7 * n + 11) % len(places)]) for n in range(0, len(places), 3)]
    found = [(a.index, b.index, shortest_way(board, a, b)) for a, b in pairs if a != b]
    return [one for one in found if one[2] > 0]
