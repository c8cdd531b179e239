"""The coach at the table: who may ask it, what is shown and noted, and that it never holds a game up."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

import branchline as bl
from branchline.analysis import KINDS, Comparison, Move
from branchline.analysis.comparison import Difference
from branchline.boards.tables import WILD_KIND
from branchline.bots.search.reasons import Reason
from branchline.game.payments import Payment
from branchline.teaching.coach import Advice, Caution
from branchline.web.core.http.state import ServerState
from branchline.web.core.pages import decisions
from branchline.web.core.pages.translation import LANGUAGES, translator_for
from branchline.web.core.room_options import Options
from branchline.web.core.rooms import coach
from branchline.web.core.rooms.perspective import Viewer, table_context
from branchline.web.core.rooms.room import Refused, Room
from branchline.web.core.security.signing import Signer
from branchline.web.core.settings import Settings
from branchline.web.table.coach import coaching
from branchline.web.table.coach.panel import panel
from branchline.web.table.page import fragments
from web.games import a_room, walk
from web.running_here import running_here
from web.servers import Person, hear, say

TOGETHER = Options(coach=True)
PUNKTY = ("punkt ", "punkty ", "punktów ")


def test_who_plays_alone_may_ask_and_others_only_where_the_table_was_made_so_and_all_agree() -> None:
    assert coach.may_ask(a_room("berlin", 2, people=1), 0)
    assert not coach.offered(a_room("berlin", 2))
    room = a_room("berlin", 3, options=TOGETHER, people=2)
    assert coach.offered(room) and coach.to_agree(room) == {0, 1} and not coach.may_ask(room, 0)
    room, _ = coach.with_word(room, 0, True, 1.0)
    assert not coach.may_ask(room, 0)
    room, _ = coach.with_word(room, 1, True, 2.0)
    assert coach.may_ask(room, 0) and coach.may_ask(room, 1)
    room, _ = coach.with_word(room, 0, False, 3.0)
    assert not coach.may_ask(room, 1)
    with pytest.raises(Refused):
        coach.with_word(room, 0, False, 4.0)  # said already
    with pytest.raises(Refused):
        coach.with_word(room, 2, True, 4.0)  # a bot has no say


def test_nobody_fills_the_log_by_changing_their_mind() -> None:
    room = a_room("berlin", 2, options=TOGETHER)
    for n in range(coach.MOST_WORDS):
        room, _ = coach.with_word(room, 0, n % 2 == 0, 1.0)
    with pytest.raises(Refused, match="to and fro"):
        coach.with_word(room, 0, True, 1.0)


def test_a_seat_that_is_still_free_has_not_agreed() -> None:
    room = a_room("berlin", 2, options=TOGETHER)
    room, _ = coach.with_word(room, 0, True, 1.0)
    free = replace(room, seats=(room.seats[0], replace(room.seats[1], kind="open")))
    assert not coach.may_ask(free, 0)


def test_nobody_is_helped_without_a_seat_nor_when_the_game_is_over() -> None:
    room = a_room("berlin", 2, people=1)
    assert not coach.may_ask(room, None)
    *_, last = walk(room, 3)
    assert not coach.may_ask(last, 0)


def test_help_is_noted_and_an_undo_is_still_possible() -> None:
    room = next(one for one in walk(a_room("germany", 2, people=1), 3) if one.may_undo(0))
    assert not coach.asked_already(room, 0, coach.HINT)
    helped, change = room.noted(0, coach.HINT, 1.0)
    assert coach.asked_already(helped, 0, coach.HINT) and not coach.asked_already(helped, 0, coach.CAUTION)
    assert [row.kind for row in change.rows] == ["hint"]
    assert helped.row.asked_at == room.row.asked_at  # no clock begins anew
    undone, _ = helped.undone(0, 2.0)
    assert len(undone.steps) == len(room.steps) - 1


def test_everybody_reads_in_the_log_that_somebody_was_helped() -> None:
    room, _ = a_room("berlin", 2, people=1).noted(0, coach.HINT, 1.0)
    context = table_context(room, Viewer(), Signer(b"secret"))
    assert [entry.kind for entry in context.log] == ["hint"] and context.coach is None


def shown(room: Room, **more: Any) -> str:
    context = table_context(room, Viewer(mine=(0,)), Signer(b"secret"))
    assert context.coach is not None
    return panel(replace(context, coach=replace(context.coach, **more)))


def test_the_panel_tells_no_more_than_was_asked_for() -> None:
    room = a_room("berlin", 2, people=1)
    route = room.board.routes[3]
    advice = Advice(3, Move("claim", "claim", route=route), None, 0.625, region=(route.a, route.b))
    assert " hidden" in shown(room)
    first = shown(room, stage=1, advice=advice)
    assert f"place-{route.a.index}" in first and "route-3" not in first and route.name not in first
    second = shown(room, stage=2, advice=advice)
    assert "route-3" in second and route.name in second and "62" not in second
    assert "62%" in shown(room, stage=3, advice=advice)
    paid = replace(advice, payment=Payment(((0, 2), (WILD_KIND, 1)), (0,)))
    assert "Pay with" not in shown(room, stage=1, advice=paid)
    assert "Pay with 2 × purple + 1 × bicycle." in shown(room, stage=2, advice=paid)
    assert "It saves wild cards first" in shown(room, stage=3, advice=paid)
    warned = shown(room, caution=Caution(0.4, advice), action="blind")
    assert "with this move you would win 40% of games, with the best move 62%." in warned


def test_a_panel_in_which_nothing_is_said_is_not_sent_again() -> None:
    room = a_room("berlin", 2, people=1)
    context = table_context(room, Viewer(mine=(0,)), Signer(b"secret"))
    assert context.coach is not None
    asked = replace(context, coach=replace(context.coach, step=7))
    assert panel(asked) == panel(context) and "coach" not in fragments(asked, context)
    for said in ({"stage": 1}, {"work": "{}"}, {"caution": Caution(0.4, Advice(3, Move("blind", "blind"), None, 0.6))}):
        shown = replace(context, coach=replace(context.coach, **said))
        assert panel(shown) != panel(context)
        assert "coach" in fragments(shown, context) and "coach" in fragments(context, shown)


def test_why_compares_two_moves_and_a_warning_does_so_without_naming_the_better_one() -> None:
    room = a_room("berlin", 2, people=1)
    route = room.board.routes[3]
    blind = Move("blind", "blind", word="train")
    brings = Comparison(blind, Difference(9.1, 1.0), Difference(), Difference(-6.2, 1.0), (("tickets", 9),))
    advice = Advice(3, Move("claim", "claim", route=route), None, 0.6, compared=brings)
    assert "Compared with" not in shown(room, stage=2, advice=advice)
    figures = "about 9 points more by the end (Tickets +9), the end 6 turns sooner."
    assert f"Compared with drawing a card face down: {figures}" in shown(room, stage=3, advice=advice)
    warned = shown(room, caution=Caution(0.4, advice), action="blind")
    assert f"The best move: {figures}" in warned and route.name not in warned
    noise = replace(brings, points=Difference(3.0, 2.0), turns=Difference(0.3, 0.1))
    told = shown(room, stage=3, advice=replace(advice, compared=noise))
    assert "Compared with drawing a card face down: about the same number of points by the end." in told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_move_can_be_what_another_is_compared_with(language: str, kind: str) -> None:
    words, board = translator_for(language), bl.load_board("world")
    move = Move(
        kind, f"{kind} 2 train", route=board.routes[0], place=board.places[0], card="red", word="train", count=2
    )
    if kind == "passenger":
        move = replace(move, word="red")
    said = {
        count: decisions.compared(words, board, Comparison(move, Difference(count, 0.1), Difference(), Difference()))
        for count in (1, 2, 5)
    }
    assert len(set(said.values())) == 3 and not any("{" in one for one in said.values())
    if language == "pl":
        assert all(word in one for word, one in zip(PUNKTY, said.values(), strict=True))


def test_a_payment_and_a_swap_that_are_asked_for_are_named() -> None:
    room = a_room("world", 2, people=1)
    paying = Advice(0, Move("payment", "pay red"), None, payment=Payment(((0, 1), (WILD_KIND, 2)), (0,)))
    assert "Look at which cards your other routes need." in shown(room, stage=1, advice=paying)
    told = shown(room, stage=2, advice=paying)
    assert re.search(r"Best: pay with 1 × \w+ \+ 2 × ", told) and "Pay with" not in told
    swap = Advice(0, Move("swap", "swap"), Reason("swap"), swapped=(3, "train"))
    assert "Look at how many pieces of each kind" in shown(room, stage=1, advice=swap)
    assert "Best: swap pieces (new trains: 3)" in shown(room, stage=2, advice=swap)
    assert "The plan needs more pieces of the other kind." in shown(room, stage=3, advice=swap)


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ServerState]]:
    folder: Path = tmp_path_factory.mktemp("coach")
    with running_here(Settings(f"sqlite:///{folder / 'rooms.sqlite'}", warm_up=False)) as running:
        yield running


async def until(talk: Any, fits: Any) -> dict[str, Any]:
    """The next message that fits."""
    while True:
        heard = await hear(talk)
        if fits(heard):
            return heard


def coached(pattern: str) -> Any:
    return lambda heard: re.search(pattern, heard.get("fragments", {}).get("coach", ""))


async def begun(anna: Person, talk: Any, **wishes: Any) -> int:
    """Anna's version of the table, on which she is asked."""
    await say(talk, do="hello")
    heard = await until(talk, lambda heard: "fragments" in heard)
    for do, on in wishes.items():
        await say(talk, do=do, on=on)
    return int(heard["version"])


