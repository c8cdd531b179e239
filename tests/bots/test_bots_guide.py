"""The examples of `docs/write_a_bot.md` run as they stand."""

from __future__ import annotations

import dataclasses
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from branchline.arena import simulate
from branchline.boards import load_board, tables
from branchline.boards.board import COLOURS, Route
from branchline.game.cards import card_kind, card_name
from cli.running import branchline_process

GUIDE = Path(__file__).parents[2] / "docs" / "write_a_bot.md"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """All Python of the guide, run in order; as a file, for Numba reads sources."""
    examples = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) == 4
    source = tmp_path_factory.mktemp("guide") / "guide.py"
    source.write_text("\n".join(examples), encoding="utf-8")
    names: dict[str, Any] = {"__name__": "guide", "__file__": str(source)}
    exec(compile(source.read_text(encoding="utf-8"), str(source), "exec"), names)
    return names


def test_the_bot_of_the_guide_plays(told: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert {one.bot for one in told["results"].standings} == {"longest", "random"}
    assert told["results"].played == 20
    assert told["found"].ok


@pytest.mark.long
def test_the_fast_bot_of_the_guide_plays_as_well_as_the_slow_one(told: dict[str, Any]) -> None:
    results = simulate("berlin", [told["FastLongestBot"], "random"], 200, seed=1)
    assert results.standings[0].bot == "fast-longest"
    assert results.standings[0].win_share.low > 0.5


@pytest.mark.long
def test_the_commands_of_the_guide_run_in_a_folder_with_its_bot_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As shown, but for the number of games."""
    text = GUIDE.read_text(encoding="utf-8")
    bot = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0]
    (tmp_path / "my_bots.py").write_text(bot, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    commands = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    commands = [line for line in commands if "my_bots:" in line]
    assert len(commands) == 5
    for line in commands:
        few = "300" if "exploit" in line else "8"
        shown = shlex.split(re.sub(r" --games \d+", "", line))
        run = branchline_process(*shown[1:], "--games", few)
        assert run.code == 0 and "longest" in run.out, run


def test_the_guide_names_what_there_is() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    package = GUIDE.parents[1] / "src" / "branchline"
    for name in re.findall(r"`(?:branchline/)?((?:bots|rules|boards)/\w+\.py)`", text):
        assert (package / name).is_file(), name


def test_the_guide_explains_every_field_of_a_route_and_every_kind_of_card() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]+) \|", text, re.MULTILINE)
    explained = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert {field.name for field in dataclasses.fields(Route)} | {"points_row"} <= explained
    for family in ("TRAIN", "MARKED", "SHIP", "DOUBLE", "WILD_KIND"):
        assert family in explained and isinstance(getattr(tables, family), int)


def test_what_the_guide_says_of_cards_and_routes_is_so() -> None:
    world, germany = load_board("world"), load_board("germany")
    assert card_name(tables.SHIP + COLOURS.index("red")) == "red ship"
    assert card_kind("red double ship", world) == tables.DOUBLE + COLOURS.index("red")
    for edition in (world, germany, load_board("berlin"), load_board("europe")):
        for route in edition.routes:
            if route.kind == "subway":
                continue
            assert route.price == route.length + route.pairs and route.points_row == route.length
            numbers = edition.tables[0]
            assert numbers.route_points[route.index] == edition.points[route.points_row]
