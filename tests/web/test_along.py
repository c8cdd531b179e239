"""Everything of a person in one file: it comes back whole, adds nothing twice, and nothing in it is believed."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from branchline.plain_data import JsonObject
from branchline.teaching.repetition import reviewed
from branchline.web.along import archive, store
from branchline.web.along import page as along_page
from branchline.web.core.pages.translation import LANGUAGES
from branchline.web.core.room_options import Options
from branchline.web.core.rooms import counted, kept_boards
from branchline.web.core.rooms.restoring import restored
from branchline.web.core.rooms.room import Room
from branchline.web.core.security.tokens import token_hash
from branchline.web.core.settings import Settings
from branchline.web.core.store import evenings, tables
from branchline.web.core.store.database import Conflict, Store
from branchline.web.core.visit import Visit
from branchline.web.my_games import results
from branchline.web.my_games import store as results_store
from branchline.web.workshop import beginning
from branchline.workshop.draft import packed
from table import costly
from web.games import a_room, walk
from web.running_here import running_here
from web.servers import Person, first_of

ANNA, BEN = token_hash("key 0"), token_hash("key 1")
ELSEWHERE = token_hash("the key of another browser")
POSITION = {
    "edition": "europe",
    "seats": [{"name": "Anna", "routes": [["Paris", "Dieppe"]]}, {"name": "Ben", "routes": [["Roma", "Venezia"]]}],
}


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path / 'here.sqlite'}")
    opened.secret()
    yield opened
    opened.close()


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path / 'there.sqlite'}")
    opened.secret()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def finished() -> Room:
    """Anna's finished game against a bot."""
    *_, last = walk(a_room("berlin", 2, 3, people=1), 3)
    return replace(last, row=replace(last.row, id="finished2222"))


@pytest.fixture(scope="module")
def running() -> Room:
    """A game of Anna against two bots, some turns old."""
    *_, last = walk(a_room("europe", 3, 5, people=1), 5, 30)
    return replace(last, row=replace(last.row, id="running22222"))


def keep(where: Store, room: Room, *keys: tuple[str, int]) -> None:
    kept_boards.keep(where, room.board)
    where.create(room.row, room.seats, room.states, keys, room.log)


@pytest.fixture
def full(here: Store, finished: Room, running: Room) -> Store:
    """Where Anna has played, counted, and learned."""
    keep(here, finished, (ANNA, 0))
    keep(here, running, (ANNA, 0))
    fields = {"id": "abc123", "at": "1700000000", "position": json.dumps(POSITION)}
    evenings.keep(here, replace(counted.row_of(ANNA, fields), room=finished.id))
    step = next(n for n, line in enumerate(finished.record().actions) if line.startswith("0 claim"))
    with here.engine.begin() as connection:
        connection.execute(tables.lessons_done.insert().values(key=ANNA, lesson="berlin/first", at=5.0))
        attempt = {"key": ANNA, "puzzle": puzzle(), "board": "berlin", "first": False, "solved": False, "at": 6.0}
        connection.execute(tables.puzzle_attempts.insert().values(attempt))
        rating = {"of": ANNA, "rating": 1610.0, "deviation": 80.0, "volatility": 0.06, "attempts": 1}
        connection.execute(tables.puzzle_ratings.insert().values(rating))
        mistake = {
            "key": ANNA,
            "room": finished.id,
            "step": step,
            "seat": 0,
            "lost": 0.2,
            "answers": "{}",
            "card": CARD,
        }
        connection.execute(tables.mistakes.insert().values(**mistake, answered=2, right=1, due_at=99.0))
    return here


def puzzle() -> str:
    from branchline.teaching.puzzles import of_edition

    collection = of_edition("berlin")
    assert collection is not None
    return collection.puzzles[0].id


CARD, _ = reviewed("", True, 50.0)
DRAFT = beginning.of_edition("berlin")


def saved(where: Store, key: str = ANNA, drafts: bool = True) -> str:
    return archive.written(store.things_of(where, key), [("Berlin", DRAFT.as_json())] if drafts else [], {}, 7.0)


def opened(where: Store, text: str, key: str = ELSEWHERE, mine: frozenset[str] = frozenset()) -> archive.Opened:
    return archive.read(text, key, store.games_of(where, key), mine, 0.0, 100.0)


