"""Games of real tables that were noted turn by turn: a room to look through, an evening that leads there."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

import branchline as bl
from branchline.game import NotationError
from branchline.web.core.pages import fault_text, translation
from branchline.web.core.pages.desk_words import CountContext
from branchline.web.core.settings import Settings
from branchline.web.core.visit import Visit
from branchline.web.notate import page as notate_page
from branchline.web.notate.noted_games import position_of, reconstructed
from table import board
from web.running_here import running_here
from web.servers import Person

TEXT = (Path(__file__).parents[2] / "examples" / "evening.txt").read_text(encoding="utf-8")


def test_what_is_counted_of_a_noted_game_is_what_the_rules_counted() -> None:
    made = reconstructed(TEXT)
    sheet = bl.score_position(position_of(made), board("europe"))
    assert [seat["total"] for seat in sheet["seats"]] == list(made.game.scores.totals)
    assert sheet["winner_seats"] == list(made.game.scores.winners)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("edition ../europe\nplayers A, B", 1),
        ("edition europe\nplayers A, B\nA: draw 9", 3),
        ("x" * 40_001, 0),
    ],
)
def test_what_is_no_game_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(NotationError) as refused:
        reconstructed(text)
    assert refused.value.line == line


@pytest.mark.parametrize("language", translation.LANGUAGES)
def test_the_page_is_made_in_every_language_and_for_nobody(language: str) -> None:
    text = notate_page.notate(CountContext(Visit(language=language), (board("europe"), board("world"))))
    assert 'value="world"' in text and "csrf" not in text


@pytest.mark.long
def test_a_noted_game_is_replayed_and_stands_among_the_evenings(tmp_path: Path) -> None:
    with running_here(Settings(f"sqlite:///{tmp_path / 'rooms.sqlite'}", warm_up=False)) as (url, _):

        async def note() -> None:
            async with Person(url) as anna:
                csrf = json.loads((await anna.http.get("/evenings/form.json")).text)["csrf"]
                fields = {"csrf": csrf, "id": "abc", "at": "1700000000", "text": TEXT}

                async def send(address: str, **other: str) -> dict[str, object]:
                    return dict(json.loads((await anna.http.post(address, data=fields | other)).text))

                short = "\n".join(TEXT.splitlines()[:20])
                assert await send("/notate/check", text=short) == {"over": False}
                assert (await send("/notate", text=short))["over"] is False
                wrong = await send("/notate/check", text=short + "\nAnna: claim Berlin–Wien with 9 red")
                assert wrong["line"] in (20, 21)
                kept = await send("/notate")
                room = kept["room"]
                replay = (await anna.http.get(f"/t/{room}/replay")).text
                assert "Recorded at a real table" in replay and "Anna" in replay
                assert "luck figures say nothing" in (await anna.http.get(f"/t/{room}/analysis")).text
                assert f'/t/{room}/replay/0"' in (await anna.http.get("/evenings")).text
                record = bl.Record.from_json((await anna.http.get(f"/t/{room}/record.json")).text)
                assert record.replay().over and record.names == ("Anna", "Bert")
                on = await anna.form(f"/t/{room}/replay/60/play", f"/t/{room}/replay", seat="0")
                assert on.status_code == 303

        asyncio.run(note())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("claim Frankfurt–Paris white\nclaim Frankfurt–Paris orange", "Bert: Gesperrt: In einer Runde mit 2 Personen"),
        ("pass", "Anna: Passen darfst du nur, wenn sonst nichts möglich ist."),
        ("draw purpel", "unbekannte Karte „purpel“ (meinst du „purple“?)"),
        ("claim Madrid–Paris", "es gibt keine Strecke Madrid–Paris; von Madrid führen Strecken nach: Barcelona"),
    ],
)
def test_what_the_rules_do_not_allow_is_said_in_the_readers_language(line: str, said: str) -> None:
    with pytest.raises(NotationError) as refused:
        reconstructed(f"edition europe\nplayers Anna, Bert\n{line}\n", 1)
    assert fault_text.told("de", refused.value.why).startswith(said)
    assert fault_text.told("en", refused.value.why) == refused.value.why
