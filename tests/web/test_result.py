"""The result of a finished game to hand on: as a picture, and as a line with a link that opens for others."""

from __future__ import annotations

import asyncio
import random
import re
from xml.etree import ElementTree

import httpx
import pytest

import branchline as bl
from web.servers import Person, Server


@pytest.mark.parametrize("board", ["berlin", "world"])
def test_a_finished_game_is_handed_on_as_a_picture_and_by_a_link(server: Server, board: str) -> None:
    async def play() -> None:
        game, rng = bl.Game(bl.load_board(board), seats=2, seed=4), random.Random(4)
        while not game.over:
            game.play(rng.choice(game.legal))
        record = game.record()
        async with Person(server.url) as anna, httpx.AsyncClient(base_url=server.url) as stranger:
            csrf = re.search(r'name="csrf" value="([^"]+)"', (await anna.http.get("/")).text)
            assert csrf
            files = {"record": ("game.json", record.to_json(), "application/json")}
            made = await anna.http.post("/upload", data={"csrf": csrf[1]}, files=files)
            table = made.headers["location"].removesuffix("/replay")
            page = (await anna.http.get(table)).text
            picture = await anna.http.get(f"{table}/result.svg")
            assert picture.headers["content-type"].startswith("image/svg+xml")
            told = "".join(ElementTree.fromstring(picture.text).itertext())
            totals = re.findall(r'data-share-result="[^"]*?: [^"]*! [^"]* ([−\d]+), [^"]* ([−\d]+)\."', page)
            assert totals and all(total in told for total in totals[0])
            link = re.search(r'data-share-result="[^"]*" data-link="([^"]+)"', page)
            assert link
            assert (await stranger.get(f"{table}/result.svg")).status_code == 404
            answer = await stranger.get(link[1], follow_redirects=True)
            assert answer.status_code == 200 and answer.url.path == table
            assert (await stranger.get(f"{table}/result.svg")).status_code == 200

    asyncio.run(play())
