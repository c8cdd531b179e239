"""From a game that was noted at a real table to a record of it that the rules accept from the first action to the last.

The rules play it. What nobody saw is dealt at random and stays open (`dealt_cards`) until something that was noted
asks for it: a payment, a card taken from the market, the cards turned at a tunnel. Tickets stay open to the end.
What cannot have been is refused at the turn at which that is certain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from branchline.atlas import COLOURS
from branchline.atlas.faults import BranchlineError
from branchline.atlas.tables import KINDS, MARKED, WILD_KIND
from branchline.atlas.wording import worded
from branchline.game import notation as noted
from branchline.game.cards import card_name, cards_text
from branchline.game.dealt_cards import BEFORE, FEW_DRAWN, DealtCards, MarketAgain, drawn_kinds, first_cards
from branchline.game.errors import IllegalAction, NotationError
from branchline.game.game import Game
from branchline.game.notation import ANY_DECK, CardDrawn, Choice, Notation, Turn
from branchline.game.noted_payments import Cards, NotedPayments, NotFoundError
from branchline.game.payments import Payment, payments_for
from branchline.game.record import PAYING, Record
from branchline.game.stacking import IMAGINED
from branchline.game.ticket_choices import TicketChoices
from branchline.rules import chance, log
from branchline.rules import state as at
from branchline.rules.cards import deck_of
from branchline.rules.passengers import NONE
from branchline.rules.tunnels import asks_more

ATTEMPTS = 40
"""How often a game is begun anew with other luck, where the luck of the first times led nowhere."""

SAME_LINE = 10
"""So often it may fail at the same line."""

MOST_SHUFFLES = 1000  # tried for the few cards that are turned up in the moment of a shuffle
TAKEN_NEXT = 2  # cards that lie open after a shuffle, if that can be

CARDS, PAYMENTS, TICKETS, MIXES, FLEETS, PASSENGERS = "cards", "payments", "tickets", "mixes", "fleets", "passengers"
"""What of a record can be imagined."""


@dataclass(frozen=True)
class Reconstruction:
    """A record of a noted game, and how it ended."""

    record: Record
    game: Game  # at its end
    imagined: tuple[str, ...]  # of CARDS …: what was not noted

    @property
    def over(self) -> bool:
        """Whether the notation reaches the end of the game."""
        return self.game.over


def reconstruct(notation: Notation, seed: int = 0, attempts: int = ATTEMPTS) -> Reconstruction:
    """A legal record that agrees with everything noted; raises `NotationError` at the first turn that cannot be.

    The same notation and seed give the same record.
    """
    failed: list[NotationError] = []
    for n in range(attempts):
        attempt = _Attempt(notation, seed + n)
        try:
            return attempt.reconstruction()
        except NotFoundError as error:
            failed.append(error)
            if sum(one.line == error.line for one in failed) == SAME_LINE:
                break
    furthest = max(failed, key=lambda error: error.line)
    raise NotationError(furthest.line, furthest.why)


Rows = Sequence[Sequence[int]]
Accept = Callable[[Rows], bool]
"""Whether what an action did, by the rules' log, is what was noted."""


@dataclass(frozen=True)
class _Step:
    """An action; where it is paid for, with the cards: how many questions that takes depends on the hand."""

    line: int
    number: int
    cards: Cards | None


