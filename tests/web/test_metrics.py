"""`/healthz` and the metrics: they say what is, of all processes, and only to those who may know."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from branchline.web.app import make_app
from branchline.web.core.http import health
from branchline.web.core.http.plan import ServeError
from branchline.web.core.settings import Settings
from branchline.web.serving.metrics_server import read_address
from web import servers
from web.servers import Person


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[TestClient, sqlite3.Connection]]:
    file = tmp_path / "rooms.sqlite"
    with TestClient(make_app(Settings(database=f"sqlite:///{file}", warm_up=False))) as client:
        other = sqlite3.connect(file, isolation_level=None)
        yield client, other
        other.close()


def told(client: TestClient) -> tuple[int, str]:
    time.sleep(health.FRESH)
    answer = client.get("/healthz")
    return answer.status_code, answer.json().get("why", "")


@pytest.mark.long
def test_health_is_that_the_database_takes_writes(site: tuple[TestClient, sqlite3.Connection]) -> None:
    client, other = site
    assert told(client) == (200, "")
    other.execute("CREATE TRIGGER full BEFORE UPDATE ON house BEGIN SELECT RAISE(FAIL, 'disk full at /secret'); END")
    assert told(client) == (503, "the database takes no writes")
    other.execute("DROP TRIGGER full")
    assert told(client) == (200, "")


@pytest.mark.long
def test_health_does_not_wait_for_a_write_that_hangs(site: tuple[TestClient, sqlite3.Connection]) -> None:
    client, other = site
    other.execute("BEGIN IMMEDIATE")
    for _ in range(2):
        assert told(client) == (503, "the database has not taken a write within 2 s")
    other.execute("ROLLBACK")
    until = time.monotonic() + 20
    while told(client)[0] != 200:
        assert time.monotonic() < until


def test_those_who_ask_often_do_not_write_often(site: tuple[TestClient, sqlite3.Connection]) -> None:
    client, other = site
    other.execute("CREATE TABLE written (at)")
    other.execute("CREATE TRIGGER counting AFTER UPDATE ON house BEGIN INSERT INTO written VALUES (1); END")
    began = time.monotonic()
    for _ in range(100):
        assert client.get("/healthz").status_code == 200
    assert other.execute("SELECT COUNT(*) FROM written").fetchone()[0] <= 2 + (time.monotonic() - began) / health.FRESH


def figures(port: int) -> dict[str, float]:
    """Every figure by its name and labels; those of different processes would be told by a label `pid`."""
    text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    return {
        f"{sample.name}{sorted(sample.labels.items())}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def total(port: int, name: str, **labels: str) -> float:
    wanted = [str(pair) for pair in labels.items()]
    return sum(
        value
        for key, value in figures(port).items()
        if key.startswith(f"{name}[") and all(pair in key for pair in wanted)
    )


def wait_for(port: int, value: float, name: str, **labels: str) -> None:
    until = time.monotonic() + 30
    while (found := total(port, name, **labels)) != value:
        assert time.monotonic() < until, (name, found, value)
        time.sleep(0.2)


@pytest.mark.long
def test_the_figures_of_all_processes_add_up(postgres: str, tmp_path: Path) -> None:
    port = servers.free_port()
    options = ("--workers", "2", "--metrics", f"127.0.0.1:{port}")
    with servers.serving(postgres, tmp_path, *options) as server:

        async def play() -> tuple[int, str]:
            async with Person(server.url) as anna:
                fields = {"kind0": "me", "kind1": "bot", "bot1": "greedy", "pace": "0"}
                room = await anna.new(board="berlin", seats="2", **fields)
                async with anna.talk(room) as talk:
                    await servers.say(talk, do="hello", version=0)
                    await servers.hear(talk)
                    wait_for(port, 1, "branchline_websockets")
                    return await anna.play(room, lambda legal: legal[0], most=5), room

        done, room = asyncio.run(play())
        wait_for(port, 0, "branchline_websockets")
        wait_for(port, 2, "branchline_processes")
        for n in range(40):
            assert httpx.get(f"{server.url}/t/nowhere{n}").status_code == 404
        wait_for(port, 40, "branchline_request_seconds_count", route="/t/{room}", status="404")
        posts = total(port, "branchline_request_seconds_count", route="/api/v1/rooms/{room}/actions", status="200")
        assert posts == done
        assert total(port, "branchline_actions_total") > done
        assert total(port, "branchline_bot_seconds_count", level="greedy") > 0
        assert total(port, "branchline_database_seconds_count", call="write") > 0
        assert total(port, "branchline_event_loop_lag_seconds_count") > 0
        assert total(port, "branchline_build_info") == 1
        text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert room not in text and "nowhere" not in text, "no label comes from what somebody sends"

        pid = next(int(line) for line in children(server.process.pid))
        os.kill(pid, signal.SIGKILL)  # what it had counted is not forgotten, and it is not counted as alive
        wait_for(port, 2, "branchline_processes")
        assert total(port, "branchline_request_seconds_count", route="/t/{room}", status="404") == 40


def children(pid: int) -> list[str]:
    return (Path("/proc") / str(pid) / "task" / str(pid) / "children").read_text().split()


def test_strangers_are_not_shown_the_metrics(site: tuple[TestClient, sqlite3.Connection]) -> None:
    assert site[0].get("/metrics").status_code == 404


@pytest.mark.parametrize("text", ["nonsense", "127.0.0.1", "127.0.0.1:", "1.2.3.4:99999", "example.org:80", ":-1"])
def test_an_address_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ServeError, match="expected ADDRESS:PORT"):
        read_address(text)


def test_addresses() -> None:
    assert read_address("9100") == read_address(":9100") == ("127.0.0.1", 9100)
    assert read_address("[::1]:9100") == ("::1", 9100)
