"""END-3 on clumpy networks: the sweep and the plain search it falls back on give the same answer."""

import pytest

import table
from branchline.arena.clumps import clump, laid_out
from branchline.rules import trail


def branches(slate):
    lengths = [slate.branch[slate.point[n]] for n in range(slate.core_points)]
    lengths += [slate.second_branch[slate.point[n]] for n in range(slate.core_points)]
    return sum(sorted(lengths)[-2:])


@pytest.mark.parametrize("seed", range(12))
def test_END_3_sweep_and_plain_search_agree(seed):
    board = table.board("europe")
    tables, state, slate = laid_out(board, clump(board, 22, seed))
    whole = trail.longest(tables, state, slate, 0)
    trail.list_routes(tables, state, slate, 0)
    best = trail.strip_trees(slate)
    live = [n for n in range(slate.lines) if slate.line_live[n]]
    while live:
        trail.order_lines(slate, live[0])
        spaces = sum(slate.line_spaces[slate.core[n]] for n in range(slate.core_lines))
        best = max(best, trail.search(slate, spaces, branches(slate), 0))
        live = [n for n in range(slate.lines) if slate.line_live[n]]
    assert best == whole


@pytest.mark.parametrize("seed", range(12))
def test_END_3_no_network_of_45_trains_outgrows_the_sweep(seed):
    board = table.board("europe")
    tables, state, slate = laid_out(board, clump(board, 45, seed))
    assert 0 < trail.longest(tables, state, slate, 0) <= 45
    assert not slate.too_wide
