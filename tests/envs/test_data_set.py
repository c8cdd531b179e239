"""Decisions as a table: those of the same games as `simulate`, each as the game itself shows it when it is replayed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import branchline as bl
from branchline.arena import Export, ExportError
from branchline.envs import VERSION, data_set, layout_of, mask_of, observe
from branchline.envs.data_set import COLUMNS, LABELS, TARGETS, Further, record_decisions
from branchline.envs.rewards import EnvError, win
from branchline.rules import kernel
from cli.running import branchline_here

parquet = pytest.importorskip("pyarrow.parquet")
pytestmark = pytest.mark.skipif(kernel.INTERPRETED, reason="decisions are recorded by compiled code")

BOTS = ["greedy", "random"]


def table_of(target: Path, board: str = "berlin", bots: list[str] = BOTS, games: int = 6, **how):
    results = record_decisions(board, bots, games, 3, Export(target), **how)
    return results, parquet.read_table(target)


@pytest.mark.parametrize(
    ("board", "bots"),
    [("berlin", BOTS), pytest.param("world", ["planner", "greedy", "random"], marks=pytest.mark.long)],
)
def test_every_row_is_what_the_replayed_game_shows(board: str, bots: list[str], tmp_path: Path) -> None:
    results, table = table_of(tmp_path / "some.parquet", board, bots, 2)
    layout, rows = layout_of(bl.load_board(board), len(bots)), table.to_pydict()
    game: bl.Game | None = None
    for n in range(table.num_rows):
        if rows["step"][n] == 0:
            game = bl.Game(layout.board, len(bots), rows["seed"][n])
        assert game is not None and game.question.seat == rows["seat"][n]
        if n % 7 == 0:
            seen = np.array(rows["observation"][n], dtype=np.float32)
            assert seen.tobytes() == observe(layout, game, rows["seat"][n]).tobytes()
            assert np.array(rows["mask"][n], dtype=np.int8).tobytes() == mask_of(game, rows["seat"][n]).tobytes()
        game.play(rows["action"][n])
        if game.over:
            own = slice(n - rows["step"][n], n + 1)
            for seat, result, points in zip(*(rows[name][own] for name in ("seat", "result", "points")), strict=True):
                assert result == pytest.approx(win(game.scores)[seat])
                assert points == game.scores.seats[seat].total
    assert game is not None and game.over
    assert set(rows["bot"]) == set(bots) and table.column_names == list(COLUMNS)
    assert table.num_rows == results.column("actions").sum()


def test_they_are_the_games_of_simulate_whatever_fits_into_a_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = bl.simulate("berlin", BOTS, 6, 3)
    results, table = table_of(tmp_path / "whole.parquet")
    for name in played.games.dtype.names:
        assert results.games[name].tobytes() == played.games[name].tobytes(), name
    monkeypatch.setattr(data_set, "ROWS", 32)  # less than any game takes: the room grows
    again, pieces = table_of(tmp_path / "pieces.parquet")
    assert again.column("total").tobytes() == results.column("total").tobytes()
    assert parquet.ParquetFile(tmp_path / "pieces.parquet").num_row_groups > 1
    assert pieces.equals(table)


def test_the_file_says_how_it_is_read(tmp_path: Path) -> None:
    _, table = table_of(tmp_path / "some.parquet", games=1)
    notes = json.loads(table.schema.metadata[b"branchline"])
    assert (notes["layout_version"], notes["board"], notes["seats"]) == (VERSION, "berlin", 2)
    assert (notes["bots"], notes["seed"]) == (BOTS, 3)
    layout = layout_of(bl.load_board("berlin"), 2)
    told = {one["name"]: (one["start"], tuple(one["shape"]), tuple(one["axes"])) for one in notes["features"]}
    assert told == {one.name: (one.start, one.shape, one.axes) for one in layout.features}
    assert table.schema.field("observation").type.list_size == layout.size
    assert table.schema.field("mask").type.list_size == notes["actions"]


def test_the_page_tells_of_every_column() -> None:
    page = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")
    for name, about in (COLUMNS | LABELS | TARGETS).items():
        assert f"| `{name}` | {about} |" in page


@pytest.mark.long
def test_several_processes_write_the_same_bytes_as_one(tmp_path: Path) -> None:
    one, _ = table_of(tmp_path / "one.parquet", games=70, further=Further(labels=True))
    two, _ = table_of(tmp_path / "two.parquet", games=70, further=Further(labels=True), jobs=2)
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()
    assert one.digest == two.digest and two.jobs == 2


def test_labels_are_what_was_hidden(tmp_path: Path) -> None:
    _, table = table_of(tmp_path / "some.parquet", games=1, further=Further(labels=True))
    assert table.column_names == [*COLUMNS, *LABELS]
    rows = table.to_pydict()
    board = bl.load_board("berlin")
    game = bl.Game(board, 2, rows["seed"][0])
    hidden = 0
    for n, action in enumerate(rows["action"]):
        state, seat = game.state, rows["seat"][n]
        order = [seat, 1 - seat]
        assert rows["hands"][n] == [int(one) for who in order for one in state["hand"][0, who]]
        for ticket, holder in enumerate(rows["holders"][n]):
            at = int(state["ticket_at"][0, ticket])
            assert holder == (order.index(at) if at in order else -1)
        hidden += 1 in rows["holders"][n]
        game.play(action)
    assert hidden > 10 and len(rows["holders"][0]) == len(board.tickets)


@pytest.mark.long
def test_targets_are_what_search_would_do(tmp_path: Path) -> None:
    wish = Further(targets="search@8")
    results, table = table_of(tmp_path / "some.parquet", games=1, further=wish)
    rows = table.to_pydict()
    for n, target in enumerate(rows["target"]):
        tried = np.flatnonzero(np.isfinite(rows["target_values"][n]))
        assert rows["mask"][n][target] and all(rows["mask"][n][one] for one in tried)
        assert not len(tried) or target in tried
    again, _ = table_of(tmp_path / "again.parquet", games=1, further=wish)
    assert again.digest == results.digest
    assert json.loads(table.schema.metadata[b"branchline"])["targets"] == "search@8"
    with pytest.raises(EnvError, match="search@400"):
        table_of(tmp_path / "slow.parquet", further=Further(targets="search@0.1s"))
    with pytest.raises(EnvError, match="search@400"):
        table_of(tmp_path / "slow.parquet", further=Further(targets="greedy"))


def test_the_reference_data_set_is_the_one_of_the_page(tmp_path: Path) -> None:
    """If bots or observations were changed on purpose, write the new digest into the page."""
    page = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")
    [options] = re.findall(r"^branchline simulate (.*) --out reference.parquet$", page, re.MULTILINE)
    run = branchline_here("simulate", *options.split(), "--out", str(tmp_path / "reference.parquet"))
    [digest] = re.findall(r"Digest of the decisions: ([0-9a-f]{64})", run.out)
    assert f"`{digest}`" in page


class Slow:
    """A bot in Python."""

    name = "slow"

    def __init__(self, seed: int) -> None: ...

    def choose(self, position):
        return position.legal[0]


def test_what_cannot_be_recorded_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(EnvError, match="compiled"):
        table_of(tmp_path / "some.parquet", bots=[f"{__name__}:Slow", "random"])
    with pytest.raises(ExportError, match="parquet"):
        table_of(tmp_path / "some.csv")
    assert not (tmp_path / "some.parquet").exists() and not (tmp_path / "some.csv").exists()
