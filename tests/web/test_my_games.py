"""My games: what is kept of finished games, how it is told, and that nothing is left of what one wants forgotten."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command

from branchline.analysis import Analysis, analyse
from branchline.teaching.rating import Rating
from branchline.web.app import notifier_for
from branchline.web.core.pages.translation import LANGUAGES
from branchline.web.core.room_options import Options
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.room import Room
from branchline.web.core.security.tokens import token_hash
from branchline.web.core.settings import Settings
from branchline.web.core.store import schema, tables
from branchline.web.core.store.database import Store
from branchline.web.core.store.rows import TalkRow
from branchline.web.core.visit import Visit
from branchline.web.my_games import games as my_games
from branchline.web.my_games import page as my_games_page
from branchline.web.my_games import results as keeping
from branchline.web.my_games import store as results
from branchline.web.my_games.store import ResultRow
from web.games import a_room, walk
from web.running_here import running_here
from web.servers import Person

ANNA, BEN = token_hash("key 0"), token_hash("key 1")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def alone() -> Room:
    """Anna's finished game against a bot."""
    *_, last = walk(a_room("berlin", 2, 3, people=1), 3)
    return last


@pytest.fixture(scope="module")
def together() -> Room:
    """Anna's and Ben's finished game."""
    *_, last = walk(a_room("germany", 2, 4), 4)
    return last


@pytest.fixture(scope="module")
def found(alone: Room, few_worlds: None) -> Analysis:
    """Anna's game, analysed."""
    return analyse(alone.record(), rollouts=2, seats=[0])


def kept(store: Store, room: Room, *keys: tuple[str, int]) -> Room:
    """A room in the store, under an id of its own."""
    n = len(rooms_of(store))
    room = replace(room, row=replace(room.row, id=f"room{n:08}"))
    log = tuple(replace(row, at=row.at + 100_000 * n) for row in room.log)
    store.create(room.row, room.seats, room.states, keys, log)
    return room


def rooms_of(store: Store) -> set[str]:
    with store.engine.connect() as connection:
        return set(connection.execute(sa.select(tables.rooms.c.id)).scalars())


def caught_up(store: Store) -> int:
    """What the server does in the background, until there is nothing more to do; how many games were looked at."""

    async def work() -> int:
        settings = Settings(str(store.engine.url))
        live, looked = LiveRooms(store, notifier_for(settings, store), settings), 0
        while found := await keeping.catch_up(live):
            looked += found
        return looked

    return asyncio.run(work())


def test_every_seat_of_a_finished_game_has_a_row_and_no_other_game_has_any(
    store: Store, alone: Room, together: Room
) -> None:
    kept(store, alone, (ANNA, 0))
    kept(store, a_room("berlin", 2), (ANNA, 0))
    guided = kept(store, replace(together, row=replace(together.row, guide='{"kind": "lesson"}')), (ANNA, 0))
    assert caught_up(store) == 1 and caught_up(store) == 0
    with store.engine.connect() as connection:
        rows = [ResultRow(*row) for row in connection.execute(sa.select(tables.results))]
    scores = alone.game.scores
    assert guided.id not in {row.room for row in rows}
    assert [row.total for row in rows] == list(scores.totals)
    assert sorted(row.place for row in rows) == [1, 2] and sum(row.won for row in rows) == 1
    assert [sum(json.loads(row.points).values()) for row in rows] == [row.total for row in rows]
    assert [row.against for row in rows] == ["greedy", "person"]


def test_a_game_that_cannot_be_read_is_passed_over_once(store: Store, alone: Room) -> None:
    broken = replace(alone, row=replace(alone.row, board="no such board", digest="none"))
    kept(store, broken, (ANNA, 0))
    assert caught_up(store) == 1 and caught_up(store) == 0
    assert results.of_key(store, ANNA) == []


def test_ratings_build_on_each_other_and_bots_without_one_say_nothing(
    store: Store, together: Room, alone: Room
) -> None:
    for _ in range(3):
        kept(store, together, (ANNA, 0), (BEN, 1))
    kept(store, alone, (ANNA, 0))  # against `greedy`, which is no level
    caught_up(store)
    anna = [row.rating for row in results.of_key(store, ANNA)]
    ben = [row.rating for row in results.of_key(store, BEN)]
    assert anna[0] is None and None not in anna[1:] and len(ben) == 3
    winner = anna[1:] if 0 in together.game.scores.winners else ben
    assert sorted(winner, reverse=True) == winner  # the latest first
    deviations = [row.deviation for row in results.of_key(store, BEN)]
    assert deviations == sorted(deviations)


