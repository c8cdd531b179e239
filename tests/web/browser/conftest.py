"""A server of our own and Debian's Chromium, for tests that press buttons."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pressing import visitors

from branchline.web.core.rooms import analyses
from branchline.web.core.settings import Settings
from needs import missing
from web.running_here import running_here

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
WINDOWLESS = shutil.which("chromium-headless-shell") or CHROMIUM  # the same engine without windows: a quarter less work
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # in containers it is too small for a page with a map
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

PATIENCE = 180  # seconds until the boards are laid out, or the server has ended; on a busy machine that takes a while


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _is_warm(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=10) as answer:
            return bool(json.load(answer)["warm"])
    except OSError:
        return False


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with an empty store, whose boards are laid out."""
    folder = tmp_path_factory.mktemp("server")
    port = _free_port()
    command = [sys.executable, "-m", "branchline", "serve", "--quiet", "--no-analyse", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--database", f"sqlite:///{folder / 'rooms.sqlite'}"], stdout=log, stderr=subprocess.STDOUT
        )
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + PATIENCE
        while not _is_warm(address):
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < deadline, "the server does not get warm"
            time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(PATIENCE)
    text = (folder / "log").read_text()
    assert "Traceback" not in text, text[-3000:]


@pytest.fixture(scope="session")
def driver() -> Iterator[Any]:
    """What drives browsers; a process can have one."""
    if not CHROMIUM:
        missing("Chromium is not installed (apt-get install chromium chromium-headless-shell)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        yield play


@pytest.fixture(scope="session")
def chromium(driver: Any) -> Iterator[Any]:
    """The browser, started once."""
    browser = driver.chromium.launch(executable_path=WINDOWLESS, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture
def visitor(chromium: Any, server: str) -> Iterator[Any]:
    """Makes visitors of the warm server."""
    with visitors(chromium, server) as make:
        yield make


@pytest.fixture
def analyst(chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Makes visitors of a server whose analyses play out few games: all that they show is there in a moment."""
    monkeypatch.setattr(analyses, "ROLLOUTS", 40)
    settings = Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", analyse_ended=False)
    with running_here(settings) as (address, _), visitors(chromium, address) as make:
        yield make


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """axe-core, fetched into a folder that is thrown away."""
    if not shutil.which("npm"):
        missing("npm is not installed (apt-get install npm)")
    folder = tmp_path_factory.mktemp("axe")
    found = subprocess.run(
        ["npm", "install", "--prefix", str(folder), "--silent", "--no-audit", "--no-fund", "axe-core@4"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    if found.returncode:
        missing(f"axe-core cannot be fetched: {found.stderr[-200:]}")
    return (Path(folder) / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
