"""Curves of long searches, for people's own tools."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from branchline.commands.curve import curve, scalars
from branchline.commands.event_file import EventFile

ROWS = (
    {"doing": "searching", "generation": 1, "games": 300, "won": 0.25},
    {"doing": "measuring", "generation": 0, "games": 70_000, "won": 0.5},
)


def test_rows_are_kept_as_csv_and_for_tensorboard_at_once(tmp_path: Path) -> None:
    with curve(str(tmp_path / "curve.csv"), str(tmp_path / "runs" / "one")) as keep:
        for row in ROWS:
            keep(row)
        table = (tmp_path / "curve.csv").read_text(encoding="utf-8")
        [events] = (tmp_path / "runs" / "one").iterdir()
        written = events.read_bytes()
    assert table.splitlines() == ["doing,generation,games,won", "searching,1,300,0.25", "measuring,0,70000,0.5"]
    assert b"doing searching/won" in written and b"doing measuring/won" in written


def test_another_column_may_be_the_step() -> None:
    assert scalars({"round": 3, "games": 40, "won": 0.25}, "round") == (3, {"games": 40.0, "won": 0.25})


def test_an_event_file_holds_records_with_lengths_and_checksums(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bytes are those that TensorBoard's own writer makes of the same event."""
    monkeypatch.setattr("time.time", lambda: 1.5)
    file = EventFile(tmp_path)
    file.add(300, {"won": 0.25})
    file.close()
    [events] = tmp_path.iterdir()
    first, second = bytes.fromhex(FIRST), bytes.fromhex(SECOND)
    assert events.read_bytes() == first + second
    assert struct.unpack("<Q", first[:8]) == (len(first) - 16,)


FIRST = "1800000000000000a37f4b2209000000000000f83f1a0d627261696e2e4576656e743a322a28646c"
SECOND = "1a00000000000000129bd82d09000000000000f83f10ac022a0c0a0a0a03776f6e150000803e67c8f29a"


def test_tensorboard_reads_the_curve(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    with curve(None, str(tmp_path)) as keep:
        for row in ROWS:
            keep(row)
    found = EventAccumulator(str(tmp_path))
    found.Reload()
    shown = {tag: [(one.step, one.value) for one in found.Scalars(tag)] for tag in found.Tags()["scalars"]}
    assert shown == {
        "doing searching/generation": [(300, 1.0)],
        "doing searching/won": [(300, 0.25)],
        "doing measuring/generation": [(70_000, 0.0)],
        "doing measuring/won": [(70_000, 0.5)],
    }