@pytest.mark.long
def test_a_hint_comes_in_three_presses_and_is_noted_once(serving: tuple[str, ServerState]) -> None:
    url, server = serving

    async def play() -> None:
        async with Person(url) as anna:
            room = await anna.new(board="berlin", seats="2", first="0", seed="3")
            async with anna.talk(room) as talk:
                await begun(anna, talk)
                await say(talk, do="hint")
                await until(talk, coached("Look at how"))
                await say(talk, do="hint")
                await until(talk, coached("Best: keep"))
                await say(talk, do="hint")
                await until(talk, coached("Win chance"))
                kinds = [row.kind for row in server.live.rooms[room].room.log]
                assert kinds == ["hint"]

    asyncio.run(play())


BETTER = Advice(0, Move("tickets", "tickets"), None, 0.9)


def forever(*_: Any) -> Advice:
    """Stands for a coach that comes to no end."""
    while True:
        time.process_time()


def best(*_: Any) -> Advice:
    return BETTER


def much_is_given_away(*_: Any) -> Caution:
    return Caution(0.2, BETTER)


def fails(*_: Any) -> None:
    raise RuntimeError("a coach that fails")


def test_a_hint_of_another_position_is_not_shown_and_its_process_is_ended(
    serving: tuple[str, ServerState], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, server = serving
    monkeypatch.setattr(coaching, "_advised", forever)

    async def play() -> None:
        async with Person(url) as anna:
            room = await anna.new(board="berlin", seats="2", first="0", seed="3")
            async with anna.talk(room) as talk:
                await begun(anna, talk)
                await say(talk, do="hint")
                heard = await until(talk, coached("is thinking"))
                if heard["version"] == 0:  # that it was asked is noted, and shown on its own
                    heard = await until(talk, lambda heard: heard.get("version", 0) == 1)
                version = heard["version"]
                action = server.live.rooms[room].room.game.legal.texts[-1]
                await say(talk, do="play", version=version, action=action)
                gone = await until(talk, lambda heard: "hidden" in heard.get("fragments", {}).get("coach", ""))
                assert gone["version"] > version
                async with asyncio.timeout(30):
                    while any("_advised" in one.name or "forever" in one.name for one in active_children()):
                        await asyncio.sleep(0.05)

    asyncio.run(play())


@pytest.mark.long
def test_an_action_that_gives_much_away_is_played_at_the_second_press(
    serving: tuple[str, ServerState], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, server = serving
    monkeypatch.setattr(coaching, "_looked_at", much_is_given_away)
    monkeypatch.setattr(coaching, "_advised", best)
    monkeypatch.setattr(coaching, "PATIENCE", 60.0)

    async def play() -> None:
        async with Person(url) as anna:
            room = await anna.new(board="berlin", seats="2", first="0", seed="3")
            async with anna.talk(room) as talk:
                version = await begun(anna, talk, tutor=True)
                game = server.live.rooms[room].room.game
                action = game.legal.texts[-1]
                await say(talk, do="play", version=version, action=action)
                await until(talk, coached("Play it anyway"))
                await until(talk, lambda heard: heard.get("cautioned"))
                now = server.live.rooms[room].room
                assert not now.steps and [row.kind for row in now.log] == ["caution"]
                await say(talk, do="play", version=1, action=action)
                await until(talk, lambda heard: heard.get("version", 0) > 1)
                assert server.live.rooms[room].room.steps[0].row.text == action

    asyncio.run(play())


@pytest.mark.long
def test_a_coach_that_thinks_too_long_or_fails_holds_nothing_up(
    serving: tuple[str, ServerState], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, server = serving

    async def play() -> None:
        async with Person(url) as anna:
            room = await anna.new(board="berlin", seats="2", first="0", seed="3")
            async with anna.talk(room) as talk:
                version = await begun(anna, talk, tutor=True)
                action = server.live.rooms[room].room.game.legal.texts[-1]
                await say(talk, do="play", version=version, action=action)
                await until(talk, lambda heard: heard.get("version", 0) > version)
                assert server.live.rooms[room].room.steps

    monkeypatch.setattr(coaching, "_looked_at", fails)
    asyncio.run(play())
    monkeypatch.setattr(coaching, "PATIENCE", 0.05)
    monkeypatch.setattr(coaching, "_looked_at", forever)
    asyncio.run(play())


def test_where_several_play_without_agreeing_there_is_nothing_to_be_had(serving: tuple[str, ServerState]) -> None:
    url, server = serving

    async def play() -> None:
        async with Person(url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="open", first="0", coach="1")
            async with anna.talk(room) as talk:
                await begun(anna, talk)
                await say(talk, do="hint")
                assert (await until(talk, lambda heard: "error" in heard))["error"] == "no_coach"
                await say(talk, do="agree", on=True)
                await until(talk, lambda heard: heard.get("version") == 1)
                assert coach.agreed(server.live.rooms[room].room) == {0}

    asyncio.run(play())
