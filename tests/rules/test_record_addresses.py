"""Records on their way from Python to compiled code."""

from __future__ import annotations

import ctypes
import sys

import numpy as np
import pytest

import branchline as bl
from branchline.rules import kernel, knowledge
from branchline.rules.state import STATE


def test_a_buffer_is_empty_and_may_hold_no_record_or_several() -> None:
    for count in (0, 1, 3):
        buffer = kernel.new_buffer(STATE, count)
        assert len(buffer) == count
        assert not any(buffer.tobytes())
        assert buffer.flags.writeable and buffer.flags.aligned


def test_a_copy_has_bytes_of_its_own() -> None:
    buffer = kernel.new_buffer(STATE)
    twin = kernel.copy_of(buffer)
    twin["turns"] = 7
    assert buffer["turns"][0] == 0
    assert twin.dtype == buffer.dtype
    assert kernel.buffer_of(twin[0]).tobytes() == twin.tobytes()


def test_the_address_of_a_record_is_where_it_is_read() -> None:
    pytest.importorskip("numba")
    from branchline.runtime import records

    assert records.as_expected()
    buffer = kernel.new_buffer(STATE, 2)
    for n, record in enumerate((buffer[0], buffer[1])):
        found = ctypes.c_void_p.from_address(id(record) + records.DATA).value
        assert found == buffer.ctypes.data + n * STATE.itemsize


def test_without_that_layout_numba_takes_records_over_as_it_always_does(monkeypatch: pytest.MonkeyPatch) -> None:
    from branchline.runtime import records

    monkeypatch.setattr(sys.implementation, "name", "another")
    assert not records.as_expected()


def test_a_record_in_the_middle_of_an_array_is_handed_over_as_such() -> None:
    board = bl.load_board("berlin")
    game = bl.Game(board, 2, seed=5)
    several = kernel.new_buffer(STATE, 3)
    if isinstance(kernel.record_in(kernel.new_buffer(STATE)), kernel.RecordView):
        pytest.skip("interpreted")
    knowledge.redact(kernel.record_in(board.tables), kernel.record_in(game.state), several[1], 0)
    assert not any(several[:1].tobytes()) and not any(several[2:].tobytes())
    assert several[1:2].tobytes() == game.redacted(0).tobytes()


def test_what_python_holds_read_only_is_still_only_read() -> None:
    board = bl.load_board("berlin")
    game = bl.Game(board, 2, seed=5)
    before = game.state.tobytes()
    assert len(game.legal) and game.view(0).hand
    assert game.state.tobytes() == before
    assert np.array_equal(bl.Game.resume(board, before).state, game.state)