class _Attempt:
    """One way to deal what nobody saw."""

    def __init__(self, notation: Notation, seed: int) -> None:
        self.notation, self.board, self.seed = notation, notation.board, seed
        self.luck = Random(seed)
        self.shuffle_luck: dict[int, str] = {}  # by step
        self.steps: list[_Step] = []
        self.imagined: set[str] = {CARDS}
        tickets = list(self.board.tickets)
        self.luck.shuffle(tickets)
        self.decks = {
            "cards": first_cards(self.board, len(notation.names), self.luck),
            "tickets": tuple(ticket.name for ticket in tickets),
        }
        waiting = self._waiting()
        if waiting:
            self.decks["passengers"] = waiting
        self.line = notation.turns[0].line if notation.turns else 0
        self.who = ""
        self.game = self._new_game(self.decks)
        self.cards = DealtCards(self.game, self.luck)
        self.payments = NotedPayments(notation, self.cards)
        self.tickets = TicketChoices(notation, self.luck)

    def _new_game(self, decks: dict[str, tuple[str, ...]]) -> Game:
        notation = self.notation
        try:
            return Game(self.board, len(notation.names), self.seed, first_seat=notation.first_seat, decks=decks)
        except BranchlineError as error:
            raise NotationError(0, str(error)) from None

    def _waiting(self) -> tuple[str, ...]:
        if not self.board.passengers:
            return ()
        taken = [one for turn in self.notation.turns for one in turn.passengers]
        return tuple(f"{self.board.places[place].name} {COLOURS[colour]}" for place, colour in taken)

    # -------------------------------------------------------------------------------------------- the whole game

    def reconstruction(self) -> Reconstruction:
        self._start()
        for turn in self.notation.turns:
            self.line, self.who = turn.line, self.notation.names[turn.seat]
            if self.game.over:
                raise NotationError(turn.line, worded("the game was over before this turn"))
            _TURNS[turn.what](self, turn)
            self._turn_is_over(turn)
        return self._recorded()

    def _recorded(self) -> Reconstruction:
        """The same actions once more, from the beginning, with what is dealt now known."""
        notation = self.notation
        names = self.tickets.identities(self.game)
        if self.board.passengers:
            self.imagined.add(PASSENGERS)
        if self.payments.guessed:
            self.imagined.add(PAYMENTS)
        stacked = self.cards.stacked()
        decks = {
            **self.decks,
            "cards": stacked.pop(BEFORE),
            "tickets": tuple(names[name] for name in self.decks["tickets"]),
            IMAGINED: tuple(sorted(self.imagined | self.tickets.imagined)),
        }
        game = self._new_game(decks)
        market = MarketAgain(self.cards)
        for n, step in enumerate(self.steps):
            self.line, self.who = step.line, notation.names[game.question.seat or 0]
            number = at.TAKE + market.slot_of(n) if n in self.cards.taken else step.number
            rows = self._done_again(game, n, number, step.cards)
            market.follow(rows, n)
            if n in stacked:
                game.stacked[f"cards at {len(game.actions)}"] = stacked[n]
        return Reconstruction(game.record(notation.names), game, decks[IMAGINED])

    def _done_again(self, game: Game, n: int, number: int, cards: Cards | None) -> Rows:
        """Do a step, with the cards from the decks that have been settled since."""
        if n in self.shuffle_luck:
            return self._shuffled_so(game, n, number, cards)
        try:
            rows = _done(game, number, cards)
        except IllegalAction as error:
            raise NotFoundError(self.line, worded("{who}: {why}", who=self.who, why=_reason(error, number))) from None
        if drawn_kinds(rows) != [card.kind for card in self.cards.moved[n]]:
            raise NotFoundError(
                self.line,
                worded("{who}: no order of the cards was found in which this turn comes out so", who=self.who),
            )
        return rows

    def _shuffled_so(self, game: Game, n: int, number: int, cards: Cards | None) -> Rows:
        """Do a step whose shuffle brings to the top what has been settled since."""
        before, done = game.state.tobytes(), len(game.actions)
        wanted = [card.kind for card in self.cards.moved[n]]
        first = int(self.shuffle_luck[n])
        for seed in range(first, first + MOST_SHUFFLES):
            game._buffer.view("u1")[:] = bytearray(before)
            del game.actions[done:]
            game._legal = None
            chance.seed(game._state, seed)
            rows = _done(game, number, cards)
            if drawn_kinds(rows) == wanted:
                game.stacked[f"luck at {done}"] = (str(seed),)
                return rows
        raise NotFoundError(
            self.line, worded("{who}: no shuffle was found after which this turn comes out so", who=self.who)
        )

    def _start(self) -> None:
        """Tickets and fleets are chosen before the first turn."""
        while self.game.question.kind != "turn":
            question = self.game.question
            assert question.seat is not None
            start = self.notation.starts[question.seat]
            self.line, self.who = start.line or self.line, self.notation.names[question.seat]
            if question.kind == "mix":
                self._mix(start.choice)
            elif question.kind == "keep_tickets":
                self._keep(start.choice)
            else:
                self._fleet(question.seat, start.fleet)

    def _turn_is_over(self, turn: Turn) -> None:
        question = self.game.question
        if self.game.over or question.kind == "turn":
            return
        if question.kind == "second_card":
            raise NotationError(
                turn.line,
                worded(
                    "{who} drew one card only; a turn draws two, unless the first is a wild one from the market",
                    who=self.who,
                ),
            )
        raise NotationError(turn.line, worded("the turn is not finished: {kind}", kind=question.kind))

    # -------------------------------------------------------------------------------------------- one action

    def _play(self, number: int, accept: Accept | None = None, cards: Cards | None = None) -> None:
        """Do an action, paid for with these cards; where it shuffles discards, with luck after which it is accepted."""
        before, n = self.game.state.tobytes(), len(self.game.actions)
        try:
            rows = _done(self.game, number, cards)
        except IllegalAction as error:
            raise NotationError(self.line, worded("{who}: {why}", who=self.who, why=_reason(error, number))) from None
        if any(row[0] == log.RESHUFFLED for row in rows):
            rows = self._shuffled_well(_Step(self.line, number, cards), before, n, accept)
        elif accept is not None and not accept(rows):
            raise NotFoundError(
                self.line,
                worded("{who}: no order of the cards was found in which this turn comes out so", who=self.who),
            )
        self.cards.follow(rows)
        self.steps.append(_Step(self.line, number, cards))

    def _shuffled_well(self, step: _Step, before: bytes, n: int, accept: Accept | None) -> Rows:
        """Do a step with luck after which it is accepted; if possible, with the cards open that are taken next."""
        taken = self._taken_next()
        first = self.luck.randrange(1 << 40)
        for tried in range(MOST_SHUFFLES):
            self.cards.restore(before)
            del self.game.actions[n:]
            chance.seed(self.game._state, first + tried)
            rows = _done(self.game, step.number, step.cards)
            opened = [row[3] for row in rows if row[0] == log.TURNED_UP]
            minds = len(opened) > FEW_DRAWN and tried < MOST_SHUFFLES // 2
            if (accept is None or accept(rows)) and not (minds and taken - Counter(opened)):
                self.shuffle_luck[len(self.steps)] = str(first + tried)
                return rows
        raise NotFoundError(
            self.line, worded("{who}: no shuffle was found after which this turn comes out so", who=self.who)
        )

    def _taken_next(self) -> Counter[int]:
        """The kinds of the next cards that are noted to be taken from the market."""
        kinds = [
            card.kind
            for turn in self.notation.turns
            if turn.line > self.line
            for card in turn.drawn
            if card.openly and card.kind is not None
        ]
        return Counter(kinds[:TAKEN_NEXT])

    # -------------------------------------------------------------------------------------------- cards

    def _draw(self, turn: Turn) -> None:
        for n, card in enumerate(turn.drawn):
            if self.game.over or self.game.question.seat != turn.seat or (self.game.question.kind == "turn" and n):
                raise NotationError(
                    turn.line, worded("{who} drew {n} card; with it the turn was over", who=self.who, n=n)
                )
            if card.openly:
                self._take(turn, card, first=n == 0)
            else:
                self._draw_unseen(turn, card, alone=len(turn.drawn) == 1)

    def _take(self, turn: Turn, card: CardDrawn, first: bool) -> None:
        """A card from the market: one that lies there, or one that is made to have lain there."""
        assert card.kind is not None
        if not self.cards.lay_open(card.kind):
            raise NotFoundError(
                turn.line,
                worded(
                    "{who} took {card} from the market; no deal was found in which it lay there",
                    who=self.who,
                    card=card_name(card.kind),
                ),
            )
        if first is False and card.kind == WILD_KIND:
            raise NotationError(
                turn.line, worded("{who} took a wild card from the market as the second card", who=self.who)
            )
        refill = deck_of(card.kind) if card.refill == ANY_DECK else card.refill
        self._make_market(card.sweeps, refill)
        slot = self.cards.slot_to_take
        sweeps = self._sweeps(card.sweeps)
        self._play(at.TAKE + slot, sweeps if not self._asks_refill(refill) else None)
        if self.game.question.kind == "refill":
            self._play(at.REFILL_FROM + refill, sweeps)

    def _asks_refill(self, deck: int) -> bool:
        state = self.game._plain
        left = [int(state.deck_size[n]) + int(state.discard_size[n]) for n in range(2)]
        return self.board.cards.two_decks and all(left)

    def _make_market(self, sweeps: int, refill: int) -> None:
        """Have the next cards of the decks bring about so many sweeps, and no more."""
        cards = self.cards
        if not sweeps:
            for deck in cards.decks:
                next_cards = deck[: sum(self.board.cards.market) if self._has_gaps() else 1]
                cards.arrange(next_cards, _plain)
            return
        limit, size = self.board.cards.sweep_at, self.board.cards.market[0]
        trains = cards.decks[0]
        newest = sorted(cards.lying, key=lambda one: (one.kind != WILD_KIND, -one.since))
        first = trains[:1] if refill == 0 else []
        cards.arrange([*first, *(card for card in newest if card.deck == 0)], _wild, limit)
        for n in range(sweeps):
            after = trains[len(first) + n * size :][:size]
            cards.arrange(after, _wild if n < sweeps - 1 else _plain, limit if n < sweeps - 1 else size)

    def _has_gaps(self) -> bool:
        return any(card is None for card in self.cards.market)

    def _sweeps(self, wanted: int) -> Accept:
        def accept(rows: Rows) -> bool:
            return _swept(rows) == wanted

        return accept

    def _draw_unseen(self, turn: Turn, card: CardDrawn, alone: bool) -> None:
        legal = self.game.legal
        decks = [deck for deck in range(2) if at.BLIND + deck in legal]
        if card.deck != ANY_DECK and card.deck not in decks:  # another deck may have filled the market
            raise NotFoundError(
                turn.line, worded("{who} drew from a deck that was empty, its discards too", who=self.who)
            )
        wild_alone = card == CardDrawn() and alone and self.game.question.kind == "turn"
        if wild_alone or not decks:
            self._take_something(turn, wild_alone)
            return
        deck = card.deck if card.deck != ANY_DECK else self._likely_deck(turn, decks)
        if card.kind is not None and self.cards.decks[deck]:
            top = self.cards.decks[deck][0]
            if not self.cards.turn_into(top, lambda kind: kind == card.kind):
                raise NotFoundError(
                    turn.line,
                    worded(
                        "{who} drew {card}; no deal was found that gives it", who=self.who, card=card_name(card.kind)
                    ),
                )
            self.cards.demands.know(top)

        def accept(rows: Rows) -> bool:
            drew = next((row[3] for row in rows if row[0] == log.DREW), None)
            return _swept(rows) == 0 and card.kind in (None, drew)

        self._play(at.BLIND + deck, accept)

    def _take_something(self, turn: Turn, wild: bool) -> None:
        """A card of which nothing is noted where only one from the market can be meant."""
        kinds = [WILD_KIND] if wild else [kind for kind in range(KINDS) if kind != WILD_KIND]
        lying = [card.kind for card in self.cards.market if card is not None]
        for kind in kinds:
            if wild or kind in lying:
                self._take(turn, CardDrawn(kind, openly=True), first=self.game.question.kind == "turn")
                return
        raise NotationError(turn.line, worded("{who} drew a card; there was none to draw", who=self.who))

    def _likely_deck(self, turn: Turn, decks: Sequence[int]) -> int:
        """The deck from which the seat lacks more for what it builds later."""
        lacks = [0, 0]
        for later in self.notation.turns:
            if later.line > turn.line and later.seat == turn.seat and later.route is not None:
                lacks[later.route.kind == "sea"] += later.route.price
            elif later.line > turn.line and later.seat == turn.seat and later.what == noted.PORT:
                lacks[0], lacks[1] = lacks[0] + 2, lacks[1] + 2
        for deck in range(2):
            lacks[deck] -= int(self.game._plain.hand_size[turn.seat, deck])
        return max(decks, key=lacks.__getitem__)

    # -------------------------------------------------------------------------------------------- paying

    def _claim(self, turn: Turn) -> None:
        route = turn.route
        assert route is not None
        tunnel = route.kind == "tunnel" and self.board.tunnel_cards > 0
        base, extra = self._split(turn) if tunnel else (turn.paid, 0)
        payment = self.payments.settle(turn, at.CLAIM + route.index, base)
        self._pay(at.CLAIM + route.index, payment, self._tunnel(turn, payment, extra) if tunnel else None)
        if self.game.question.kind == "tunnel":
            self._after_tunnel(turn, payment)
        elif turn.what == noted.WITHDRAW:
            raise NotationError(turn.line, worded("{who} withdrew, but the tunnel asked nothing more", who=self.who))
        self._passengers(turn)

    def _split(self, turn: Turn) -> tuple[Cards | None, int]:
        """What of a payment was laid before the cards were turned, and how many more the tunnel asked."""
        assert turn.route is not None
        if turn.paid is None or turn.what == noted.WITHDRAW:
            return turn.paid, 1 if turn.what == noted.WITHDRAW else 0
        paid = Counter(dict(turn.paid))
        more = sum(paid.values()) - turn.route.price
        wilds = paid.pop(WILD_KIND, 0)
        needed = max(turn.route.wilds, 0)
        base: Counter[int] = Counter()
        base[WILD_KIND] = min(needed, wilds)
        for kind, count in sorted(paid.items()):
            base[kind] = min(count, turn.route.price - sum(base.values()))
        base[WILD_KIND] += min(wilds - base[WILD_KIND], turn.route.price - sum(base.values()))
        return tuple(sorted((+base).items())), max(0, more)

    def _tunnel(self, turn: Turn, payment: Payment, extra: int) -> Accept:
        """Put the cards that the tunnel turns where they are turned."""
        colours = {kind % MARKED for kind, _ in payment.cards if kind != WILD_KIND}
        colour = colours.pop() if colours else at.ALL_WILD
        top = self.cards.decks[0][: self.board.tunnel_cards]
        if turn.turned is not None:
            self.cards.deal(list(zip(top, turn.turned, strict=False)))
        else:
            self.cards.arrange(top[:extra], lambda kind: asks_more(kind, colour))
            self.cards.arrange(top[extra:], lambda kind: not asks_more(kind, colour))

        def accept(rows: Rows) -> bool:
            turned = sorted(row[2] for row in rows if row[0] == log.TURNED)
            if _swept(rows):
                return False
            if turn.turned is not None:
                return turned == list(turn.turned)
            asked = sum(bool(asks_more(kind, colour)) for kind in turned)
            return asked == extra if turn.what == noted.CLAIM else asked >= extra

        return accept

    def _after_tunnel(self, turn: Turn, payment: Payment) -> None:
        if turn.what == noted.WITHDRAW:
            self._play(at.WITHDRAW)
            return
        wanted = None
        if turn.paid is not None:
            wanted = tuple(sorted((Counter(dict(turn.paid)) - Counter(dict(payment.cards))).items()))
        more = self.payments.settle(turn, at.PAY_EXTRA, wanted)
        self._pay(at.PAY_EXTRA, more)

    def _pay(self, number: int, payment: Payment, accept: Accept | None = None) -> None:
        """Claim or build, paid for exactly so."""
        if self._has_gaps():
            self._make_market(0, 0)
        self._play(number, accept, payment.cards)

    def _build(self, turn: Turn) -> None:
        assert turn.place is not None
        number = (at.STATION if turn.what == noted.STATION else at.PORT) + turn.place.index
        self._pay(number, self.payments.settle(turn, number, turn.paid))

    def _passengers(self, turn: Turn) -> None:
        wanted = dict(turn.passengers)
        while self.game.question.kind == "passenger" and self.game.question.seat == turn.seat:
            place = self.game.question.place
            assert place is not None
            self._play(at.PICK_PASSENGER + wanted.get(place.index, NONE))

    # -------------------------------------------------------------------------------------------- tickets and pieces

    def _draw_tickets(self, turn: Turn) -> None:
        self._play(at.DRAW_TICKETS)
        if self.game.question.kind == "mix":
            self._mix(turn.choice)
        if self.game.question.kind == "keep_tickets" and self.game.question.seat == turn.seat:
            self._keep(turn.choice)

    def _mix(self, choice: Choice) -> None:
        seat = self.game.question.seat
        assert seat is not None
        mixes = [number - at.MIX for number in self.game.legal.numbers]
        if choice.mix is not None and choice.mix not in mixes:
            raise NotationError(self.line, worded("{who}: such a mix of tickets cannot be drawn now", who=self.who))
        self._play(at.MIX + (self.tickets.mix(seat, mixes) if choice.mix is None else choice.mix))

    def _keep(self, choice: Choice) -> None:
        question = self.game.question
        assert question.seat is not None
        kept = self.tickets.keep(question.seat, question.tickets, question.keep_at_least, choice)
        if kept is None:
            what = self.tickets.wrong(question.seat, len(question.tickets), question.keep_at_least, choice)
            raise NotationError(
                self.notation.held_lines[question.seat] or self.line, worded("{who}: {what}", who=self.who, what=what)
            )
        self._play(at.KEEP + kept)

    def _fleet(self, seat: int, trains: int | None) -> None:
        if trains is None:
            self.imagined.add(FLEETS)
            trains = self._likely_fleet(seat)
        self._play(at.TRAINS_IN_FLEET + trains)

    def _likely_fleet(self, seat: int) -> int:
        """Trains that suffice for what the seat builds, as far as any number does; the rest is shared out."""
        whole = self.board.pieces.fleet
        used, most = [0, 0], [0, 0]
        for turn in self.notation.turns:
            if turn.seat == seat and turn.what == noted.CLAIM and turn.route is not None:
                used[turn.route.kind == "sea"] += turn.route.length
            elif turn.seat == seat and turn.what == noted.SWAP:
                kind, count = divmod(turn.swapped - at.SWAP_FOR, at.MAX_SWAP)
                used[kind] -= count + 1
                used[1 - kind] += count + 1
            most = [max(one, other) for one, other in zip(most, used, strict=True)]
        numbers = [number - at.TRAINS_IN_FLEET for number in self.game.legal.numbers]
        fitting = [trains for trains in numbers if most[0] <= trains <= whole - most[1]] or numbers
        middle = most[0] + (whole - sum(most)) / 2
        return int(min(fitting, key=lambda trains: abs(trains - middle)))

    def _swap(self, turn: Turn) -> None:
        self._play(at.SWAP_PIECES)
        self._play(turn.swapped)

    def _pass(self, _turn: Turn) -> None:
        self._play(at.PASS)


