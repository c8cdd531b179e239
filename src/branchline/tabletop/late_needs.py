"""What a noted game still needs of its cards: what each player pays soon, and where wild cards must lie."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from random import Random

from branchline.boards.tables import DOUBLE, MARKED, SHIP, WILD_KIND
from branchline.rules.cards import deck_of
from branchline.tabletop import notation as noted
from branchline.tabletop.noted_course import NotedCourse, NotedDeed
from branchline.tabletop.payment_ways import Size
from branchline.tabletop.undecided_cards import NO_CARD, UNDECIDED, UndecidedCards

NEVER_ENDS = 1 << 30
"""A turn that no game has."""

IN_SIGHT = 12
"""So many turns ahead it is looked which cards of each deck the market must have."""


@dataclass
class Leanings:
    """How what nobody noted is chosen, where nothing speaks against it."""

    openly: float = 0.3  # how likely a card comes from the market
    trains: int = 3  # so many train cards shall lie in a market of two decks
    eager: float = 1.0  # how likely a card comes from the market so that a wild one can come there
    horizon: int = 20  # so many turns ahead wild cards are laid ready
    wild_price: float = 1.0  # how dear it is to pay with a wild card
    spare_price: float = -0.3  # the same with one that was taken openly
    extra: float = 0.1  # how likely a tunnel asks one card more
    hurried: int = 0  # a deck with too few wild cards for so many turns is drawn from rather than the other one
    kept: int = 0  # so many wild cards of each shuffle hands keep beyond those that they pay
    first_sweeps: int = 0
    lying: int = 0  # so many wild cards lie in the market though none is needed there
    swept_later: float = 0.0  # how likely the market is swept when gaps in it are filled
    noise: float = 1.0


@dataclass(frozen=True)
class KnownLuck:
    """What a shuffle brings with a seed that the rules have tried."""

    seed: int
    kinds: list[int]  # of the cards that are drawn first
    box: list[int]  # by kind, what is shuffled


class NeededCards:
    """The cards of a noted game as they lie, and what its next turns need of them."""

    def __init__(self, course: NotedCourse, luck: Random, leanings: Leanings) -> None:
        """Begin before the first card is dealt."""
        self.course, self.luck, self.leanings = course, luck, leanings
        self.board, self.rules = course.board, course.board.cards
        self.decks = range(1 + self.rules.two_decks)
        self.seats = len(course.notation.names)
        self.lacking: Counter[tuple[int, int]] = Counter()  # by seat and kind, how often it could not be paid
        self.lacked_at: dict[tuple[int, int], int] = {}  # the same, and the deed at which it was so last
        self.hurry: Counter[int] = Counter()  # by deed, how often a wild card was lacking in the market
        self.scarce: Counter[tuple[int, int]] = Counter()  # by deed and deck, how often it had no card as noted
        self.flooded: Counter[int] = Counter()  # by deed, how often too many wild cards lay in the market
        self.asked = [_asked(deed) for deed in course.deeds]
        self.theirs = [[n for n in self._paying() if course.deeds[n].turn.seat == seat] for seat in range(self.seats)]
        self.next_payments: dict[tuple[int, int, int], Counter[int]] = {}
        self.wishes: dict[tuple[int, int, int, int], Counter[int]] = {}
        self.wild_events = [
            (n, m, card.sweeps)
            for n, deed in enumerate(course.deeds)
            for m, card in enumerate(deed.turn.drawn)
            if card.sweeps or (card.openly and card.kind == WILD_KIND)
        ]
        self.deck_flow = _deck_flow(course) if self.rules.two_decks else []
        self.wild_flow = [_wild_flow(course, seat) for seat in range(self.seats)]
        self.must_keep = {n: needs for seat in range(self.seats) for n, needs in self._must_keep(seat).items()}
        self.deed = self.card = -1
        self.doubted = -1  # the deed that may be why something lacked later
        self.sweeping = 0
        self.more = 0  # so many wild cards more than needed lie in a market that is swept again at once
        self.lucks: dict[int, KnownLuck] = {}  # by shuffle
        self.cards = UndecidedCards([[] for _ in range(self.seats)], [NO_CARD] * sum(self.rules.market))

    def _paying(self) -> list[int]:
        return [n for n, deed in enumerate(self.course.deeds) if deed.number >= 0]

    def _must_keep(self, seat: int) -> dict[int, list[Size]]:
        """Return by purchase the numbers of cards of each deck, any of which must stay in the hand for all that is
        paid later.
        """
        needs_by_deed: dict[int, list[Size]] = {}
        needs: list[Size] = [(0, 0)]
        for n in range(len(self.course.deeds) - 1, -1, -1):
            deed = self.course.deeds[n]
            if deed.turn.seat != seat:
                continue
            for card in deed.turn.drawn:
                deck = card.deck if card.kind is None else deck_of(card.kind)
                needs = [(max(0, a - (deck != 1)), max(0, b - (deck != 0))) for a, b in needs]
            if deed.number >= 0:
                needs_by_deed[n] = needs
                sizes = deed.sizes(self.course.ways, 0 if deed.turn.what == noted.WITHDRAW else deed.extra or 0)
                if deed.turn.what == noted.WITHDRAW:
                    needs = [(max(a, c), max(b, d)) for a, b in needs for c, d in sizes]
                else:
                    needs = [(a + c, b + d) for a, b in needs for c, d in sizes]
            needs = _least(needs)
        return needs_by_deed

    def _left(self, deck: int) -> int:
        return self.cards.in_deck[self.cards.current[deck]] + sum(self.cards.discards[deck])

    def _lying_wilds(self) -> list[int]:
        cards = self.cards
        return [card for card in cards.market if card != NO_CARD and cards.kind[card] == WILD_KIND]

    def _wilds_lie(self) -> int:
        return len(self._lying_wilds())

    def _market_wants(self, shuffle: int) -> int:
        """Return about how many wild cards of a shuffle must come to the market before its deck runs out."""
        cards, wanted = self.cards, 0
        if shuffle != cards.current[0]:
            return 0
        last = self.deed + cards.in_deck[shuffle] * 2 // 3
        for n, m, sweeps in self.wild_events:
            if n > last:
                break
            if (n, m) > (self.deed, self.card):
                wanted += self.rules.sweep_at * sweeps or 1
        return max(0, wanted - self._wilds_lie())

    def _soon(self, seat: int) -> Counter[int]:
        """Return what a seat pays next, as far as it is known: at least three times, and as long as its hand lasts."""
        which, held = bisect_left(self.theirs[seat], self.deed), len(self.cards.hands[seat])
        if (seat, which, held) not in self.next_payments:
            wanted: Counter[int] = Counter()
            for ahead, n in enumerate(self.theirs[seat][which:]):
                if ahead >= 3 and wanted.total() + self.asked[n].total() > held:
                    break
                wanted += self.asked[n]
            self.next_payments[seat, which, held] = wanted
        return self.next_payments[seat, which, held]

    def _wishes(self, seat: int) -> Counter[int]:
        """Return what a seat pays next, and what it once could not pay later."""
        soon = self._soon(seat)
        key = seat, self.deed, soon.total(), len(self.lacked_at)
        if key not in self.wishes:
            wishes = Counter(soon)
            for (other, kind), deed in self.lacked_at.items():
                if other == seat and deed > self.deed:
                    wishes[kind] = max(wishes[kind], self.asked[deed][kind], 1)
            self.wishes[key] = wishes
        return self.wishes[key]

    def _wanted(self, shuffle: int) -> Counter[int]:
        """Return how many cards of each kind the holders of undecided cards of a shuffle want it to give."""
        cards, wishes = self.cards, Counter[int]()
        for seat in range(self.seats):
            own = sum(cards.kind[card] == UNDECIDED and cards.shuffle[card] == shuffle for card in cards.hands[seat])
            if own:
                for kind, count in self._wishes(seat).items():
                    wishes[kind] += min(own, count) * (1 + self.lacking[seat, kind])
        return wishes

    def _least_needed(self, card: int) -> int:
        """Return a kind that is not wild for a card that is thrown away."""
        cards = self.cards
        pool = cards.pools[cards.shuffle[card]]
        wanted = self._wanted(cards.shuffle[card])
        kinds = [kind for kind, count in enumerate(pool) if count and cards.may_be(card, kind) and kind != WILD_KIND]
        known = self.lucks.get(len(cards.pools))
        if known is not None:  # so that the same is shuffled again
            kinds = [kind for kind in kinds if known.box[kind] > cards.discards[deck_of(kind)][kind]] or kinds
        return max(kinds, key=lambda kind: pool[kind] - wanted[kind] + self.luck.random() * self.leanings.noise)

    def _use(self, seat: int, shuffle: int) -> int:
        """Return how many more cards of a shuffle a seat could use for what it pays next."""
        cards, soon, own = self.cards, self._wishes(seat), 0
        held = dict.fromkeys(soon, 0)
        for card in cards.hands[seat]:
            kind = cards.kind[card]
            if kind == UNDECIDED:
                own += cards.shuffle[card] == shuffle
            elif kind in held:
                held[kind] += 1
        pool = cards.pools[shuffle]
        return max(0, sum(min(max(0, count - held[kind]), pool[kind]) for kind, count in soon.items()) - own)

    def _wilds_needed(self) -> int:
        """Return how many wild cards must lie in the market soon."""
        needed = 0
        for n, m, sweeps in self.wild_events:
            if (n, m) <= (self.deed, self.card):
                continue
            if n > self.deed + self.leanings.horizon + 4 * self.hurry[n]:
                break
            needed += self.rules.sweep_at - 1 if sweeps else 1
            if sweeps or needed >= self.rules.sweep_at:
                break
        return needed

    def _must_lie(self) -> tuple[int, int]:
        """Return how many cards of each of two decks, not wild, must lie in the market for what is drawn soon.

        That is a card that the notes say came from it, and whatever a deck can no longer give.
        """
        left, needed = [self._left(0), self._left(1)], [0, 0]
        first = bisect_left(self.deck_flow, (self.deed, self.card + 1))
        for n, _, cards, sweeps in self.deck_flow[first:]:
            if n > self.deed + IN_SIGHT:
                break
            for deck, count in enumerate(cards):
                if count > 0 or not sweeps:
                    needed[deck] += max(0, -(left[deck] + count))
                    left[deck] = max(0, left[deck] + count)
                else:
                    needed[deck] -= count
            if sweeps:
                break
        return needed[0], needed[1]

    def _flooded_soon(self, turns: int) -> bool:
        """Return whether too many wild cards lay in the market within so many turns, in an earlier try."""
        return any(self.deed <= n < self.deed + turns for n in self.flooded)

    def _scarce_soon(self, deck: int, turns: int) -> bool:
        """Return whether a deck had no card as noted within so many turns, in an earlier try."""
        return any(other == deck and self.deed < n < self.deed + turns for n, other in self.scarce)

    def _wilds_run_short(self) -> bool:
        """Return whether the market soon needs more wild cards than its deck has: it must be shuffled anew before."""
        if not self.leanings.hurried:
            return False
        cards = self.cards
        left = self._wilds_lie() + cards.pools[cards.current[0]][WILD_KIND]
        for n, m, sweeps in self.wild_events:
            if n > self.deed + self.leanings.hurried:
                return False
            if (n, m) > (self.deed, self.card):
                left -= self.rules.sweep_at * sweeps or 1
                if left < 0:
                    return True
        return False

    def _lacks_wilds(self, seat: int) -> bool:
        """Return whether a seat must still draw wild cards unseen for what it pays later."""
        cards = self.cards
        lacking = self._wilds_to_come(seat)
        if not lacking:
            return False
        loose = Counter(
            cards.shuffle[card] for card in cards.hands[seat] if cards.kind[card] == UNDECIDED and not cards.plain[card]
        )
        return sum(min(count, cards.pools[shuffle][WILD_KIND]) for shuffle, count in loose.items()) < lacking

    def _wilds_to_come(self, seat: int, before: int = NEVER_ENDS) -> int:
        """Return how many wild cards a seat pays before a deed, beyond those it has and those it takes openly."""
        held = [self.cards.kind[card] for card in self.cards.hands[seat]].count(WILD_KIND)
        lacking = 0
        for n, change, kept in self.wild_flow[seat]:
            if n >= before:
                break
            if n >= self.deed:
                lacking = max(lacking, -(held + change))
                held += 0 if kept else change
        return lacking

    def _reserved(self, shuffle: int, before: int) -> int:
        """Return how many wild cards of a shuffle hands need before a deed."""
        cards, reserved = self.cards, 0
        for seat in range(self.seats):
            lacking = self._wilds_to_come(seat, before)
            if lacking:
                loose = sum(
                    cards.shuffle[card] == shuffle and cards.kind[card] == UNDECIDED and not cards.plain[card]
                    for card in cards.hands[seat]
                )
                reserved += min(lacking, loose)
        return reserved


def _least(sizes: list[Size]) -> list[Size]:
    """Return the sizes of which no other asks as much or less of both decks."""
    least: list[Size] = []
    for size in sorted(set(sizes)):
        if not least or size[1] < least[-1][1]:
            least.append(size)
    return least


def _asked(deed: NotedDeed) -> Counter[int]:
    """Return what a payment certainly takes, or most likely takes."""
    if deed.ways:
        return Counter(dict(deed.ways[0]))
    price = deed.price
    if deed.number < 0 or price is None:
        return Counter()
    if price.colour is None:
        return +Counter({WILD_KIND: price.wilds})
    if price.sea:
        ships = price.spaces - price.wilds
        return +Counter({DOUBLE + price.colour: ships // 2, SHIP + price.colour: ships % 2, WILD_KIND: price.wilds})
    return +Counter({price.colour % MARKED: price.spaces - price.wilds, WILD_KIND: price.wilds})


def _deck_flow(course: NotedCourse) -> list[tuple[int, int, Size, bool]]:
    """Return what is taken from and given back to two decks: the deed, which card, how many of each deck, and whether
    the market is swept then. Of wild cards taken openly only the sweep counts.
    """
    flow = []
    for n, deed in enumerate(course.deeds):
        for m, card in enumerate(deed.turn.drawn):
            deck = card.deck if card.kind is None else deck_of(card.kind)
            counts = (card.kind != WILD_KIND or not card.openly) and deck in (0, 1)
            flow.append((n, m, (-(deck == 0), -(deck == 1)) if counts else (0, 0), card.sweeps > 0))
        if deed.number >= 0 and deed.turn.what != noted.WITHDRAW:
            sizes = list(deed.sizes(course.ways, deed.extra or 0))
            flow.append((n, 0, (min(size[0] for size in sizes), min(size[1] for size in sizes)), False))
    return flow


def _wild_flow(course: NotedCourse, seat: int) -> list[tuple[int, int, bool]]:
    """Return the wild cards that a seat certainly takes openly, and pays: the deed, how many more, whether they are
    kept.
    """
    flow = []
    for n, deed in enumerate(course.deeds):
        if deed.turn.seat != seat:
            continue
        taken = sum(card.kind == WILD_KIND for card in deed.turn.drawn)
        if taken:
            flow.append((n, taken, False))
        paid = min((dict(way).get(WILD_KIND, 0) for way in deed.ways), default=deed.price.wilds if deed.price else 0)
        if paid:
            flow.append((n, -paid, deed.turn.what == noted.WITHDRAW))
    return flow
