"""The web application as static files: in a browser of its own, with the network cut, and kept when it is left."""

from __future__ import annotations

import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from needs import missing

pytestmark = [
    pytest.mark.long,
    # It was not seen to pass on a busy machine: until it has, it runs only when it is asked for.
    pytest.mark.skipif("BRANCHLINE_TEST_SITE" not in os.environ, reason="`make test-site` runs it"),
]
PATIENCE = 240_000  # ms: Python starts on a busy machine


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site") / "games"
    command = [sys.executable, "-m", "branchline", "site", str(made), "--base", "/games/"]
    done = subprocess.run(command, capture_output=True, text=True)
    if "cannot be fetched" in done.stderr:
        missing(done.stderr)
    assert done.returncode == 0, done.stderr
    return made


@pytest.fixture
def host(folder: Path) -> Iterator[http.server.ThreadingHTTPServer]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.server_close()


def test_a_game_is_played_without_a_network_and_is_still_there_afterwards(host: Any, chromium: Any) -> None:
    context = chromium.new_context(service_workers="allow")
    page = context.new_page()
    asked: set[str] = set()
    context.on("request", lambda request: asked.add(request.url.split("/")[2]))
    page.goto(f"http://127.0.0.1:{host.server_port}/games/")
    inside = page.frame_locator("iframe")
    inside.locator("h1").first.wait_for(timeout=PATIENCE)  # before Python is there
    page.wait_for_function("() => document.documentElement.dataset.kept", timeout=PATIENCE)
    context.set_offline(True)
    host.shutdown()

    inside.locator("form:has(input[value=berlin]) button").first.click()
    page.wait_for_function("() => location.pathname.startsWith('/games/t/')", timeout=PATIENCE)
    inside.locator("#question input[type=checkbox]").first.check(timeout=PATIENCE)
    inside.locator("#question [data-combined]").click()
    inside.locator("#market button:not([aria-disabled])").first.wait_for(timeout=PATIENCE)
    held = inside.locator("#tickets, .tickets").first.inner_text()

    page.reload()
    page.wait_for_function("() => document.documentElement.dataset.ready", timeout=PATIENCE)
    inside.locator("#board").first.wait_for(timeout=PATIENCE)
    assert inside.locator("#tickets, .tickets").first.inner_text() == held
    assert asked == {f"127.0.0.1:{host.server_port}"}
    context.close()