def test_what_says_nothing_of_ones_strength_does_not_count(together: Room) -> None:
    helped, _ = a_room("berlin", 2).noted(0, "hint", 1.0)
    assert keeping.counts_for_rating(together, frozenset())
    assert not keeping.counts_for_rating(together, frozenset({0, 1}))
    assert not keeping.counts_for_rating(replace(together, options=Options(seeded=True)), frozenset())
    assert not keeping.counts_for_rating(replace(together, log=(*together.log, *helped.log)), frozenset())


def test_who_resigns_has_lost_whatever_the_bot_made_of_it(together: Room) -> None:
    winner = together.game.scores.winners[0]
    seats = tuple(replace(one, resigned=one.seat == winner) for one in together.seats)
    given_up = replace(together, seats=seats)
    rows = keeping.rows_of(given_up)
    after = keeping.ratings_after(given_up, rows, {0: Rating(), 1: Rating()})
    assert after[winner].rating < 1500 < after[1 - winner].rating


def test_games_of_several_in_one_browser_are_listed_but_not_added_up(store: Store, together: Room) -> None:
    kept(store, together, (ANNA, 0), (ANNA, 1))
    caught_up(store)
    context = my_games.context_of(store, Visit(), ANNA)
    assert len(context.shown) == 2 and context.all_boards == () and context.rating is None


@pytest.mark.long
def test_accuracy_and_luck_come_with_the_analysis_also_later(store: Store, alone: Room, found: Analysis) -> None:
    room = kept(store, alone, (ANNA, 0))
    caught_up(store)
    assert results.of_key(store, ANNA)[0].accuracy is None
    store.keep_analysis(room.id, json.dumps(found.as_dict()))
    assert caught_up(store) == 1
    row = results.of_key(store, ANNA)[0]
    assert row.accuracy == pytest.approx(found.ledger(0).accuracy)
    assert row.luck == pytest.approx(found.ledger(0).luck)
    store.keep_analysis(room.id, json.dumps({"branchline_analysis": "of another version"}))
    assert caught_up(store) == 1
    assert results.of_key(store, ANNA)[0].accuracy is None


def test_accuracies_of_the_older_scale_are_forgotten_until_the_game_is_analysed_anew(
    tmp_path: Path, alone: Room, found: Analysis
) -> None:
    url = f"sqlite:///{tmp_path / 'rooms.sqlite'}"
    store = Store(url)
    room = kept(store, alone, (ANNA, 0))
    caught_up(store)
    store.keep_analysis(room.id, json.dumps({"branchline_analysis": 3}))
    results.note_analysis(store, room.id, {0: (95.5, 0.1)})
    with store.engine.begin() as connection:
        command.downgrade(schema._config(connection), "0014")
        connection.execute(tables.results.update().values(analysed=True, accuracy=95.5))
    store.close()
    store = Store(url)
    assert results.of_key(store, ANNA)[0].accuracy is None
    assert caught_up(store) == 1  # and is looked at once
    assert caught_up(store) == 0 and results.of_key(store, ANNA)[0].accuracy is None
    store.keep_analysis(room.id, json.dumps(found.as_dict()))
    caught_up(store)
    assert results.of_key(store, ANNA)[0].accuracy is not None
    store.close()


def many(store: Store, room: Room, count: int) -> None:
    """So many finished games of Anna's, with their results."""
    row = keeping.rows_of(room)[0]
    with store.engine.begin() as connection:
        ids = [f"many{n:08}" for n in range(count)]
        connection.execute(tables.rooms.insert(), [{**vars(room.row), "id": one} for one in ids])
        connection.execute(tables.seats.insert(), [{"room": one, **vars(seat)} for one in ids for seat in room.seats])
        connection.execute(tables.keys.insert(), [{"room": one, "hash": ANNA, "seat": 0} for one in ids])
        rows = [vars(replace(row, room=one, ended=float(n), total=n)) for n, one in enumerate(ids)]
        connection.execute(tables.results.insert(), rows)


