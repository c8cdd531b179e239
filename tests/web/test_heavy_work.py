"""Heavy work of strangers: in processes apart, within a budget, one at a time for an address. Real processes."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import httpx
import pytest

from branchline.game import NotationError
from branchline.web.core.http import heavy_work
from branchline.web.core.jobs import Job, Overspent, Stopped, WorkBudget
from branchline.web.core.rooms import creation
from branchline.web.core.settings import Limits, Settings
from branchline.web.notate import noted_games
from branchline.web.replay import routes as finished_routes
from web.running_here import running_here
from web.servers import Person

ENDLESS = range(10**15)
QUICK = WorkBudget(1.0)


@pytest.mark.long
def test_work_beyond_its_processor_time_is_ended_and_says_so() -> None:
    with pytest.raises(Overspent, match="more than 1 seconds of computing"):
        Job(WorkBudget(1.0), sum, ENDLESS).run()
    assert not multiprocessing.active_children()


def test_work_beyond_its_memory_is_ended_and_says_so() -> None:
    with pytest.raises(Overspent, match="more memory"):
        Job(WorkBudget(30.0, memory=1 << 24), list, range(10**9)).run()


def test_work_that_nobody_wants_any_more_is_ended() -> None:
    job = Job(WorkBudget(60.0), sum, ENDLESS)
    threading.Timer(0.2, job.stop).start()
    with pytest.raises(Stopped):
        job.run()
    assert not multiprocessing.active_children()


def test_what_a_person_can_put_right_comes_back_as_it_was_raised() -> None:
    with pytest.raises(NotationError) as here:
        noted_games.noted("edition europe\nplayers A, B\nA: draw 9")
    with pytest.raises(NotationError) as there:
        Job(WorkBudget(30.0), noted_games.noted, "edition europe\nplayers A, B\nA: draw 9").run()
    assert (there.value.line, there.value.why, vars(there.value.why)) == (
        here.value.line,
        here.value.why,
        vars(here.value.why),
    )


def forever(_text: str, _other: object) -> NoReturn:
    """Stands for work that does not end."""
    while True:
        time.process_time()


@pytest.mark.long
def test_work_of_strangers_keeps_nobody_waiting_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noted_games, "noted", forever)
    settings = Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False, limits=replace(Limits()))

    async def play(url: str) -> None:
        async with Person(url) as anna, httpx.AsyncClient(base_url=url, timeout=120) as eve:
            csrf = (await anna.http.get("/evenings/form.json")).json()["csrf"]
            eve.cookies = anna.http.cookies

            async def ask(n: int) -> int:
                from_ = {"x-forwarded-for": f"192.0.2.{n}"}
                return (await eve.post("/notate/check", data={"csrf": csrf, "text": "x"}, headers=from_)).status_code

            asked = [asyncio.create_task(ask(n)) for n in range(12)]
            await asyncio.sleep(0.5)
            for page in ("/mine", "/evenings", "/"):
                assert (await anna.http.get(page)).status_code == 200
            assert not any(one.done() for one in asked)
            for one in asked:
                one.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
            async with asyncio.timeout(60):
                while multiprocessing.active_children():
                    await asyncio.sleep(0.1)

    with running_here(settings, proxies="127.0.0.1") as (url, _):
        asyncio.run(play(url))


@pytest.mark.long
def test_an_address_that_has_enough_in_the_line_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noted_games, "noted", forever)
    limits = replace(Limits(), heavy_waiting=1)
    settings = Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False, limits=limits)

    async def play(url: str) -> None:
        async with Person(url) as anna:
            csrf = (await anna.http.get("/evenings/form.json")).json()["csrf"]

            async def ask() -> httpx.Response:
                return await anna.http.post("/notate/check", data={"csrf": csrf, "text": "x"})

            asked = [asyncio.create_task(ask()) for _ in range(3)]
            done, waiting = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            [answer] = [one.result() for one in done]
            assert answer.status_code == 429
            assert "running for this address" in answer.json()["why"]
            for one in waiting:
                one.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    with running_here(settings) as (url, _):
        asyncio.run(play(url))


@pytest.mark.long
def test_a_record_that_is_uploaded_is_replayed_in_a_process_of_its_own_that_can_be_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(creation, "played", forever)
    settings = Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False)

    async def play(url: str) -> None:
        async with Person(url) as anna:
            uploading = asyncio.create_task(anna.form("/upload", record="{}"))
            async with asyncio.timeout(60):
                while not multiprocessing.active_children():
                    await asyncio.sleep(0.05)
            for page in ("/mine", "/evenings", "/"):
                assert (await anna.http.get(page)).status_code == 200
            assert not uploading.done()
            uploading.cancel()
            await asyncio.gather(uploading, return_exceptions=True)
            async with asyncio.timeout(60):
                while multiprocessing.active_children():
                    await asyncio.sleep(0.1)

    with running_here(settings) as (url, _):
        asyncio.run(play(url))


@pytest.mark.long
def test_a_record_whose_replay_takes_too_long_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(creation, "played", forever)
    monkeypatch.setattr(finished_routes, "DEEP", QUICK)
    settings = Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False)

    async def play(url: str) -> None:
        async with Person(url) as anna:
            answer = await anna.form("/upload", record="{}")
            assert answer.status_code == 422
            assert "takes too long to compute" in answer.text

    with running_here(settings) as (url, server):
        server.heavy._lines[QUICK] = server.heavy._lines[heavy_work.DEEP]
        asyncio.run(play(url))
