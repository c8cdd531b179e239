"""The pages of the rules and the referee: every board, every language, whatever somebody writes into the address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from branchline.boards import load_board
from branchline.languages import LANGUAGES
from branchline.teaching.articles import chapters
from branchline.web.app import make_app
from branchline.web.core.settings import Limits, Settings
from branchline.web.rules.page import form, headings
from table import EDITIONS, costly
from web.servers import first_of

TUNNEL = {"name": "Angora–Constantinople", "h7": "2", "seats": "3"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    database: Path = tmp_path_factory.mktemp("rules") / "rooms.sqlite"
    settings = Settings(f"sqlite:///{database}", warm_up=False, limits=Limits().times(1000))
    with TestClient(make_app(settings), follow_redirects=False) as client:
        yield client


def verdict(page: str) -> str:
    found = re.search(r'<p id="verdict"[^>]*>(.*?)</p>', page)
    assert found, page[:500]
    return re.sub("<[^>]+>", "", found[1])


@pytest.mark.parametrize("name", costly(sorted(EDITIONS)))
def test_every_edition_is_read_in_every_language_with_every_number_and_picture(name: str) -> None:
    board = load_board(name)
    for language in LANGUAGES:
        read = [line for heading in headings(board, language) for line in heading.lines]
        assert [line.id for line in read] == [one.id for chapter in chapters(board) for one in chapter.articles]
        for line in read:
            assert "{" not in line.text and "}" not in line.text, line.text
            assert not re.search(r"\(\s*\)|:\s*[.;)]", line.text), f"{line.id}: a list is empty: {line.text}"
            assert line.picture and line.caption, line.id


def test_words_take_the_form_of_their_number() -> None:
    forms = ["karta", "karty", "kart"]
    assert [form(forms, count, "pl") for count in (1, 2, 5, 12, 22)] == ["karta", "karty", "kart", "kart", "karty"]
    assert [form(["karta", "karty", "karet"], count, "cs") for count in (1, 4, 5)] == ["karta", "karty", "karet"]
    assert [form(["card", "cards"], count, "en") for count in (0, 1, 2)] == ["cards", "card", "cards"]


@pytest.mark.long
def test_no_id_stands_twice_on_the_page(site: TestClient) -> None:
    page = site.get("/rules/world").text
    found = re.findall(r'\sid="([^"]+)"', page)
    assert len(found) == len(set(found))
    assert set(re.findall(r'href="#([\w-]+)"', page)) <= set(found)


def test_the_rules_are_reached_from_everywhere(site: TestClient) -> None:
    assert 'href="/rules"' in site.get("/").text
    assert 'href="/rules/berlin"' in site.get("/learn").text
    assert 'href="/referee/berlin"' in site.get("/rules").text
    made = site.post("/new", data={"csrf": first_of(site.get("/").text, "csrf"), "board": "berlin"})
    table = made.headers["location"]
    assert f'href="{table}/rules"' in site.get(table).text
    rules = site.get(f"{table}/rules").text
    assert f'href="{table}/referee"' in rules and f'href="{table}"' in rules
    assert f'action="{table}/referee"' in site.get(f"{table}/referee").text


def test_a_closed_table_shows_strangers_nothing(site: TestClient) -> None:
    made = site.post("/new", data={"csrf": first_of(site.get("/").text, "csrf"), "board": "berlin"})
    site.cookies.clear()
    assert site.get(f"{made.headers['location']}/rules").status_code == 404
    assert site.get(f"{made.headers['location']}/referee").status_code == 404


def test_the_referee_answers_in_words(site: TestClient) -> None:
    page = site.get("/referee/europe", params={**TUNNEL, "t0": "7", "t1": "7"}).text
    assert verdict(page).startswith("Yes. Angora–Constantinople: 1 way to pay")
    assert "The tunnel asks for 2 cards more, and you don’t have them" in page
    page = site.get("/referee/europe", params={"name": "wien berlin", "h4": "1"}).text
    assert verdict(page).startswith("No. Berlin–Wien:")
    assert "2 missing" in page
    page = site.get("/referee/europe", params={"name": "berlin–frankfurt (black ⬟)", "h4": "1"}).text
    assert "(black\u00a0⬟)" in verdict(page), "parallel lines are told apart whichever space is typed"
    parts = site.get("/referee/europe", params=TUNNEL, headers={"accept": "application/json"}).json()
    assert set(parts) == {"about", "verdict", "ways"} and "1 way to pay" in parts["verdict"]
    polish = site.get("/referee/europe", params=TUNNEL, headers={"accept-language": "pl"}).text
    assert verdict(polish).startswith("Tak. Angora–Constantinople: 1 sposób zapłaty")


@pytest.mark.parametrize(
    "asked",
    [
        {"name": "x" * 5000},
        {"name": "<script>alert(1)</script>"},
        {"name": "Atlantis–Utopia", "what": "route"},
        {"name": "Wien", "what": "port", "built": "99"},
        {"name": "Wien", "what": "station", "built": "-5"},
        {"name": "Berlin–Wien", "seats": "0", "p0": "9999", "h0": "999", "h1": "1e9", "h40": "٣"},
        {"name": "Berlin–Wien", "seats": "५", "parallel": "nobody", "t0": "999", "t1": "-1", "reached": "x"},
        {"name": "\x00\u202e", "h": "1", "what": "\x00"},
        {**TUNNEL, "t0": "35", "t1": "20", "t2": "0"},
    ],
)
def test_whatever_the_address_says_there_is_an_answer(site: TestClient, asked: dict[str, str]) -> None:
    for board in ("europe", "world"):
        answer = site.get(f"/referee/{board}", params=asked)
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text
        assert verdict(answer.text)


def test_unknown_boards_are_not_found(site: TestClient) -> None:
    for path in ("/rules/nope", "/referee/nope", "/rules/..%2f..", "/rules/" + "x" * 3000):
        assert site.get(path).status_code == 404