def test_thousands_of_games_take_a_page_at_a_time_and_two_queries(store: Store, alone: Room) -> None:
    many(store, alone, 2_000)
    asked: list[str] = []
    sa.event.listen(store.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    context = my_games.context_of(store, Visit(), ANNA, page=40)
    assert len([one for one in asked if one.startswith("SELECT")]) == 2
    assert [one.total for one in context.shown] == list(range(49, -1, -1)) and context.pages == 40
    assert my_games.context_of(store, Visit(), ANNA, page=10**6).page == 40
    assert my_games.context_of(store, Visit(), ANNA, board="europe").found == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_tells_it_in_every_language(store: Store, alone: Room, together: Room, language: str) -> None:
    for _ in range(3):
        kept(store, together, (ANNA, 0), (BEN, 1))
    kept(store, alone, (ANNA, 0))
    caught_up(store)
    context = my_games.context_of(store, Visit(language=language), ANNA)
    page = my_games_page.my_games(context)
    assert page.count('class="game"') == 4 + 2  # the list, the best and the worst
    assert page.count("<figure") == 1 and 'role="img" aria-label=' in page
    assert "None" not in page and "&lt;" not in page


def test_the_page_of_somebody_new_is_empty_and_kind(store: Store) -> None:
    assert "No games yet" in my_games_page.my_games(my_games.context_of(store, Visit(), ANNA))


def test_files_hold_all_and_no_cell_is_a_formula(store: Store, together: Room) -> None:
    evil = replace(together, seats=(together.seats[0], replace(together.seats[1], name="=1+1")))
    kept(store, evil, (ANNA, 0), (BEN, 1))
    caught_up(store)
    read = json.loads(my_games.as_json(store, ANNA))
    assert read["games"][0]["total"] == together.game.scores.totals[0]
    (row,) = csv.DictReader(io.StringIO(my_games.as_csv(store, ANNA, "en").removeprefix("\ufeff")))
    assert int(row["total"]) == sum(int(points) for name, points in row.items() if name.startswith("points_"))


def test_what_one_wants_forgotten_is_gone_and_the_others_keep_their_game(
    store: Store, alone: Room, together: Room
) -> None:
    mine, ours = kept(store, alone, (ANNA, 0)), kept(store, together, (ANNA, 0), (BEN, 1))
    running = kept(store, a_room("berlin", 2), (ANNA, 0))
    store.say(ours.row, TalkRow(1, 0, "hello"), 100)
    store.say(ours.row, TalkRow(2, 1, "hello, Anna"), 100)
    caught_up(store)
    found = results.forget(store, ANNA)
    assert (found.deleted, found.left) == ((mine.id,), (ours.id,))
    assert rooms_of(store) == {ours.id, running.id}
    assert results.of_key(store, ANNA) == [] and len(results.of_key(store, BEN)) == 1
    left = store.load(ours.id)
    assert left is not None
    assert [one.name for one in left.seats] == ["Player 1", "Anna 1"]
    assert [one.text for one in left.talk] == ["hello, Anna"]
    assert store.rights(running.id, ANNA) == (0,)
    assert results.forget(store, ANNA) == results.Forgotten((), ())


@pytest.mark.long
def test_over_the_web_it_is_ones_own_and_deleted_with_a_form_only(tmp_path: Path, alone: Room) -> None:
    with running_here(Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False, sweep=0.1)) as (url, server):

        async def play() -> None:
            async with Person(url) as anna, Person(url) as ben:
                kept(server.store, alone, (token_hash(anna.token), 0))
                for _ in range(200):
                    if not results.missing(server.store, 1):
                        break
                    await asyncio.sleep(0.1)
                page = (await anna.http.get("/mine?page=zwei&board=berlin")).text
                assert "/t/room00000000" in page
                assert "/t/room00000000" not in (await ben.http.get("/mine")).text
                assert json.loads((await ben.http.get("/mine/games.json")).text)["games"] == []
                assert (await anna.http.get("/mine/games.csv")).text.count("\n") == 2
                assert (await anna.http.post("/mine/forget", data={"sure": "1"})).status_code == 403
                assert (await anna.form("/mine/forget", "/mine")).status_code == 400
                assert (await anna.form("/mine/forget", "/mine", sure="1")).status_code == 303
                assert "No games yet" in (await anna.http.get("/mine")).text

        asyncio.run(play())
