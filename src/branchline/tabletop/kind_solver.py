"""The kinds of all cards at once, by constraint programming (OR-Tools' CP-SAT): such as meet all `demands`.

Cards of one shuffle that come to one holder between two moments at which something is asked of it are alike, so only
their numbers by kind are unknown. What is asked, paid, swept and shuffled again is linear in these numbers. A card of
which nobody saw whether it lay in the market is any that lay there, or the one that the deck gave.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from threading import Event, Thread
from typing import TYPE_CHECKING

from branchline.boards.tables import WILD_KIND
from branchline.rules.cards import deck_of
from branchline.tabletop.demands import NEVER, Demands, Exchange, Look, Turned
from branchline.tabletop.kind_payment import PaymentByKind
from branchline.tabletop.payment_ways import Cards

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    Amount = cp_model.LinearExpr | int

MOST_CARDS = 200
"""More than that of one kind nobody holds."""

MOST_LYING = 10
"""More places no market has."""

ARRIVAL, CHECK = 0, 1


def is_installed() -> bool:
    """Tell whether OR-Tools is installed."""
    return find_spec("ortools") is not None


@dataclass(eq=False)
class _Alike:
    """Cards that are alike to everything asked."""

    moment: int  # of the first of them
    cards: list[int] = field(default_factory=list)
    amounts: dict[int, Amount] = field(default_factory=dict)  # by kind


class KindSolver:
    """The model of one deal that was laid out."""

    def __init__(self, demands: Demands, wilds: int) -> None:
        """Begin with these demands; `wilds` is the number of wilds in the box."""
        from ortools.sat.python import cp_model

        self.demands, self.model, self.box_wilds = demands, cp_model.CpModel(), wilds
        self.alike: dict[int, list[_Alike]] = defaultdict(list)  # by shuffle
        self.of: dict[int, list[_Alike]] = defaultdict(list)  # by holder
        self.fresh: dict[int, _Alike] = {}  # by exchange
        self.taken: dict[int, _Alike] = {}
        self.ways: list[list[cp_model.IntVar]] = []  # by purchase, whether it is paid so; empty: there is one way
        self.payments: dict[int, PaymentByKind] = {}  # by purchase, where any way to pay is thought of
        self.theirs: dict[int, list[int]] = defaultdict(list)  # the purchases of a holder
        for n, purchase in enumerate(demands.purchases):
            self.theirs[purchase.holder].append(n)
        self.kinds: dict[int, list[int]] = {}  # by shuffle, those that can be in it
        for deck in range(2):
            shuffles = [n for n, cards in demands.members.items() if cards and deck_of(demands.kind[cards[0]]) == deck]
            kinds = sorted({demands.kind[card] for n in shuffles for card in demands.members[n]})
            self.kinds.update(dict.fromkeys(shuffles, kinds))
        last = {deck_of(demands.kind[cards[0]]): n for n, cards in sorted(demands.members.items()) if cards}
        self.last = set(last.values()) - demands.settled
        if not demands.other:
            self.last &= demands.open_shuffles
        self.rest: dict[int, _Alike] = {}  # of the last shuffle of a deck, any number of cards that nobody draws
        self.exchanges_of: dict[int, list[int]] = defaultdict(list)  # by holder of the market
        for n, exchange in enumerate(demands.exchanges):
            self.exchanges_of[exchange.period].append(n)
        self._cards()
        self._purchases()
        self._hands()
        self._markets()
        self._shown()
        self._shuffles()
        self._tunnels()

    def solve(self, seconds: float) -> bool | None:
        """Look for kinds until so much time is used; put them into the demands. None: neither found nor disproved."""
        from ortools.sat.python import cp_model

        solver = cp_model.CpSolver()
        solver.parameters.max_deterministic_time = max(0.01, seconds)  # about seconds of processor time
        solver.parameters.num_workers = 1
        solver.parameters.linearization_level = 2
        solver.parameters.cp_model_probing_level = 0
        solver.parameters.symmetry_level = 0
        solver.parameters.max_num_cuts = 0
        solver.parameters.random_seed = self.demands.luck.randrange(1 << 30)
        over = Event()
        watch = Thread(target=_stop, args=(solver, time.process_time() + seconds, over), daemon=True)
        watch.start()
        try:
            status = solver.solve(self.model)
        finally:
            over.set()
            watch.join()
        if status == cp_model.INFEASIBLE:
            return False
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None

        def kinds_of(group: _Alike) -> list[int]:
            return [kind for kind, amount in group.amounts.items() for _ in range(solver.value(amount))]

        self.demands.rest = {shuffle: kinds_of(group) for shuffle, group in self.rest.items()}
        rest = self.rest.values()
        for group in (group for groups in self.alike.values() for group in groups if group not in rest):
            _dealt(self.demands.kind, group.cards, kinds_of(group))
        for n, exchange in enumerate(self.demands.exchanges):
            exchange.taken = kinds_of(self.taken[n])[0]
        for n, (purchase, ways) in enumerate(zip(self.demands.purchases, self.ways, strict=True)):
            if n in self.payments:
                purchase.ways, purchase.way = [self.payments[n].found(solver)], 0
            elif ways:
                purchase.way = next(n for n, way in enumerate(ways) if solver.value(way))
        return True

    # -------------------------------------------------------------------------------------------- what is unknown

    def _cards(self) -> None:
        demands, groups = self.demands, dict[tuple[object, ...], _Alike]()
        breaks = self._breaks()
        exchanged = {exchange.card: n for n, exchange in enumerate(demands.exchanges)}
        for card, kind in enumerate(demands.kind):
            holder, shuffle, moment = demands.holder[card], demands.shuffle[card], demands.moment[card]
            fixed = kind if card in demands.fixed else None
            n = exchanged.get(card)
            key: tuple[object, ...] = shuffle, holder, bisect_left(breaks[holder], moment + 1), fixed
            if card in demands.other:
                key = shuffle, "other", card, fixed
            if n is not None:
                exchange = demands.exchanges[n]
                holder, moment = exchange.period, exchange.came
                key = shuffle, "exchange", n, fixed
            if holder == NEVER:
                key = shuffle, NEVER, 0, fixed
            if key not in groups:
                groups[key] = group = _Alike(moment)
                self.alike[shuffle].append(group)
                if card in demands.other:
                    self.alike[demands.other[card]].append(group)
                if n is not None:
                    self.fresh[n] = group
                self.of[holder].append(group)
            groups[key].cards.append(card)
        for (number, _, _, known), group in groups.items():
            assert isinstance(number, int)
            if number in self.last and known is None and demands.holder[group.cards[0]] == NEVER:
                self.rest[number] = group
            kinds = self.kinds[number] if known is None else [demands.kind[group.cards[0]]]
            self._unknown(group, [*kinds, *self._otherwise(group)])
        for shuffle in sorted(self.last - set(self.rest)) if demands.other else ():
            self.rest[shuffle] = group = _Alike(0)
            self.alike[shuffle].append(group)
            self._unknown(group, self.kinds[shuffle])
        for n, exchange in enumerate(demands.exchanges):
            self._exchange(n, exchange)

    def _otherwise(self, group: _Alike) -> list[int]:
        """Return the kinds that a card can be if it came from the other deck."""
        other = self.demands.other.get(group.cards[0])
        return [] if other is None else self.kinds[other]

    def _exchange(self, n: int, exchange: Exchange) -> None:
        self.taken[n] = group = _Alike(exchange.moment, [exchange.card])
        kinds = self.kinds[self.demands.shuffle[exchange.card]]
        if exchange.openly:
            kinds = [kind for kind in kinds if kind != WILD_KIND]
        self._unknown(group, kinds)
        if not exchange.openly and WILD_KIND in kinds:
            fresh = self.fresh[n].amounts.get(WILD_KIND, 0)
            self.model.add(group.amounts[WILD_KIND] <= fresh)
        self.of[exchange.seat].append(group)

    def _unknown(self, group: _Alike, kinds: Sequence[int]) -> None:
        if group in self.rest.values():
            group.amounts = {kind: self.model.new_int_var(0, MOST_CARDS, "") for kind in kinds}
            return
        if len(kinds) == 1:
            group.amounts = {kinds[0]: len(group.cards)}
            return
        for kind in kinds:
            group.amounts[kind] = self.model.new_int_var(0, len(group.cards), "")
        self.model.add(sum(group.amounts.values()) == len(group.cards))

    def _breaks(self) -> dict[int, list[int]]:
        """Return by holder the moments at which something is asked of it."""
        breaks: dict[int, set[int]] = defaultdict(set)
        demands = self.demands
        for (holder, _), asked in demands.noted.items():
            breaks[holder].update(moment for moment, _, _ in asked)
        for holder, looks in demands.looks.items():
            breaks[holder].update(look.moment for look in looks)
        for exchange in demands.exchanges:
            breaks[exchange.period].add(exchange.moment)
        for holder, moment in demands.only_wilds:
            breaks[holder].add(moment)
        for purchase in demands.purchases:
            breaks[purchase.holder].add(purchase.moment)
        for holder in self.theirs:
            breaks[holder].update(self._doubtful())
        return defaultdict(list, {holder: sorted(moments) for holder, moments in breaks.items()})

    def _doubtful(self) -> list[int]:
        """Return the moments at which a market with fewer wilds may be impossible."""
        looks = [look for period_looks in self.demands.looks.values() for look in period_looks]
        looks += [exchange.look for exchange in self.demands.exchanges if exchange.look is not None]
        return sorted({look.moment for look in looks if self._is_doubtful(look)})

    def _is_doubtful(self, look: Look) -> bool:
        return look.places - (look.trains - self.box_wilds) >= self.demands.sweep_at

    def _purchases(self) -> None:
        kinds = {kind for shuffle_kinds in self.kinds.values() for kind in shuffle_kinds}
        for n, purchase in enumerate(self.demands.purchases):
            ways: list[cp_model.IntVar] = []
            if purchase.price is not None:
                self.payments[n] = PaymentByKind(self.model, purchase.price, kinds)
            elif len(purchase.ways) > 1:
                ways = [self.model.new_bool_var("") for _ in purchase.ways]
                self.model.add_exactly_one(ways)
            self.ways.append(ways)

    def _paid(self, n: int, kind: int) -> list[Amount]:
        """Return the cards of a kind that are paid for a purchase, as a sum."""
        purchase, ways = self.demands.purchases[n], self.ways[n]
        if n in self.payments:
            return self.payments[n].amounts.get(kind, [])
        if not ways:
            count = dict(purchase.cards).get(kind, 0)
            return [count] if count else []
        counts = [dict(way).get(kind, 0) for way in purchase.ways]
        return [count * way for count, way in zip(counts, ways, strict=True) if count]

    def _stock(self, amounts: list[Amount]) -> list[Amount]:
        """Say that an amount is never negative; the same as one variable."""
        if all(isinstance(amount, int) for amount in amounts):
            total = sum(amounts)
            if isinstance(total, int) and total < 0:
                self.model.add_bool_or([])
            return [total]
        stock = self.model.new_int_var(0, MOST_CARDS, "")
        self.model.add(stock == sum(amounts))
        return [stock]

    # -------------------------------------------------------------------------------------------- what is asked

    def _hands(self) -> None:
        """Require that every card that is paid has come before."""
        demands = self.demands
        seats = {exchange.seat for exchange in demands.exchanges} | set(self.theirs)
        self.wild_hands: dict[int, list[Amount]] = defaultdict(list)  # by doubtful moment
        doubtful = self._doubtful()
        kinds = sorted({kind for shuffle_kinds in self.kinds.values() for kind in shuffle_kinds})
        for holder in sorted(seats):
            for kind in kinds:
                events: list[tuple[int, int, bool, list[Amount]]] = []
                for group in self.of[holder]:
                    if kind in group.amounts:
                        events.append((group.moment, ARRIVAL, False, [group.amounts[kind]]))
                events += [(moment, ARRIVAL, False, [1]) for moment in demands.given.get((holder, kind), ())]
                for n in self.theirs[holder]:
                    paid = self._paid(n, kind)
                    if paid:
                        purchase = demands.purchases[n]
                        events.append((purchase.moment, CHECK, purchase.kept, paid))
                if kind == WILD_KIND:
                    events += [(moment, CHECK, True, []) for moment in doubtful]
                self._run(events, kind)

    def _run(self, events: list[tuple[int, int, bool, list[Amount]]], kind: int) -> None:
        """Follow one kind in one hand, from the first moment to the last."""
        held: list[Amount] = [0]
        for moment, event, kept, amounts in sorted(events, key=lambda entry: entry[:2]):
            if event == ARRIVAL:
                held += amounts
                continue
            if not amounts:
                held = self._stock(held)
                self.wild_hands[moment] += held
                continue
            left = self._stock([*held, *(-amount for amount in amounts)])
            held = held if kept else left

    def _markets(self) -> None:
        """Require that what is taken lay in the market, and that too many wilds lie there just when it is swept."""
        demands = self.demands
        periods = set(demands.looks) | set(self.exchanges_of) | {holder for holder, _ in demands.only_wilds}
        for period in sorted(periods):
            looks = [(look.moment, look) for look in demands.looks.get(period, ())]
            only = [moment for holder, moment in demands.only_wilds if holder == period]
            kinds = sorted({kind for group in self.of[period] for kind in group.amounts})
            for kind in kinds:
                self._lying(period, kind, looks, only)

    def _lying(self, period: int, kind: int, looks: list[tuple[int, Look]], only: list[int]) -> None:
        """Follow one kind in the market, from one sweep to the next."""
        taken = [(self.demands.exchanges[n].moment, n) for n in self.exchanges_of[period]]
        if kind != WILD_KIND:
            taken = [(moment, n) for moment, n in taken if kind in self.taken[n].amounts]
        come = [(group.moment, group.amounts[kind]) for group in self.of[period] if kind in group.amounts]
        noted = [(moment, count) for moment, count, _ in self.demands.noted.get((period, kind), ())]
        moments = {moment for timed in (taken, noted, looks if kind == WILD_KIND else ()) for moment, _ in timed}
        lie: list[Amount] = [0]
        for moment in sorted(moments | (set(only) if kind != WILD_KIND else set())):
            lie += [amount for when, amount in come if when <= moment]
            come = [arrival for arrival in come if arrival[0] > moment]
            mine = [n for when, n in taken if when == moment]
            lie += [-self.taken[n].amounts.get(kind, 0) for n in mine]
            lie += [-count for when, count in noted if when == moment]
            lie = self._stock(lie)
            for n in mine if kind == WILD_KIND else ():
                self._never_too_many(n, lie[0])
            for when, look in looks if kind == WILD_KIND else ():
                if when == moment:
                    self._seen(look, lie[0])
            if moment in only and kind != WILD_KIND:
                self.model.add(lie[0] == 0)

    def _never_too_many(self, n: int, lie: Amount) -> None:
        """Prevent too many wilds where a wild comes to the market instead of the hand."""
        look = self.demands.exchanges[n].look
        fresh = self.fresh[n].amounts.get(WILD_KIND, 0)
        if look is None or (isinstance(fresh, int) and not fresh):
            return
        comes = fresh - self.taken[n].amounts.get(WILD_KIND, 0)
        if self._is_doubtful(look):
            few, hard = self._few_or_no_better(look, lie)
            self.model.add(few + hard >= comes)
        else:
            most = self.demands.sweep_at - 1
            self.model.add(lie + MOST_LYING * comes <= most + MOST_LYING)

    def _few_or_no_better(self, look: Look, lie: Amount) -> tuple[cp_model.IntVar, cp_model.IntVar]:
        """Return the two reasons for not sweeping the market."""
        few, hard = self.model.new_bool_var(""), self.model.new_bool_var("")
        self.model.add(lie < self.demands.sweep_at).only_enforce_if(few)
        self.model.add(self._plain(look) <= look.places - self.demands.sweep_at).only_enforce_if(hard)
        return few, hard

    def _plain(self, look: Look) -> Amount:
        """Return how many train cards are neither wild nor in a hand."""
        return look.trains - self.box_wilds + sum(self.wild_hands[look.moment])

    def _seen(self, look: Look, lie: Amount) -> None:
        """Require that the market is swept if too many wilds lie there and a better one is possible."""
        limit = self.demands.sweep_at
        if not self._is_doubtful(look):
            self.model.add(lie >= limit if look.swept else lie < limit)
            return
        if look.swept:
            self.model.add(lie >= limit)
            self.model.add(self._plain(look) > look.places - limit)
            return
        few, hard = self._few_or_no_better(look, lie)
        self.model.add(few + hard >= 1)

    def _shown(self) -> None:
        """Require that the cards that others saw are what they saw."""
        markets = set(self.demands.looks) | set(self.exchanges_of)
        for (holder, kind), asked in self.demands.noted.items():
            if holder not in markets and holder not in self.theirs:
                for moment, _, _ in asked:
                    count = sum(demand[1] for demand in asked if demand[0] <= moment)
                    came = [group.amounts.get(kind, 0) for group in self.of[holder] if group.moment < moment]
                    self.model.add(sum(came) >= count) if came else self.model.add_bool_or([])

    def _shuffles(self) -> None:
        """Require that a box holds what it holds, and a shuffle of discards what was discarded."""
        demands = self.demands
        into: dict[tuple[int, int], list[Amount]] = defaultdict(list)
        for holder, to in demands.to.items():
            for group in self.of[holder]:
                for kind, amount in group.amounts.items():
                    into[to[deck_of(kind)], kind].append(amount)
            for n in self.exchanges_of[holder]:
                for kind, amount in self.taken[n].amounts.items():
                    into[to[deck_of(kind)], kind].append(-amount)
            if holder not in demands.discarded:
                for (who, kind), asked in demands.noted.items():
                    if who == holder:
                        into[to[deck_of(kind)], kind].append(-sum(count for _, count, _ in asked))
        for n, purchase in enumerate(demands.purchases):
            if not purchase.kept:
                for deck, shuffle in enumerate(purchase.to):
                    for kind in self.kinds.get(shuffle, ()) if shuffle != NEVER else ():
                        if deck_of(kind) == deck:
                            into[shuffle, kind] += self._paid(n, kind)
        for shuffle, cards in demands.members.items():
            now = [demands.kind[card] for card in cards]
            for kind in self.kinds.get(shuffle, ()):
                mine = [group.amounts[kind] for group in self.alike[shuffle] if kind in group.amounts]
                have = into[shuffle, kind] if shuffle in demands.open_shuffles else [now.count(kind)]
                self._equal(sum(mine), sum(have))
                if shuffle in demands.settled:
                    self._equal(sum(mine), now.count(kind))

    def _equal(self, amount: Amount, other: Amount) -> None:
        if isinstance(amount, int) and isinstance(other, int):
            if amount != other:
                self.model.add_bool_or([])
        else:
            self.model.add(amount == other)

    def _tunnels(self) -> None:
        """Require that a tunnel's cards ask for as much as was paid."""
        numbers = {id(purchase): n for n, purchase in enumerate(self.demands.purchases)}
        for holder, turned in self.demands.turned.items():
            purchase, ways = turned.purchase, self.ways[numbers[id(turned.purchase)]]
            payment = self.payments.get(numbers[id(turned.purchase)])
            if payment is not None:
                for colour, so in payment.colours.items():
                    self._turned(holder, turned, ((colour, 1),), so)
                continue
            if not ways:
                self._turned(holder, turned, purchase.cards, None)
                continue
            alike: dict[tuple[bool, ...], list[int]] = defaultdict(list)
            kinds = sorted({kind for group in self.of[holder] for kind in group.amounts})
            for n, way in enumerate(purchase.ways):
                alike[tuple(self.demands.asks_more(kind, way) for kind in kinds)].append(n)
            for same in alike.values():
                so = self.model.new_bool_var("")
                self.model.add(sum(ways[n] for n in same) == so)
                self._turned(holder, turned, purchase.ways[same[0]], so)

    def _turned(self, holder: int, turned: Turned, cards: Cards, so: cp_model.IntVar | None) -> None:
        asking = sum(
            amount
            for group in self.of[holder]
            for kind, amount in group.amounts.items()
            if self.demands.asks_more(kind, cards)
        )
        if isinstance(asking, int):
            fits = asking >= turned.extra if turned.at_least else asking == turned.extra
            if not fits:
                self.model.add_bool_or([] if so is None else [so.negated()])
            return
        rule = self.model.add(asking >= turned.extra if turned.at_least else asking == turned.extra)
        if so is not None:
            rule.only_enforce_if(so)


def _stop(solver: cp_model.CpSolver, until: float, over: Event) -> None:
    """Stop a solver when so much processor time is used: its own measure is only near it."""
    while not over.wait(0.02):
        if time.process_time() > until:
            solver.stop_search()


def _dealt(kind: list[int], cards: Sequence[int], kinds: list[int]) -> None:
    """Give cards that are alike these kinds; as many as can be keep theirs."""
    rest = list(kinds)
    other = []
    for card in cards:
        if kind[card] in rest:
            rest.remove(kind[card])
        else:
            other.append(card)
    for card, new in zip(other, rest, strict=True):
        kind[card] = new
