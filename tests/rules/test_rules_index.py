"""The index of the rules: every id that is cited is defined, and every id that is defined is cited and tested."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from branchline.teaching.rules_index import FILE, PAGE, chapters, cited_by_tests, files_of_tests, next_id, page, rules

TESTS = Path(__file__).parent.parent
SOURCES = TESTS.parent / "src" / "branchline"
NO_RULES = {"UTF", "ISO", "SHA"}  # before a hyphen and a number, in words that are no ids


def cited_in(text: str) -> set[str]:
    """The ids in a text; TUN-1 … TUN-3 is three of them."""
    cited = {found for found in re.findall(r"\b[A-Z]{3,5}-\d+\b", text) if found.partition("-")[0] not in NO_RULES}
    for prefix, first, last in re.findall(r"\b([A-Z]{3,5})-(\d+) … \1-(\d+)\b", text):
        cited |= {f"{prefix}-{number}" for number in range(int(first), int(last) + 1)}
    return cited | ({"HIDE"} if re.search(r"\bHIDE\b(?! *[,:=\]])", text) else set())


def cited_by(folder: Path, pattern: str) -> dict[str, str]:
    """The ids that files below a folder cite, with one of the files."""
    return {
        name: path.relative_to(folder).as_posix()
        for path in folder.rglob(pattern)
        for name in cited_in(path.read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize("folder", [SOURCES, TESTS, TESTS.parent / "docs"], ids=lambda folder: folder.name)
def test_every_id_that_is_cited_is_defined(folder: Path) -> None:
    cited = cited_by(folder, "*.md" if folder.name == "docs" else "*.py")
    if folder.name == "docs":  # the index shows the ids that are still free
        cited = {name: file for name, file in cited.items() if file != PAGE.name}
    assert {name: file for name, file in cited.items() if name not in rules()} == {}


def test_every_id_in_the_name_of_a_test_is_defined() -> None:
    assert {name for name in files_of_tests(TESTS) if name.partition("-")[0] in chapters()} <= set(rules()) | {"TUN"}


def test_every_id_is_cited_in_the_sources_or_says_why_not() -> None:
    cited = set(cited_by(SOURCES, "*.py"))
    assert {name for name in rules() if name not in cited} == {name for name, rule in rules().items() if rule.uncited}


def test_every_rule_has_tests() -> None:
    assert set(rules()) - set(files_of_tests(TESTS)) == set()


@pytest.mark.parametrize("name", rules())
def test_the_functions_of_a_rule_exist(name: str) -> None:
    for function in rules()[name].functions:
        module, _, attribute = function.rpartition(".")
        found = getattr(importlib.import_module(f"branchline.{module}"), attribute, None)
        assert callable(found), f"{FILE.name}: {name}: there is no {function}"


def test_rules_stand_in_chapters_and_are_numbered_without_gaps() -> None:
    order = list(chapters())
    assert sorted(rules(), key=lambda name: order.index(name.partition("-")[0])) == list(rules())
    for prefix in chapters():
        numbers = [int(name.partition("-")[2]) for name in rules() if name.startswith(f"{prefix}-")]
        assert numbers == list(range(numbers[0], numbers[-1] + 1)) if numbers else next_id(prefix) == f"{prefix}-1"


def test_the_text_of_a_rule_is_one_sentence() -> None:
    for name, rule in rules().items():
        assert re.fullmatch(r"[A-Z][^.]*\.", rule.text), name


def test_the_page_is_up_to_date() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert page(written, TESTS) == written, "run `make rulings`"


@pytest.mark.parametrize(
    ("test", "ids"),
    [
        ("test_TUN_3_and_only_wilds_pay_it", ("TUN-3",)),
        ("test_ROUTE_2_5_8_9_all_payments", ("ROUTE-2", "ROUTE-5", "ROUTE-8", "ROUTE-9")),
        ("test_DRAW_4_and_6_market_of_five", ("DRAW-4", "DRAW-6")),
        ("test_great_lakes_ROUTE_4_no_set", ("ROUTE-4",)),
        ("test_HIDE_imagining_is_fair", ("HIDE",)),
        ("test_links_lead_somewhere", ()),
    ],
)
def test_what_the_name_of_a_test_cites(test: str, ids: tuple[str, ...]) -> None:
    assert cited_by_tests(test) == ids
