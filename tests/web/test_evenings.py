"""Evenings: games of real tables that a browser keeps, who is rated how, and that they go when one wants it."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import branchline as bl
from branchline.web.core.pages.translation import LANGUAGES
from branchline.web.core.rooms import counted
from branchline.web.core.rooms.room import Refused
from branchline.web.core.settings import Settings
from branchline.web.core.store import evenings
from branchline.web.core.store.database import Store
from branchline.web.core.visit import Visit
from branchline.web.evenings import games
from branchline.web.evenings.page import Evening, EveningSeat
from branchline.web.evenings.page import evenings as page_of
from web.running_here import running_here
from web.servers import Person

ANNA = {"name": "Anna", "routes": [["Paris", "Dieppe"], ["Berlin", "Wien"]], "tickets": [["Berlin", "Roma", 9]]}
BEN = {"name": "=Ben", "routes": [["Roma", "Venezia"], ["Madrid", "Lisboa"]], "stations": ["Roma"]}
POSITION = {"edition": "europe", "seats": [ANNA, BEN]}
FIELDS = {"id": "abc123", "at": "1700000000", "position": json.dumps(POSITION)}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    yield opened
    opened.close()


def test_what_is_kept_is_what_the_rules_count(store: Store) -> None:
    evenings.keep(store, counted.row_of("anna", FIELDS))
    evenings.keep(store, counted.row_of("anna", FIELDS))  # the browser never heard that it had come
    [one] = games.context_of(store, Visit(), "anna").evenings
    right = bl.score_position(POSITION)["seats"]
    assert [seat.total for seat in one.seats] == [seat["total"] for seat in right]
    assert all(sum(seat.points.values()) == seat.total for seat in one.seats)
    assert [(seat.place, seat.won) for seat in one.seats] == [(2, 0.0), (1, 1.0)]
    assert games.context_of(store, Visit(), "ben").evenings == ()


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "../etc"},
        {"at": "nan"},
        {"at": str(time.time() + 1e6)},
        {"position": "[" * 50_000},
        {"position": "x" * 60_001},
        {"position": json.dumps({"edition": "nowhere", "seats": [ANNA]})},
        {"position": json.dumps({"edition": "europe", "seats": [ANNA, ANNA]})},
        {"position": json.dumps({"edition": "europe", "seats": [ANNA, {"name": "B" * 41}]})},
        {"position": json.dumps({"edition": "europe", "seats": [{"name": "A\ud800"}, ANNA]})},
        {"position": json.dumps({"edition": "europe", "seats": 5})},
        {"position": "5"},
    ],
)
def test_what_is_no_count_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(Refused):
        counted.row_of("anna", FIELDS | wrong)


def evening(n: int, *places: tuple[str, int]) -> Evening:
    seats = (EveningSeat(name, {}, 100 - place, place, float(place == 1)) for name, place in places)
    return Evening(str(n), "europe", float(n), tuple(seats))


def test_who_wins_more_is_rated_higher_whatever_the_order_of_the_list() -> None:
    played = [evening(n, ("Anna", 1), ("ben ", 2), ("Celia", 2)) for n in range(6)]
    played.append(evening(9, ("Ben", 1), (" ANNA", 2)))
    anna, *rest = games.people(played)
    assert anna.name.strip().casefold() == "anna" and (anna.games, anna.won, anna.best) == (7, 6.0, 99)
    assert {one.name for one in rest} == {"Ben", "Celia"} and rest[0].rating > rest[1].rating
    assert anna.rating > 1600 and anna.deviation < 350
    assert games.people(played[::-1]) == games.people(played)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_tells_evenings_in_every_language(store: Store, language: str) -> None:
    evenings.keep(store, counted.row_of("anna", FIELDS))
    text = page_of(games.context_of(store, Visit(language=language), "anna"))
    assert "=Ben" in text and text.count('name="sure"') == 2


def test_an_evening_can_be_handed_to_bg_stats_in_its_documented_form(store: Store) -> None:
    evenings.keep(store, counted.row_of("anna", FIELDS))
    page = page_of(games.context_of(store, Visit(), "anna"))
    (address,) = re.findall(r'href="(bgstats:[^"]*)"', page)
    assert re.fullmatch(r"bgstats://app\.bgstatsapp\.com/createPlay\.html\?data=[\w.%~-]+", address), "not url-encoded"
    play = json.loads(unquote(address.partition("?data=")[2]))
    assert play["sourceName"] == "branchline" and play["sourcePlayId"] == FIELDS["id"]
    assert play["playDate"] == "2023-11-14 22:13:20", "in UTC"
    assert play["game"]["name"] == play["board"] == "Europe" and play["game"]["highestWins"] is True
    (one,) = games.context_of(store, Visit(), "anna").evenings
    assert [(seat["name"], seat["score"], seat["rank"], seat["winner"]) for seat in play["players"]] == [
        (seat.name, seat.total, seat.place, seat.won > 0) for seat in one.seats
    ]
    assert all(seat["sourcePlayerId"] and seat["winner"] in (True, False) for seat in play["players"])


def test_files_hold_all_of_it_and_no_formula(store: Store) -> None:
    evenings.keep(store, counted.row_of("anna", FIELDS))
    [one] = json.loads(games.as_json(store, "anna"))["evenings"]
    assert one["position"] == POSITION and one["at"] == "2023-11-14T22:13:20+00:00"
    rows = list(csv.DictReader(io.StringIO(games.as_csv(store, "anna", "en").removeprefix("\ufeff"))))
    assert [row["name"] for row in rows] == ["Anna", "'=Ben"] and rows[1]["won"] == "1.0"


def test_a_browser_keeps_no_end_of_evenings(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evenings, "MOST", 2)
    for n in range(4):
        evenings.keep(store, counted.row_of("anna", FIELDS | {"id": str(n), "at": str(1000 + n)}))
    assert [row.id for row in evenings.of_key(store, "anna")] == ["3", "2"]


def test_over_the_web_they_are_ones_own_and_go_one_by_one_or_all(tmp_path: Path) -> None:
    with running_here(Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False)) as (url, _):

        async def play() -> None:
            async with Person(url) as anna, Person(url) as ben:
                csrf = json.loads((await anna.http.get("/evenings/form.json")).text)["csrf"]

                async def send(**fields: Any) -> int:
                    answer = await anna.http.post("/evenings", data={"csrf": csrf, **FIELDS, **fields})
                    return int(answer.status_code)

                assert (await anna.http.post("/evenings", data=FIELDS)).status_code == 403
                assert await send(position="5") == 400
                assert [await send(id=name) for name in ("a", "b", "c")] == [200, 200, 200]
                assert "=Ben" in (await anna.http.get("/evenings")).text
                assert "No game nights yet" in (await ben.http.get("/evenings")).text
                assert json.loads((await ben.http.get("/evenings/evenings.json")).text)["evenings"] == []
                assert (await anna.http.get("/evenings/evenings.csv")).text.count("\n") == 7
                assert (await anna.form("/evenings/forget", "/evenings")).status_code == 400
                assert (await anna.form("/evenings/forget", "/evenings", sure="1", evening="b")).status_code == 303
                assert len(json.loads((await anna.http.get("/evenings/evenings.json")).text)["evenings"]) == 2
                assert (await anna.form("/evenings/forget", "/evenings", sure="1")).status_code == 303
                assert "No game nights yet" in (await anna.http.get("/evenings")).text

        asyncio.run(play())
