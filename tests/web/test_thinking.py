"""What browsers work out in place of their server: the same, from what they may know, and for them alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import branchline as bl
from branchline.analysis import AnalysisError
from branchline.bots import Position
from branchline.cli import run
from branchline.plain_data import JsonObject
from branchline.rules import kernel
from branchline.site import of_server
from branchline.site.second_python import thought
from branchline.teaching.coach import Advice, Budget, Coach
from branchline.web.core.http.state import ServerState
from branchline.web.core.rooms import analyses
from branchline.web.core.rooms.room import Room
from branchline.web.core.security.tokens import token_hash
from branchline.web.core.settings import Limits, Settings
from branchline.web.serving import server as serving
from branchline.web.table.coach import coaching
from branchline.web.workshop import balancing
from branchline.web.workshop.kept_figures import KeptError, as_text, from_text
from branchline.workshop import read_draft
from web.games import a_room, walk
from web.running_here import running_here
from web.servers import Person, hear, say

ROLLOUTS, GAMES = 2, 4


@pytest.fixture(scope="module")
def over() -> Room:
    """A finished game."""
    *_, last = walk(a_room("berlin", 2, 3), 3)
    return last


@pytest.fixture(scope="module")
def found(over: Room, few_worlds: None) -> bl.Analysis:
    """That game, analysed here."""
    return bl.analyse(over.record(), rollouts=ROLLOUTS)


def worked_out(kind: str, work: JsonObject | None) -> tuple[str, list[JsonObject]]:
    """What the second Python of a browser answers to a page of the server, and what it told before."""
    assert work is not None
    reports: list[JsonObject] = []
    last, content = json.loads(thought(json.dumps([kind, work]), lambda text: reports.append(json.loads(text)[1])))
    assert last == "answer", content
    return str(content), reports


@pytest.mark.long
def test_an_analysis_comes_out_as_on_the_server(
    over: Room, found: bl.Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "ROLLOUTS", ROLLOUTS)
    text, reports = worked_out("analysis", analyses.work_of(over))
    actions = len(over.record().actions)
    assert analyses.found_elsewhere(text, over.board, 2, actions) == found
    assert reports[-1] == {"done": actions, "of": actions}


@pytest.mark.parametrize("spoil", [
    {"steps": 7}, {"totals": [1]}, {"decisions": [{}]}, {"board": "europe"}, {"decisions": None},
    {"course": [[10**9, [1, 0]]]},
])  # fmt: skip
def test_what_is_no_analysis_of_the_game_is_refused(over: Room, found: bl.Analysis, spoil: JsonObject) -> None:
    actions = len(over.record().actions)
    for text in (json.dumps(found.as_dict() | spoil), "[" * 100_000, "7", "", '{"a":'):
        with pytest.raises(AnalysisError):
            analyses.found_elsewhere(text, over.board, 2, actions)


def test_a_board_of_the_workshop_plays_as_on_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balancing, "GAMES", GAMES)
    folder = bl.load_board("berlin").folder
    assert folder is not None
    texts = {
        file.name: file.read_text("utf-8") for file in folder.iterdir() if file.suffix in (".csv", ".toml", ".geojson")
    }
    texts["tickets.csv"] = "\n".join(texts["tickets.csv"].splitlines()[:-1])  # one ticket less: it is no edition
    board = balancing.board_of(read_draft(texts)[0])
    work = balancing.work_of(board)
    assert work is not None and "files" in work["board"]
    text, reports = worked_out("balance", work)
    here = balancing.played(lambda _: None, board, GAMES)
    assert here is not None and without_time(text) == without_time(as_text(*here, None))
    assert {"done", "of"} <= {*reports[0]}
    found, changes, tried = from_text(text, board)
    assert tried is None
    job = balancing.BalanceJob(board, 0, found=found, changes=changes[:1])
    after, _ = worked_out("changes", balancing.work_of(board, job))
    ours = balancing.tried_out(lambda _: None, board, GAMES, changes[:1], here[0])
    assert without_time(after) == without_time(as_text(here[0], changes[:1], ours))


def without_time(text: str) -> JsonObject:
    data: JsonObject = json.loads(text)
    del data["figures"]["seconds"]
    return data


def test_figures_of_other_types_are_refused() -> None:
    board = bl.load_board("berlin")
    here = balancing.played(lambda _: None, board, GAMES)
    assert here is not None
    data = json.loads(as_text(*here, None))
    for name, value in {"seconds": "<b>", "bot": 7, "stopped": 1, "tables": [[]]}.items():
        with pytest.raises(KeptError):
            from_text(json.dumps(data | {"figures": data["figures"] | {name: value}}), board)


def test_a_hint_is_found_from_what_the_seat_may_know_as_on_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("branchline.teaching.coach.BUDGET", Budget(rollouts=40, seconds=60.0))
    game = bl.Game(bl.load_board("berlin"), 2, 3)
    game.play(game.legal[-1])
    position = Position.of(game)
    work = coaching.work_of(position, 5)
    assert work is not None
    other = bl.Game(game.board, 2, 3, decks={})
    other.play(other.legal[-1])
    assert work["state"] == coaching.work_of(Position.of(other), 5)["state"]  # type: ignore[index]
    assert kernel.buffer_of(position.state).tobytes() == game.redacted(position.seat).tobytes()
    text, _ = worked_out("hint", work)
    here = Coach().advise(position, 5)
    assert coaching.found_elsewhere(text, position) == here
    spoilt = json.loads(text)
    for values in ({"action": 10**9}, {"chance": 2}, {"reason": {"kind": []}}, {"compared": 3}):
        with pytest.raises(coaching.NoAdvice):
            coaching.found_elsewhere(json.dumps(spoilt | values), position)


@pytest.mark.parametrize(("options", "thinks"), [([], False), (["--think-in-browser"], True)])
def test_a_server_leaves_it_to_browsers_where_it_is_told_to(
    options: list[str], thinks: bool, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Settings] = []
    monkeypatch.setattr(serving, "run", lambda settings, *_, **__: served.append(settings))
    monkeypatch.setattr(of_server, "site_of_server", lambda _root, _say: Path("there"))
    assert run(["serve", "--database", database, *options]) == 0
    (settings,) = served
    assert (settings.think_in_browser, settings.analyse_ended) == (thinks, not thinks)
    assert (settings.site, settings.copies) == ("there" if thinks else "", False)


# ------------------------------------------------------------------------------------------------ by address


@pytest.fixture(scope="module")
def serving_thinkers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ServerState]]:
    database = f"sqlite:///{tmp_path_factory.mktemp('thinking') / 'rooms.sqlite'}"
    settings = Settings(database, warm_up=False, think_in_browser=True, limits=Limits().times(100))
    with running_here(settings) as running:
        yield running


def test_what_a_browser_has_found_is_shown_to_that_browser_only(
    serving_thinkers: tuple[str, ServerState], over: Room, found: bl.Analysis
) -> None:
    url, server = serving_thinkers
    text = json.dumps(found.as_dict())

    async def look() -> None:
        async with Person(url) as anna:
            answer = await anna.form("/upload", record=over.record().to_json())
            room = answer.headers["location"].split("/")[2]
            work = (await anna.http.get(f"/t/{room}/analysis/work")).json()
            assert work["work"][0] == "analysis" and work["work"][1]["record"]["seats"] == 2
            for nonsense in ("", "[]", text.replace('"steps"', '"step"')):
                assert (await anna.form(f"/found/{room}", found=nonsense)).status_code == 400
            shown = await anna.form(f"/found/{room}", found=text)
            assert shown.status_code == 200 and 'class="sums"' in shown.text
            assert (await anna.http.get(f"/t/{room}/analysis.json")).json() == json.loads(text)
            seen = server.live.rooms[room].room
            assert server.analyses.of(seen, token_hash(anna.token)) and not server.analyses.of(seen, "another")
            assert server.store.analysis(room) is None

    asyncio.run(look())


def test_a_hint_of_the_browser_is_shown_and_without_one_the_server_finds_it(
    serving_thinkers: tuple[str, ServerState], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, server = serving_thinkers
    monkeypatch.setattr(coaching, "_advised", kept_whole)

    async def hint(answer: str | None) -> str:
        async with Person(url) as anna:
            room = await anna.new(board="berlin", seats="2", first="0", seed="3")
            async with anna.talk(room) as talk:
                await say(talk, do="hello")
                await say(talk, do="hint")
                await until(talk, "data-work")
                position = Position.of(server.live.rooms[room].room.game)
                if answer is None:
                    data = {"action": position.legal[0], "chance": 0.75, "reason": None, "compared": None}
                    answer = json.dumps(data)
                await say(talk, do="found", version=0, found=answer)
                await until(talk, "Look at how")
                await say(talk, do="hint")
                return await until(talk, "Best: keep")

    first, last = asyncio.run(hint(None)), asyncio.run(hint(""))
    assert first != last
    assert asyncio.run(hint("{}")) == last


def kept_whole(position: Position, _seed: int) -> Advice:
    """Stands for the coach: keep all tickets."""
    return Coach().explained(position, position.legal[-1], 0.5)


async def until(talk: Any, words: str) -> str:
    """The coach's panel, once it holds some words."""
    while True:
        heard = await hear(talk)
        panel = str(heard.get("fragments", {}).get("coach", ""))
        if words in panel:
            return panel
