"""Why something is not allowed: a code and what it is about, worded where it is shown."""

from __future__ import annotations

import ast
import pickle
from pathlib import Path
from string import Formatter

import pytest

import branchline as bl
from branchline.game import Record, RecordError, reasons
from branchline.game.reasons import Reason, ReasonKind
from branchline.web.core.pages import fault_text, reason_text, translation
from branchline.web.core.seen import Player

ROWS = [row for row in vars(reasons).values() if isinstance(row, ReasonKind)]
KNOWN = {"need", "have", "count", "ships", "name", "piece", "colour"}
"""Fields that a page can fill in."""
GAME = Path(reasons.__file__).parent


def fields(sentence: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_codes_are_unique_and_sentences_name_what_pages_can_fill_in() -> None:
    assert len({row.code for row in ROWS}) == len(ROWS) == len(reasons.SENTENCES)
    for row in ROWS:
        said = reasons.SENTENCES[row.code]
        for sentence in (said,) if isinstance(said, str) else said:
            assert fields(sentence) <= KNOWN, row.code


def test_a_row_is_all_that_a_new_reason_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "SENTENCES", dict(reasons.SENTENCES))
    sold_out = ReasonKind(
        "sold_out", "the buffet on {route} is closed until round {count}", ("Closed.", "Closed: {count}.")
    )
    reason = sold_out(route="Paris–Dieppe", count=3)
    assert reason == "the buffet on Paris–Dieppe is closed until round 3" and reason.code == "sold_out"
    assert reason_text.in_words(translation.translator_for("en"), (), reason) == "Closed: 3."
    assert reason_text.in_words(translation.translator_for("en"), (), sold_out(route="x", count=1)) == "Closed."


def test_the_reason_of_another_seat_names_the_player() -> None:
    players = (Player(0, "person", "Anna"), Player(1, "person", "Ben"))
    reason = reasons.TAKEN(route="Paris–Dieppe", seat=1)
    assert "Ben" in reason_text.in_words(translation.translator_for("de"), players, reason)
    assert "2" in reason_text.in_words(translation.translator_for("de"), (), reason)  # where nobody is known: player 2


def test_a_reason_is_text_that_survives_processes() -> None:
    reason = bl.Game(bl.load_board("europe"), seats=2, seed=1).why_not(0)
    assert isinstance(reason, str) and isinstance(reason, Reason)
    copy = pickle.loads(pickle.dumps(reason))
    assert copy == reason and copy.code == reason.code and copy.values == reason.values


def test_what_a_record_does_wrong_is_told_in_the_language_of_the_reader() -> None:
    record = bl.Game(bl.load_board("europe"), seats=2, seed=1, first_seat=0).record()
    wrong = Record.from_json(record.to_json().replace('"actions": []', '"actions": ["0 pass", "1 pass"]'))
    with pytest.raises(RecordError) as refused:
        wrong.replay()
    assert str(refused.value) == 'action 1, "0 pass": choose which tickets to keep first'
    told = {fault_text.told(code, refused.value.message) for code in translation.LANGUAGES}
    assert len(told) == len(translation.LANGUAGES)
    assert all(words.startswith(("ak", "Ak", "ac")) for words in told)


@pytest.mark.parametrize(
    "module",
    ["record.py", "reading.py", "game.py", "cards.py", "../tabletop/noted_course.py", "../tabletop/notation.py"],
)
def test_no_refusal_is_put_together_where_pages_cannot_take_it_apart(module: str) -> None:
    """Names of files on this machine are for terminals: they are never shown on a page."""
    refusals = ("IllegalAction", "NotationError", "UnknownName", "RecordError")
    for node in ast.walk(ast.parse((GAME / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args and getattr(node.func, "id", "") in refusals:
            said = node.args[-1 if getattr(node.func, "id", "") == "NotationError" else 0]
            names_a_file = any(word in ast.unparse(said) for word in ("source", "target", "path"))
            assert names_a_file or not isinstance(said, ast.JoinedStr | ast.Constant), f"{module}:{node.lineno}"
