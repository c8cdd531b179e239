"""Cards change places where one lacks: what was paid before may have been paid with other cards of the same kind.

Which cards of a hand were paid decides only which shuffle they came from. So a payment that lacks a card may take one
from a payment before, if another card can stand in for it there, and so on: as paths are augmented in a matching. A
swept market may likewise have shown other cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from branchline.boards.tables import WILD_KIND
from branchline.rules.cards import deck_of
from branchline.tabletop.late_needs import NeededCards
from branchline.tabletop.payment_ways import Cards, size_of
from branchline.tabletop.undecided_cards import UNDECIDED

DEPTH = 3
"""So many cards change places at most so that one can be paid."""

MOST_OTHERS = 6
"""So many other ways are tried in which something may have been paid."""

MOST_STEPS = 250
"""After so many thoughts it is left."""


class Exchanges(NeededCards):
    """Cards of a noted game, of which those that were paid may yet be others."""

    def _payable(self, seat: int, kind: int) -> bool:
        """Pay one card of a kind from a hand, even if cards that were paid before must change for it."""
        self._begin()
        return self._serve_somehow(seat, self.deed, kind, DEPTH)

    def _begin(self) -> None:
        self.steps, self.locked = MOST_STEPS, set[int]()
        self.vain: set[tuple[int, int]] = set()  # shuffles and kinds for which other payments were tried in vain
        self.tried: dict[tuple[int, int, int], int] = {}  # by seat, turn and kind, how deep it was looked for in vain

    def _room_made(self, shuffle: int) -> bool:
        """Let one more card of a shuffle possibly be wild, that was paid as another kind."""
        return self._one_less_paid(shuffle, wild=False)

    def _wild_freed(self, shuffle: int) -> bool:
        """Let one more card of a shuffle be wild, that was paid as a wild one before."""
        return self._one_less_paid(shuffle, wild=True)

    def _one_less_paid(self, shuffle: int, wild: bool) -> bool:
        """Let one wild card of a shuffle less have been paid, or one less that might be wild."""
        cards = self.cards

        def was_paid(card: int) -> bool:
            is_wild = cards.kind[card] == WILD_KIND
            return cards.shuffle[card] == shuffle and (is_wild if wild else not is_wild and not cards.plain[card])

        def withhold(card: int, by: int) -> None:
            if wild:
                cards.pools[shuffle][WILD_KIND] -= by
            else:
                cards.plain[card] = by > 0
                cards.loose[shuffle] -= by

        def reached() -> bool:
            return cards.pools[shuffle][WILD_KIND] > 0 if wild else cards.room(shuffle) > 0

        if self._is_coming(shuffle):
            return False
        self._forget()
        self._begin()
        for card, turn in list(cards.paid.items()):
            kind = cards.kind[card]
            if not was_paid(card):
                continue
            self._release(card)
            withhold(card, 1)  # so that it does not serve again
            served = self._serve_somehow(cards.got[card][0], turn, kind, DEPTH - 1)
            withhold(card, -1)
            if served and reached():
                return True
            self._take_back(0)
        paid = {turn for card, turn in cards.paid.items() if was_paid(card)}
        before = {turn for turn, gave in cards.gave.items() if self._shuffled_into(gave[0]) == shuffle}
        fewer, more = (lambda change: change[WILD_KIND] < 0), (lambda change: change[WILD_KIND] > 0)
        self._begin()
        if self._paid_otherwise(paid, fewer if wild else more, reached):
            return True
        self._begin()
        return self._paid_otherwise(before, more if wild else fewer, reached)

    def _is_coming(self, shuffle: int) -> bool:
        """Return whether cards of a shuffle are known that are not drawn yet."""
        cards = self.cards
        return any(
            other in cards.settled and len(cards.order[other]) < len(self.lucks[other].kinds)
            for other in (shuffle, *cards.current)
        )

    def _forget(self) -> None:
        """Forget all changes: they stay."""
        self.done: list[Callable[[], None]] = []  # what takes each of them back

    # ---------------------------------------------------------------------------------------- one payment's card

    def _serve_somehow(self, seat: int, turn: int, kind: int, depth: int) -> bool:
        """Let a card of a seat be what it paid at a turn."""
        cards = self.cards
        self.steps -= 1
        options = list(self._options(seat, turn, kind))
        for card in options:
            if cards.may_be(card, kind):
                self._serve(card, turn, kind)
                return True
        if self.tried.get((seat, turn, kind), 0) >= depth or self.steps < 0:
            return False
        self.tried[seat, turn, kind] = depth
        if any(self._freed(card, turn, kind, depth) for card in options):
            return True
        sorts = set()
        for card, other_turn in list(cards.paid.items()):
            other = cards.kind[card]
            if other == kind or card in self.locked or cards.got[card][0] != seat or cards.got[card][1] > turn:
                continue
            sort = cards.shuffle[card], cards.plain[card], other, other_turn
            if sort in sorts or deck_of(other) != deck_of(kind):
                continue
            sorts.add(sort)
            mark = len(self.done)
            self._release(card)
            if cards.may_be(card, kind):
                self._serve(card, turn, kind)
                if self._serve_somehow(seat, other_turn, other, depth - 1):
                    return True
            elif (
                depth > 1
                and self._freed(card, turn, kind, depth - 1)
                and self._serve_somehow(seat, other_turn, other, depth - 2)
            ):
                return True
            self._take_back(mark)
            if self.steps < 0:
                return False
        return False

    def _options(self, seat: int, turn: int, kind: int) -> Iterator[int]:
        """Yield an undecided card of a hand for each sort: by shuffle, and whether it is certainly not wild."""
        cards, sorts = self.cards, set()
        deck = deck_of(kind)
        for card in cards.hands[seat]:
            if cards.kind[card] != UNDECIDED:
                continue
            sort = cards.shuffle[card], cards.plain[card]
            if sort in sorts or cards.got[card][1] > turn or cards.shuffle_deck[sort[0]] != deck:
                continue
            if kind == WILD_KIND and sort[1]:
                continue
            sorts.add(sort)
            yield card

    def _freed(self, card: int, turn: int, kind: int, depth: int) -> bool:
        """Let an undecided card serve, of whose shuffle all cards of the kind have been shown."""
        cards, shuffle = self.cards, self.cards.shuffle[card]
        if cards.pools[shuffle][kind]:
            return False  # it lacks room for wild ones
        if kind != WILD_KIND and self._thrown_otherwise(card, kind):
            self._serve(card, turn, kind)
            return True
        sorts = set()
        for other, other_turn in list(cards.paid.items()):
            if cards.kind[other] != kind or cards.shuffle[other] != shuffle or other in self.locked:
                continue
            sort = cards.got[other][0], other_turn, cards.plain[other]
            if sort in sorts:
                continue
            sorts.add(sort)
            mark = len(self.done)
            self._release(other)
            if cards.may_be(card, kind):
                self._serve(card, turn, kind)
                if self._serve_somehow(cards.got[other][0], other_turn, kind, depth - 1):
                    return True
            self._take_back(mark)
            if self.steps < 0:
                return False
        return self._repaid_for(card, turn, kind)

    def _repaid_for(self, card: int, turn: int, kind: int) -> bool:
        """Let something have been paid otherwise, of which nobody noted how, so that an undecided card may serve."""
        cards, shuffle = self.cards, self.cards.shuffle[card]
        if (shuffle, kind) in self.vain:
            return False
        turns = {
            paid for other, paid in cards.paid.items() if cards.kind[other] == kind and cards.shuffle[other] == shuffle
        }
        if self._paid_otherwise(turns, lambda change: change[kind] < 0, lambda: cards.may_be(card, kind)):
            self._serve(card, turn, kind)
            return True
        self.vain.add((shuffle, kind))
        return False

    def _paid_otherwise(
        self, turns: set[int], helps: Callable[[Counter[int]], bool], reached: Callable[[], bool]
    ) -> bool:
        """Let it have been paid in another way that may help, at one of these turns, until something is reached."""
        cards = self.cards
        for turn in sorted(turns - {self.deed}):
            deed = self.course.deeds[turn]
            if deed.ways or deed.tunnel:
                continue
            assert deed.price is not None
            act = next(n for n, act in enumerate(cards.acts) if act.deed == turn)
            way = cards.acts[act].cards
            assert way is not None
            others = [other for other in self.course.ways(deed.price, 0)[size_of(way)] if helps(_change(way, other))]
            for other in self.luck.sample(others, min(MOST_OTHERS, len(others))):
                self.steps -= 1
                mark = len(self.done)
                if self._repaid(turn, act, way, other) and reached():
                    return True
                self._take_back(mark)
            if self.steps < 0:
                return False
        return False

    def _repaid(self, turn: int, act: int, way: Cards, other: Cards) -> bool:
        """Let it have been paid in another way at a turn, if what came of its cards does not depend on it."""
        cards = self.cards
        new = Counter(dict(other))
        mine = [card for card, paid in cards.paid.items() if paid == turn]
        new.subtract(Counter(dict(way)) - Counter(cards.kind[card] for card in mine))  # those that were decided before
        if any(count < 0 for count in new.values()):
            return False
        for card in mine:
            if new[cards.kind[card]] > 0:
                new[cards.kind[card]] -= 1
            elif card in self.locked:
                return False
            else:
                self._release(card)
        seat = self.course.deeds[turn].turn.seat
        for kind, count in (+new).items():
            for _ in range(count):
                fitting = [card for card in self._options(seat, turn, kind) if cards.may_be(card, kind)]
                if not fitting:
                    return False
                self._serve(fitting[0], turn, kind)
        return self._change_payment(turn, act, way, other)

    def _change_payment(self, turn: int, act: int, way: Cards, other: Cards) -> bool:
        cards, change = self.cards, _change(way, other)
        shuffled = [self._shuffled_into(cards.gave[turn][deck]) for deck in self.decks]
        for kind, count in change.items():
            if count and (shuffled[deck_of(kind)] in cards.settled or self._pile(turn, kind)[kind] + count < 0):
                return False
        self._add_to_piles(turn, change, 1)
        if any(shuffle is not None and cards.room(shuffle) < 0 for shuffle in shuffled):
            self._add_to_piles(turn, change, -1)
            return False
        cards.acts[act] = replace(cards.acts[act], cards=other)

        def take_back() -> None:
            self._add_to_piles(turn, change, -1)
            cards.acts[act] = replace(cards.acts[act], cards=way)

        self.done.append(take_back)
        return True

    def _add_to_piles(self, turn: int, change: Counter[int], times: int) -> None:
        for kind, count in change.items():
            self._pile(turn, kind)[kind] += times * count

    def _pile(self, turn: int, kind: int) -> list[int]:
        """Return where the cards went that were paid at a turn."""
        return self._pile_after(self.cards.gave[turn][deck_of(kind)])

    def _pile_after(self, before: int) -> list[int]:
        """Return where cards went that left the game while a shuffle was drawn: discards, or the next shuffle."""
        into = self._shuffled_into(before)
        return self.cards.discards[self.cards.shuffle_deck[before]] if into is None else self.cards.pools[into]

    def _thrown_otherwise(self, card: int, kind: int) -> bool:
        """Let a sweep have thrown away another card, so that one of this kind is left for an undecided card."""
        cards, shuffle = self.cards, self.cards.shuffle[card]
        if not cards.plain[card] and cards.room(shuffle) < 1:
            return False
        for thrown in cards.thrown:
            now, its = cards.kind[thrown], cards.shuffle[thrown]
            if its == shuffle and now == kind:
                pool = cards.pools[its]
                others = [k for k, count in enumerate(pool) if count and k not in (kind, WILD_KIND)]
                if others and self._throw(thrown, max(others, key=pool.__getitem__)):
                    return True
            elif (
                now != kind
                and deck_of(now) == deck_of(kind)
                and cards.pools[its][kind]
                and self._shuffled_into(cards.thrown[thrown]) == shuffle
                and self._throw(thrown, kind)
            ):
                return True
        return False

    def _shuffled_into(self, before: int) -> int | None:
        """Return the shuffle that follows one of the same deck, if there was any."""
        cards = self.cards
        deck = cards.shuffle_deck[before]
        if cards.current[deck] == before:
            return None
        return next(n for n in range(before + 1, len(cards.pools)) if cards.shuffle_deck[n] == deck)

    # ---------------------------------------------------------------------------------------- changes, and back

    def _release(self, card: int) -> None:
        turn, kind = self.cards.paid.pop(card), self.cards.kind[card]
        self._open(card)
        self.done.append(lambda: self._decide(card, turn, kind))

    def _serve(self, card: int, turn: int, kind: int) -> None:
        self._decide(card, turn, kind)
        self.locked.add(card)

        def take_back() -> None:
            self.locked.discard(card)
            del self.cards.paid[card]
            self._open(card)

        self.done.append(take_back)

    def _open(self, card: int) -> None:
        """Take a card that was paid back into its hand, undecided."""
        cards = self.cards
        cards.leave_open(card)
        cards.hands[cards.got[card][0]].append(card)

    def _decide(self, card: int, turn: int, kind: int) -> None:
        """Let an undecided card of a hand have been paid at a turn."""
        cards = self.cards
        cards.decide(card, kind)
        cards.since[card] = cards.paid[card] = turn
        cards.hands[cards.got[card][0]].remove(card)

    def _throw(self, card: int, kind: int) -> bool:
        """Let a sweep have thrown away another kind of card, if what came of it does not depend on it."""
        cards, now = self.cards, self.cards.kind[card]
        into = self._shuffled_into(cards.thrown[card])
        if into is not None and (into in cards.settled or not cards.pools[into][now]):
            return False
        self._rename(card, kind)
        self.done.append(lambda: self._rename(card, now))
        return True

    def _rename(self, card: int, kind: int) -> None:
        """Let a card that a sweep threw away be of another kind."""
        cards, now = self.cards, self.cards.kind[card]
        pile, pool = self._pile_after(cards.thrown[card]), cards.pools[cards.shuffle[card]]
        pile[now] -= 1
        pile[kind] += 1
        pool[now] += 1
        pool[kind] -= 1
        cards.kind[card] = kind

    def _take_back(self, mark: int) -> None:
        """Take back all changes since there were so many."""
        while len(self.done) > mark:
            self.done.pop()()


@lru_cache(100_000)
def _change(way: Cards, other: Cards) -> Counter[int]:
    """Return by kind how many more cards another way to pay takes."""
    change = Counter(dict(other))
    change.subtract(dict(way))
    return change
