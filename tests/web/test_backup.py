"""`branchline rooms`: backups that can be restored into either database, purging by age, games as records."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from branchline.game import Record
from branchline.web.app import notifier_for
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.purging import purge_regularly
from branchline.web.core.rooms.restoring import restored
from branchline.web.core.rooms.room import OVER, Room
from branchline.web.core.settings import Settings
from branchline.web.core.store import backup, schema, tables
from branchline.web.core.store.database import Store, StoreError
from branchline.web.core.store.purge import DAY, purge
from cli.running import branchline_here
from web.games import HOST, a_room, walk
from web.servers import Bot, Person, Server


def kept(store: Store, room: Room) -> Room:
    store.create(room.row, room.seats, room.states, [(HOST, 0)], room.log)
    return room


def finished(edition: str, seed: int) -> Room:
    *_, room = walk(a_room(edition, 2, seed), seed)
    assert room.row.status == OVER
    return room


def contents(url: str) -> dict[str, list[Any]]:
    """All rows of all tables."""
    engine = backup.existing(url)
    with engine.connect() as connection:
        found = {
            table.name: sorted(map(tuple, connection.execute(sa.select(table))), key=repr)
            for table in tables.metadata.sorted_tables
        }
    engine.dispose()
    return found


@pytest.fixture
def filled(database: str) -> str:
    """A database with a finished game, one that has hardly begun, and an analysis."""
    store = Store(database)
    store.secret()
    over = kept(store, finished("berlin", 3))
    kept(store, a_room("europe", 3, 4))
    store.keep_analysis(over.id, '{"ein Weg": "über Köln → Łódź"}')
    store.keep_board("digest", '{"cities.csv": "name\\n"}')
    store.close()
    return database


def run(*words: str) -> str:
    done = branchline_here("rooms", *words)
    assert (done.code, done.err) == (0, ""), done
    return done.out


def refused(*words: str) -> str:
    done = branchline_here("rooms", *words)
    assert done.code == 2 and done.out == "" and len(done.err.splitlines()) == 1, done
    return done.err


@pytest.mark.long
def test_a_backup_goes_through_both_databases_and_back(filled: str, postgres: str, tmp_path: Path) -> None:
    before = contents(filled)
    for n, url in enumerate((postgres, f"sqlite:///{tmp_path / 'again.sqlite'}")):
        file = tmp_path / f"{n}.jsonl.gz"
        run("backup", str(file), "--database", filled)
        assert file.stat().st_mode & 0o077 == 0, "it holds the secret that signs links"
        run("restore", str(file), "--database", url, "--replace")
        assert contents(url) == before
        filled = url
    store = Store(filled)
    found = {row["room"]: row for row in json.loads(run("list", "--database", filled, "--json"))}
    for room in found:
        stored = store.load(room)
        assert stored is not None and restored(stored).game.turns == found[room]["turns"]
    store.close()


@pytest.mark.long
def test_a_backup_is_taken_while_games_are_played(server: Server, tmp_path: Path) -> None:
    """What is in it is of one moment: every room has all rows of its log up to its version, and its state."""
    database = f"sqlite:///{next(server.log.parent.glob('*.sqlite'))}"

    async def play(stop: asyncio.Event) -> int:
        done = 0
        async with Person(server.url) as anna:
            while not stop.is_set():
                room = await anna.new(board="berlin", seats="2", kind0="me", kind1="bot", bot1="random", pace="0")
                done += await anna.play(room, lambda legal: legal[0], most=15)
        return done

    async def both() -> tuple[int, list[Path]]:
        stop, files = asyncio.Event(), []
        playing = asyncio.create_task(play(stop))
        for n in range(3):
            await asyncio.sleep(0.4)
            files.append(tmp_path / f"{n}.gz")
            await asyncio.to_thread(backup.backup, database, files[-1])
        stop.set()
        return await playing, files

    done, files = asyncio.run(both())
    assert done > 0
    for n, file in enumerate(files):
        url = f"sqlite:///{tmp_path / f'{n}.sqlite'}"
        backup.restore(url, file)
        store = Store(url)
        for row in contents(url)["rooms"]:
            stored = store.load(row[0])
            assert stored is not None and len(stored.log) == stored.room.version
            assert restored(stored).game.question.seat == stored.room.asked
        store.close()


def test_nothing_is_overwritten_unless_one_says_so(filled: str, tmp_path: Path) -> None:
    file, before = tmp_path / "one.gz", contents(filled)
    run("backup", str(file), "--database", filled)
    assert "is there already" in refused("backup", str(file), "--database", filled)
    assert "has rooms already" in refused("restore", str(file), "--database", filled)
    assert "there is no database" in refused("backup", str(tmp_path / "two.gz"), "--database", f"{filled}.not")
    assert [one.name for one in tmp_path.glob("*.gz")] == ["one.gz"] and contents(filled) == before


@pytest.mark.long
def test_a_damaged_backup_changes_nothing(filled: str, tmp_path: Path) -> None:
    file, bad, before = tmp_path / "one.gz", tmp_path / "bad.gz", contents(filled)
    run("backup", str(file), "--database", filled)
    lines = gzip.decompress(file.read_bytes()).splitlines()

    def packed(*these: bytes) -> bytes:
        return gzip.compress(b"\n".join(these))

    damaged = [
        (b"no gzip at all", "cannot be read"),
        (file.read_bytes()[:-200], "cannot be read"),
        (packed(b"[]", *lines[1:]), "no backup of branchline"),
        (packed(lines[0].replace(b'"tables":"', b'"tables":"9'), *lines[1:]), "later version"),
        (packed(*lines[:-1]), "ends after"),
        (packed(*lines[:5], *lines[6:]), "is damaged"),
        (packed(*lines[:5], b'["rooms",{"id":"x"}]', *lines[5:]), "bad.gz:6: is damaged"),
        (packed(*lines[:5], b'["sqlite_master",{}]', *lines[5:]), "bad.gz:6: is damaged"),
        (packed(*lines[:5], b"{" * 100_000, *lines[5:]), "bad.gz:6: is damaged"),
        (packed(*lines[:5], *lines[4:]), "cannot be used"),  # the same row twice
    ]
    for content, said in damaged:
        bad.write_bytes(content)
        assert said in refused("restore", str(bad), "--database", filled, "--replace")
        assert contents(filled) == before


@pytest.mark.long
def test_a_backup_of_older_tables_is_brought_up_to_date(tmp_path: Path) -> None:
    old, new = f"sqlite:///{tmp_path / 'old.sqlite'}", f"sqlite:///{tmp_path / 'new.sqlite'}"
    store = Store(old)
    room = kept(store, a_room("berlin", 2, 5))
    with store.engine.begin() as connection:
        schema.move(connection, schema.NOTHING)
        schema.move(connection, "0001")
    store.close()
    engine = backup.existing(old)
    with engine.begin() as connection:
        before = {
            name: value for name, value in vars(room.row).items() if name not in ("links", "guide", "asked_ahead")
        }
        connection.execute(tables.rooms.insert().values(**before))
    engine.dispose()
    assert "not up to date" in refused("list", "--database", old)
    run("backup", str(tmp_path / "old.gz"), "--database", old)
    run("restore", str(tmp_path / "old.gz"), "--database", new)
    assert [row["room"] for row in json.loads(run("list", "--database", new, "--json"))] == [room.id]


def test_a_database_of_a_later_version_is_left_alone(filled: str, tmp_path: Path) -> None:
    engine = backup.existing(filled)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreError, match="later version of branchline"):
        Store(filled)
    assert "later version" in refused("list", "--database", filled)
    run("backup", str(tmp_path / "later.gz"), "--database", filled)


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, database: str) -> Any:
    opened = Store(database if request.param == "sqlite" else request.getfixturevalue("postgres"))
    with opened.engine.begin() as connection:
        connection.execute(tables.rooms.delete())
    yield opened
    opened.close()


def aged(store: Store, room: Room, days: float) -> str:
    return kept(store, replace(room, row=replace(room.row, touched=time.time() - days * DAY))).id


def rooms(store: Store) -> set[str]:
    with store.engine.connect() as connection:
        return set(connection.execute(sa.select(tables.rooms.c.id)).scalars())


@pytest.mark.long
def test_rooms_are_purged_by_age_with_all_that_belongs_to_them(store: Store) -> None:
    over = finished("berlin", 6)
    old_over, old = aged(store, over, 31), aged(store, a_room("berlin", 2, 7), 31)
    new_over, new = aged(store, finished("berlin", 8), 29), aged(store, a_room("berlin", 2, 9), 29)
    everything = {old_over, old, new_over, new}
    url = store.engine.url.render_as_string(hide_password=False)
    said = json.loads(run("purge", "--days", "30", "--dry-run", "--database", url, "--json"))
    assert said == {"finished": 1, "unfinished": 1, "dry_run": True} and rooms(store) == everything
    run("purge", "--days", "30", "--finished", "--database", url)
    assert rooms(store) == everything - {old_over}
    run("purge", "--days", "30", "--database", url)
    assert rooms(store) == {new_over, new}
    with store.engine.connect() as connection:
        for table in (tables.seats, tables.actions, tables.snapshots, tables.keys):
            left = set(connection.execute(sa.select(table.c.room)).scalars())
            assert left <= {new_over, new}
    assert purge(store, 0, 0, spare=[new]).rooms == 1 and rooms(store) == {new}


def test_the_server_purges_by_itself_but_not_what_somebody_looks_at(database: str) -> None:
    async def serve() -> set[str]:
        settings = Settings(database=database, keep_days=30)
        store = Store(database)
        gone, watched, young = (aged(store, a_room("berlin", 2, seed), age) for seed, age in enumerate((40, 40, 20)))
        live = LiveRooms(store, notifier_for(settings, store), settings)
        await live.get(watched)
        purging = asyncio.create_task(purge_regularly(live, pause=0.01))
        while gone in rooms(store):
            await asyncio.sleep(0.01)
        purging.cancel()
        left = rooms(store)
        assert left == {watched, young}
        live.bot_executor.close()
        store.close()
        return left

    assert len(asyncio.run(asyncio.wait_for(serve(), 30))) == 2


def test_finished_games_are_exported_as_records(filled: str, tmp_path: Path) -> None:
    run("export", str(tmp_path / "games"), "--database", filled)
    [file] = (tmp_path / "games").iterdir()
    game = Record.load(file).replay()
    assert game.over
    run("export", str(tmp_path / "games.jsonl"), "--database", filled)
    [line] = (tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()
    table = json.loads(line)
    assert table.pop("room") == file.stem
    assert Record.from_json(json.dumps(table)).replay().state.tobytes() == game.state.tobytes()
    assert "is there already" in refused("export", str(tmp_path / "games.jsonl"), "--database", filled)


@pytest.mark.long
def test_a_link_for_watching_is_noted_once_for_each_browser(server: Server) -> None:
    database = f"sqlite:///{next(server.log.parent.glob('*.sqlite'))}"

    async def follow() -> tuple[list[int], int]:
        async with Person(server.url) as host, Person(server.url) as watcher, Bot(server.url) as program:
            room = await host.new(board="berlin", seats="2", kind0="me", kind1="bot", bot1="random")
            link = (await host.get(f"/rooms/{room}"))["watch"]
            before = len(contents(database)["keys"])
            for _ in range(3):
                answer = await watcher.http.get(link)
                assert answer.headers["location"] == f"/t/{room}"
            rows = [len(contents(database)["keys"]) - before]
            for _ in range(5):
                program.http.cookies.clear()
                assert (await program.http.get(link)).status_code == 303
            rows.append(len(contents(database)["keys"]) - before)
            program.http.cookies.clear()
            program.http.follow_redirects = True
            page = await program.http.get(link)  # a browser that has never been here
            rows.append(len(contents(database)["keys"]) - before)
            assert page.url.path == f"/t/{room}"
            program.http.cookies.clear()
            return rows, (await program.http.get(f"{link}?again=1")).status_code

    assert asyncio.run(follow()) == ([1, 1, 2], 400)
