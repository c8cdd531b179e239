"""Games as somebody at the table would note them: what everybody sees, and no more (`docs/notation.md`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import groupby
from random import Random

import branchline as bl
from branchline.boards import COLOURS
from branchline.bots.api.bot import Position
from branchline.game.actions import DECKS, piece_text, route_text
from branchline.game.cards import card_name, cards_text
from branchline.rules import log
from branchline.rules import state as at
from branchline.rules.cards import deck_of

NAMES = ("Anna", "Bert", "Celia", "Dora", "Emil")


@dataclass(frozen=True)
class Done:
    """An action that was played."""

    turn: int  # -1: setting up
    seat: int
    number: int
    rows: list[list[int]]


@dataclass(frozen=True)
class Eye:
    """How much the one who notes it cares for."""

    payments: bool = True
    market: bool = True  # which cards are taken openly; otherwise how many cards
    turned: bool = True
    kept: bool = True  # how many tickets of each draw


EYES = {
    "all that is seen": Eye(),
    "the market not noted": Eye(market=False),
    "only what was built": Eye(payments=False, market=False, turned=False, kept=False),
}


def chooser(bot: str, seats: int, seed: int) -> Callable[[bl.Game], int]:
    """Who answers every question: a bot of this name in every seat, or hoarders."""
    if bot == "hoard":
        return hoarder(seed)
    bots = [bl.make_bot(bot, seed * 10 + seat + 100) for seat in range(seats)]
    return lambda game: bots[game.question.seat].choose(Position.of(game))


def hoarder(seed: int) -> Callable[[bl.Game], int]:
    """Draw cards until the decks have run out, and build from then on."""
    luck, ran_out = Random(seed), False

    def choose(game: bl.Game) -> int:
        nonlocal ran_out
        legal = list(game.legal.numbers)
        if game.question.kind == "turn":
            draws = [number for number in legal if at.TAKE <= number < at.REFILL_FROM]
            builds = [number for number in legal if number < at.TAKE]
            ran_out = ran_out or not draws
            if draws and not (ran_out and builds):
                return luck.choice(draws)
            if builds:
                return luck.choice(builds)
        return luck.choice(legal)

    return choose


@dataclass
class Played:
    """A game that was really played, and all that happened in it."""

    game: bl.Game
    done: list[Done] = field(default_factory=list)

    def noted(self, eye: Eye) -> str:
        """The game as lines."""
        on = self.game.board
        lines = [f"edition {on.id}", f"players {', '.join(NAMES[: self.game.seats])}", *self._starts(eye)]
        for _, group in groupby((one for one in self.done if one.turn >= 0), key=lambda one: one.turn):
            actions = list(group)
            lines.append(f"{NAMES[actions[0].seat]}: {_turn(on, actions, eye)}")
        for seat in range(self.game.seats):
            held = [one for one in on.tickets if self.game._plain.ticket_at[one.index] == seat]
            lines.append(f"{NAMES[seat]}: held {', '.join(ticket.name for ticket in held)}")
        return "\n".join(lines)

    def _starts(self, eye: Eye) -> list[str]:
        on, said = self.game.board, dict.fromkeys(range(self.game.seats), "")
        rows = [row for one in self.done if one.turn < 0 for row in one.rows]
        for row in rows:
            if row[0] == log.ANNOUNCED:
                said[row[1]] += f" mix {row[2]} {on.ticket_rules.decks[0]}"
            elif row[0] == log.SHOWED_FLEET:
                said[row[1]] += f" fleet {piece_text(on, 0, row[2])}"
        if eye.kept:
            for seat in said:
                said[seat] += f" keep {sum(row[:2] == [log.CHOSE, seat] and row[3] == log.KEPT for row in rows)}"
        return [f"{NAMES[seat]}: start{words}" for seat, words in said.items() if words]


def played(on: bl.Board, seats: int, seed: int, choose: Callable[[bl.Game], int]) -> Played:
    """A game in which `choose` answers every question."""
    found = Played(bl.Game(on, seats, seed))
    game = found.game
    while not game.over:
        turn = -1 if game._plain.setting_up else game.turns
        seat, number = int(game._plain.seat), int(choose(game))
        game.play(number)
        found.done.append(Done(turn, seat, number, game.facts))
    return found


def _turn(on: bl.Board, actions: list[Done], eye: Eye) -> str:
    rows = [row for one in actions for row in one.rows]
    what = {row[0] for row in rows}
    first = actions[0].number
    if log.PASSED in what:
        return "pass"
    if log.SWAPPED in what:
        kind, count = next(row[2:] for row in rows if row[0] == log.SWAPPED)
        return f"swap {piece_text(on, 1 - kind, count)} for {on.pieces.names[kind]}s"
    if log.OFFERED in what:
        mix = "".join(f" mix {row[2]} {on.ticket_rules.decks[0]}" for row in rows if row[0] == log.ANNOUNCED)
        kept = sum(row[0] == log.CHOSE and row[3] == log.KEPT for row in rows)
        return f"tickets{mix}" + (f" keep {kept}" if eye.kept else "")
    if log.DREW in what or log.TOOK in what:
        items: list[str] = []
        for one in actions:
            if at.REFILL_FROM <= one.number < at.DRAW_TICKETS and eye.market:
                items[-1] += f" refill {DECKS[one.number - at.REFILL_FROM]}"
            items += _drawn(on, one, eye)
        return f"draw {', '.join(items)}"
    return _built(on, first, rows, eye)


def _drawn(on: bl.Board, one: Done, eye: Eye) -> list[str]:
    items = []
    for row in one.rows:
        if row[0] == log.TOOK and (eye.market or card_name(row[3]) == "wild"):
            items.append(card_name(row[3]))
        elif row[0] == log.TOOK:
            items.append(DECKS[deck_of(row[3])] if on.cards.two_decks else "?")
        elif row[0] == log.DREW:
            deck = DECKS[row[2]] if on.cards.two_decks else ""
            items.append((f"blind {deck}".strip() if eye.market else deck) or "?")
    return items + ["sweep"] * sweeps(one.rows)


def sweeps(rows: list[list[int]]) -> int:
    """How often the market was swept."""
    return sum(row[0] == log.SWEPT and (n == 0 or rows[n - 1][0] != log.SWEPT) for n, row in enumerate(rows))


def _built(on: bl.Board, first: int, rows: list[list[int]], eye: Eye) -> str:
    if first < at.STATION:
        word = "withdraw" if any(row[0] == log.WITHDREW for row in rows) else "claim"
        said = f"{word} {route_text(on.routes[first - at.CLAIM])}"
    elif first < at.PORT:
        said = f"station {on.places[first - at.STATION].name}"
    else:
        said = f"port {on.places[first - at.PORT].name}"
    after = max((n for n, row in enumerate(rows) if row[0] == log.TUNNELLED), default=-1)
    paid: Counter[int] = Counter()
    for row in rows[after + 1 :]:
        if row[0] == log.PAID:
            paid[row[2]] += row[3]
    turned = [card_name(row[2]) for row in rows if row[0] == log.TURNED]
    taken = [f"{COLOURS[row[3]]} at {on.places[row[2]].name}" for row in rows if row[0] == log.TOOK_PASSENGER]
    said += f" with {cards_text(paid)}" if eye.payments and paid else ""
    said += f" turned {', '.join(turned)}" if eye.turned and turned else ""
    return said + (f" passengers {', '.join(taken)}" if taken else "")
