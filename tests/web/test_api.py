"""The JSON API keeps to its own description, whatever is sent: Schemathesis reads the OpenAPI document and tries."""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from branchline.game import Game
from branchline.web.app import make_app
from branchline.web.core.settings import Settings
from table import COSTLY_EDITIONS
from web.servers import Bot, Server

EXAMPLES = int(os.environ.get("BRANCHLINE_EXAMPLES", "12"))
ME, BOT = {"kind": "me"}, {"kind": "bot", "bot": "random"}


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=60) as made:
        yield made


@pytest.fixture(scope="module")
def known(client: httpx.Client) -> dict[str, Any]:
    """A room that exists, with the token of a seat."""
    wish = {"board": "berlin", "seats": [ME, BOT], "first_seat": 0}
    made: dict[str, Any] = client.post("/api/v1/rooms", json=wish).json()
    return made


@pytest.mark.long
def test_no_request_makes_the_server_fail(server: Server, known: dict[str, Any]) -> None:
    """Every operation of the document; every second time about a room that exists, by somebody who sits there."""
    import schemathesis

    described = schemathesis.openapi.from_url(f"{server.url}/api/v1/openapi.json")
    operations = [found.ok() for found in described.get_all_operations()]
    assert len(operations) >= 16
    statuses: Counter[int] = Counter()
    for operation in operations:

        @settings(max_examples=EXAMPLES)
        @given(case=operation.as_strategy(), there=st.booleans())
        def send(case: Any, there: bool) -> None:
            headers = {"authorization": f"Bearer {known['token']}"} if there else {}
            if there and "room" in (case.path_parameters or {}):
                case.path_parameters["room"] = known["room"]
            if case.query:
                case.query.pop("wait", None)
            answer = case.call(headers=headers)
            statuses[answer.status_code] += 1
            not_a_server_error(answer, case)

        send()
    assert statuses[200] and statuses[404] and statuses[422]
    assert all(status < 500 for status in statuses), statuses
    assert "Traceback" not in server.log.read_text()


def not_a_server_error(answer: Any, case: Any) -> None:
    assert answer.status_code < 500, f"{case.method} {case.path}: {answer.status_code} {answer.text}"


@pytest.mark.parametrize("edition", COSTLY_EDITIONS)
def test_a_board_is_told_in_full(client: httpx.Client, edition: str) -> None:
    board = client.get(f"/api/v1/boards/{edition}").json()
    assert edition in [one["id"] for one in client.get("/api/v1/boards").json()]
    assert [route["index"] for route in board["routes"]] == list(range(len(board["routes"])))
    assert client.get("/api/v1/boards/nowhere").status_code == 404
    assert client.get("/api/v1/boards/..").status_code == 404


def test_the_bytes_of_a_state_are_a_game_for_those_who_use_the_package(client: httpx.Client) -> None:
    import base64

    from branchline.boards import load_board

    made = client.post("/api/v1/rooms", json={"board": "europe", "seats": [ME, BOT], "first_seat": 0}).json()
    mine = {"authorization": f"Bearer {made['token']}"}
    state = client.get(f"/api/v1/rooms/{made['room']}/state", headers=mine).json()
    legal = client.get(f"/api/v1/rooms/{made['room']}/legal", headers=mine).json()
    game = Game.resume(load_board("europe"), base64.b64decode(state["bytes"]))
    assert list(game.legal.texts) == [one["text"] for one in legal["actions"]]


def test_why_not_is_said(client: httpx.Client) -> None:
    made = client.post("/api/v1/rooms", json={"board": "europe", "seats": [ME, BOT], "first_seat": 0}).json()
    url, mine = f"/api/v1/rooms/{made['room']}", {"authorization": f"Bearer {made['token']}"}
    version = client.get(f"{url}/legal", headers=mine).json()["version"]
    doing = {"action": "claim Atlantis–Avalon", "version": version}
    answer = client.post(f"{url}/actions", json=doing, headers=mine)
    assert answer.status_code == 422 and answer.json()["error"] == "illegal" and answer.json()["legal"]
    assert client.post(f"{url}/actions", json=doing | {"version": 77}, headers=mine).json()["error"] == "stale"
    assert client.post(f"{url}/actions", json=doing).status_code == 404
    assert client.post(f"{url}/actions", json=doing | {"seat": 1}, headers=mine).status_code == 403
    assert client.get(f"{url}/record", headers=mine).json()["error"] == "running"
    assert client.post("/api/v1/rooms", json={"board": "/etc", "seats": [ME, BOT]}).status_code == 422
    bad_bot = {"board": "berlin", "seats": [ME, {"kind": "bot", "bot": "os:system"}]}
    assert client.post("/api/v1/rooms", json=bad_bot).status_code == 422


def test_an_open_room_is_listed_and_anybody_may_join(server: Server) -> None:
    async def play() -> None:
        async with Bot(server.url) as host, Bot(server.url) as guest, Bot(server.url) as closed:
            made = await host.create("berlin", [ME, {"kind": "open"}], open=True)
            hidden = await closed.create("berlin", [ME, {"kind": "open"}])
            listed = [one["room"] for one in await guest.get("/rooms")]
            assert made["room"] in listed and hidden["room"] not in listed
            joining = {"seat": 1, "name": "Gast"}
            assert (await guest.call("POST", f"/rooms/{hidden['room']}/join", json=joining)).status_code == 404
            guest.token = (await guest.call("POST", f"/rooms/{made['room']}/join", json=joining)).json()["token"]
            assert (await guest.call("POST", f"/rooms/{made['room']}/join", json=joining)).status_code == 409
            assert (await guest.get(f"/rooms/{made['room']}"))["seats"] == [1]

    asyncio.run(play())


@pytest.mark.long
def test_the_host_gives_an_open_seat_to_a_bot(server: Server) -> None:
    async def play() -> None:
        async with Bot(server.url) as host, Bot(server.url) as guest:
            made = await host.create("berlin", [ME, {"kind": "open"}, {"kind": "open"}], open=True, first_seat=1)
            url = f"/rooms/{made['room']}"
            assert (await guest.call("POST", f"{url}/fill", json={"seat": 1})).status_code == 403
            assert (await host.call("POST", f"{url}/fill", json={"seat": 1, "bot": "os:system"})).status_code == 422
            assert (await host.call("POST", f"{url}/fill", json={"seat": 0})).status_code == 409
            for seat in (1, 2):
                answer = await host.call("POST", f"{url}/fill", json={"seat": seat, "bot": "greedy"})
                assert answer.status_code == 200, answer.text
            assert [one["kind"] for one in answer.json()["players"]] == ["person", "bot", "bot"]
            assert await host.play(made["room"], random.Random(2).choice) > 0

    asyncio.run(play())


def test_the_database_folder_is_made(tmp_path: Path) -> None:
    made = make_app(Settings(database=f"sqlite:///{tmp_path / 'a' / 'b' / 'rooms.sqlite'}", warm_up=False))
    with TestClient(made) as client:
        assert client.get("/healthz").json()["ok"]
