"""The longest trail of a seat: most spaces in one walk that uses no route twice. Atom END-3.

A longest trail is a heaviest connected set of routes with at most two odd places. Three steps find it:

1. Trees are taken off leaf by leaf. What is left, the *core*, has only places on loops; each keeps the two
   longest branches that hung there, for a trail can begin in one and end in the other.
2. A core whose places are all even, or all but two, is walked whole.
3. Any other core is swept route by route, its *front* being the places with routes done and routes to come.
   For every pattern of the front (which of its places are odd, which are joined by chosen routes) only the most
   spaces is kept, so the work grows with the width of the network, not with the number of its trails, which
   runs into billions on the dense networks that defeat a plain search. (Only a network far denser than any
   seat can build on a published board outgrows the tables; it is searched plainly, which is exact, but slow.)
"""

from __future__ import annotations

from branchline.boards.tables import COUNTRY, BoardTables
from branchline.rules import network
from branchline.rules.kernel import rule
from branchline.rules.state import FRONT, Scratch, State

# A pattern is a number: for each of FRONT slots five bits, label (0: no chosen route yet) and oddness; then two
# bits for the odd places already left behind.
SLOT_BITS = 5
LABEL = 0b1111
ODD = 0b10000
NEW = FRONT + 1  # a label that none has
ENDS = SLOT_BITS * FRONT
SLOTS = (1 << ENDS) - 1


@rule
def longest(board: BoardTables, state: State, scratch: Scratch, seat: int) -> int:
    """END-3: Return the most spaces in one trail of the seat's own routes."""
    network.list_own_routes(board, state, scratch, seat)
    return longest_of_listed(board, scratch)


@rule
def longest_of_listed(board: BoardTables, scratch: Scratch) -> int:
    """END-3: Return the most spaces in one trail of the routes listed in `scratch.own`."""
    lay_lines(board, scratch)
    best = strip_trees(scratch)
    for n in range(scratch.lines):
        if scratch.line_live[n]:
            best = max(best, longest_of_core(scratch, n, best))
    return best


@rule
def keep_longest(board: BoardTables, state: State, scratch: Scratch, seat: int) -> int:
    """END-3: Leave the routes of one longest trail of the seat in `scratch.own`, and return their spaces.

    A route without which the trail is as long is left out, one after the other: what remains is the trail.
    """
    best = longest(board, state, scratch, seat)
    count = scratch.own_count
    kept = 0
    while kept < count:
        route = scratch.own[kept]
        scratch.own[kept] = scratch.own[count - 1]
        scratch.own_count = count - 1
        if longest_of_listed(board, scratch) == best:
            count -= 1
        else:
            scratch.own[kept] = route
            kept += 1
    scratch.own_count = count
    return best


@rule
def lay_lines(board: BoardTables, scratch: Scratch) -> None:
    """Copy the listed routes as lines between points; each entry into a country is a point of its own (TIC-4)."""
    lines = scratch.own_count
    points = board.places
    for point in range(board.places + lines):
        scratch.degree[point] = 0
        scratch.branch[point] = 0
        scratch.second_branch[point] = 0
        scratch.crossed_lines[point] = 0
    for n in range(lines):
        route = scratch.own[n]
        a = board.route_a[route]
        b = board.route_b[route]
        if board.place_kind[a] == COUNTRY:
            a = points
            points += 1
        if board.place_kind[b] == COUNTRY:
            b = points
            points += 1
        scratch.line_a[n] = a
        scratch.line_b[n] = b
        scratch.line_spaces[n] = board.route_length[route]
        scratch.line_live[n] = 1
        scratch.degree[a] += 1
        scratch.degree[b] += 1
        scratch.crossed_lines[a] ^= n
        scratch.crossed_lines[b] ^= n
    scratch.lines = lines
    scratch.points = points


@rule
def strip_trees(scratch: Scratch) -> int:
    """Take leaves off until only loops remain; the longest trail that lies in trees alone.

    `crossed_lines` is the exclusive or of the lines at a point: at a leaf, its one line.
    """
    best = 0
    for point in range(scratch.points):
        leaf = point
        while scratch.degree[leaf] == 1:
            line = scratch.crossed_lines[leaf]
            next_point = scratch.line_b[line] if scratch.line_a[line] == leaf else scratch.line_a[line]
            scratch.line_live[line] = 0
            scratch.degree[leaf] = 0
            scratch.degree[next_point] -= 1
            scratch.crossed_lines[next_point] ^= line
            length = scratch.branch[leaf] + scratch.line_spaces[line]
            best = max(best, scratch.branch[next_point] + length)
            hang(scratch, next_point, length)
            leaf = next_point
    return best


