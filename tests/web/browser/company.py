"""Several people at one table, and tables that stand as a test wants them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from html import unescape
from typing import Any

from pressing import Visitor, press_once, table

import branchline as bl
from branchline.bots import Position

OPENING = ("mix", "keep_tickets", "fleet")  # the questions before the first turn


def opened(board: str, cards: Sequence[str] = (), *, seats: int = 2, seed: int = 1) -> bl.Game:
    """A game at the first turn of seat 0, who holds the first cards named; every seat keeps all its tickets."""
    game = bl.Game(bl.load_board(board), seats, seed, first_seat=0, decks={"cards": list(cards)})
    while game.question.kind in OPENING:
        answers = list(game.legal)
        middle = len(answers) // 2
        game.play(answers[middle] if game.question.kind == "fleet" else answers[-1])
    return game


@cache
def played_out(board: str, seats: int = 2, seed: int = 1) -> bl.Record:
    """The record of a finished game, played by chance."""
    luck = random.Random(seed)
    game = bl.Game(bl.load_board(board), seats, seed, first_seat=0)
    while not game.over:
        game.play(luck.choice(list(game.legal)))
    return game.record([f"Seat {n + 1}" for n in range(seats)])


@cache
def uneven(board: str, seats: int = 2) -> bl.Record:
    """The record of a finished game of planners against chance: it is shorter, and has mistakes."""
    bots = [bl.make_bot(("planner", "random")[seat % 2], seat) for seat in range(seats)]
    game = bl.Game(bl.load_board(board), seats, 1, first_seat=0)
    while not game.over:
        position = Position.of(game)
        game.play(bots[position.seat].choose(position))
    return game.record([f"Seat {n + 1}" for n in range(seats)])


def shortened(record: bl.Record, actions: int) -> bl.Record:
    """The same game before its last actions."""
    return replace(record, actions=record.actions[:-actions], fingerprint="")


def before_the_end(board: str, seats: int = 2) -> bl.Game:
    """A game in which everybody has a turn or two left."""
    return shortened(uneven(board, seats), 7 * seats).replay()


def laid(visitor: Visitor, record: bl.Record) -> str:
    """A room made of a record, as "Open" does; the path that the visitor came to."""
    page = visitor.go(visitor.sent("/upload", record=record.to_json()))
    return str(page.url.removeprefix(visitor.address))


def set_table(visitor: Visitor, game: bl.Game) -> Any:
    """An unfinished game as a room: the visitor takes seat 0, bots the others; the page of its table."""
    (path, link) = with_bots(visitor, game, 1)
    take_seat(visitor, link, "Anna")
    return visitor.go(path)


def with_bots(host: Visitor, game: bl.Game, people: int) -> tuple[str, ...]:
    """An unfinished game as a room with bots at all seats but the first: its path, and the invitations to those."""
    path = host.sent("/upload", record=game.record().to_json())
    for seat in range(people, game.seats):
        host.sent(f"{path}/fill", seat=str(seat))
    shown = host.read(path)
    links = [re.search(rf'id="seat-{seat}".*?data-copy="([^"]+)"', shown, re.DOTALL) for seat in range(people)]
    return path, *(unescape(link[1]).removeprefix(host.address).removeprefix(host.below) for link in links if link)


def take_seat(visitor: Visitor, invited: str, name: str) -> None:
    """Take the seat of an invitation, as the button of its page does."""
    action = re.search(r'class="invitation".*?action="([^"]+)"', visitor.read(invited), re.DOTALL)
    assert action
    visitor.sent(unescape(action[1]).removeprefix(visitor.below), name=name)


def invitation(page: Any, seat: int) -> str:
    """The link that an open seat offers to its host."""
    return str(page.locator(f"#seat-{seat} [data-copy]").get_attribute("data-copy"))


def link(page: Any, kind: str) -> str:
    """A link of the menu, without its server: `w` to watch, `d` for another device."""
    whole = page.locator(f'#bar [data-copy*="/{kind}/"]').get_attribute("data-copy")
    return str(re.sub(r"^https?://[^/]+", "", whole))


def join(visitor: Visitor, invited: str, name: str) -> Any:
    """Takes the seat of an invitation; the page of the table."""
    page = visitor.go(invited.removeprefix(visitor.address))
    page.fill("input[name=name]", name)
    page.click("main button.first")
    table(page)
    return page


def two_people(anna: Visitor, ben: Visitor, board: str, **fields: str) -> tuple[Any, Any]:
    """Anna's page and Ben's at one table, she at seat 0, which begins, he by invitation at seat 1."""
    chosen = {"seats": "2", "kind0": "me", "kind1": "open", "name0": "Anna", "first": "0", "seed": "3", **fields}
    anna.new_room(board, **chosen)
    page = join(ben, invitation(anna.page, 1), "Ben")
    anna.page.wait_for_selector("#seat-1 .name:has-text('Ben')")
    return anna.page, page


def seated(anna: Visitor, ben: Visitor, game: bl.Game) -> tuple[Any, Any]:
    """The same for a game that has begun already; bots have the other seats."""
    path, *links = with_bots(anna, game, 2)
    take_seat(anna, links[0], "Anna")
    take_seat(ben, links[1], "Ben")
    return anna.go(path), ben.go(path)


def both_play(one: Any, other: Any, until: str = "#end:not([hidden])") -> None:
    """Two people press until something is there in both their pages."""
    for n in range(6000):
        if all(page.locator(until).count() for page in (one, other)):
            return
        press_once(one, n)
        press_once(other, n)
    raise AssertionError("it did not come")


def asked(page: Any, kind: str) -> None:
    """Waits until the page asks a question of this kind."""
    page.wait_for_selector(f"body:not(.waiting) #question.asked[data-kind={kind}]", state="attached")


def said(page: Any, text: str) -> None:
    """Waits until the log says something."""
    page.wait_for_selector(f"#log li:has-text({text!r})", state="attached")


def route(game: bl.Game, text: str) -> int:
    """The number of the route of an action `claim …` that is legal now."""
    return next(int(action) for action in game.legal if action.text == f"claim {text}")


def tap(page: Any, thing: str, number: int) -> None:
    """A press on a route or a place of the map, wherever it lies; waits for the card about it."""
    page.locator(f'#board [data-{thing}="{number}"]').dispatch_event("click")
    page.wait_for_selector("#card[open] h2")


def claim(page: Any, number: int) -> None:
    """Claims a route by the map, paid as the page proposes."""
    tap(page, "route", number)
    page.locator("#card[open] .answer").first.click()
    page.wait_for_selector(f'#board .owned[data-route="{number}"]', state="attached")


def order(page: Any, what: str) -> None:
    """Presses a button of the menu."""
    page.click("#bar .menu:not(.places) summary")
    page.click(f"#bar {what}")
