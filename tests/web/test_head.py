"""HEAD is answered wherever GET is: with the same status and headers, and without a body."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from branchline.web.app import make_app
from branchline.web.core.settings import Limits, Settings
from web import servers

ANEW = ("set-cookie", "content-security-policy", "date")  # another key or nonce each time


@pytest.fixture
def browser(database: str) -> Iterator[TestClient]:
    app = make_app(Settings(database=database, warm_up=False, limits=Limits().times(100)))
    with TestClient(app, follow_redirects=False, headers={"accept-encoding": "identity"}) as client:
        yield client


def addresses(client: TestClient, room: str) -> list[str]:
    """An address of every route that GET has; what stands for a room is one that exists."""
    values = {"room": room, "board": "europe", "code": "pl", "name": "table.js", "n": "1", "edition": "europe"}
    found = []
    for route in client.app.routes:  # type: ignore[attr-defined]
        if "GET" in (getattr(route, "methods", None) or ()):
            found.append(re.sub(r"{(\w+)(?::\w+)?}", lambda part: values.get(part[1], "abc"), route.path))
    assert len(found) > 60
    return found


def told(headers: object) -> dict[str, str]:
    return {name: value for name, value in dict(headers).items() if name not in ANEW}  # type: ignore[call-overload]


@pytest.mark.long
def test_head_is_get_without_a_body_at_every_route(browser: TestClient) -> None:
    csrf = servers.first_of(browser.get("/").text, "csrf")
    alone = {"csrf": csrf, "board": "berlin", "seats": "2", "kind0": "me", "kind1": "open"}  # no bot changes a page
    room = browser.post("/new", data=alone).headers["location"].removeprefix("/t/")
    answers = []
    for address in addresses(browser, room):
        got, head = browser.get(address), browser.head(address)
        assert (head.status_code, told(head.headers)) == (got.status_code, told(got.headers)), address
        assert head.content == b"" and head.status_code != 405, address
        answers.append(got.status_code)
    assert {200, 303, 404} <= set(answers)


def test_a_monitor_asks_a_server_by_head(server: servers.Server) -> None:
    """By wire: one connection goes on after the answer, so no byte of a body has come."""
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    for path in ("/healthz", "/readyz", "/", "/static/table.js", "/api/v1/boards", "/nothing/here"):
        line.request("HEAD", path)
        head = line.getresponse()
        assert head.read() == b""
        line.request("GET", path)
        got = line.getresponse()
        assert head.status == got.status and head.getheader("content-type") == got.getheader("content-type")
        got.read()
    line.close()
