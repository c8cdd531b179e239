"""What may be seen of a name or a line: hidden letters go, joiners stay where a script or an emoji needs them."""

from __future__ import annotations

import pytest

import branchline as bl
from branchline.boards import letters
from branchline.tabletop.notation import LONGEST_NAME
from branchline.tabletop.notation_reader import read_notation

UNSEEN = [
    *("\u3164", "\uffa0", "\u115f", "\u1160", "\u2800", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"),
    *("\u034f", "\u061c", "\u17b4", "\u180b", "\u180e", "\ufe0f", "\U000e0101", "\U000e0041", "\u2063", "\u202e"),
    *("\u00a0", "\u3000", "\u2003", "\u0301", "\u20e3", "\x00", "\ud800", "\ue000", "\ufff9", "\U0001d159"),
]
KEPT = [
    *("👩‍🚀", "👨‍👩‍👧‍👦", "❤️‍🔥", "🏳️‍🌈", "👩🏽‍💻", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇵🇱", "☎️"),
    *("می‌خواهم", "क्‍ष", "ශ්‍රී", "ক্‌ষ", "ന്‍", "ᠮᠣᠩᠭᠣᠯ", "Žofie", "שלום", "한국", "Tiếng Việt", "日本"),
]


@pytest.mark.parametrize("one", UNSEEN, ids=ascii)
def test_a_name_of_nothing_but_what_nobody_sees_is_empty(one: str) -> None:
    for text in (one, one * 7, f" {one}\u200b{one} ", "".join(UNSEEN)):
        assert letters.line_of(text) == "" and not letters.is_clean(text) and not letters.is_seen(text)
    if one not in ("\u0301", "\u20e3"):  # they are seen on a letter
        assert letters.line_of(f"An{one}na") in ("Anna", "An na")


@pytest.mark.parametrize("one", KEPT)
def test_what_is_joined_stays_joined(one: str) -> None:
    assert letters.line_of(one) == one and letters.is_clean(one)
    assert letters.line_of(f"  {one}\u3164\u200b  Anna ") == f"{one} Anna"


def test_joiners_are_taken_out_where_nothing_is_to_be_joined() -> None:
    assert letters.line_of("An\u200dna\u200c 👩\u200d x \u200d👩 می\u200c") == "Anna 👩 x 👩 می"
    assert letters.line_of("a\u202eb\u2066c\u200bd\u0000e") == "abcde"


@pytest.mark.parametrize("one", ["👩‍🚀", "👨‍👩‍👧‍👦", "🇵🇱", "e\u0323\u0301", "한", "क्‍ष"])
def test_letters_are_counted_and_cut_as_people_see_them(one: str) -> None:
    assert letters.count(one) <= 2 and letters.count(one * 3) == 3 * letters.count(one)
    assert letters.cut("ab" + one * 9, 2 + letters.count(one), 100) == "ab" + one
    assert letters.cut(one * 40, 40, len(one) * 2 + 1) == one * ((len(one) * 2 + 1) // len(one)), (
        "never in the middle of a letter"
    )


def said_of(names: str) -> str:
    with pytest.raises(bl.BranchlineError) as raised:
        read_notation(f"edition europe\nplayers {names}\n")
    return str(raised.value)


def test_the_notation_takes_joined_names_and_gives_the_true_reason_for_others() -> None:
    assert read_notation("edition europe\nplayers 👩‍🚀, می‌خواهم\n👩‍🚀: draw 2\n").names == ("👩‍🚀", "می‌خواهم")
    assert "colon" in said_of("A:1, Bert") and "characters" not in said_of("A:1, Bert")
    assert "empty" in said_of("\u3164, Bert") and "empty" in said_of(", Bert")
    assert "invisible characters" in said_of("An\U0001d173na, Bert")
    assert read_notation("edition europe\nplayers An\u202ena, Bert\nAnna: draw 2\n").names == ("Anna", "Bert")
    assert f"at most {LONGEST_NAME} characters" in said_of(f"{'x' * (LONGEST_NAME + 1)}, Bert")
    assert len(read_notation(f"edition europe\nplayers {'👩‍🚀' * 30}, Bert\nBert: draw 2\n").names[0]) == 90


def test_records_and_positions_take_no_name_that_nobody_sees() -> None:
    game = bl.Game(bl.load_board("berlin"), 2, 1)
    assert game.record(["👩‍🚀", "Anna  B"]).names == ("👩‍🚀", "Anna  B")
    for name in ("\u3164", "An\u202ena", "\u200b"):
        with pytest.raises(bl.RecordError, match="names"):
            game.record([name, "Bert"])
    with pytest.raises(bl.PositionError, match="name"):
        bl.score_position({"edition": "berlin", "seats": [{"name": "\u2800"}, {"name": "Bert"}]})
