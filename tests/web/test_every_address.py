"""No route, whatever stands in its address, answers with a fault of ours. The routes are the application's own."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from branchline.web.app import make_app
from branchline.web.core.settings import Limits, Settings
from web import servers

PARAMETER = re.compile(r"{(\w+)(?::\w+)?}")
NUMBERS = ("7", "9" * 19, "9" * 20, "9" * 400, "9" * 5_000, "-1", "٣", "²", "1e9", "0x10")
TEXTS = ("%00", "%ff%fe", quote("\u3164"), quote("👩‍🚀"), "..%2f..%2fetc", "a" * 3_000, "%ED%A0%80", "<b>", "{x}")


@pytest.fixture
def browser(database: str) -> Iterator[TestClient]:
    app = make_app(Settings(database=database, warm_up=False, limits=Limits().times(1000)))
    with TestClient(app, follow_redirects=False, raise_server_exceptions=False) as client:
        yield client


def routes_of(app: FastAPI) -> list[tuple[str, str]]:
    """The method and the path of every route; those of the API are not among the application's own."""
    own = [(route.path, getattr(route, "methods", None) or ("",)) for route in app.routes if hasattr(route, "path")]
    api = [(path, [method.upper() for method in methods]) for path, methods in app.openapi()["paths"].items()]
    return [(method, path) for path, methods in (*own, *api) for method in sorted(methods)]


def filled_in(client: TestClient) -> list[tuple[str, str]]:
    """The method and the path of every route with something to fill in."""
    found = routes_of(client.app)  # type: ignore[arg-type]
    return [(method, path) for method, path in found if method in ("GET", "POST") and PARAMETER.search(path)]


@pytest.mark.long
def test_no_route_fails_whatever_stands_in_its_address(browser: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    csrf = servers.first_of(browser.get("/").text, "csrf")
    room = browser.post("/new", data={"csrf": csrf, "board": "berlin"}).headers["location"].removeprefix("/t/")
    routes = filled_in(browser)
    assert len(routes) > 75 and ("POST", "/api/v1/rooms/{room}/actions") in routes
    with caplog.at_level(logging.ERROR):
        for turn, odd in enumerate((*NUMBERS, *TEXTS)):
            for n, (method, pattern) in enumerate(routes):
                if (n + turn) % 3:  # each route meets a third of all oddities, and each oddity a third of the routes
                    continue
                known = {"room": room, "board": "berlin", "edition": "berlin"} if turn % 2 else {}
                address = PARAMETER.sub(lambda part, known=known, odd=odd: known.get(part[1], odd), pattern)
                answer = browser.request(method, address, data={"csrf": csrf, "n": odd} if method == "POST" else None)
                assert answer.status_code < 500, (method, address[:200], answer.text[:200])
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


def test_a_number_in_an_address_has_at_most_nine_digits(browser: TestClient) -> None:
    for digits in (10, 19, 20, 400, 5_000):
        for pattern in ("/t/abc/replay/{}", "/workshop/abcdefghijkl/key/since/{}"):
            assert browser.get(pattern.format("9" * digits)).status_code == 404