@rule
def hang(scratch: Scratch, point: int, length: int) -> None:
    """Hang a branch of this length at a point; the two longest are remembered."""
    if length > scratch.branch[point]:
        scratch.second_branch[point] = scratch.branch[point]
        scratch.branch[point] = length
    elif length > scratch.second_branch[point]:
        scratch.second_branch[point] = length


@rule
def longest_of_core(scratch: Scratch, first: int, best: int) -> int:
    """Return the longest trail in the core that holds line `first`, if longer than `best`.

    Its lines are no longer live.
    """
    order_lines(scratch, first)
    spaces = 0
    for n in range(scratch.core_lines):
        spaces += scratch.line_spaces[scratch.core[n]]
    odd = 0
    at_odd = 0
    at_even = 0
    first_branch = 0
    next_branch = 0
    for n in range(scratch.core_points):
        point = scratch.point[n]
        first_branch, next_branch = two_longest(first_branch, next_branch, scratch.branch[point])
        first_branch, next_branch = two_longest(first_branch, next_branch, scratch.second_branch[point])
        if scratch.degree[point] % 2 == 1:
            odd += 1
            at_odd += scratch.branch[point]
        else:
            at_even = max(at_even, scratch.branch[point] + scratch.second_branch[point])
    if odd == 0:
        best = max(best, spaces + at_even)
    elif odd == 2:
        best = max(best, spaces + at_odd)
    if spaces + first_branch + next_branch > best:
        swept = sweep(scratch, spaces, first_branch + next_branch, best)
        best = search(scratch, spaces, first_branch + next_branch, best) if scratch.too_wide else swept
    return best


@rule
def two_longest(first: int, second: int, new: int) -> tuple[int, int]:
    """Return the two largest of three numbers, the first two being in order."""
    if new > first:
        return new, first
    return first, max(second, new)


@rule
def order_lines(scratch: Scratch, first: int) -> None:
    """List a core's lines in `scratch.core` so that the front stays narrow, and its points in `scratch.point`.

    Always the point of the front with the fewest lines to come is finished next.
    """
    for point in range(scratch.points):
        scratch.to_come[point] = scratch.degree[point]
        scratch.in_front[point] = 0
    scratch.core_lines = 0
    scratch.core_points = 0
    add_point(scratch, scratch.line_a[first])
    while True:
        nearest = -1
        for n in range(scratch.core_points):
            point = scratch.point[n]
            if scratch.to_come[point] > 0 and (nearest < 0 or scratch.to_come[point] < scratch.to_come[nearest]):
                nearest = point
        if nearest < 0:
            return
        for n in range(scratch.lines):
            if scratch.line_live[n] and (scratch.line_a[n] == nearest or scratch.line_b[n] == nearest):
                scratch.line_live[n] = 0
                scratch.core[scratch.core_lines] = n
                scratch.core_lines += 1
                scratch.to_come[scratch.line_a[n]] -= 1
                scratch.to_come[scratch.line_b[n]] -= 1
                add_point(scratch, scratch.line_a[n])
                add_point(scratch, scratch.line_b[n])


@rule
def add_point(scratch: Scratch, point: int) -> None:
    """List a point of the core once."""
    if not scratch.in_front[point]:
        scratch.in_front[point] = 1
        scratch.point[scratch.core_points] = point
        scratch.core_points += 1


# ------------------------------------------------------------------------------------------------ the sweep


