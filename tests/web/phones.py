"""People at a dealt table, by wire: who makes it, and the phones that hold its hands."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import httpx
import websockets

NAMES = ["Anna", "Ben"]


def made(url: str, names: list[str] = NAMES, board: str = "europe") -> tuple[httpx.Client, str, list[str], str]:
    """A table: the host's browser and link, the links of the seats, and the one to look on."""
    browser = httpx.Client(base_url=url, follow_redirects=True)
    token = re.search(r'name="csrf" value="([^"]+)"', browser.get("/deal").text)
    assert token
    answer = browser.post(
        "/deal", data={"csrf": token[1], "board": board} | {f"name{n}": x for n, x in enumerate(names)}
    )
    assert answer.status_code == 200, answer.text
    links = re.findall(r'<a class="button" href="(/deal/[^"]+)"', answer.text)
    return browser, answer.url.path, links[2:], links[1]


class Phone:
    """A phone at a table, by wire."""

    def __init__(self, url: str, path: str) -> None:
        self.url, self.path, self.parts = url, path, {}
        self.version, self.errors, self.said = 0, [], []
        self.seen = ""

    async def __aenter__(self) -> Phone:
        address = f"{self.url.replace('http', 'ws')}/ws{self.path}"
        self.socket = await websockets.connect(address, additional_headers={"origin": self.url}, max_size=None)
        await self.send(do="hello", version=0)
        await self.until(lambda: "market" in self.parts)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def play(self, deed: str, version: int | None = None) -> None:
        await self.send(do="play", action=deed, version=self.version if version is None else version)

    async def until(self, true: Callable[[], object]) -> None:
        async with asyncio.timeout(20):
            while not true():
                text = str(await self.socket.recv())
                self.seen += text
                message = json.loads(text)
                self.version = message.get("version", self.version)
                self.parts |= message.get("fragments", {})
                self.errors += [message["error"]] if "error" in message else []
                self.said.append(message.get("said", ""))

    async def keep(self) -> None:
        numbers = re.findall(r'name="ticket" value="(\d+)"', self.parts["choice"])
        await self.play("keep " + " ".join(numbers))
        await self.until(lambda: "hidden" in self.parts["choice"][:200])
