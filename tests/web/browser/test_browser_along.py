"""Taking one's games along by pressing what the page offers: to another browser, with what only a browser keeps."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pressing import Visitor, faults, table

COUNT = """record => localStorage.setItem("branchline count abc123", JSON.stringify({ changed: 1, record }))"""
COUNTS = """() => Object.entries(localStorage).filter(([name]) => name.startsWith("branchline count ")).length"""


def saved(page: Any, folder: Path) -> Path:
    """The file, as the browser saves it."""
    with page.expect_download() as coming:
        page.click("#saving button")
    name = coming.value.suggested_filename
    assert name.startswith("branchline-") and name.endswith(".json")
    coming.value.save_as(folder / name)
    return folder / name


def opened(page: Any, file: Path) -> str:
    """What the page says when it has opened a file."""
    page.set_input_files("#opening input[type=file]", file)
    page.click("#opening button")
    page.wait_for_selector("#doing", state="hidden")
    page.wait_for_selector("#outcome :is([data-done], .problem)")
    return str(page.inner_text("#outcome"))


@pytest.mark.long
def test_games_boards_and_scoresheets_go_to_another_browser(
    visitor: Callable[..., Visitor], tmp_path: Path, axe: str
) -> None:
    first, second = visitor(), visitor(viewport={"width": 390, "height": 844})
    anna, again = first.page, second.page
    first.go("/new?board=berlin")
    anna.locator("form.new-game button.first").first.click()
    table(anna)
    anna.locator(".offers input").first.wait_for()  # the bots before have answered
    asked = anna.locator(".offers").all_inner_texts()
    first.go("/workshop")
    anna.locator("form:has(input[name=from][value=edition]) button").first.click()
    anna.wait_for_url("**/workshop/*/*")
    anna.wait_for_function("() => localStorage.getItem('branchline workshop recent')")
    anna.evaluate(COUNT, {"edition": "berlin", "seats": [{"name": "Anna"}]})

    first.go("/mine")
    anna.get_by_role("link", name="Take my games with me").click()
    anna.wait_for_selector("#saving")
    assert not faults(anna, axe)
    file = saved(anna, tmp_path)

    second.go("/along")
    again.evaluate(COUNT, {"edition": "berlin", "seats": [{"name": "Ben"}]})
    told = opened(again, file)
    assert "Games: 1 added, 0 already here." in told and "Boards of the workshop: 1 added" in told
    assert "Scoresheets and recordings" in told and "left out" not in told
    assert again.evaluate(COUNTS) == 2, "that of the same name is kept beside the other one"
    assert not faults(again, axe)
    told = opened(again, file)
    assert "Games: 0 added, 1 already here." in told and "1 already here" in told.split("Boards")[1]
    assert "Scoresheets" not in told and again.evaluate(COUNTS) == 2
    second.go("/workshop")
    assert again.locator("#recent li").count() == 1
    second.go("/")
    again.locator("#mine + ul a").click()
    table(again)
    again.locator(".offers input").first.wait_for()
    assert again.locator(".offers").all_inner_texts() == asked


@pytest.mark.long
def test_a_file_from_elsewhere_is_refused_in_words_and_changes_nothing(
    visitor: Callable[..., Visitor], tmp_path: Path
) -> None:
    someone = visitor()
    page = someone.go("/along")
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"branchline_record": 1, "browser": {"branchline count x": {"record": {}}}}))
    assert "was not saved with" in opened(page, other)
    assert page.evaluate(COUNTS) == 0
    someone.faults.clear()  # the browser notes that the answer was a refusal