_TURNS: dict[str, Callable[[_Attempt, Turn], None]] = {
    noted.DRAW: _Attempt._draw,
    noted.CLAIM: _Attempt._claim,
    noted.WITHDRAW: _Attempt._claim,
    noted.STATION: _Attempt._build,
    noted.PORT: _Attempt._build,
    noted.TICKETS: _Attempt._draw_tickets,
    noted.SWAP: _Attempt._swap,
    noted.PASS: _Attempt._pass,
}


def _reason(error: IllegalAction, number: int) -> str:
    """Why not, without the number of the action, which nobody noted."""
    return error.why.removeprefix(f"action {number}: ")


def _done(game: Game, number: int, cards: Cards | None) -> Rows:
    """Do an action and answer how it is paid for; what happened, as rows of the rules' log."""
    game.play(number)
    rows = list(game.facts)
    while cards is not None and game.question.kind in PAYING:
        ways = payments_for(game.board, game._buffer, None)
        way = next((one for one in ways if one.cards == cards), None)
        if way is None:
            raise IllegalAction(f"{cards_text(dict(cards))} does not pay the price exactly")
        game.play(way.answers[0])
        rows += game.facts
    return rows


def _plain(kind: int) -> bool:
    return kind != WILD_KIND


def _wild(kind: int) -> bool:
    return kind == WILD_KIND


def _swept(rows: Rows) -> int:
    """How often the market was swept: each sweep begins behind something that is none."""
    return sum(row[0] == log.SWEPT and (n == 0 or rows[n - 1][0] != log.SWEPT) for n, row in enumerate(rows))
