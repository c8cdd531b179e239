"""END-3 on dense networks: the sweep and the plain search it falls back on give the same answer."""

import pytest

import table
from branchline.arena.dense_networks import dense_network, laid_out
from branchline.rules import trail


def branches(scratch):
    lengths = [scratch.branch[scratch.point[n]] for n in range(scratch.core_points)]
    lengths += [scratch.second_branch[scratch.point[n]] for n in range(scratch.core_points)]
    return sum(sorted(lengths)[-2:])


@pytest.mark.parametrize("seed", range(12))
def test_END_3_sweep_and_plain_search_agree(seed):
    board = table.board("europe")
    tables, state, scratch = laid_out(board, dense_network(board, 22, seed))
    whole = trail.longest(tables, state, scratch, 0)
    trail.lay_lines(tables, scratch)
    best = trail.strip_trees(scratch)
    live = [n for n in range(scratch.lines) if scratch.line_live[n]]
    while live:
        trail.order_lines(scratch, live[0])
        spaces = sum(scratch.line_spaces[scratch.core[n]] for n in range(scratch.core_lines))
        best = max(best, trail.search(scratch, spaces, branches(scratch), 0))
        live = [n for n in range(scratch.lines) if scratch.line_live[n]]
    assert best == whole


@pytest.mark.parametrize("seed", range(12))
def test_END_3_no_network_of_45_trains_outgrows_the_sweep(seed):
    board = table.board("europe")
    tables, state, scratch = laid_out(board, dense_network(board, 45, seed))
    assert 0 < trail.longest(tables, state, scratch, 0) <= 45
    assert not scratch.too_wide
