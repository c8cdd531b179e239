"""All of a noted game at once: cards are laid out from the first turn to the last, then their kinds are looked for.

The cards are laid out as the notes have them (`noted_table`), and kinds are looked for with which all of it
can have been
(`kind_search`). At last the rules play the whole game, and only what they accept is a record.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random

from branchline.boards.faults import BranchlineError
from branchline.boards.tables import WILD_KIND
from branchline.game.cards import card_name
from branchline.game.errors import IllegalAction
from branchline.game.game import Game
from branchline.game.payments import payments_for
from branchline.game.record import PAYING
from branchline.game.stacking import IMAGINED
from branchline.rules import chance, log
from branchline.rules import state as at
from branchline.rules.cards import deck_of
from branchline.tabletop import notation as noted
from branchline.tabletop.kind_search import NEVER, Cards, Demands
from branchline.tabletop.kind_solver import KindSolver, is_installed
from branchline.tabletop.notation import ANY_DECK, CardDrawn
from branchline.tabletop.noted_course import Course, split_cards
from branchline.tabletop.noted_table import Act, MiscountError, Plan, Table
from branchline.tabletop.payment_ways import size_of
from branchline.tabletop.shuffle_luck import Wanted, luck_for

REPAIRS = 2500
"""Of one deal."""

PLANS = 400
"""How often what was not noted is thought of otherwise because the numbers of cards did not agree."""

ROUNDS = 60
"""How often a deal that was found is laid out again until it is the same, and the rules accept it."""

MOST_LUCK = 1000
"""Seeds tried where a shuffle happens in the middle of sweeps."""

A_SOLUTION = 2.7
"""Seconds of processor time for the kinds of one deal; another may be quicker."""

A_REPAIR = 2.5
"""The same where they are repaired."""

LUCK_TRIES = 12
"""So often other luck is tried where nothing fits the one that was chosen."""

CARDS = "cards"


class NothingFoundError(Exception):
    """This luck led nowhere; another may."""

    def __init__(self, line: int) -> None:
        """Of the line at which it ended."""
        super().__init__(line)
        self.line = line


Rows = Sequence[Sequence[int]]


class DealSearch:
    """One way to think of what nobody noted."""

    def __init__(
        self,
        course: Course,
        luck: Random,
        until: float,
        freedom: float,
        trains: int,
        steadily: float,
        first_sweeps: int = 0,
    ) -> None:
        """Search until so much processor time is used; `freedom`: see `Plan`.

        `trains`: about so many train cards lie in a market of two decks; `steadily`: how likely they stay so many.
        `first_sweeps`: so often the market was swept before the first turn, which nobody can note.
        """
        self.course, self.luck, self.until = course, luck, until
        self.failed: Exception | None = None
        self.plan = Plan(free=_worth_leaving_open(course, luck), freedom=freedom, first_sweeps=first_sweeps)
        self.plan.refills = _likely_refills(course, luck, trains, steadily)

    def reconstruction(self) -> tuple[Game, tuple[str, ...]]:
        """Lay out, solve, lay out what was found, until the rules accept it."""
        line, tries = 0, LUCK_TRIES
        for _ in range(ROUNDS):
            table = self._counted()
            table.demands.begin()
            if self._solved(table.demands):
                self._keep(table)
                made = self._judged()
                if made is not None:
                    return made
                if not isinstance(self.failed, AnotherLuckError):
                    break
            else:
                line = table.demands.first_line()
                if not self.plan.lucks or not tries:
                    break
                tries -= 1
                self._forget_luck()
            self._check_time(line)
        raise NothingFoundError(line)

    def _judged(self) -> tuple[Game, tuple[str, ...]] | None:
        """What was found, if it can be laid out as it was settled, and the rules accept it."""
        try:
            return self._played(Table(self.course, self.plan, self.luck, settled=True))
        except MiscountError as error:
            self.failed = error
            return None

    def _forget_luck(self) -> None:
        """The luck that was chosen last led nowhere."""
        last = self.plan.lucks[max(self.plan.lucks)][0]
        self.plan.lucks = {n: one for n, one in self.plan.lucks.items() if one[0] != last}

    def _solved(self, demands: Demands) -> bool:
        """Whether kinds were found: by OR-Tools where it is installed, otherwise by repairing, which finds less."""
        if not is_installed():
            return demands.repair(REPAIRS, min(self.until, time.process_time() + A_REPAIR))
        model = KindSolver(demands, int(self.course.board.tables[0].copies[WILD_KIND]))
        return model.solve(min(A_SOLUTION, self.until - time.process_time())) is True

    def _check_time(self, line: int) -> None:
        if time.process_time() > self.until:
            raise NothingFoundError(line)

    def _keep(self, table: Table) -> None:
        demands = table.demands
        drawn: dict[int, list[tuple[int, int]]] = defaultdict(list)  # by shuffle, when, and which kind
        for card, moment in table.drawn_at.items():
            shuffle, kind = demands.shuffle[card], demands.kind[card]
            if deck_of(kind) != table.shuffle_deck[shuffle]:
                shuffle = demands.other[card]
            drawn[shuffle].append((moment, kind))
        for n, cards in table.order.items():
            rest = demands.rest.get(n)
            if rest is None:
                rest = [demands.kind[card] for card in cards if demands.holder[card] == NEVER]
            self.plan.deals[n] = [kind for _, kind in sorted(drawn[n])] + rest
        for card, (deed, n, openly) in table.filled.items():
            deck = deck_of(demands.kind[card])
            if openly or deck != table.shuffle_deck[demands.shuffle[card]]:
                self.plan.refills[deed, n] = deck
        paying = [n for n, deed in enumerate(self.course.deeds) if deed.number >= 0]
        self.plan.paid = {n: one.cards for n, one in zip(paying, demands.purchases, strict=True)}
        self.plan.sizes.update({n: size_of(cards) for n, cards in self.plan.paid.items()})
        self.plan.taken = {}
        for one in demands.exchanges:
            kind = demands.kind[one.card]
            taken = kind if one.taken is None else one.taken
            if one.openly or taken != kind:
                self.plan.taken[one.where] = taken

    # -------------------------------------------------------------------------------------------- numbers of cards

    def _counted(self) -> Table:
        """A deal in which the numbers of cards agree with the notes."""
        furthest, best = -1, self.plan.copy()
        for _ in range(PLANS):
            try:
                return Table(self.course, self.plan, self.luck)
            except MiscountError as error:
                if error.deed >= furthest:
                    furthest, best = error.deed, self.plan.copy()
                else:
                    self.plan = best.copy()
                    continue
                if not self._think_again(error):
                    break
            self._check_time(self.course.deeds[furthest].turn.line)
        raise NothingFoundError(self.course.deeds[max(0, furthest)].turn.line)

    def _think_again(self, error: MiscountError) -> bool:
        """Change what was thought of a turn before; whether there was anything to change."""
        choices: list[tuple[str, object, object]] = []
        plan = self.plan
        for n, deed in enumerate(self.course.deeds[: error.deed + 1]):
            if deed.number < 0 or (error.seat >= 0 and deed.turn.seat != error.seat):
                continue
            extra = deed.extra if deed.extra is not None else plan.extras.get(n, 0)
            sizes = deed.sizes(self.course.ways, 0 if deed.turn.what == noted.WITHDRAW else extra)
            now = plan.sizes.get(n)
            if now is not None and len(sizes) > 1:
                choices += [("size", n, size) for size in sizes if self._helps(error, now, size)]
            if deed.tunnel and deed.extra is None and now is not None:
                more = extra + (1 if error.more else -1)
                if 0 <= more <= self.course.board.tunnel_cards:
                    choices.append(("extra", n, more))
        for where, deck in plan.decks.items():
            before = where[0] < error.deed
            theirs = error.seat < 0 or self.course.deeds[where[0]].turn.seat == error.seat
            helps = (error.seat >= 0) == (deck != error.deck) and error.deck != ANY_DECK
            if before and theirs and helps:
                choices.append(("deck", where, 1 - deck))
        choices += [("refill", where, None) for where in plan.refills if where[0] <= error.deed]
        if not choices:
            return False
        what, key, new = self.luck.choice(choices)
        if what == "refill":
            del plan.refills[key]  # type: ignore[arg-type]
            return True
        getattr(plan, {"size": "sizes", "extra": "extras", "deck": "decks"}[what])[key] = new
        if what == "extra":
            plan.sizes.pop(key, None)  # type: ignore[call-overload]
        return True

    @staticmethod
    def _helps(error: MiscountError, now: tuple[int, int], new: tuple[int, int]) -> bool:
        """Whether a payment of another size would bring back more cards, or take fewer."""
        decks = range(2) if error.deck == ANY_DECK else (error.deck,)
        difference = sum(new[deck] - now[deck] for deck in decks)
        return difference > 0 if error.more else difference < 0

    # -------------------------------------------------------------------------------------------- the rules play it

    def _played(self, table: Table) -> tuple[Game, tuple[str, ...]] | None:
        """The record, if the rules accept it."""
        course = self.course
        names = course.tickets.identities(course.game)
        imagined = tuple(sorted({CARDS} | course.imagined | course.tickets.imagined))
        decks = {
            **course.decks,
            "cards": tuple(
                card_name(table.demands.kind[card])
                for n in range(1 + course.board.cards.two_decks)
                for card in table.order[n]
            ),
            "tickets": tuple(names[name] for name in course.decks["tickets"]),
            IMAGINED: imagined,
        }
        player = _Player(self, table, course.new_game(decks))
        try:
            player.play()
        except (IllegalAction, BranchlineError, StopIteration) as error:
            self.failed = error
            return None
        return player.game, imagined


LAST = 5
"""So many cards before a wild one was taken, or the market swept, the market must be able to change."""

SOME = 0.25
"""With as much freedom, only these cards are left open."""


def _worth_leaving_open(course: Course, luck: Random) -> dict[tuple[int, int], float]:
    """The freedom from which on it is left open whether a card came from the deck or the market."""
    found: dict[tuple[int, int], float] = {}
    before: list[tuple[int, int]] = []
    for where, card in _drawn_cards(course):
        if card.sweeps or (card.openly and card.kind == WILD_KIND):
            found.update({one: SOME * k / LAST for k, one in enumerate(reversed(before[-LAST:]))})
            before = []
        elif not card.openly and not card.blind:
            before.append(where)
            found[where] = luck.uniform(SOME, 1)
    return found


def _drawn_cards(course: Course) -> list[tuple[tuple[int, int], CardDrawn]]:
    return [((n, m), card) for n, deed in enumerate(course.deeds) for m, card in enumerate(deed.turn.drawn)]


def _likely_refills(course: Course, luck: Random, trains: int, steadily: float) -> dict[tuple[int, int], int]:
    """Think of places of the market that were filled from the other deck, so that about so many trains lie there.

    That decides when a deck has run out. `steadily`: how likely it stays the same number from one sweep to the next.
    """
    found: dict[tuple[int, int], int] = {}
    lie, wanted = course.board.cards.market[0], trains
    for where, card in _drawn_cards(course) if course.board.cards.two_decks else ():
        taken = card.deck if card.kind is None else deck_of(card.kind)
        if not card.blind and taken != ANY_DECK:
            refill = card.refill
            if refill == ANY_DECK:
                refill = taken
                if taken == 0 and lie - card.openly >= wanted + (not card.openly):
                    refill = 1
                elif taken == 1 and lie < wanted:
                    refill = 0
                if refill != taken or card.openly:
                    found[where] = refill
            lie += (refill == 0) - (taken == 0)
        if card.sweeps:
            lie = course.board.cards.market[0]
            wanted = trains if luck.random() < steadily else trains + luck.choice((-1, 1))
    return found


class AnotherLuckError(BranchlineError):
    """A shuffle that brings the cards asked for to the top was not found; another has been chosen."""


class _Player:
    """The rules play a deal that was found."""

    def __init__(self, search: DealSearch, table: Table, game: Game) -> None:
        self.search, self.table, self.game = search, table, game
        self.kinds = list(table.demands.kind)
        self.step = -2  # as the table counts them
        self.next_shuffle = 1 + game.board.cards.two_decks
        self.left: list[list[int]] = [[], []]  # the cards of each deck, the next one first
        for deck in range(self.next_shuffle):
            size = int(game._plain.deck_size[deck])
            self.left[deck] = table.order[deck][-size:] if size else []

    def play(self) -> None:
        """All of it."""
        for number in self.search.course.prepared:
            self._do(number)
        for n, act in enumerate(self.table.acts):
            self.step = 2 * n
            self._act(act)

    def _act(self, act: Act) -> None:
        deed = self.search.course.deeds[act.deed]
        if self.game.question.seat != deed.turn.seat:
            raise IllegalAction("it is the turn of another")
        if act.cards is None:
            self._do(act.number if act.kind is None else self._place_of(act.number, act.kind), act.sweeps)
            return
        cards = act.cards
        if deed.tunnel:
            assert deed.price is not None
            cards = split_cards(act.cards, deed.price)[0]
        self._pay(act.number, cards)
        if self.game.question.kind != "tunnel":
            return
        self.step += 1
        if deed.turn.what == noted.WITHDRAW:
            self._do(at.WITHDRAW)
        else:
            left = dict(act.cards)
            more = tuple((kind, n) for kind, n in ((k, left[k] - dict(cards).get(k, 0)) for k in left) if n)
            self._pay(at.PAY_EXTRA, more)

    def _place_of(self, number: int, kind: int) -> int:
        """Where in the market a card of this kind lies, in the same row if it does: luck may have laid it elsewhere."""
        market, slot = self.game._plain.market, number - at.TAKE
        first = self.game.board.cards.market[0]
        lying = [one for one in range(sum(self.game.board.cards.market)) if int(market[one]) == kind]
        return at.TAKE + min(lying, key=lambda one: (one != slot, (one < first) != (slot < first)), default=slot)

    def _pay(self, number: int, cards: Cards) -> None:
        self._do(number)
        while self.game.question.kind in PAYING:
            ways = payments_for(self.game.board, self.game._buffer, None)
            way = next((one for one in ways if one.cards == cards), None)
            if way is None:
                raise IllegalAction("does not pay the price exactly")
            self._do(way.answers[0])

    def _do(self, number: int, sweeps: int = 0) -> None:
        game = self.game
        n, before = len(game.actions), game.state.tobytes()
        game.play(number)
        rows = list(game.facts)
        if any(row[0] == log.RESHUFFLED for row in rows):
            self._shuffle(n, number, before, sweeps)
            return
        found = self._followed(rows)
        if found is None or not self._are_as_planned(found):
            raise IllegalAction("another card was drawn")
        self._advance(rows)

    def _followed(self, rows: Rows) -> list[tuple[int, int]] | None:
        """The cards that were drawn, as they were laid out, and the kinds they turned out to be.

        None: other decks were shuffled, or other numbers of cards were drawn.
        """
        left, fresh = [list(cards) for cards in self.left], self.next_shuffle
        found = []
        for row in rows:
            if row[0] == log.RESHUFFLED:
                order = self.table.order.get(fresh, [])
                if len(order) != row[3] or self.table.shuffle_deck[fresh] != row[2]:
                    return None
                left[row[2]] += order
                fresh += 1
        for deck, kind in _drawn(rows):
            if not left[deck]:
                return None
            found.append((left[deck].pop(0), kind))
        return found

    def _advance(self, rows: Rows) -> None:
        for row in rows:
            if row[0] == log.RESHUFFLED:
                self.left[row[2]] += self.table.order[self.next_shuffle]
                self.next_shuffle += 1
        for deck, _ in _drawn(rows):
            self.left[deck].pop(0)

    def _are_as_planned(self, found: list[tuple[int, int]]) -> bool:
        """Whether the cards that were drawn are those of the plan, or lie otherwise only where it does not matter."""
        groups: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for card, kind in found:
            groups[self._group(card)].append((card, kind))
        if any(
            sorted(self.kinds[card] for card, _ in some) != sorted(kind for _, kind in some) for some in groups.values()
        ):
            return False
        for card, kind in found:
            self.kinds[card] = kind
        return True

    def _ends_as_planned(self, found: list[tuple[int, int]]) -> bool:
        """Whether after sweeps the same market lies there and the same cards are left, whatever lay there between."""
        last = max((self._group(card)[0] for card, _ in found if card in self.table.place), default=-1)
        groups: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for card, kind in found:
            if self._group(card)[0] == last:
                groups[self._group(card)].append((self.kinds[card], kind))
        if any(sorted(one for one, _ in some) != sorted(one for _, one in some) for some in groups.values()):
            return False
        state, drawn = self.game._plain, {card for card, _ in found}
        fresh = self.next_shuffle
        for deck in range(1 + self.game.board.cards.two_decks):
            order = list(self.left[deck])
            for row in self.game.facts:
                order += self.table.order[fresh] if row[0] == log.RESHUFFLED and row[2] == deck else []
                fresh += row[0] == log.RESHUFFLED
            fresh = self.next_shuffle
            left = Counter(int(state.deck[deck, n]) for n in range(int(state.deck_size[deck])))
            if left != Counter(self.kinds[card] for card in order if card not in drawn):
                return False
        return True

    def _group(self, card: int) -> tuple[int, int]:
        """Cards that come in one action to one row of the market, or to one seat, may come in any order."""
        return self.table.place.get(card, (self.table.demands.holder[card], -1))

    def _shuffle(self, n: int, number: int, before: bytes, sweeps: int) -> None:
        """The same with luck that brings to the top what was settled; the rest is stacked."""
        game, lucks, first = self.game, self.search.plan.lucks, self.next_shuffle
        if first in lucks:
            found = self._again(n, number, before, lucks[first][0])
            if found is None or not self._are_as_planned(found):
                raise IllegalAction("another card was drawn")
        else:
            found = self._top_brought(n, number, before)
            if found is None or _swept(game.facts) != sweeps:
                found = self._any_luck(n, number, before, sweeps)
            if not (self._are_as_planned(found) or self._ends_as_planned(found)):
                for k in range(len([row for row in game.facts if row[0] == log.RESHUFFLED])):
                    kinds = [kind for card, kind in found if self.table.demands.shuffle[card] == first + k]
                    lucks[first + k] = self.seed, kinds
                raise AnotherLuckError("another luck")
        game.stacked[f"luck at {n}"] = (str(self.seed),)
        shuffled = [row[2] for row in game.facts if row[0] == log.RESHUFFLED]
        self._advance(game.facts)
        stacked = [card_name(self.kinds[card]) for deck in dict.fromkeys(shuffled) for card in self.left[deck]]
        if stacked and not game.over:
            game.stacked[f"cards at {len(game.actions)}"] = tuple(stacked)

    def _again(self, n: int, number: int, before: bytes, seed: int) -> list[tuple[int, int]] | None:
        """Do the action with this luck instead."""
        game = self.game
        game._buffer.view("u1")[:] = bytearray(before)
        del game.actions[n:]
        game._legal = None
        chance.seed(game._state, seed)
        game.play(number)
        self.seed = seed
        return self._followed(game.facts)

    def _top_brought(self, n: int, number: int, before: bytes) -> list[tuple[int, int]] | None:
        """Luck that brings the cards asked for to the top, or nearly."""
        table = self.table
        wanted: list[Wanted] = []
        for shuffle, step in enumerate(table.shuffle_step):
            if step == self.step and shuffle >= self.next_shuffle:
                groups: dict[tuple[int, int], list[int]] = defaultdict(list)
                for card in table.order[shuffle]:
                    if table.drawn_step.get(card) == step:
                        groups[self._group(card)].append(self.kinds[card])
                wanted.append((sorted(self.kinds[card] for card in table.order[shuffle]), list(groups.values())))
        return self._again(n, number, before, luck_for(wanted, self.search.luck)[0]) if wanted else None

    def _alike(self, card: int, kind: int) -> int:
        wanted = self.kinds[card]
        return (wanted == kind) + 2 * ((wanted == WILD_KIND) == (kind == WILD_KIND))

    def _any_luck(self, n: int, number: int, before: bytes, sweeps: int) -> list[tuple[int, int]]:
        """Luck with which the market is swept as often as noted, the most alike of some."""
        first, best = self.search.luck.randrange(1 << 40), None
        for seed in range(first, first + MOST_LUCK):
            found = self._again(n, number, before, seed)
            if found is None or _swept(self.game.facts) != sweeps:
                continue
            alike = sum(self._alike(card, kind) for card, kind in found)
            if best is None or alike > best[0]:
                best = alike, seed
                if alike == 3 * len(found):
                    break
            if sweeps and self._ends_as_planned(found):
                best = 0, seed
                break
        if best is None:
            raise IllegalAction("no luck was found with which the market is swept as often as noted")
        found = self._again(n, number, before, best[1])
        assert found is not None
        return found


def _drawn(rows: Rows) -> list[tuple[int, int]]:
    """By deck, the kinds of the cards that came from it."""
    kinds = [
        row[2] if row[0] == log.TURNED else row[3] for row in rows if row[0] in (log.DREW, log.TURNED, log.TURNED_UP)
    ]
    return [(deck_of(kind), kind) for kind in kinds]


def _swept(rows: Rows) -> int:
    """How often the market was swept: each sweep begins behind something that is none."""
    return sum(row[0] == log.SWEPT and (n == 0 or rows[n - 1][0] != log.SWEPT) for n, row in enumerate(rows))
