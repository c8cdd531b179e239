"""What the seat that is asked knows, written straight from the state into a row that is kept from step to step.

`encoding.observe` redacts a state first and writes all of the observation. That is the definition; this is the way for
batches, several times as quick, and tests hold its bytes against the other's. Three things make it quick. It reads only
what `knowledge.redact` would show to that seat, so nothing is copied. Owners are found by the sets of what is taken.
And of the row before only the ones are taken out again: the places where they stand are kept in a list.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from branchline.atlas.tables import WORD
from branchline.envs.layout import AT, COUNT, HOW, LOW, ONE_HOT, SIZE, START, WIDE, Feature, Layout
from branchline.rules.kernel import rule
from branchline.rules.sets import lowest
from branchline.rules.state import CLOSED, HIDDEN, LEFT_GAME, STATE

OPEN, NOTHING, SUM, SECRET = range(4)
"""How a count is known: as it is; not at all, it is 0; both ticket decks together, as their backs look alike; a fleet,
which is hidden until all have chosen."""

ROW_UNKNOWN = -1  # instead of a number of ones: what stands in the row is not known, so all of it is cleared

STATE_BYTES = STATE.itemsize

Numbers = npt.NDArray[Any]


class Telling(NamedTuple):
    """Tables for writing, of each seat that is asked: `small` of numbers of one byte, `large` of those of two."""

    small: Numbers  # (seats, counts, 3): where in the state, the least, where in the row
    small_share: Numbers  # (counts,): by which a count is multiplied, 1 / its scale
    large: Numbers
    large_share: Numbers
    others: Numbers  # (seats, counts, 4): how it is known, see `OPEN`; then as above
    others_share: Numbers
    choices: Numbers  # (seats, choices, 5): the bytes it has; where; the least; how many there may be; where in the row
    starts: Numbers  # (6,): where these begin in the row: first seat, seat, route, station and port owners, tickets
    most: int  # ones that a row can hold, at most


_OWNED = ("first_seat", "seat", "route_owner", "station_owner", "port_owner", "ticket_at")


@functools.lru_cache(maxsize=64)
def telling_of(layout: Layout) -> Telling:
    """The tables for a layout."""
    small, large, others, choices = ([[] for _ in range(layout.seats)] for _ in range(4))  # type: ignore[var-annotated]
    for feature in layout.features:
        for me in range(layout.seats):
            for cell in _cells_of(feature, layout.cells[me]):
                if cell[HOW] == ONE_HOT:
                    choices[me].append([cell[WIDE], cell[AT], cell[LOW], cell[SIZE], cell[START]])
                elif cell[HOW] == COUNT:
                    how, at = _known(layout, feature, cell)
                    if how == OPEN:
                        (small if cell[WIDE] == 1 else large)[me].append([cell[SIZE], at, cell[LOW], cell[START]])
                    elif how != NOTHING:
                        others[me].append([cell[SIZE], how, at, cell[LOW], cell[START]])
    starts = {one.name: one.start for one in layout.features}
    row, ones = layout.board.tables[0], np.array(choices, dtype=np.int32)
    most = 2 + ones.shape[1] + int(row["routes"]) + 2 * int(row["places"]) + int(row["tickets"])
    begins = np.array([starts.get(name, 0) for name in _OWNED], dtype=np.int32)
    return Telling(*_counts(small, 3), *_counts(large, 3), *_counts(others, 4), ones, begins, most)


def _cells_of(feature: Feature, cells: Numbers) -> list[list[int]]:
    return [one for one in cells.tolist() if feature.start <= one[START] < feature.stop]


def _known(layout: Layout, feature: Feature, cell: list[int]) -> tuple[int, int]:
    """How the seat that is asked knows a count, and where it stands in the state. Compare `rules.knowledge`."""
    at = cell[AT]
    other, column = divmod(cell[START] - feature.start, feature.shape[-1])
    if feature.axes[0] != "seat" or other == 0:
        return OPEN, at
    if feature.name == "hand":
        return OPEN, at + (STATE.fields["seen"][1] - STATE.fields["hand"][1]) // cell[WIDE]  # type: ignore[index]
    if feature.name == "tickets_held" and not layout.board.tables[0]["backs_differ"]:
        return (SUM if column == 0 else NOTHING), at
    return (SECRET if feature.name == "fleet" else OPEN), at


def _counts(rows: list[list[list[int]]], columns: int) -> tuple[Numbers, Numbers]:
    """The rows of all seats, and by what each count is multiplied."""
    whole = np.array(rows, dtype=np.int32).reshape(len(rows), -1, columns + 1)
    return np.ascontiguousarray(whole[:, :, 1:]), 1.0 / whole[0, :, 0]


@rule
def tell(
    board: Any, states: Any, small: Any, large: Any, seats: int, tables: Any, ones: Any, rows: Any, first: int, end: int
) -> None:  # fmt: skip
    """Write what the seats that are asked know of games that are not over into their rows, from `first` up to `end`.

    `small`, `large`: the numbers of all states, of one byte and of two. `ones`: the places of the ones in each row, the
    first number being how many there are. Arrays are handed over for several games at once, as that takes its time.
    """
    sweep(ones, rows, first, end)
    tell_counts(states, small, large, tables, rows, first, end)
    tell_choices(states, small, large, tables, ones, rows, first, end)
    tell_owners(board, states, seats, tables.starts, ones, rows, first, end)
    tell_tickets(board, states, tables.starts, ones, rows, first, end)


@rule
def sweep(ones: Any, rows: Any, first: int, end: int) -> None:
    """Take the ones out of rows again; all of a row, where they are not known."""
    for n in range(first, end):
        if ones[n, 0] == ROW_UNKNOWN:
            for at in range(rows.shape[1]):
                rows[n, at] = 0
        for k in range(1, ones[n, 0] + 1):
            rows[n, ones[n, k]] = 0
        ones[n, 0] = 0


@rule
def tell_counts(states: Any, small: Any, large: Any, tables: Any, rows: Any, first: int, end: int) -> None:
    """What is divided by a scale. To multiply by its inverse gives the same number of the type float32."""
    bytewise, share = tables.small, tables.small_share
    wide, wide_share = tables.large, tables.large_share
    others, others_share = tables.others, tables.others_share
    for n in range(first, end):
        me, setting_up = states[n].seat, states[n].setting_up
        begin = n * STATE_BYTES
        for k in range(len(share)):
            number = int(small[begin + bytewise[me, k, 0]]) - bytewise[me, k, 1]
            rows[n, bytewise[me, k, 2]] = number * share[k]
        for k in range(len(others_share)):
            at = others[me, k, 1]
            number = int(small[begin + at])
            if others[me, k, 0] == SUM:
                number = int(large[begin // 2 + at]) + int(large[begin // 2 + at + 1])
            elif setting_up and number >= 0:
                number = HIDDEN
            rows[n, others[me, k, 3]] = (number - others[me, k, 2]) * others_share[k]
        begin //= 2
        for k in range(len(wide_share)):
            number = int(large[begin + wide[me, k, 0]]) - wide[me, k, 1]
            rows[n, wide[me, k, 2]] = number * wide_share[k]


@rule
def tell_choices(states: Any, small: Any, large: Any, tables: Any, ones: Any, rows: Any, first: int, end: int) -> None:
    """One of several, as a 1 at its place."""
    choices = tables.choices
    for n in range(first, end):
        me, found, begin = states[n].seat, ones[n, 0], n * STATE_BYTES
        for k in range(choices.shape[1]):
            at = choices[me, k, 1]
            number = int(small[begin + at]) if choices[me, k, 0] == 1 else int(large[begin // 2 + at])
            number -= choices[me, k, 2]
            if 0 <= number < choices[me, k, 3]:
                found += 1
                ones[n, found] = choices[me, k, 4] + number
                rows[n, ones[n, found]] = 1
        ones[n, 0] = found


@rule
def tell_owners(board: Any, states: Any, seats: int, starts: Any, ones: Any, rows: Any, first: int, end: int) -> None:
    """Whose things are, seats counted from the one that is asked."""
    for n in range(first, end):
        me, found = states[n].seat, ones[n, 0] + 2
        ones[n, found - 1] = starts[0] + seen_from(me, states[n].first_seat, seats)
        ones[n, found] = starts[1]
        for word in range(board.route_words):
            taken = board.all_routes[word] & ~states[n].free[word]
            while taken != 0:
                route = word * WORD + lowest(taken)
                taken &= taken - 1
                owner = states[n].route_owner[route]
                found += 1
                whose = seats if owner == CLOSED else seen_from(me, owner, seats)
                ones[n, found] = starts[2] + route * (seats + 1) + whose
        if board.stations:
            found = tell_built(
                board.place_words, board.cities, states[n].station_free, states[n].station_owner, me, seats, starts[3],
                ones, n, found,
            )  # fmt: skip
        if board.ports:
            found = tell_built(
                board.place_words, board.port_cities, states[n].port_free, states[n].port_owner, me, seats, starts[4],
                ones, n, found,
            )  # fmt: skip
        for k in range(ones[n, 0] + 1, found + 1):
            rows[n, ones[n, k]] = 1
        ones[n, 0] = found


@rule
def tell_built(
    words: int, places: Any, free: Any, owner: Any, me: int, seats: int, start: int, ones: Any, n: int, found: int
) -> int:  # fmt: skip
    """Note whose stations or ports stand in these places; how many ones are found by then."""
    for word in range(words):
        taken = places[word] & ~free[word]
        while taken != 0:
            place = word * WORD + lowest(taken)
            taken &= taken - 1
            found += 1
            ones[n, found] = start + place * seats + seen_from(me, owner[place], seats)
    return found


@rule
def seen_from(me: int, seat: int, seats: int) -> int:
    """A seat counted from this one."""
    return seat - me + (seats if seat < me else 0)


@rule
def tell_tickets(board: Any, states: Any, starts: Any, ones: Any, rows: Any, first: int, end: int) -> None:
    """Which tickets the seat holds and which it has put out of the game."""
    for n in range(first, end):
        me, found = states[n].seat, ones[n, 0]
        for ticket in range(board.tickets):
            at = states[n].ticket_at[ticket]
            if at == me or at == LEFT_GAME - me:
                found += 1
                ones[n, found] = starts[5] + 2 * ticket + (0 if at == me else 1)
                rows[n, ones[n, found]] = 1
        ones[n, 0] = found