@rule
def sweep(scratch: Scratch, spaces: int, branches: int, best: int) -> int:
    """Step 3: the longest trail of the ordered core, if longer than `best`; otherwise `best`.

    `branches` is the most that branches can add. A pattern is dropped when even with all routes to come it
    would not beat the best.
    """
    for n in range(scratch.core_points):
        scratch.slot[scratch.point[n]] = -1
        scratch.to_come[scratch.point[n]] = scratch.degree[scratch.point[n]]
    scratch.slots_used = 0
    scratch.too_wide = 0
    scratch.best = best
    table = 0
    clear_table(scratch, 0)
    clear_table(scratch, 1)
    keep_pattern(scratch, table, 0, 0)
    to_come = spaces
    for n in range(scratch.core_lines):
        line = scratch.core[n]
        to_come -= scratch.line_spaces[line]
        enter(scratch, scratch.line_a[line])
        enter(scratch, scratch.line_b[line])
        if scratch.too_wide:
            return best
        table = take_or_leave(scratch, table, line, to_come + branches)
        table = finish_point(scratch, table, scratch.line_a[line], to_come + branches)
        table = finish_point(scratch, table, scratch.line_b[line], to_come + branches)
    return scratch.best


@rule
def enter(scratch: Scratch, point: int) -> None:
    """Give a point a slot of the front."""
    if scratch.slot[point] < 0:
        slot = 0
        while (scratch.slots_used >> slot) & 1:
            slot += 1
        if slot == FRONT:
            scratch.too_wide = 1
            slot = 0
        scratch.slots_used |= 1 << slot
        scratch.slot[point] = slot


@rule
def take_or_leave(scratch: Scratch, table: int, line: int, to_come: int) -> int:
    """Continue every pattern twice, with the line and without it, and return the table with the new patterns."""
    a = SLOT_BITS * scratch.slot[scratch.line_a[line]]
    b = SLOT_BITS * scratch.slot[scratch.line_b[line]]
    spaces = scratch.line_spaces[line]
    for n in range(scratch.patterns[table]):
        entry = scratch.entry[table, n]
        pattern = scratch.key[table, entry] - 1
        length = scratch.length[table, entry]
        if length + to_come > scratch.best:
            keep_pattern(scratch, 1 - table, pattern, length)
        if length + spaces + to_come > scratch.best:
            keep_pattern(scratch, 1 - table, with_line(pattern, a, b), length + spaces)
    clear_table(scratch, table)
    return 1 - table


@rule
def with_line(pattern: int, a: int, b: int) -> int:
    """Return a pattern with one more line, between the slots that begin at bits `a` and `b`."""
    at_a = (pattern >> a) & LABEL
    at_b = (pattern >> b) & LABEL
    pattern ^= (ODD << a) | (ODD << b)
    if at_a == 0 and at_b == 0:
        return pattern | (NEW << a) | (NEW << b)
    if at_a == 0:
        return pattern | (at_b << a)
    if at_b == 0:
        return pattern | (at_a << b)
    return relabelled(pattern, at_b, at_a)


@rule
def relabelled(pattern: int, old: int, new: int) -> int:
    """Return a pattern in which one label is replaced by another."""
    rest = pattern & SLOTS
    at = 0
    while rest != 0:
        if rest & LABEL == old:
            pattern ^= (old ^ new) << at
        rest >>= SLOT_BITS
        at += SLOT_BITS
    return pattern


@rule
def finish_point(scratch: Scratch, table: int, point: int, to_come: int) -> int:
    """Take a point whose lines are all done off the front, with its branches, and return the new table."""
    scratch.to_come[point] -= 1
    if scratch.to_come[point] > 0:
        return table
    slot = SLOT_BITS * scratch.slot[point]
    scratch.slots_used &= ~(1 << scratch.slot[point])
    for n in range(scratch.patterns[table]):
        entry = scratch.entry[table, n]
        leave(scratch, 1 - table, scratch.key[table, entry] - 1, scratch.length[table, entry], point, slot, to_come)
    clear_table(scratch, table)
    return 1 - table


@rule
def leave(scratch: Scratch, table: int, pattern: int, length: int, point: int, slot: int, to_come: int) -> None:
    """Let a point leave the front of one pattern: 0, 1 or 2 of its branches are taken, each one an end."""
    label = (pattern >> slot) & LABEL
    odd = (pattern >> (slot + SLOT_BITS - 1)) & 1
    ends = pattern >> ENDS
    rest = pattern & ~((LABEL | ODD) << slot) & SLOTS
    for taken in range(3):
        if taken > 0:
            branch = scratch.branch[point] if taken == 1 else scratch.second_branch[point]
            if branch == 0:
                return
            length += branch
            ends += 1
            odd = 1 - odd
            if label == 0:
                label = NEW
        if ends + odd > 2:
            continue
        if label == 0 or holds_label(rest, label):
            if length + to_come > scratch.best:
                keep_pattern(scratch, table, rest | ((ends + odd) << ENDS), length)
        elif holds_nothing(rest):
            scratch.best = max(scratch.best, length)


