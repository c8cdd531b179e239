"""Writing several numbers at once: in plain Python and compiled the same, and nothing beside them."""

from __future__ import annotations

import numpy as np
import pytest

from branchline.boards import load_board
from branchline.boards.limits import MAX_SEATS
from branchline.boards.tables import WORD
from branchline.envs import Batch, layout_of, telling
from branchline.rules import kernel, lanes
from branchline.rules.kernel import rule
from branchline.rules.state import STATE

compiled_only = pytest.mark.skipif(kernel.INTERPRETED, reason="compares with compiled code")


@rule
def of_lanes(small, large, bits, scaled, ones):
    """Each of them, in the second row."""
    lanes.spread(bits, 1, 7, lanes.where_equal(small, 1, 5, 3) & ((1 << WORD) - 1))
    lanes.divide_8(small, 1, 9, 2, 10, scaled, 1, 1)
    lanes.divide_8(large, 1, 4, 9, 3, scaled, 1, 10)
    lanes.ones_of_8(ones, 1, 2, 0b1_0110_1001)
    lanes.ones_of_32(ones, 1, 12, 0x1_9000_0005)
    lanes.fetch(small, 1, 3)


@compiled_only
def test_numbers_side_by_side_are_the_same_in_plain_python_and_compiled() -> None:
    luck = np.random.default_rng(1)
    small, large = luck.integers(-9, 9, (2, 80), dtype=np.int8), luck.integers(-900, 900, (2, 80), dtype=np.int16)
    bits, scaled = np.full((3, 80), 5, dtype=np.int8), np.full((3, 19), 5, dtype=np.float32)
    ones = np.full((3, 48), 5, dtype=np.float32)
    of_lanes(small, large, bits, scaled, ones)
    plain_bits, plain_scaled, plain_ones = np.full_like(bits, 5), np.full_like(scaled, 5), np.full_like(ones, 5)
    lanes._spread(plain_bits, 1, 7, lanes._where_equal(small, 1, 5, 3) & ((1 << WORD) - 1))
    lanes._divide_8(small, 1, 9, 2, 10, plain_scaled, 1, 1)
    lanes._divide_8(large, 1, 4, 9, 3, plain_scaled, 1, 10)
    lanes._ones_of_8(plain_ones, 1, 2, 0b1_0110_1001)
    lanes._ones_of_32(plain_ones, 1, 12, 0x1_9000_0005)
    assert ones.tobytes() == plain_ones.tobytes() and ones[1, 2:10].tolist() == [1, 0, 0, 1, 0, 1, 1, 0]
    assert np.flatnonzero(ones[1, 12:44]).tolist() == [0, 2, 28, 31]
    assert bits.tobytes() == plain_bits.tobytes() and scaled.tobytes() == plain_scaled.tobytes()
    assert 0 < (bits[1, 7 : 7 + WORD] == 1).sum() < WORD and (bits[[0, 2]] == 5).all()


@pytest.mark.parametrize("edition", ["germany", "world"])
def test_every_number_of_an_observation_is_written_by_one_table(edition: str) -> None:
    layout = layout_of(load_board(edition), 3)
    tables = telling.telling_of(layout)
    written = np.zeros(layout.size, dtype=int)
    for counts in (tables.small, tables.large):
        written[counts.single[0, :, 2]] += 1
        for _, _, start, count in counts.strip[0].tolist():
            assert count >= telling.LANES
            written[start : start + count] += 1
    written[tables.others[0, :, 3]] += 1
    for (_, _, start, count), within in zip(tables.sets[0].tolist(), tables.within.tolist(), strict=True):
        assert within == (1 << count) - 1
        written[start : start + count] += 1
    named = {feature.name: feature for feature in layout.features}
    for feature in named.values():
        if feature.axes[-1] == "value":
            written[feature.start : feature.stop] += 1
    held = named["tickets_held"]
    unknown = [] if layout.board.tables[0]["backs_differ"] else range(held.start + held.shape[1], held.stop)
    beside = [place for place in unknown if (place - held.start) % held.shape[1]]  # others' tickets: in the first place
    assert (written[beside] == 0).all()
    written[beside] = 1
    assert (written == 1).all()


@pytest.mark.parametrize("seats", [2, 5])
def test_what_is_looked_at_of_a_state_is_fetched_once(seats: int) -> None:
    lines = telling.telling_of(layout_of(load_board("europe"), seats)).ahead // telling.LINE
    assert len(set(lines.tolist())) == len(lines)
    for name in ("question", "luck", "pieces", "tickets_held", "extra"):
        assert STATE.fields[name][1] // telling.LINE in lines
    field, offset = STATE.fields["hand"][:2]
    last_hand = offset + field.itemsize // MAX_SEATS * seats - 1
    assert set(range(offset // telling.LINE, last_hand // telling.LINE + 1)) <= set(lines.tolist())


@compiled_only
def test_a_batch_that_begins_anew_forgets_what_stood_in_its_rows() -> None:
    batch, luck = Batch("berlin", 3, seed=4), np.random.default_rng(4)
    assert batch.observation is not None
    first = batch.observation.copy()
    kept = batch.snapshot()
    for _ in range(50):
        batch.step((luck.random(batch.mask.shape) * batch.mask).argmax(axis=1))
    assert batch.observation.tobytes() != first.tobytes()
    batch.restore(kept)
    assert batch.observation.tobytes() == first.tobytes()
    batch.reset(4)
    assert batch.observation.tobytes() == first.tobytes()
