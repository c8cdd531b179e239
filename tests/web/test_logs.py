"""The log: with time, as JSON on request, a line a line, and without secrets."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
from pathlib import Path

import httpx
import pytest

from branchline.web.core.security.signing import Signer
from branchline.web.serving.logs import JsonFormatter, TextFormatter, without_secrets
from web import servers
from web.servers import Person

TOKEN, SIGNER = 43 * "t", Signer(b"secret")  # the same in every process that collects the tests


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("GET /j/abcdefghjkmn/{} 200", SIGNER.link("seat", "abcdefghjkmn", 1)),
        ("GET /w/abcdefghjkmn/{}?again=1 303", SIGNER.link("watch", "abcdefghjkmn")),
        ("GET /d/abcdefghjkmn/02-{} 200", SIGNER.link("device", "abcdefghjkmn", "02")),
        ("GET /j/abcdefghjkmn/{} 200", 40 * "0"),
        ("cookie: theme=dark; branchline_key={}; x=1", TOKEN),
        ("{{'authorization': 'Bearer {}'}}", TOKEN),
        ("the key {}", TOKEN),
        ("postgresql://branchline:{}@db/rooms", "pa$$w0rd!"),
        ("redis://:{}@cache:6379/0", "hunter2"),
        ("host=db user=branchline password={} dbname=x", "hunter2"),
    ],
)
def test_secrets_are_taken_out(text: str, secret: str) -> None:
    told = without_secrets(text.format(secret))
    assert secret not in told and "…" in told
    assert told[:8] == text.format(secret)[:8], "the rest stays"


def test_what_is_no_secret_stays() -> None:
    for text in (
        "GET /t/abcdefghjkmn 200",
        "GET /static/0123456789abcdef/table.js",
        "room abcdefghjkmn: claim Paris–Wien",
    ):
        assert without_secrets(text) == text


def a_record(message: str, *arguments: object, fails: bool = False) -> logging.LogRecord:
    info = None
    if fails:
        try:
            raise ValueError(f"no way in with {TOKEN}")
        except ValueError:
            info = sys.exc_info()
    return logging.LogRecord("branchline.x", logging.ERROR, "", 1, message, arguments, info)


def test_a_line_cannot_be_forged() -> None:
    told = TextFormatter().format(a_record("GET %s", "/x\n2026-01-01 00:00:00,000 ERROR root: all is lost\x1b[31m"))
    assert len(told.splitlines()) == 1 and "\\n" in told and "\x1b" not in told
    assert len(JsonFormatter().format(a_record("GET %s", "/x\ny\u2028z")).split("\n")) == 1


def test_a_traceback_is_indented_and_keeps_no_secret() -> None:
    lines = TextFormatter().format(a_record("failed", fails=True)).splitlines()
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} ERROR branchline\.x: failed$", lines[0])
    assert all(line.startswith("  ") for line in lines[1:]) and "ValueError" in lines[-1]
    told = json.loads(JsonFormatter().format(a_record("failed", fails=True)))
    assert "ValueError" in told["traceback"]
    assert TOKEN not in f"{lines}{told}"


@pytest.mark.long
def test_a_server_logs_requests_as_json_without_keys(database: str, tmp_path: Path) -> None:
    options = ("--log-format", "json", "--log-requests")
    with servers.serving(database, tmp_path, *options) as server:

        async def visit() -> tuple[str, str]:
            async with Person(server.url) as anna:
                room = await anna.new(board="berlin", seats="2", kind0="me", kind1="open")
                link = (await anna.get(f"/rooms/{room}"))["watch"]
                await anna.http.get(link)
                return anna.token, link.rpartition("/")[2]

        secrets = asyncio.run(visit())
        httpx.get(f"{server.url}/%0aforged")
    text = server.log.read_text(encoding="utf-8")
    told = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    assert len(told) >= len(text.splitlines()) - 1, "all but the line for people that says where the server is"
    requests = [one for one in told if one["logger"] == "branchline.requests"]
    assert any(one["path"].startswith("/w/") and one["status"] == 303 and one["method"] == "GET" for one in requests)
    assert all(one["time"].endswith("+00:00") and one["address"] == "127.0.0.1" for one in requests)
    assert not any(secret in text for secret in secrets)
