"""Analyses on the server: in a short line, one at a time; and their page in every language."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import active_children
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import branchline as bl
from branchline.analysis import KINDS, analyse
from branchline.bots.search.reasons import SENTENCES, Reason
from branchline.cli import run
from branchline.game import Game
from branchline.web.app import make_app
from branchline.web.core.jobs import WorkBudget
from branchline.web.core.pages import decisions, labels
from branchline.web.core.pages.translation import LANGUAGES, translator_for
from branchline.web.core.rooms import analyses
from branchline.web.core.rooms.analyses import Analyses, AnalysisJob
from branchline.web.core.rooms.ids import new_room_id
from branchline.web.core.rooms.room import Refused, Room
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Conflict, Store
from branchline.web.core.visit import Visit
from branchline.web.replay import analysis_page
from branchline.web.replay.analysis_page import AnalysisContext, analysis, review
from branchline.web.serving import server as serving
from web.contexts import players
from web.games import a_room, walk

HERE = "192.0.2.1"


@cache
def played() -> Room:
    """A finished game."""
    *_, last = walk(a_room("berlin", 2, 3), 3)
    return last


@pytest.fixture(scope="module")
def over() -> Game:
    return played().game


@pytest.fixture(scope="module")
def parts(over: Game, few_worlds: None) -> list[bl.Analysis]:
    """What is known of that game while it is analysed; at last all."""
    told: list[bl.Analysis] = []
    told.append(analyse(over, rollouts=4, on_part=told.append))
    return told


@pytest.fixture(scope="module")
def found(parts: list[bl.Analysis]) -> bl.Analysis:
    return parts[-1]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    yield opened
    opened.close()


def finished(store: Store) -> Room:
    """That game in a room of its own."""
    room = replace(played(), row=replace(played().row, id=new_room_id()))
    store.create(room.row, room.seats, room.states, [], room.log)
    return room


@dataclass(frozen=True)
class StandIn:
    """In the place of `analysed`, in the process where that would be called: it answers, or fails, when it may."""

    __name__ = "stand-in"
    answer: str = ""  # JSON; empty: it fails
    wait_for: str = ""  # a file

    def __call__(self, tell: Callable[[Any], None], *_: Any) -> dict[str, Any]:
        while self.wait_for and not Path(self.wait_for).exists():
            time.sleep(0.02)
        tell(1)
        if not self.answer:
            raise RuntimeError("an analysis that fails")
        answer: dict[str, Any] = json.loads(self.answer)
        return answer


def answering(found: bl.Analysis, wait_for: Path | str = "") -> StandIn:
    return StandIn(json.dumps(found.as_dict()), str(wait_for))


def endless(*_: Any) -> dict[str, Any]:
    """Stands for an analysis that comes to no end."""
    while True:
        time.process_time()


def waited_for(job: AnalysisJob) -> AnalysisJob:
    for _ in range(1000):
        if not job.running:
            return job
        threading.Event().wait(0.1)
    raise AssertionError("it does not end")


@pytest.mark.long
def test_one_after_the_other_and_once_only(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "ROLLOUTS", 4)
    made, room = Analyses(store), finished(store)
    job = made.begin(room, HERE)
    assert made.begin(room, HERE) is job is made.of(room)
    assert made.of(finished(store)) is None
    found = waited_for(job).found
    assert found is not None and found.rollouts == 4
    assert job.done == found.decisions[-1].step + 1 <= job.actions == found.steps
    made.close()


@pytest.mark.long
def test_another_process_that_was_quicker_is_no_failure(
    store: Store, found: bl.Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "analysed", answering(found))
    keep = store.keep_analysis

    def keep_second(room: str, found: str) -> None:
        keep(room, found)
        raise Conflict(room)

    monkeypatch.setattr(store, "keep_analysis", keep_second)
    made = Analyses(store)
    job = waited_for(made.begin(finished(store), HERE))
    assert job.found is not None and not job.failed
    made.close()


def test_what_was_found_is_there_after_a_restart_and_for_other_processes(
    store: Store, found: bl.Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "analysed", answering(found))
    made, room = Analyses(store), finished(store)
    assert waited_for(made.begin(room, HERE)).found == found
    made.close()
    again = Analyses(store)
    job = again.of(room)
    assert job is not None and not job.running
    assert job.found == found
    assert job is again.of(room) is again.begin(room, HERE)
    store.keep_analysis(room.id, json.dumps(found.as_dict() | {"branchline_analysis": 1}))  # of an earlier version
    assert Analyses(store).of(room) is None
    again.close()


def test_the_line_is_short_and_closing_ends_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Analyses(store)
    monkeypatch.setattr(analyses, "analysed", endless)
    lined_up = [made.begin(finished(store), f"192.0.2.{n}") for n in range(analyses._WAITING)]
    while not active_children():
        time.sleep(0.02)
    with pytest.raises(Refused):
        made.begin(finished(store), HERE)
    made.close()
    assert waited_for(lined_up[0]).failed
    assert not active_children()


def test_one_address_cannot_take_up_the_whole_line(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Analyses(store)
    monkeypatch.setattr(analyses, "analysed", endless)
    for _ in range(analyses._OF_ADDRESS):
        made.begin(finished(store), HERE)
    with pytest.raises(Refused):
        made.begin(finished(store), HERE)
    assert made.begin(finished(store), "192.0.2.2").running
    made.close()


@pytest.mark.long
def test_an_analysis_has_so_much_processor_time_and_no_more(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Analyses(store)
    monkeypatch.setattr(analyses, "analysed", endless)
    monkeypatch.setattr(analyses, "BUDGET", WorkBudget(1.0))
    assert waited_for(made.begin(finished(store), HERE)).failed
    assert not active_children()
    made.close()


def test_what_goes_wrong_is_told_and_may_be_tried_again(
    store: Store, found: bl.Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, room = Analyses(store), finished(store)
    monkeypatch.setattr(analyses, "analysed", StandIn())
    assert waited_for(made.begin(room, HERE)).failed
    monkeypatch.setattr(analyses, "analysed", answering(found))
    assert waited_for(made.begin(room, HERE)).found == found
    made.close()


def test_a_game_that_is_being_played_is_not_analysed(store: Store) -> None:
    with pytest.raises(Refused, match="when it is over"):
        Analyses(store).begin(a_room("berlin"), HERE)


def test_actions_are_found_in_the_replay() -> None:
    steps = [SimpleNamespace(row=SimpleNamespace(text=text)) for text in ("keep", "claim\npay red\npay 1", "blind")]
    assert analyses.moments(SimpleNamespace(steps=steps)) == (0, 1, 1, 1, 2)  # type: ignore[arg-type]


def context(game: Game, language: str, **more: Any) -> AnalysisContext:
    visit = Visit(csrf="token", nonce="nonce", language=language)
    moments = tuple(range(len(game.actions)))
    return AnalysisContext(visit, "room", game.board, players(game), moments=moments, **more)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_what_was_found(over: Game, found: bl.Analysis, language: str) -> None:
    html = analysis(context(over, language, found=found))
    words = translator_for(language)
    for said in ("Luck and skill", "Biggest mistakes", "Accuracy", "All decisions, with reasons"):
        assert words(said) in html
    real = sum(one.real for one in found.decisions)
    assert html.count("/t/room/replay/") == min(8, len(found.turning_points(99))) + real
    assert "{" not in html.partition("<main")[2].partition("</main>")[0]


def test_the_page_before_meanwhile_and_when_it_failed(over: Game) -> None:
    assert 'action="/t/room/analysis"' in analysis(context(over, "en"))
    running = analysis(context(over, "en", running=True, done=7, actions=90))
    assert 'max="90" value="7"' in running and 'http-equiv="refresh"' in running
    assert "could not be analysed" in analysis(context(over, "en", failed=True))


def test_while_it_is_made_the_page_shows_what_is_known_so_far(over: Game, parts: list[bl.Analysis]) -> None:
    assert not parts[0].complete
    html = analysis(context(over, "en", found=parts[0], running=True, done=0, actions=90))
    assert 'class="curve"' in html and "<progress" in html and 'class="sums"' not in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_screen_says_the_largest_mistakes_of_who_looks_at_it(
    over: Game, found: bl.Analysis, language: str
) -> None:
    shown = context(over, language, found=found)
    everybody = review(replace(shown, players=tuple(replace(one, mine=False) for one in shown.players)))
    assert everybody.count('class="mistake"') == min(3, len(found.mistakes())) > 0
    mine = review(replace(shown, players=tuple(replace(one, mine=one.seat == 1) for one in shown.players)))
    assert mine.count('class="mistake"') == min(3, len(found.mistakes(1)))
    told = translator_for(language).many(
        "{count} moment to look at", "{count} moments to look at", min(3, len(found.mistakes(1)))
    )
    assert "perspective=0" not in mine and told in mine
    assert "data-again" not in mine and "data-again" in review(replace(shown, running=True))
    assert "data-review-form" in review(context(over, language))


def test_a_game_that_people_have_just_ended_is_analysed_if_nothing_else_is(
    store: Store, found: bl.Analysis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = tmp_path / "it may end"
    monkeypatch.setattr(analyses, "analysed", answering(found, may_end))
    made, room = Analyses(store), finished(store)
    bots = replace(finished(store), seats=tuple(replace(one, kind="bot", bot="easy") for one in room.seats))
    made.begin_if_idle(bots)
    assert made.of(bots) is None
    made.begin_if_idle(room)
    job, other = made.of(room), finished(store)
    assert job is not None
    made.begin_if_idle(other)
    assert made.of(other) is None
    may_end.touch()
    assert waited_for(job).found == found
    made.close()


@pytest.mark.parametrize(("options", "wanted"), [([], True), (["--no-analyse"], False)])
def test_a_server_may_leave_games_that_have_ended_until_somebody_asks(
    options: list[str], wanted: bool, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Settings] = []
    monkeypatch.setattr(serving, "run", lambda settings, *_, **__: served.append(settings))
    assert run(["serve", "--database", database, "--no-warm-up", *options]) == 0
    server = make_app(served[0]).state.server
    assert (server.analyses.begin_if_idle in server.live.when_over) == wanted
    server.store.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_and_every_reason_has_words(language: str) -> None:
    assert set(decisions._MOVES) == set(KINDS)
    words = translator_for(language)
    place = bl.load_board("europe").places[0]
    for kind in SENTENCES:
        said = analysis_page.why(words, Reason(kind, place=place, missing=3, whole=7, points=4))
        assert (said == "") == (kind == "detail")
        assert "{" not in said


def test_shares_are_written_as_the_language_writes_them() -> None:
    english, german = translator_for("en"), translator_for("de")
    assert [labels.share(english, value) for value in (0.0, 0.5, 1.0)] == ["0%", "50%", "100%"]
    assert [labels.share(german, value, signed=True) for value in (-0.25, 0.0, 0.1)] == [
        "−25\u00a0%",
        "0\u00a0%",
        "+10\u00a0%",
    ]
