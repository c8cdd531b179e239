"""What holds in every game, at every moment: seen on random games of all editions and seat counts."""

import random

import numpy as np
import pytest

import table
from branchline.boards.tables import KINDS
from branchline.rules import kernel, scoring
from branchline.rules.state import CLOSED, OVER, SCRATCH
from table import board, check_conserved
from walks import at_state, random_walk

SEEDS = range(3)


@pytest.mark.parametrize(("edition", "seats"), table.COSTLY_SEATINGS)
def test_INVARIANT_cards_pieces_tickets_and_passengers_are_conserved_after_every_action(edition, seats):
    """One game looked at in every detail at every second step, more at every thirteenth."""
    on = board(edition)
    for seed in SEEDS:
        path, _ = random_walk(on, seats, seed)
        for n in range(0, len(path), 2 if seed == 0 and seats == 3 else 13):
            check_conserved(on, path[n : n + 1])
        check_conserved(on, path[-1:])


@pytest.mark.parametrize(("edition", "seats"), table.COSTLY_SEATINGS)
def test_INVARIANT_card_counts_at_every_step_of_many_games(edition, seats):
    """Cards by kind, over whole games at once."""
    on = board(edition)
    copies = np.array([int(n) for n in on.tables[0].copies])
    for seed in range(100, 106):
        path, _ = random_walk(on, seats, seed)
        count = path["discards"].astype(int) + path["hand"].sum(axis=1)
        count += np.stack([(path["market"][:, : sum(on.cards.market)] == kind).sum(axis=1) for kind in range(KINDS)], 1)
        for deck in range(2):
            lying = np.where(
                np.arange(path["deck"].shape[2]) < path["deck_size"][:, deck, None], path["deck"][:, deck], -1
            )
            count += np.stack([(lying == kind).sum(axis=1) for kind in range(KINDS)], 1)
        assert (count == copies).all()
        assert (path["seen"] <= path["hand"]).all() and (path["seen"] >= 0).all()
        assert (path["pieces"] >= 0).all() and (path["box"] >= 0).all()
        assert (path["hand_size"].sum(axis=2) == path["hand"].sum(axis=2)).all()


@pytest.mark.parametrize(("edition", "seats"), table.COSTLY_SEATINGS)
def test_INVARIANT_a_turn_is_one_seats_and_games_end_properly(edition, seats):
    on = board(edition)
    for seed in SEEDS:
        path, _ = random_walk(on, seats, seed)
        assert (path["question"][:-1] != OVER).all() and path["question"][-1] == OVER
        assert (np.diff(path["turns"]) >= 0).all() and (np.diff(path["turns"]) <= 1).all()
        assert ((path["seat"] >= 0) & (path["seat"] < seats)).all()
        playing = np.flatnonzero(path["setting_up"] == 0)[:-1]
        first, turns = int(path["first_seat"][0]), path["turns"][playing]
        assert (path["seat"][playing] == (first + turns) % seats).all()
        end = path["turns_to_go"][-1]
        assert end == 0 or path["idle"][-1] >= 2 * seats


@pytest.mark.parametrize(("edition", "seats"), table.COSTLY_SEATINGS)
def test_INVARIANT_every_score_is_the_sum_of_its_parts(edition, seats):
    on = board(edition)
    for seed in SEEDS:
        path, _ = random_walk(on, seats, seed)
        game = at_state(on, path[-1:])
        sheet = game.scores
        best = max(sheet.totals)
        for one in sheet.seats:
            assert one.total == sum(one.parts().values())
            results = [(result.points, result.ticket.tour) for result in one.results]
            assert one.tickets == sum(points for points, tour in results if not tour)
            assert one.tours == sum(points for points, tour in results if tour)
            assert one.tickets_done == sum(result.done for result in one.results)
        assert sheet.winners and all(sheet[seat].total == best for seat in sheet.winners)


@pytest.mark.parametrize(("edition", "seats"), table.COSTLY_SEATINGS)
def test_INVARIANT_no_seat_holds_two_lines_of_a_set_and_closed_ones_stay_empty(edition, seats):
    on = board(edition)
    for seed in SEEDS:
        path, _ = random_walk(on, seats, seed)
        owners = path["route_owner"][-1]
        sets = {
            one.parallel: [other.index for other in on.routes if other.parallel == one.parallel] for one in on.routes
        }
        for lines in sets.values():
            taken = [int(owners[n]) for n in lines if owners[n] >= 0]
            assert len(taken) == len(set(taken))
            if seats <= on.one_line_up_to:
                assert len(taken) <= 1
                assert sum(owners[n] == CLOSED for n in lines) == (len(lines) - 1 if taken else 0)
            else:
                assert not any(owners[n] == CLOSED for n in lines)


@pytest.mark.parametrize("edition", table.EDITIONS)
def test_INVARIANT_scoring_a_position_changes_nothing_and_gives_the_same_again(edition):
    on = board(edition)
    path, _ = random_walk(on, 3, 5)
    scratch = kernel.new_buffer(SCRATCH)
    luck = random.Random(edition)
    for n in luck.sample(range(len(path)), 20):
        buffer = path[n : n + 1].copy()
        sheets = []
        for _ in range(2):
            scoring.score(kernel.record_in(on.tables), kernel.record_in(buffer), kernel.record_in(scratch))
            sheets.append([scratch[name].tobytes() for name in ("total", "trail", "parts", "borrowed", "winner")])
        assert sheets[0] == sheets[1]
        assert buffer.tobytes() == path[n : n + 1].tobytes()


@pytest.mark.long
@pytest.mark.parametrize(("edition", "seats"), table.SEATINGS)
def test_INVARIANT_the_same_in_hundreds_of_games(edition, seats):
    """Thirty of them in each cell, others in every one."""
    on = board(edition)
    first = 1000 + 30 * table.SEATINGS.index((edition, seats))
    for seed in range(first, first + 30):
        path, _ = random_walk(on, seats, seed)
        for n in range(0, len(path), 61):
            check_conserved(on, path[n : n + 1])
        check_conserved(on, path[-1:])
        sheet = at_state(on, path[-1:]).scores
        assert all(one.total == sum(one.parts().values()) for one in sheet.seats)
