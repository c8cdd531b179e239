"""What the tests of the server need: real servers, real databases, and people who play by wire."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import websockets
from sqlalchemy.engine import URL, make_url

from branchline.web.core.store import schema
from branchline.web.core.store.database import open_engine

NO_TLS = False  # as `verify` of clients: reading all certificates takes longer than most of our requests
START = 120.0  # seconds that a server may take on a machine that is busy with other tests


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# ---------------------------------------------------------------------------------------------------- servers


@dataclass
class Server:
    """A server process of its own."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path
    url: str = field(init=False)

    def __post_init__(self) -> None:
        self.url = f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """As the power failing would: SIGKILL to all its processes, no goodbye."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.kill()


def start(database: str, folder: Path, port: int | None = None, *options: str) -> Server:
    """A server, up and answering."""
    begin_as_copy(make_url(database))
    port = port or free_port()
    log = folder / f"server-{port}.log"
    command = [
        sys.executable,
        "-m",
        "branchline",
        "serve",
        "--port",
        str(port),
        "--database",
        database,
        "--no-warm-up",
        "--no-analyse",
        "--rates",
        "100",
        *options,
    ]
    with log.open("ab") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
    server = Server(process, port, log)
    until = time.monotonic() + START
    with httpx.Client(verify=NO_TLS, timeout=5) as client:
        while time.monotonic() < until:
            if process.poll() is not None:
                raise AssertionError(f"the server ended at once:\n{log.read_text()}")
            with contextlib.suppress(httpx.TransportError):
                if client.get(f"{server.url}/healthz").status_code == 200:
                    return server
            time.sleep(0.05)
    server.kill()
    raise AssertionError(f"the server did not come up:\n{log.read_text()}")


@contextlib.contextmanager
def serving(database: str, folder: Path, *options: str) -> Iterator[Server]:
    server = start(database, folder, None, *options)
    try:
        yield server
    finally:
        server.stop()


# ---------------------------------------------------------------------------------------------------- databases


@cache
def empty_database() -> bytes:
    """A SQLite database with all tables and nothing in them."""
    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine(f"sqlite:///{folder}/empty.sqlite")
        with engine.begin() as connection:
            schema.move(connection, schema.LATEST)
        engine.dispose()
        return (Path(folder) / "empty.sqlite").read_bytes()


def begin_as_copy(url: URL) -> None:
    """Let a SQLite database that is not there yet begin as a copy: making all tables takes longer than most tests."""
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        return
    there = Path(url.database)
    with contextlib.suppress(OSError), tempfile.TemporaryDirectory(dir=there.parent) as folder:
        if not there.exists():
            (Path(folder) / "copy").write_bytes(empty_database())
            os.link(Path(folder) / "copy", there)  # whole at once, and never over one that somebody else has made


def postgres_binaries() -> Path | None:
    """The folder with initdb and postgres, where there is one."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    there = shutil.which("initdb")
    return Path(there).resolve().parent if there else None


@dataclass
class Postgres:
    """A PostgreSQL that can be stopped, and started again with what it has kept."""

    url: str
    begin: Callable[[], subprocess.Popen[bytes]]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = self.begin()
        _wait_for_postgres(self.url)

    def stop(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(20)
            self.process = None


@contextlib.contextmanager
def postgres_server() -> Iterator[Postgres]:
    """A PostgreSQL of our own in a temporary folder."""
    binaries = postgres_binaries()
    assert binaries is not None
    with tempfile.TemporaryDirectory(prefix="branchline-postgres-", ignore_cleanup_errors=True) as name:
        folder, port, as_user = Path(name), free_port(), {}
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            user = next(one for one in pwd.getpwall() if one.pw_name in ("postgres", "nobody"))
            os.chown(folder, user.pw_uid, user.pw_gid)
            as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        common: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **as_user}
        setup = [binaries / "initdb", "-D", folder / "data", "-U", "branchline", "-A", "trust", "-E", "UTF8", "-N"]
        subprocess.run(setup, check=True, **common)
        settings = ["-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}", "-c", "fsync=off"]
        command = [binaries / "postgres", "-D", folder / "data", "-p", str(port), *settings]
        url = f"postgresql://branchline@127.0.0.1:{port}/postgres"
        running = Postgres(url, lambda: subprocess.Popen(command, **common))
        running.start()
        try:
            yield running
        finally:
            running.stop()


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """A PostgreSQL of our own in a temporary folder; its URL."""
    with postgres_server() as running:
        yield running.url


