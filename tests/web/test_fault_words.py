"""What is wrong with a board is said in the language of the reader: all of it, by its templates in the catalogues."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from boards.board_files import edition, planted, spoil, with_planted, write
from branchline.boards import BoardError, read_board
from branchline.boards.advice import advice
from branchline.boards.wording import Message
from branchline.web.core.pages import fault_text, translation
from branchline.web.core.pages.extract_messages import WEB
from branchline.workshop import read_draft

OTHERS = [code for code in translation.LANGUAGES if code != "en"]
ENGLISH = re.compile(
    r"\b(the|is|are|has|have|not|of|with|expected|unknown|missing|twice|cards|routes?|places?|spaces|number|rows?|"
    r"line|empty|there|but|left out|did you mean|or|and|worth|whoever|by|from|kept|larger)\b"
)
"""Words that every English sentence of ours has one of, and no other language."""


def all_faults(folder: Path) -> list[Message]:
    """What the reader says of all boards with planted mistakes."""
    found = []
    for number, block in enumerate(planted()):
        with pytest.raises(BoardError) as caught:
            read_board(write(folder / str(number), with_planted(block)))
        found += [fault.text for fault in caught.value.faults]
    return found


def bare(text: str) -> str:
    """Without what is quoted from files: texts in quotes, names of keys, columns, files and places."""
    text = re.sub("„[^“”]*[“”]", "", text)
    text = re.sub(r"\[[\w.]+\]( \w+)?|\w+\.(csv|toml|geojson)|\w+_\w+|(\w+,)+\w+|\w+ = [\w{}]+", "", text)
    return re.sub(r": .*\b(name|kind|cards|value|deck)\b.*", "", text)  # lists of keys and columns


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is said of every planted mistake."""
    return all_faults(tmp_path_factory.mktemp("faults"))


@pytest.mark.parametrize("language", OTHERS)
def test_every_planted_mistake_is_told_in_the_language_of_the_reader(said: list[str], language: str) -> None:
    assert len(said) > 150
    for message in said:
        told = fault_text.told(language, message)
        assert told != message
        assert not ENGLISH.search(bare(told)), told
        assert fault_text.told("en", message) == message


def test_terms_numbers_and_quotes_are_those_of_the_language(tmp_path: Path) -> None:
    files = spoil(edition("example"), "routes.csv", "3,green,rail", "3,purple,rail")
    files = spoil(files, "routes.csv", "Konstanz,Radolfzell,2,blue", "Konstanz,Radolfzel,,blue")
    with pytest.raises(BoardError) as caught:
        read_board(write(tmp_path / "wrong", files))
    assert [fault_text.told("pl", fault.text) for fault in caught.value.faults] == [
        "routes.csv:2: nieznane miejsce „Radolfzel” (czy chodzi o „Radolfzell”?)",
        "routes.csv:2: „Długość” to puste, oczekiwano liczby całkowitej od 1 do 9",
    ]
    files = spoil(edition("great_lakes"), "board.toml", "choose = 50", "choose = 30")
    (found,) = [
        one for one in advice(read_board(write(tmp_path / "great_lakes", files))) if "spaces for" in one.message
    ]
    assert "1,8 für jede; gedruckte Spielpläne haben 0,8 bis 1,4" in fault_text.told("de", found.text)


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_left_out_of_files_is_told_in_the_language_of_the_reader(language: str) -> None:
    _, reasons = read_draft(
        {
            "board.toml": "# a comment\nid = 3\n= 7\n",
            "cities.csv": "name;lat\nUlm;1;2\n# more\nBonn\n",
            "routes.csv": "what,ever\n1,2\n",
            "../odd": "x",
        }
    )
    assert len(reasons) >= 7
    for reason in reasons:
        told = fault_text.told(language, reason.text)
        assert told != str(reason)
        assert not ENGLISH.search(bare(told)), told


@pytest.mark.parametrize(
    "module",
    [*sorted((WEB.parent / "boards").glob("*.py")), *sorted((WEB.parent / "workshop").glob("*.py"))],
    ids=lambda path: f"{path.parent.name}/{path.name}",
)
def test_no_fault_is_put_together_where_pages_cannot_take_it_apart(module: Path) -> None:
    """A message in an f-string forgets how it was made."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args:
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if name in ("wrong", "Fault", "Finding") or (name == "add" and len(node.args) == 3):
                said = node.args[1] if name == "Finding" else node.args[-1]
                assert not isinstance(said, ast.JoinedStr | ast.Constant), f"{module.name}:{node.lineno}"
