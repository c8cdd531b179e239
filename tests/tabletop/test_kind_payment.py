"""Any way to pay a price, as the solver thinks of it: the ways that are enumerated elsewhere, and no others."""

from __future__ import annotations

import pytest

from branchline.boards import COLOURS
from branchline.boards.tables import KINDS
from branchline.tabletop.kind_payment import PaymentByKind
from branchline.tabletop.payment_ways import Cards, Price, all_ways
from table import board

cp_model = pytest.importorskip("ortools.sat.python.cp_model")


def thought_of(edition: str, price: Price) -> set[Cards]:
    """Every solution of the model."""
    copies = board(edition).tables[0].copies
    model = cp_model.CpModel()
    payment = PaymentByKind(model, price, [kind for kind in range(KINDS) if copies[kind]])
    found: set[Cards] = set()

    class Seen(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.add(payment.found(self))

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, Seen())
    return {cards for cards in found if all(count <= copies[kind] for kind, count in cards)}


@pytest.mark.parametrize(
    ("edition", "price"),
    [
        ("europe", Price(3)),
        ("europe", Price(4, wilds=2)),
        ("europe", Price(3, COLOURS.index("red"))),
        ("world", Price(2)),
        ("world", Price(1, COLOURS.index("red"), sea=True)),
        ("world", Price(4, sea=True)),
        ("world", Price(5, sea=True)),
        ("world", Price(port=(2, 2))),
    ],
)
def test_the_ways_to_pay_are_those_that_are_enumerated(edition: str, price: Price) -> None:
    assert thought_of(edition, price) == set(all_ways(board(edition), price))


def test_pairs_are_paid_in_every_enumerated_way_and_wilds_stand_for_marked_cards_too() -> None:
    enumerated = set(all_ways(board("world"), Price(pairs=1)))
    assert enumerated < thought_of("world", Price(pairs=1))
    assert all(sum(count for _, count in cards) == 2 for cards in thought_of("world", Price(pairs=1)))
