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


@pytest.mark.parametrize("edition", ["europe", "world"])
@pytest.mark.parametrize("seed", range(4))
def test_END_3_the_routes_that_are_kept_of_a_network_are_one_longest_trail(edition, seed):
    board = table.board(edition)
    tables, state, scratch = laid_out(board, dense_network(board, 25, seed))
    spaces = trail.keep_longest(tables, state, scratch, 0)
    kept = [board.routes[scratch.own[n]] for n in range(scratch.own_count)]
    assert spaces == trail.longest(tables, state, scratch, 0) == sum(route.length for route in kept)
    assert len(set(kept)) == len(kept) and all(state.route_owner[route.index] == 0 for route in kept)
    ends = [end for route in kept for end in (route.a, route.b) if end.kind != "country"]
    odd = [end for end in set(ends) if ends.count(end) % 2]
    assert len(odd) + sum(end.kind == "country" for route in kept for end in (route.a, route.b)) <= 2
    joined = {kept[0]}
    for _ in kept:
        joined |= {one for one in kept if any({one.a, one.b} & {mine.a, mine.b} for mine in joined)}
    assert joined == set(kept)