@rule
def holds_label(pattern: int, label: int) -> bool:
    """Return whether some slot has this label."""
    while pattern != 0:
        if pattern & LABEL == label:
            return True
        pattern >>= SLOT_BITS
    return False


@rule
def holds_nothing(pattern: int) -> bool:
    """Return whether no slot has a label."""
    while pattern != 0:
        if pattern & LABEL != 0:
            return False
        pattern >>= SLOT_BITS
    return True


@rule
def regular(pattern: int) -> int:
    """Return the same pattern with labels 1, 2, … in the order of the slots, so that equal ones compare equal."""
    renamed = pattern & ~SLOTS
    rest = pattern & SLOTS
    names = 0  # four bits for each old label: its new one
    count = 0
    at = 0
    while rest != 0:
        label = rest & LABEL
        if label != 0:
            if (names >> (4 * label)) & LABEL == 0:
                count += 1
                names |= count << (4 * label)
            renamed |= ((names >> (4 * label)) & LABEL) << at
        renamed |= (rest & ODD) << at
        rest >>= SLOT_BITS
        at += SLOT_BITS
    return renamed


# --------------------------------------------------------------------------------- the two tables of patterns


@rule
def clear_table(scratch: Scratch, table: int) -> None:
    """Forget all patterns of a table."""
    for n in range(scratch.patterns[table]):
        scratch.key[table, scratch.entry[table, n]] = 0
    scratch.patterns[table] = 0


@rule
def keep_pattern(scratch: Scratch, table: int, pattern: int, length: int) -> None:
    """Note a pattern with its most spaces so far (a hash table; keys are stored plus one, 0 being empty)."""
    room = scratch.key.shape[1]
    key = regular(pattern) + 1
    place = (key ^ (key >> 17) ^ (key >> 31) * 5 ^ (key >> 44) * 11) % room
    while scratch.key[table, place] != 0:
        if scratch.key[table, place] == key:
            scratch.length[table, place] = max(scratch.length[table, place], length)
            return
        place = (place + 1) % room
    if scratch.patterns[table] >= room // 2:
        scratch.too_wide = 1
        return
    scratch.key[table, place] = key
    scratch.length[table, place] = length
    scratch.entry[table, scratch.patterns[table]] = place
    scratch.patterns[table] += 1


# ------------------------------------------------------------------------------------------- the plain search


@rule
def search(scratch: Scratch, spaces: int, branches: int, best: int) -> int:
    """Return the longest trail of the ordered core by trying all, if longer than `best`; otherwise `best`."""
    for n in range(scratch.core_points):
        start = scratch.point[n]
        for line in range(scratch.core_lines):
            scratch.used[scratch.core[line]] = 0
        depth = 0
        length = scratch.branch[start]
        scratch.at[0] = start
        scratch.next_way[0] = 0
        while depth >= 0:
            here = scratch.at[depth]
            line = next_line(scratch, here, scratch.next_way[depth])
            if line < 0:
                depth -= 1
                if depth >= 0:
                    last = scratch.core[scratch.next_way[depth] - 1]
                    scratch.used[last] = 0
                    length -= scratch.line_spaces[last]
                continue
            scratch.next_way[depth] = line + 1
            line = scratch.core[line]
            there = scratch.line_b[line] if scratch.line_a[line] == here else scratch.line_a[line]
            scratch.used[line] = 1
            length += scratch.line_spaces[line]
            best = max(best, length + (scratch.second_branch[there] if there == start else scratch.branch[there]))
            if best >= spaces + branches:
                return best
            depth += 1
            scratch.at[depth] = there
            scratch.next_way[depth] = 0
    return best


@rule
def next_line(scratch: Scratch, point: int, first: int) -> int:
    """Return the next unused line at a point, as a place in `scratch.core` from `first` on; -1 if there is none."""
    for n in range(first, scratch.core_lines):
        line = scratch.core[n]
        if not scratch.used[line] and (scratch.line_a[line] == point or scratch.line_b[line] == point):
            return n
    return -1
