"""Any way to pay a price, for the solver of kinds: numbers by kind, instead of one unknown for each way.

The ways are those of `payment_ways`: one colour and wilds, pairs beside, ships that cover two spaces.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from branchline.boards.tables import DOUBLE, MARKED, SHIP, TRAIN, WILD_KIND
from branchline.tabletop.payment_ways import Cards, Price

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    Amount = cp_model.LinearExpr | int


class PaymentByKind:
    """What is paid, by kind."""

    def __init__(self, model: cp_model.CpModel, price: Price, kinds: Iterable[int]) -> None:
        """Begin the payment of a price; `kinds` are all there are."""
        self.model, self.kinds = model, sorted(kinds)
        self.amounts: dict[int, list[Amount]] = {}
        self.colours: dict[int, cp_model.IntVar] = {}  # whether it is of a colour, or of wilds only
        self.known = [colour for colour in range(MARKED) if TRAIN + colour in self.kinds]
        if price.port is not None:
            self._port(*price.port)
        elif price.spaces:
            self._one_colour(price)
        if price.pairs:
            self._pairs(price.pairs)

    def found(self, solver: cp_model.CpSolver) -> Cards:
        """Return how it is paid."""
        counts = {kind: int(solver.value(sum(amounts))) for kind, amounts in self.amounts.items()}
        return tuple(sorted((kind, count) for kind, count in counts.items() if count))

    def _some(self, kind: int, most: int) -> Amount:
        """Return a number of cards of a kind."""
        if kind not in self.kinds:
            return 0
        amount = self.model.new_int_var(0, most, "")
        self.amounts.setdefault(kind, []).append(amount)
        return amount

    def _choose_colour(self, colour: int | None) -> None:
        for colour_known in (WILD_KIND, *self.known) if colour is None else (WILD_KIND, colour):
            self.colours[colour_known] = self.model.new_bool_var("")
        self.model.add_exactly_one(self.colours.values())

    def _of_colour(self, kinds: tuple[int, ...], most: int, weights: tuple[int, ...]) -> list[list[Amount]]:
        """Return cards of one colour: by kind of card, all colours together."""
        by_kind: list[list[Amount]] = [[] for _ in kinds]
        for colour, so in self.colours.items():
            if colour == WILD_KIND:
                continue
            numbers = [
                self._some(kind + colour, -(-most // weight)) for kind, weight in zip(kinds, weights, strict=True)
            ]
            for amounts, amount in zip(by_kind, numbers, strict=True):
                amounts.append(amount)
            self.model.add(
                sum(weight * amount for weight, amount in zip(weights, numbers, strict=True)) <= (most + 1) * so
            )
            self.model.add(sum(numbers) >= so)
        return by_kind

    def _one_colour(self, price: Price) -> None:
        spaces = price.spaces
        self._choose_colour(price.colour)
        wilds = self._some(WILD_KIND, spaces)
        self.model.add(wilds >= price.wilds)
        if not price.sea:
            plain, marked = self._of_colour((TRAIN, MARKED), spaces, (1, 1))
            self.model.add(sum(plain) + sum(marked) + wilds == spaces)
            return
        single, double = self._of_colour((SHIP, DOUBLE), spaces, (1, 2))
        if spaces % 2 and not price.wilds:  # a half of the last ship may be lost where nothing else was paid
            lost: Amount = self.model.new_bool_var("")
            self.model.add(sum(single) + wilds <= spaces * (1 - lost))
        else:
            lost = 0
        self.model.add(sum(single) + 2 * sum(double) + wilds == spaces + lost)

    def _port(self, trains: int, ships: int) -> None:
        self._choose_colour(None)
        wilds = self._some(WILD_KIND, trains + ships)
        marked, others = self._of_colour((MARKED, SHIP), trains + ships, (1, 1))
        self.model.add(sum(marked) <= trains)
        self.model.add(sum(others) <= ships)
        self.model.add(sum(marked) + sum(others) + wilds == trains + ships)

    def _pairs(self, pairs: int) -> None:
        """Require pairs of one colour each; a wild stands for one or both cards."""
        only = self.model.new_int_var(0, pairs, "")
        counts: list[Amount] = [only]
        wilds = self._some(WILD_KIND, 2 * pairs)
        used: list[Amount] = [2 * only]
        for colour in self.known:
            count, stands = self.model.new_int_var(0, pairs, ""), self.model.new_int_var(0, pairs, "")
            cards = self._some(TRAIN + colour, 2 * pairs) + self._some(MARKED + colour, 2 * pairs)
            self.model.add(cards + stands == 2 * count)
            self.model.add(stands <= count)
            counts.append(count)
            used.append(stands)
        self.model.add(sum(counts) == pairs)
        self.model.add(sum(used) == wilds)
