"""The page of rulings: every test it names exists, and every ruling that a test pins is on it."""

import re
from pathlib import Path

TESTS = Path(__file__).parent.parent
PAGE = TESTS.parent / "docs" / "rulings.md"


def written_tests():
    """The names of all test functions."""
    return {
        name for path in TESTS.rglob("test_*.py") for name in re.findall(r"^def (test_\w+)", path.read_text(), re.M)
    }


def named():
    return set(re.findall(r"`(test_\w+)`", PAGE.read_text(encoding="utf-8")))


def test_every_test_named_on_the_page_exists():
    assert len(named()) > 50
    assert named() <= written_tests()


def test_every_choice_that_a_test_pins_is_named_on_the_page():
    assert {name for name in written_tests() if "_ruling_" in name.casefold()} <= named()


def test_every_row_has_a_test():
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| ") and not line.startswith("| ruling"):
            assert line.count("|") == 4 and "`test_" in line, line
