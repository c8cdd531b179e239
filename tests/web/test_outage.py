"""PostgreSQL goes away and comes back: requests are told so in one word, the log in one line, and all goes on."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
import websockets

from branchline.web.core.store.database import open_engine
from branchline.web.core.store.outage import OutageWatch, Unavailable
from needs import missing
from web import servers
from web.servers import Person, hear, say

PATIENCE = 60.0


def away() -> None:
    raise sa.exc.OperationalError("select", {}, Exception("connection refused\nis it running?"))


def test_an_outage_is_said_once_and_its_end_too(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "branchline.store")
    watch = OutageWatch()
    for _ in range(2):
        for _ in range(3):
            for ask in (watch.read, watch.write):
                with pytest.raises(Unavailable):
                    ask(away)
        assert watch.read(len, "ab") == 2
    assert ["fails" in line for line in caplog.messages] == [True, False] * 2
    assert all("\n" not in line for line in caplog.messages)


def test_a_full_disk_is_one_outage_however_often_it_is_read(caplog: pytest.LogCaptureFixture) -> None:
    watch = OutageWatch()
    for _ in range(3):
        with pytest.raises(Unavailable):
            watch.write(away)
        watch.read(len, "")
    watch.write(len, "")
    assert ["fails" in line for line in caplog.messages] == [True, False]


def test_no_room_is_told_apart_from_a_database_that_is_away(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'full.sqlite'}")

    def write(size: int) -> None:
        with engine.begin() as connection:
            connection.execute(sa.text("CREATE TABLE IF NOT EXISTS kept (what BLOB)"))
            connection.execute(sa.text("PRAGMA max_page_count = 20"))
            connection.execute(sa.text(f"INSERT INTO kept VALUES (zeroblob({size}))"))

    watch = OutageWatch()
    watch.write(write, 10)
    with pytest.raises(Unavailable) as outage:
        watch.write(write, 1_000_000)
    assert outage.value.reason == "disk_full"
    with pytest.raises(Unavailable) as outage:
        watch.write(away)
    assert outage.value.reason == "away"
    watch.write(write, 10)
    engine.dispose()


def test_faults_of_ours_are_no_outage() -> None:
    with pytest.raises(ZeroDivisionError):
        OutageWatch().read(lambda: 1 // 0)


@pytest.mark.long
def test_a_server_lives_through_an_outage_of_postgresql(tmp_path: Path) -> None:
    if servers.postgres_binaries() is None:
        missing("PostgreSQL is not installed (apt-get install postgresql)")

    async def play(url: str, postgres: servers.Postgres) -> None:
        async with Person(url) as anna:
            room = await anna.new(board="berlin", seats="2", kind0="me", kind1="bot", first="0", open="1")
            async with anna.talk(room) as talk:
                await say(talk, do="hello")
                version = (await hear(talk))["version"]
                legal = (await anna.get(f"/rooms/{room}/legal"))["actions"][0]["text"]
                postgres.stop()
                for path in ("/", f"/t/{room}", f"/t/{room}/replay", f"/api/v1/rooms/{room}/legal", "/api/v1/rooms"):
                    answer = await anna.call("GET", path[7:]) if "/api/" in path else await anna.http.get(path)
                    assert answer.status_code == 503, (path, answer.text)
                    assert answer.headers["retry-after"] and len(answer.content) < 10_000
                wish = {"action": legal, "version": version}
                assert (await anna.call("POST", f"/rooms/{room}/actions", json=wish)).json()["error"] == "away"
                await say(talk, do="play", version=version, action=legal)
                while (heard := await hear(talk)).get("error") is None:
                    pass
                assert heard["error"] == "away"
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    async with anna.talk(room) as other:
                        await hear(other)
                assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013
                await asyncio.sleep(3)  # the server looks after clocks and rooms meanwhile
                postgres.start()
                until = time.monotonic() + PATIENCE
                while (await anna.http.get(f"/t/{room}")).status_code != 200:
                    assert time.monotonic() < until
                    await asyncio.sleep(0.1)
                await say(talk, do="play", version=version, action=legal)
                while (heard := await hear(talk)).get("version", version) == version:
                    assert not heard.get("error"), heard

    with (
        servers.postgres_server() as postgres,
        servers.serving(postgres.url, tmp_path) as server,
    ):
        asyncio.run(play(server.url, postgres))
        written = server.log.read_text()
        assert httpx.get(f"{server.url}/healthz").status_code == 200
    assert "Traceback" not in written, written
    assert written.count("the database fails") == 1 and written.count("the database is back") == 1
    assert written.count("notices interrupted") == 1
    assert len(written) < 4000, written