def bring(where: Store, text: str, key: str = ELSEWHERE, mine: frozenset[str] = frozenset()) -> store.Added:
    return store.add(where, key, opened(where, text, key, mine).things, time.time())


def all_of(where: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of a database, but what changes by itself."""
    with where.engine.connect() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(sa.select(table))), key=repr)
            for table in tables.metadata.sorted_tables
        }


def changed(text: str, change: Callable[[JsonObject], object]) -> str:
    data = json.loads(text)
    change(data)
    return json.dumps(data)


# ---------------------------------------------------------------------------------------------------- there and back


def test_all_of_it_is_there_in_another_place(full: Store, there: Store, finished: Room, running: Room) -> None:
    added = bring(there, saved(full))
    assert (added.games.new, added.drafts.new, added.evenings.new, added.exercises.new) == (2, 1, 1, 2)
    things = store.things_of(there, ELSEWHERE)
    courses = sorted([finished.record().actions, running.record().actions])
    assert sorted(game.actions for game in things.games) == courses
    over = next(game for game in things.games if game.row.status == "over")
    assert things.evenings[0].room == over.row.id and things.lessons == {"berlin/first": 5.0}
    [mistake] = things.mistakes[over.row.id]
    assert (mistake.answered, mistake.right, mistake.due_at, mistake.card) == (2, 1, 99.0, CARD)
    assert things.rating is not None and (things.rating.rating, things.rating.deviation) == (1610.0, 350.0)
    [(draft, title)] = added.new_drafts
    found = store.draft(there, draft)
    assert title == "Berlin" and found is not None and found[1] == DRAFT.as_json()


def test_games_end_alike_and_go_on_where_they_stood(full: Store, there: Store, finished: Room, running: Room) -> None:
    bring(there, saved(full))
    for game in store.games_of(there, ELSEWHERE):
        stored = there.load(game.row.id)
        assert stored is not None
        room = restored(stored, board=kept_boards.board_of(there, stored.room))
        before = finished if game.row.status == "over" else running
        assert room.game.fingerprint == before.game.fingerprint
        assert room.question == before.question and room.options.one_screen
        if game.row.status == "playing":
            *_, last = walk(room, 9)
            assert last.game.over
            assert len(room.undone(0, 5000.0)[0].steps) < len(room.steps)


def test_the_same_file_adds_nothing_twice(full: Store, there: Store) -> None:
    text = saved(full)
    bring(there, text)
    before = all_of(there)
    again = bring(there, text)
    assert all_of(there) == before
    assert not any(tally.new for tally in (again.games, again.drafts, again.evenings, again.exercises))


def test_back_home_nothing_is_new(full: Store, there: Store) -> None:
    bring(there, saved(full))
    before = all_of(full)
    added = bring(full, saved(there, ELSEWHERE), ANNA, frozenset({packed(DRAFT)}))
    assert all_of(full) == before and added.games.here == 2 and added.drafts.here == 1


def test_of_two_courses_of_a_game_both_are_kept(full: Store, there: Store, running: Room) -> None:
    bring(there, saved(full))
    text = saved(full)
    [game] = [game for game in store.games_of(there, ELSEWHERE) if game.row.status == "playing"]
    stored = there.load(game.row.id)
    assert stored is not None
    room = restored(stored)
    asked = room.game.question.seat
    assert asked is not None
    after, change = room.played(asked, next(iter(room.game.legal)), 6000.0)
    there.write(change, room.row.version)
    assert bring(there, text).games.here == 2, "it is the beginning of what is there"
    *_, elsewhere = walk(running, 77, 3)
    ahead = changed(text, lambda data: playing(data)["record"].update(actions=list(elsewhere.record().actions)))
    assert bring(there, ahead).games.new == 1 and bring(there, ahead).games.new == 0
    courses = {game.actions for game in store.games_of(there, ELSEWHERE)}
    assert {after.record().actions, elsewhere.record().actions} <= courses


def playing(data: JsonObject) -> JsonObject:
    """The entry of the game under way."""
    return next(game for game in data["games"] if game["id"] == "running22222")


def test_another_evening_of_the_same_name_is_kept_beside_it(full: Store, there: Store) -> None:
    bring(there, saved(full))
    other = changed(saved(full), lambda data: data["evenings"][0]["position"]["seats"][0].update(name="Celia"))
    assert bring(there, other).evenings.new == 1 and bring(there, other).evenings.new == 0
    assert len(store.things_of(there, ELSEWHERE).evenings) == 2


def test_a_game_on_a_board_of_ones_own_brings_its_board(here: Store, there: Store) -> None:
    made = kept_boards.made_of(dict(DRAFT.files()), DRAFT.backdrop_file)
    kept_boards.keep_made(here, made)
    *_, room = walk(a_room("berlin", 2, 3, people=1), 3, 20)
    row = replace(room.row, id="workshop2222", board=made.name, digest=made.board.digest)
    here.create(row, room.seats, room.states, [(ANNA, 0)], room.log)
    added = bring(there, saved(here, drafts=False))
    [game] = store.games_of(there, ELSEWHERE)
    assert added.games.new == 1 and game.row.board == made.name
    stored = there.load(game.row.id)
    assert stored is not None and kept_boards.board_of(there, stored.room) is not None


# ---------------------------------------------------------------------------------------------------- rights


def test_games_under_way_with_others_and_those_of_others_stay(here: Store, finished: Room) -> None:
    *_, shared = walk(a_room("berlin", 2, 4), 4, 10)
    keep(here, replace(shared, row=replace(shared.row, id="shared222222")), (ANNA, 0), (BEN, 1))
    keep(here, replace(finished, row=replace(finished.row, id="bens22222222", host=BEN)), (BEN, 0), (ANNA, -1))
    assert json.loads(saved(here, drafts=False))["games"] == []
    text = saved(here, BEN, drafts=False)
    assert [game["id"] for game in json.loads(text)["games"]] == ["bens22222222"]


def test_a_game_from_a_file_does_not_count_for_the_rating(full: Store, there: Store, finished: Room) -> None:
    assert results.counts_for_rating(finished, frozenset())
    bring(there, saved(full))
    for game in store.games_of(there, ELSEWHERE):
        if game.row.status == "over":
            rows, rated = results._made(there, game.row.id) or ([], None)
            assert rated is None and [row.total for row in rows] == [row.total for row in results.rows_of(finished)]
            results_store.add(there, rows, rated)
    assert [row.rating for row in results_store.of_key(there, ELSEWHERE)] == [None]


@pytest.mark.long
def test_a_game_under_way_that_was_saved_does_not_count_any_more(tmp_path: Path) -> None:
    with running_here(Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False)) as (url, server):

        async def play() -> None:
            async with Person(url) as anna:
                room = await anna.new(board="berlin", seats="2", kind0="me", kind1="bot", bot1="easy")
                for _ in range(2):
                    answer = await anna.form("/along/file", "/along")
                    assert answer.status_code == 200 and "attachment" in answer.headers["content-disposition"]
                    [game] = answer.json()["games"]
                    assert game["id"] == room
                live_room = await asyncio.to_thread(server.store.load, room)
                assert live_room is not None
                marks = [row for row in live_room.log if row.kind == "along"]
                assert len(marks) == 1
                assert not results.counts_for_rating(restored(live_room), frozenset())

        asyncio.run(play())


# ---------------------------------------------------------------------------------------------------- hostile files


def spoilt_action(data: JsonObject) -> None:
    actions = playing(data)["record"]["actions"]
    actions[5], actions[6] = actions[6], actions[5]


SPOILT: dict[str, Callable[[JsonObject], object]] = {
    "another order": spoilt_action,
    "another seed": lambda data: playing(data)["record"].update(seed=11),
    "another board": lambda data: playing(data).update(board="world"),
    "no such board": lambda data: playing(data).update(board="../../etc"),
    "a folder": lambda data: (playing(data).update(board="/tmp"), playing(data)["record"].update(board="/tmp")),
    "no record": lambda data: playing(data).update(record=5),
    "half a record": lambda data: playing(data)["record"].pop("seats"),
    "a large number": lambda data: playing(data)["record"].update(seats=10**400),
    "too many seats": lambda data: playing(data).update(seats=playing(data)["seats"] * 3),
    "fewer seats": lambda data: playing(data)["seats"].pop(),
    "an open seat": lambda data: playing(data)["seats"][0].update(kind="open"),
    "somebody else's seat": lambda data: playing(data).update(mine=[]),
    "a bot's seat": lambda data: playing(data).update(mine=[1]),
    "a bot from anywhere": lambda data: playing(data)["seats"][1].update(bot="os:system"),
    "a name that is none": lambda data: playing(data)["seats"][0].update(name=["x"]),
    "a date to come": lambda data: playing(data).update(began=time.time() + 1e6),
    "no date": lambda data: playing(data).update(ended=None),
    "noise": lambda data: playing(data).update(noted=[[1, 9, "hint"]]),
    "a line": lambda data: data["games"].__setitem__([game["id"] for game in data["games"]].index("running22222"), "x"),
}


@pytest.mark.parametrize("kind", costly(SPOILT, 4))
def test_a_spoilt_game_is_left_out_and_the_others_come(full: Store, there: Store, kind: str) -> None:
    text = changed(saved(full), SPOILT[kind])
    found = opened(there, text)
    assert [one.kind for one in found.left] == ["game"], found.left
    assert len(found.things.games) == 1 and found.left[0].why
    store.add(there, ELSEWHERE, found.things, time.time())
    for language in LANGUAGES:
        added = store.Added(store.Tally(1, 2), store.Tally(), store.Tally(), store.Tally())
        context = along_page.AlongContext(Visit(language=language), 1, 1, 1, 1, found, added)
        assert f"{found.left[0].number}: " in along_page.along(context)


def test_what_goes_along_is_one_list_also_where_nothing_was_played_yet() -> None:
    for counts in ((0, 0, 0, 0), (2, 1, 1, 1)):
        page = along_page.along(along_page.AlongContext(Visit(), *counts))
        (told,) = re.findall(r'<h2 id="save">[^<]*</h2>\s*<ul>(.*?)</ul>', page, re.DOTALL)
        assert told.count("<li>") == sum(map(bool, counts)) + 1
        assert "scoresheets" in told.split("<li>")[-1] and "With them" not in page


SPOILT_OTHERS: dict[str, Callable[[JsonObject], object]] = {
    "no draft": lambda data: data.update(drafts=[5]),
    "a draft of nothing but rows": lambda data: data.update(drafts=[{"tables": {"cities": [["a" * 99, {}]]}}]),
    "an evening that does not count": lambda data: data["evenings"][0]["position"].update(edition="nowhere"),
    "an evening of a bad name": lambda data: data["evenings"][0].update(id="../x"),
    "a lesson that is none": lambda data: data.update(lessons={"berlin/../x": 5.0}),
    "a lesson to come": lambda data: data.update(lessons={"berlin/first": 1e14}),
    "a puzzle that is none": lambda data: data["puzzles"][0].update(puzzle="x"),
    "a puzzle of no board": lambda data: data["puzzles"][0].update(board="../x"),
    "a puzzle that may be solved": lambda data: data["puzzles"][0].update(solved="yes"),
}


@pytest.mark.parametrize("kind", SPOILT_OTHERS)
def test_other_entries_that_are_none_are_left_out(full: Store, there: Store, kind: str) -> None:
    found = opened(there, changed(saved(full), SPOILT_OTHERS[kind]))
    assert len(found.left) == 1 and found.left[0].why and len(found.things.games) == 2
    store.add(there, ELSEWHERE, found.things, time.time())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "5",
        "[]",
        "{}",
        '{"branchline_along": 2}',
        '{"branchline_along": 1, "x": NaN}',
        '{"branchline_along": 1, "x": "\\ud800"}',
        "[" * 100_000,
        '{"branchline_along": ' * 50_000,
        "9" * 10_000,
        "\x1f\x8b\x08\x00\x00",
        "x" * (archive.LONGEST + 1),
    ],
)
def test_what_is_no_such_file_is_refused_in_words(there: Store, text: str) -> None:
    with pytest.raises(archive.ArchiveError) as error:
        opened(there, text)
    assert error.value.message


@pytest.mark.parametrize(
    "part", costly(["games", "boards", "drafts", "evenings", "lessons", "puzzles", "puzzle_rating"])
)
@pytest.mark.parametrize("value", [None, 5, "x", [None], [[[[]]]], {"a": {"b": 1}}, {}, True])
def test_parts_of_other_kinds_do_no_harm(full: Store, there: Store, part: str, value: object) -> None:
    found = opened(there, changed(saved(full, drafts=False), lambda data: data.update({part: value})))
    store.add(there, ELSEWHERE, found.things, time.time())


def test_more_than_a_file_may_hold_is_counted_as_left_out(
    full: Store, there: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(archive.MOST, "games", 1)
    found = opened(there, saved(full))
    assert len(found.things.games) == 1 and [(one.kind, one.number) for one in found.left] == [("game", 2)]


def test_what_there_was_no_time_for_comes_the_next_time(full: Store, there: Store) -> None:
    text = saved(full)
    found = archive.read(text, ELSEWHERE, (), frozenset(), 0.0, -1.0)
    assert found.later == 2 and found.things.games == ()
    store.add(there, ELSEWHERE, found.things, time.time())
    assert bring(there, text).games.new == 2


def test_all_is_written_or_nothing(full: Store, there: Store) -> None:
    found = opened(there, saved(full)).things
    before = all_of(there)
    twice = replace(found, attempts=found.attempts, evenings=(replace(found.evenings[0], at=None),))  # type: ignore[arg-type]
    with pytest.raises(Conflict):
        store.add(there, ELSEWHERE, twice, time.time())
    assert all_of(there) == before


def test_names_in_a_file_cannot_be_mistaken_for_each_other(full: Store, there: Store) -> None:
    def alike(data: JsonObject) -> None:
        playing(data)["seats"][0]["name"] = "<b>Ann\u200ba"
        playing(data)["seats"][1]["name"] = "<b>anna"

    bring(there, changed(saved(full), alike))
    [game] = [game for game in store.games_of(there, ELSEWHERE) if game.row.status == "playing"]
    assert [seat.name for seat in game.seats][:2] == ["<b>Anna", "<b>anna (2)"]


def test_a_hint_of_the_coach_is_still_counted(full: Store, there: Store, finished: Room) -> None:
    text = changed(saved(full), lambda data: next(
        game for game in data["games"] if game["id"] == finished.id
    ).update(noted=[[3, 0, "hint"], [0, 0, "caution"]]))  # fmt: skip
    bring(there, text)
    [game] = [game for game in store.games_of(there, ELSEWHERE) if game.row.status == "over"]
    stored = there.load(game.row.id)
    assert stored is not None
    room = restored(stored)
    assert [row.kind for row in room.log[:5]] == ["caution", "action", "action", "action", "hint"]
    assert room.game.fingerprint == finished.game.fingerprint and results.rows_of(room)[0].helped == 2


# ---------------------------------------------------------------------------------------------------- over the web


@pytest.mark.long
def test_over_the_web_a_file_goes_from_one_server_to_another(tmp_path: Path) -> None:
    def server(name: str) -> Settings:
        return Settings(f"sqlite:///{tmp_path / name}.sqlite", warm_up=False)

    async def play(first: str, second: str) -> None:
        async with Person(first) as anna, Person(second) as again:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="bot", bot1="easy")
            board = await anna.form("/workshop", **{"from": "edition", "board": "berlin"})
            path = board.headers["location"]
            boards = json.dumps([path, "/workshop/aaaaaaaaaaaa/wrong", 5])
            await anna.form("/settings", "/", theme="dark")
            text = (await anna.form("/along/file", "/along", boards=boards)).text
            assert [len(json.loads(text)[part]) for part in ("games", "drafts")] == [1, 1]
            for new in (1, 0):
                csrf = first_of((await again.http.get("/along")).text, "csrf")
                files = {"file": ("games.json", text.encode())}
                answer = await again.http.post("/along", data={"csrf": csrf, "boards": "[]"}, files=files)
                assert answer.status_code == 200 and f"Games: {new} added, {1 - new} already here." in answer.text
                assert answer.text.count("data-draft") == new
                if new:
                    assert "branchline_theme=dark" in " ".join(answer.headers.get_list("set-cookie"))
            home = (await again.http.get("/")).text
            assert "/t/" in home and room not in home
            csrf = first_of((await again.http.get("/along")).text, "csrf")
            refused = await again.http.post("/along", data={"csrf": csrf}, files={"file": ("x.zip", b"PK\3\4")})
            assert refused.status_code == 400 and "Take my games with me" in refused.text

    with running_here(server("first")) as (first, _), running_here(server("second")) as (second, _):
        asyncio.run(play(first, second))


def test_options_of_a_file_open_no_table_to_others(full: Store, there: Store) -> None:
    bring(there, changed(saved(full), lambda data: playing(data).update(pace=10**9, open=True, clock="turn")))
    for game in store.games_of(there, ELSEWHERE):
        options = Options(**json.loads(game.row.options))
        assert options.seeded and not options.open and not options.clock and options.pace <= 60_000
        assert not game.row.open
