"""What a seat knows, written from a state into a row, which for many games is kept from step to step.

It reads only what `knowledge.redact` would show to that seat, so nothing is copied. Whose things are is found by
comparing sixty bytes at once, and of these sets, as of the choices, only what differs from the row before is written.

The seat must be the one that is asked, or the game must be over, or the state is redacted for that seat already, as
`encoding.observe` has it: a payment hides more of the others. Tests hold the bytes against what the table of cells of
`envs.layout` says.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from branchline.boards.limits import MAX_SEATS
from branchline.boards.tables import WORD
from branchline.envs.layout import AT, COUNT, HOW, LOW, ONE_HOT, OWNER, SIZE, START, STEP, WIDE, Feature, Layout
from branchline.rules import kernel
from branchline.rules.kernel import rule
from branchline.rules.lanes import divide_8, fetch, ones_of_8, ones_of_32, where_equal
from branchline.rules.state import CLOSED, HIDDEN, LEFT_GAME, STATE, State
from branchline.runtime.structs import Buffer, Matrix, RealMatrix

OPEN, NOTHING, SUM, SECRET = range(4)
"""How a count is known: as it is; not at all, it is 0; both ticket decks together, as their backs look alike; a fleet,
which is hidden until all have chosen."""

LANES = 8  # counts that stand side by side, in the state and in the row, are written so many at once

LINE = 64  # bytes that the processor fetches from memory at once

_WATCHED = (
    "seats", "question", "luck", "deck_size", "discards", "market", "hand", "seen", "hand_size", "free", "barred",
    "pieces", "route_points", "ticket_count", "offer_size", "tickets_held", "station_free", "stations_built",
    "paying_for", "laid", "extra",
)  # fmt: skip

SETTING_UP = STATE.fields["setting_up"][1]  # type: ignore[index]

Numbers = npt.NDArray[Any]


class Counts(NamedTuple):
    """Numbers of one breadth that are divided by a scale: one by one, and `LANES` or more side by side."""

    single: Numbers  # (seats, counts, 3): where in the state, what is added, where in the row
    single_share: Numbers  # (counts,): 1 / its scale
    strip: Numbers  # (seats, strips, 4): the same of the first of several, and how many they are
    strip_scale: Numbers  # (strips,)


class Telling(NamedTuple):
    """Tables for writing, of each seat that observes: `small` of numbers of one byte, `large` of those of two."""

    small: Counts
    large: Counts
    others: Numbers  # (seats, counts, 4): how it is known, see `OPEN`; then as in `Counts`
    others_share: Numbers
    small_choices: Numbers  # (seats, choices, 2): where in the state; where in the row if the number there is 0
    large_choices: Numbers
    sets: Numbers  # (seats, sets, 4): the first byte in the state; what it must be; where in the row; of how many
    within: Numbers  # (sets,): the bytes that count, as bits
    first: Numbers  # (choices,): a place in the row for each choice, small ones first
    ahead: Numbers  # (lines,): bytes of a state, `LINE` apart, that are looked at in nearly every step


class Rows(NamedTuple):
    """Observations, and what is known to stand in them."""

    numbers: Numbers  # float32 (rows, layout.size)
    told: Numbers  # (rows, sets): the sets
    stood: Numbers  # (rows, choices): where the ones of the choices stand


def rows_of(layout: Layout, count: int) -> Rows:
    """Return room for `count` observations."""
    tables = telling_of(layout)
    rows = Rows(
        kernel.new_array((count, layout.size), np.float32),
        kernel.new_array((count, len(tables.within)), np.int64),
        kernel.new_array((count, len(tables.first)), np.uint32),
    )
    empty(layout, rows)
    return rows


def numbers_of(states: Buffer[State]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
    """Return the bytes of states, and their numbers of two bytes."""
    plain = states.view(np.ndarray)
    return plain.view(np.int8), plain.view(np.int16)


def rows_in(states: Buffer[State]) -> tuple[Numbers, Numbers]:
    """Return the numbers of states, of one byte and of two, a row for each."""
    small, large = numbers_of(states)
    return small.reshape(len(states), -1), large.reshape(len(states), -1)


def empty(layout: Layout, rows: Rows) -> None:
    """Clear the rows, except for a one for each choice."""
    first = telling_of(layout).first
    rows.numbers[:], rows.told[:], rows.stood[:] = 0, 0, first
    rows.numbers[:, first] = 1


@functools.lru_cache(maxsize=64)
def telling_of(layout: Layout) -> Telling:
    """Return the tables for a layout."""
    empty_lists: Any = [[[] for _ in range(layout.seats)] for _ in range(5)]
    small, large, others, small_choices, large_choices = empty_lists
    for feature in layout.features:
        for me in range(layout.seats):
            for cell in _cells_of(feature, layout.cells[me]):
                if cell[HOW] == ONE_HOT:
                    to = small_choices if cell[WIDE] == 1 else large_choices
                    to[me].append([cell[AT], cell[START] - cell[LOW]])
                elif cell[HOW] == COUNT:
                    how, at = _known(layout, feature, cell)
                    if how == OPEN:
                        (small if cell[WIDE] == 1 else large)[me].append([cell[SIZE], at, -cell[LOW], cell[START]])
                    elif how != NOTHING:
                        others[me].append([cell[SIZE], how, at, -cell[LOW], cell[START]])
    sets = [_sets(layout, me) for me in range(layout.seats)]
    tables = Telling(
        _counts(small),
        _counts(large),
        *_shares(others, 4),
        _table(small_choices, 2),
        _table(large_choices, 2),
        _table(sets, 4, np.int32),
        np.array([(1 << entry[3]) - 1 for entry in sets[0]], dtype=np.int64),
        np.concatenate([_starts(layout, wide) for wide in (1, 2)]),
        _lines_ahead(layout),
    )
    for table in (*tables.small, *tables.large, *tables[2:]):
        kernel.unchanging(table)
    return tables


def _cells_of(feature: Feature, cells: Numbers) -> list[list[int]]:
    return [cell for cell in cells.tolist() if feature.start <= cell[START] < feature.stop]


def _lines_ahead(layout: Layout) -> Numbers:
    """Return bytes of a state, `LINE` apart, around which rules or observations look in nearly every step."""
    lines: set[int] = set()
    for name in _WATCHED:
        field, offset = STATE.fields[name][:2]  # type: ignore[index]
        used = field.itemsize if field.shape[:1] != (MAX_SEATS,) else field.itemsize // MAX_SEATS * layout.seats
        lines.update(range(offset // LINE, (offset + used - 1) // LINE + 1))
    return np.array(sorted(lines), dtype=np.int64) * LINE


def _starts(layout: Layout, wide: int) -> Numbers:
    """Return where the choices of this breadth begin in the row."""
    cells = layout.cells[0]
    starts: Numbers = cells[(cells[:, HOW] == ONE_HOT) & (cells[:, WIDE] == wide), START].astype(np.uint32)
    return starts


def _known(layout: Layout, feature: Feature, cell: list[int]) -> tuple[int, int]:
    """Return how the seat that is asked knows a count, and where it stands in the state. Compare `rules.knowledge`."""
    at = cell[AT]
    other, column = divmod(cell[START] - feature.start, feature.shape[-1])
    if feature.axes[0] != "seat" or other == 0:
        return OPEN, at
    if feature.name == "hand":
        return OPEN, at + (STATE.fields["seen"][1] - STATE.fields["hand"][1]) // cell[WIDE]  # type: ignore[index]
    if feature.name == "tickets_held" and not layout.board.tables[0]["backs_differ"]:
        return (SUM if column == 0 else NOTHING), at
    return (SECRET if feature.name == "fleet" else OPEN), at


def _sets(layout: Layout, me: int) -> list[list[int]]:
    """Return the sets that a seat sees: where they are in the state, of what, where in the row, of how many."""
    sets = []
    for feature in layout.features:
        cells = _cells_of(feature, layout.cells[me])
        if cells[0][HOW] in (COUNT, ONE_HOT):
            continue
        values = [(me + other) % layout.seats for other in range(layout.seats)]
        if cells[0][HOW] == OWNER:
            values += [CLOSED] * (cells[0][SIZE] - layout.seats)
        else:
            values = [me, LEFT_GAME - me]
        for first in range(0, len(cells), WORD):
            count = min(WORD, len(cells) - first)
            for which, value in enumerate(values):
                start = cells[first][START] + which * cells[0][STEP]
                sets.append([cells[0][AT] + first, value, start, count])
    return sets


def _counts(rows: list[list[list[int]]]) -> Counts:
    """Return counts, with those that stand side by side taken together."""
    strips: list[list[list[int]]] = [[] for _ in rows]
    single: list[list[list[int]]] = [[] for _ in rows]
    begin = 0
    while begin < len(rows[0]):
        end = begin + 1
        while end < len(rows[0]) and all(_side_by_side(*mine[end - 1 : end + 1]) for mine in rows):
            end += 1
        for mine, together, alone in zip(rows, strips, single, strict=True):
            if end - begin < LANES:
                alone += mine[begin:end]
            else:
                together.append([*mine[begin], end - begin])
        begin = end
    strip = _table(strips, 5)
    return Counts(*_shares(single, 3), np.ascontiguousarray(strip[:, :, 1:]), strip[0, :, 0].astype(np.float32))


def _side_by_side(first: list[int], other: list[int]) -> bool:
    size, at, plus, start = first
    return other == [size, at + 1, plus, start + 1]


def _shares(rows: list[list[list[int]]], columns: int) -> tuple[Numbers, Numbers]:
    """Return the rows of all seats, and the factor of each count."""
    whole = _table(rows, columns + 1)
    return np.ascontiguousarray(whole[:, :, 1:]), 1.0 / whole[0, :, 0]


def _table(rows: list[list[list[int]]], columns: int, dtype: npt.DTypeLike = np.uint32) -> Numbers:
    """Return the rows of all seats as an array, unsigned where it is for indices: they need no check then."""
    return np.array(rows, dtype=dtype).reshape(len(rows), -1, columns)


@rule
def tell(small: Matrix, large: Matrix, n: int, me: int, tables: Telling, rows: Rows, row: int) -> None:
    """Write what a seat knows of the n-th game into a row.

    `small`, `large`: the numbers of all states, of one byte and of two, a row for each.
    """
    tell_counts(small, n, tables.small, me, rows.numbers, row)
    tell_counts(large, n, tables.large, me, rows.numbers, row)
    tell_others(small, large, n, tables.others, tables.others_share, me, rows.numbers, row)
    tell_choices(small, n, tables.small_choices, 0, me, rows, row)
    tell_choices(large, n, tables.large_choices, tables.small_choices.shape[1], me, rows, row)
    tell_sets(small, n, tables.sets, tables.within, me, rows, row)


@rule
def fetch_state(small: Matrix, n: int, tables: Telling) -> None:
    """Fetch what the next step of the n-th game looks at from memory."""
    for k in range(len(tables.ahead)):
        fetch(small, n, tables.ahead[k])


@rule
def tell_counts(numbers: Matrix, n: int, counts: Counts, me: int, out: RealMatrix, row: int) -> None:
    """Write what is divided by a scale."""
    single = counts.single
    for k in range(len(counts.strip_scale)):
        write_strip(numbers, n, counts.strip, counts.strip_scale[k], me, k, out, row)
    for k in range(len(counts.single_share)):  # as float32 the same number as if it were divided
        number = np.int64(numbers[n, single[me, k, 0]]) + single[me, k, 1]
        out[row, single[me, k, 2]] = number * counts.single_share[k]


@rule
def write_strip(
    numbers: Matrix, n: int, strip: Numbers, scale: float, me: int, k: int, out: RealMatrix, row: int
) -> None:
    """Write counts side by side, `LANES` at a time; the last of them repeat some before."""
    at, plus, start, count = strip[me, k, 0], strip[me, k, 1], strip[me, k, 2], strip[me, k, 3]
    for first in range(0, count - LANES, LANES):
        divide_8(numbers, n, at + first, plus, scale, out, row, start + first)
    divide_8(numbers, n, at + count - LANES, plus, scale, out, row, start + count - LANES)


@rule
def tell_others(
    small: Matrix, large: Matrix, n: int, others: Numbers, share: Numbers, me: int, out: RealMatrix, row: int
) -> None:
    """Write counts of other seats that are known in part."""
    for k in range(len(share)):
        at = others[me, k, 1]
        number = np.int64(small[n, at])
        if others[me, k, 0] == SUM:
            number = np.int64(large[n, at]) + np.int64(large[n, at + 1])
        elif small[n, SETTING_UP] and number >= 0:
            number = np.int64(HIDDEN)
        out[row, others[me, k, 3]] = (number + others[me, k, 2]) * share[k]


@rule
def tell_choices(numbers: Matrix, n: int, choices: Numbers, first: int, me: int, rows: Rows, row: int) -> None:
    """Write one of several, as a 1 at its place; `first`: of these choices among all."""
    for k in range(choices.shape[1]):
        at = np.uint32(choices[me, k, 1] + np.int64(numbers[n, choices[me, k, 0]]))
        if at != rows.stood[row, first + k]:
            rows.numbers[row, rows.stood[row, first + k]] = 0
            rows.numbers[row, at] = 1
            rows.stood[row, first + k] = at


@rule
def tell_sets(small: Matrix, n: int, sets: Numbers, within: Numbers, me: int, rows: Rows, row: int) -> None:
    """Write whose things are, and where tickets are: ones for what is in a set, each at its place."""
    for k in range(len(within)):
        members = where_equal(small, n, sets[me, k, 0], sets[me, k, 1]) & int(within[k])
        if members != rows.told[row, k]:
            rows.told[row, k] = members
            write_set(rows.numbers, row, int(sets[me, k, 2]), members, int(sets[me, k, 3]))


@rule
def write_set(out: RealMatrix, row: int, start: int, members: int, count: int) -> None:
    """Write `count` things as ones and zeros, side by side: many at once, the last of them with some before again."""
    if count >= 32:
        ones_of_32(out, row, start, members)
        ones_of_32(out, row, start + count - 32, members >> (count - 32))
    elif count >= 8:
        for first in range(0, count - 8, 8):
            ones_of_8(out, row, start + first, members >> first)
        ones_of_8(out, row, start + count - 8, members >> (count - 8))
    else:
        for n in range(count):
            out[row, start + n] = (members >> n) & 1
