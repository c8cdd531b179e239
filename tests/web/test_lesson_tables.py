"""Lessons at the table: begun from `/learn`, played over the WebSocket, and remembered when they are done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from branchline.teaching.lesson_files import lessons, taught
from branchline.web.app import make_app
from branchline.web.core.pages.translation import TEACHING, translator_for
from branchline.web.core.settings import Limits, Settings
from branchline.web.lessons import tables as at_the_table
from web.servers import first_of

LESSON = "/learn/berlin/first"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    database = f"sqlite:///{tmp_path_factory.mktemp('lessons') / 'rooms.sqlite'}"
    app = make_app(Settings(database, warm_up=False, limits=Limits().times(1000)))
    with pytest.MonkeyPatch.context() as patch, TestClient(app, follow_redirects=False) as client:
        patch.setattr(at_the_table, "PACE", 0)
        yield client


@pytest.fixture
def site(running: TestClient) -> TestClient:
    """The server as a browser finds it that was never there before."""
    running.cookies.clear()
    running.cookies.set("branchline_language", "pl")
    return running


def begun(site: TestClient, path: str = LESSON) -> str:
    answer = site.post(path, data={"csrf": first_of(site.get("/learn").text, "csrf")})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


class Pupil:
    """Somebody at a table with a guide."""

    def __init__(self, talk: Any) -> None:
        self.talk, self.version, self.guide = talk, -1, ""
        self.talk.send_json({"do": "hello"})
        self.hear()

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = self.talk.receive_json()
        self.version = message.get("version", self.version)
        self.guide = message.get("fragments", {}).get("guide", self.guide)
        return message

    def plays(self, action: str) -> dict[str, Any]:
        """What comes back at first."""
        self.talk.send_json({"do": "play", "version": self.version, "action": action})
        return self.hear()

    def until_asked(self) -> None:
        while "data-mine" not in (self.hear().get("fragments", {}).get("whose") or ""):
            pass


def test_the_first_lesson_is_played_refused_and_remembered(site: TestClient) -> None:
    table = begun(site)
    assert "Dobieraj, twórz, łącz" in site.get(table).text
    with site.websocket_connect(table.replace("/t/", "/ws/"), headers={"origin": "http://testserver"}) as talk:
        pupil = Pupil(talk)
        refused = pupil.plays("keep all")
        assert refused["error"] == "guide" and "Dwa Bilety" in refused["why"]
        assert "Reichstag–Gendarmenmarkt" in refused["why"] and "fragments" not in refused
        pupil.plays("keep Reichstag–Gendarmenmarkt")
        pupil.until_asked()
        assert 'data-marks="slot-2"' in pupil.guide
        assert pupil.plays("tickets")["error"] == "guide"
        pupil.plays("market 2")
        assert 'data-marks="deck-train"' in pupil.guide
        pupil.plays("blind")
        pupil.until_asked()
        assert re.search(r'data-marks="route-\d+"', pupil.guide)
        pupil.plays("claim Brandenburger Tor–Gendarmenmarkt red")
        assert "punkty dostajesz od razu" in pupil.guide
        pupil.until_asked()
        shown = pupil.plays("claim Reichstag–Brandenburger Tor green")["fragments"]
        assert "done" in pupil.guide and "/learn/berlin/wilds" in pupil.guide
        assert "Gotowe" in shown["whose"] and "data-seat" not in shown["whose"], "nobody is asked any more"
        while "Ada" not in "".join(shown.values()):  # she draws, and it would be the pupil's turn
            shown = pupil.hear().get("fragments", {})
        page = site.get(table).text
        assert "<strong>Gotowe</strong>" in page and "data-mine" not in page and 'data-kind="turn"' not in page
    page = site.get("/learn").text
    assert "Ukończone lekcje: 1 z " in page and table not in site.get("/").text
    assert re.search(r'action="/learn/berlin/wilds">.*?<button class="first"', page)


def test_what_the_others_are_to_do_is_told_when_it_is_done(site: TestClient) -> None:
    table = begun(site, "/learn/europe/station")
    with site.websocket_connect(table.replace("/t/", "/ws/"), headers={"origin": "http://testserver"}) as talk:
        pupil = Pupil(talk)
        pupil.plays("claim Brest–Paris")
        assert "Teraz gra Ada…" in pupil.guide and "Ada cię uprzedziła" not in pupil.guide
        pupil.until_asked()
        assert "Ada cię uprzedziła" in pupil.guide
        assert "użycza tylko połączeń" in pupil.plays("station Berlin")["why"]


def test_a_lesson_is_nobody_elses(site: TestClient) -> None:
    table = begun(site)
    site.cookies.clear()
    assert site.get(table).status_code == 404
    assert site.get("/learn").status_code == 200


@pytest.mark.parametrize("path", ["/learn/berlin/nothing", "/learn/..%2f/first", "/learn/usa/first"])
def test_there_are_no_other_lessons(site: TestClient, path: str) -> None:
    assert site.post(path, data={"csrf": first_of(site.get("/learn").text, "csrf")}).status_code == 404


@pytest.mark.long
def test_every_lesson_leads_on_and_the_last_one_to_a_game(site: TestClient) -> None:
    for board in taught():
        names = [lesson.name for lesson in lessons(board)]
        onward = [at_the_table._ways_on(lesson, "de")[0] for lesson in lessons(board)]
        assert [link.path for link in onward] == [*(f"/learn/{name}" for name in names[1:]), "/new"]
        fields = dict(onward[-1].fields)
        answer = site.post("/new", data={"csrf": first_of(site.get("/learn").text, "csrf"), **fields})
        assert answer.status_code == 303 and fields["bot"] == "easy"


@pytest.mark.parametrize("board", taught())
def test_a_table_opens_where_a_recorded_game_stood(site: TestClient, board: str) -> None:
    last = lessons(board)[-1]
    page = site.get(begun(site, f"/learn/{last.name}")).text
    assert last.steps[0].task.said(translator_for("pl", TEACHING)) in page and 'id="banner" class="banner">' in page