def _wait_for_postgres(url: str) -> None:
    import psycopg

    until = time.monotonic() + START
    while True:
        try:
            psycopg.connect(url).close()
            return
        except psycopg.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def start_redis(port: int) -> subprocess.Popen[bytes]:
    """A Redis of our own, up and answering."""
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + START
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return process
        except OSError:
            assert time.monotonic() < until, "redis did not come up"
            time.sleep(0.05)


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """A Redis of our own; its URL."""
    port = free_port()
    process = start_redis(port)
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait(10)


# ---------------------------------------------------------------------------------------------------- people


class Bot:
    """A remote bot: it knows the JSON API and nothing else."""

    def __init__(self, url: str, token: str = "", transport: Any = None) -> None:
        self.url, self.token = url, token
        self.http = httpx.AsyncClient(base_url=url, timeout=60, transport=transport, verify=NO_TLS)

    async def __aenter__(self) -> Bot:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def call(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        return await self.http.request(method, f"/api/v1{path}", headers=headers, **more)

    async def get(self, path: str, **query: Any) -> Any:
        answer = await self.call("GET", path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def create(self, board: str, seats: list[dict[str, str]], **options: Any) -> dict[str, Any]:
        answer = await self.call("POST", "/rooms", json={"board": board, "seats": seats, **options})
        assert answer.status_code == 201, answer.text
        self.token = answer.json()["token"]
        made: dict[str, Any] = answer.json()
        return made

    async def play(self, room: str, choose: Any, most: int = 10_000) -> int:
        """Answer every question put to us until the game is over (or `most` actions are done); how many it were."""
        done = 0
        while done < most:
            legal = await self.get(f"/rooms/{room}/legal")
            if legal["actions"]:
                doing = {"action": choose(legal["actions"])["text"], "version": legal["version"]}
                answer = await self.call("POST", f"/rooms/{room}/actions", json=doing)
                assert answer.status_code in (200, 409), answer.text
                done += answer.status_code == 200
                continue
            news = await self.get(f"/rooms/{room}/events", since=legal["version"], wait=5)
            if news["over"]:
                return done
        return done


def first_of(html: str, name: str) -> str:
    """The value of a hidden field."""
    found = re.search(rf'name="{name}"\s+value="([^"]*)"', html)
    assert found, f"no field {name} in {html[:300]}"
    return found[1]


class Person(Bot):
    """Somebody with a browser: cookies, forms, a WebSocket. It asks the API what may be played."""

    def __init__(self, url: str, key: str = "") -> None:
        super().__init__(url, key or httpx.get(f"{url}/language/en", verify=NO_TLS).cookies["branchline_key"])
        self.http.cookies.set("branchline_key", self.token, domain="127.0.0.1")

    async def form(self, path: str, page: str = "/", **fields: str) -> httpx.Response:
        csrf = first_of((await self.http.get(page)).text, "csrf")
        self.token = self.http.cookies["branchline_key"]  # it may be another one by now
        return await self.http.post(path, data={"csrf": csrf, **fields})

    async def new(self, **fields: str) -> str:
        answer = await self.form("/new", **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix("/t/")

    def talk(self, room: str, language: str = "en", **more: Any) -> Any:
        """A WebSocket to a room."""
        return websockets.connect(
            f"{self.url.replace('http', 'ws', 1)}/ws/{room}",
            additional_headers={"cookie": f"branchline_key={self.token}; branchline_language={language}"},
            origin=more.pop("origin", self.url),
            max_size=None,
            **more,
        )


async def say(talk: Any, **message: Any) -> None:
    await talk.send(json.dumps(message))


async def hear(talk: Any, seconds: float = 20.0) -> dict[str, Any]:
    heard: dict[str, Any] = json.loads(await asyncio.wait_for(talk.recv(), seconds))
    return heard
