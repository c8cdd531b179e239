"""Exercises on the server: the answer is hidden until it is found, counts once, and can be forgotten."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest

from branchline.analysis import Comparison, Move
from branchline.analysis.comparison import Difference
from branchline.bots import Position
from branchline.teaching.exercises import number_of
from branchline.teaching.puzzles import Puzzle, of_edition
from branchline.web.app import notifier_for
from branchline.web.core.pages.translation import LANGUAGES
from branchline.web.core.rooms import guided
from branchline.web.core.rooms.guide import ANSWER
from branchline.web.core.rooms.live import LiveRooms
from branchline.web.core.rooms.live_room import LiveRoom
from branchline.web.core.rooms.perspective import Viewer, table_context
from branchline.web.core.rooms.room import Refused
from branchline.web.core.security.signing import Signer
from branchline.web.core.settings import Settings
from branchline.web.core.store.database import Store
from branchline.web.core.store.rows import MistakeRow
from branchline.web.core.visit import Visit
from branchline.web.exercises import guide as exercise_guide
from branchline.web.exercises import page as exercises_page
from branchline.web.exercises import store as store_of
from branchline.web.exercises import tables as exercises
from branchline.web.exercises.page import MistakeLine, MistakesContext, PuzzleLine, PuzzlesContext, PuzzleShelf
from branchline.web.exercises.tables import ASKED, MISTAKE, RIGHT, SHOWN, Notes
from branchline.web.my_games import store as results
from web.games import a_room, walk

KEY, OTHER = "a" * 64, "b" * 64
DAY = 86_400.0


@pytest.fixture
def live(database: str) -> Iterator[LiveRooms]:
    exercise_guide.register()
    settings = Settings(database=database)
    store = Store(database)
    made = LiveRooms(store, notifier_for(settings, store), settings)
    yield made
    made.bot_executor.close()
    store.close()


def a_puzzle() -> Puzzle:
    """One in which the best move is to claim a route, and drawing blind is worse."""
    collection = of_edition("berlin")
    assert collection is not None
    return next(one for one in collection.puzzles if one.answers.best.move.kind == "claim")


async def play(live: LiveRooms, room: LiveRoom, action: str) -> None:
    now, seat = time.time(), room.room.row.asked
    assert seat is not None
    await guided.change(live, room, lambda before: before.played(seat, action, now), "en", now)


def notes_of(room: LiveRoom) -> Notes:
    assert room.room.guide is not None
    return Notes.read(room.room.guide.notes)


def wrong_of(puzzle: Puzzle) -> str:
    """Something else that is legal there, as the game writes it."""
    position = puzzle.position()
    best = number_of(position, puzzle.answers.best.move)
    texts = {one: str(action.text) for one, action in zip(position.legal, puzzle.game().legal, strict=True)}
    return next(text for one, text in texts.items() if one != best and not text.startswith("claim"))


def test_the_answer_is_hidden_until_it_is_found_and_wrong_ones_are_never_played(live: LiveRooms) -> None:
    async def solve() -> None:
        puzzle = a_puzzle()
        best = puzzle.answers.best.move.text
        room = await exercises.begin_puzzle(live, puzzle, KEY)
        before = room.room.game.fingerprint
        assert before.startswith(puzzle.id)
        viewer = Viewer(mine=(puzzle.answers.seat,), host=True, visit=Visit("de"))
        guide = table_context(room.room, viewer, Signer(b"secret")).guide
        assert guide is not None and not guide.done and not guide.marks and not guide.answer and not guide.text
        with pytest.raises(Refused) as refusal:
            await play(live, room, wrong_of(puzzle))
        assert refusal.value.reason == ANSWER and best not in str(refusal.value)
        assert room.room.game.fingerprint == before and notes_of(room).state == ASKED
        await play(live, room, best)
        assert notes_of(room).state == RIGHT
        guide = table_context(room.room, viewer, Signer(b"secret")).guide
        assert guide is not None and guide.done and guide.answer and guide.marks
        with pytest.raises(Refused, match="over"):
            await play(live, room, str(room.room.game.perspective(room.room.row.asked).legal[0].text))
        tried = store_of.attempts_of(live.store, KEY)[puzzle.id]
        assert not tried.first and tried.solved  # the first answer was wrong, the second one right

    asyncio.run(solve())


def test_an_answer_that_is_shown_counts_as_not_found_and_cannot_be_found_any_more(live: LiveRooms) -> None:
    async def give_up() -> None:
        puzzle = a_puzzle()
        room = await exercises.begin_puzzle(live, puzzle, KEY)
        await exercises.show(live, room)
        await exercises.show(live, room)
        assert notes_of(room).state == SHOWN
        with pytest.raises(Refused):
            await play(live, room, puzzle.answers.best.move.text)
        tried = store_of.attempts_of(live.store, KEY)[puzzle.id]
        assert not tried.first and not tried.solved

    asyncio.run(give_up())


def test_the_first_answer_to_a_puzzle_is_rated_once_however_often_it_is_sent(live: LiveRooms) -> None:
    store, puzzle = live.store, a_puzzle()
    notes = Notes(exercises.PUZZLE, {}, puzzle=puzzle.id, difficulty=puzzle.difficulty)
    counted: list[bool] = []
    threads = [
        threading.Thread(
            target=lambda: counted.append(exercises.note_puzzle(store, KEY, "berlin", notes, True, time.time()))
        )
        for _ in range(6)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(counted) == [False] * 5 + [True]
    found = store_of.ratings(store, [KEY, puzzle.id])
    assert found[KEY].attempts == found[puzzle.id].attempts == 1
    assert found[KEY].rating > exercises.START
    exercises.note_puzzle(store, OTHER, "berlin", notes, False, time.time())
    again = store_of.ratings(store, [OTHER, puzzle.id])
    assert again[OTHER].rating < exercises.START and again[puzzle.id].rating > found[puzzle.id].rating


def kept_mistake(store: Store, key: str = KEY) -> Notes:
    """A mistake in a finished game of a browser, as it is when it is opened."""
    *_, room = walk(a_room("berlin", 2, 3), 3)
    store.create(room.row, room.seats, room.states, [(key, 0)], room.log)
    store_of.collect(store, key, room.id, [MistakeRow(10, 0, 0.08, key=key, room=room.id)])
    store_of.collect(store, key, room.id, [MistakeRow(10, 0, 0.08, key=key, room=room.id)])  # twice is as good as once
    return Notes(MISTAKE, {}, game=room.id, step=10)


def test_a_mistake_pressed_twice_in_several_processes_is_scheduled_once(live: LiveRooms) -> None:
    store, now = live.store, time.time()
    notes = kept_mistake(store)
    counted: list[bool] = []
    threads = [
        threading.Thread(target=lambda: counted.append(exercises.note_mistake(store, KEY, notes, True, now)))
        for _ in range(6)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(counted) == [False] * 5 + [True]
    [row] = store_of.mistakes_of(store, KEY)
    assert (row.answered, row.right) == (1, 1) and row.due_at > now + DAY
    # opened once more before it is due: not counted, nor what was opened before the first answer
    assert not exercises.note_mistake(store, KEY, replace(notes, counted=1), False, now + 60)
    assert not exercises.note_mistake(store, KEY, notes, False, row.due_at + 1)
    assert exercises.note_mistake(store, KEY, replace(notes, counted=1), False, row.due_at + 1)
    [later] = store_of.mistakes_of(store, KEY)
    assert (later.answered, later.right) == (2, 1)
    assert not exercises.note_mistake(store, OTHER, notes, True, now)  # somebody else has no such exercise


def test_what_is_kept_of_a_browser_is_forgotten_with_its_games(live: LiveRooms) -> None:
    store, puzzle = live.store, a_puzzle()
    for key in (KEY, OTHER):
        kept_mistake(store, key)
        notes = Notes(exercises.PUZZLE, {}, puzzle=puzzle.id)
        exercises.note_puzzle(store, key, "berlin", notes, True, time.time())
    results.forget(store, KEY)
    assert not store_of.mistakes_of(store, KEY) and not store_of.attempts_of(store, KEY)
    assert KEY not in store_of.ratings(store, [KEY])
    assert store_of.mistakes_of(store, OTHER) and store_of.attempts_of(store, OTHER)
    assert {OTHER, puzzle.id} <= set(store_of.ratings(store, [OTHER, puzzle.id]))


def test_only_analysed_games_that_one_played_are_collected_and_each_once(live: LiveRooms) -> None:
    store = live.store
    *_, room = walk(a_room("berlin", 2, 3), 3)
    store.create(room.row, room.seats, room.states, [(KEY, 0), (OTHER, -1)], room.log)
    assert store_of.uncollected(store, KEY) == []
    store.keep_analysis(room.id, "{}")
    assert store_of.uncollected(store, KEY) == [room.id] and store_of.uncollected(store, OTHER) == []
    better = SimpleNamespace(move=None)
    decisions = [
        SimpleNamespace(seat=0, step=4, lost=0.1, better=better),
        SimpleNamespace(seat=0, step=6, lost=0.0, better=None),
        SimpleNamespace(seat=1, step=8, lost=0.3, better=better),
    ]
    exercises.collect(store, KEY, room, (0,), SimpleNamespace(decisions=decisions))  # type: ignore[arg-type]
    assert [one.step for one in store_of.mistakes_of(store, KEY)] == [4]
    assert store_of.uncollected(store, KEY) == []


def test_cards_of_one_kind_are_the_same_answer(live: LiveRooms) -> None:
    collection = of_edition("berlin")
    assert collection is not None
    for puzzle in collection.puzzles:
        position: Position = puzzle.position()
        best = number_of(position, puzzle.answers.best.move)
        if puzzle.answers.best.move.kind == "take":
            kinds = [int(position.state.market[slot]) for slot in range(5)]
            told = puzzle.answers.to(position, best or 0)
            assert told is not None and told.right and kinds
            return


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_are_there_in_every_language(language: str) -> None:
    collection = of_edition("berlin")
    assert collection is not None
    board = a_puzzle().position().board
    lines = tuple(
        PuzzleLine(n, one.id, one.themes, one.difficulty, 1500.0, n % 2 == 0)
        for n, one in enumerate(collection.puzzles, 1)
    )
    shelf = PuzzleShelf(board, lines)
    visit = Visit(language, nonce="n", csrf="token")
    every = exercises_page.puzzles(PuzzlesContext(visit, (shelf,), None, "", (board, lines[0]), 1432.4))
    assert "1432" in every and f"/learn/puzzles/{board.id}/{lines[0].id}" in every
    theme = lines[0].themes[0]
    one = exercises_page.puzzles(PuzzlesContext(visit, (shelf,), shelf, theme, None, None))
    assert one.count("<li>") == sum(theme in line.themes for line in lines)
    hostile = exercises_page.puzzles(PuzzlesContext(visit, (shelf,), shelf, "<script>", None, None))
    assert "<script>" not in hostile.replace('<script type="module"', "")
    now = time.time()
    mistakes = (
        MistakeLine("room", 3, board, now, 0.12, 0, 0, 0.0),
        MistakeLine("room", 9, board, now, 0.03, 2, 1, now + 5 * DAY),
    )
    listed = exercises_page.mistakes(MistakesContext(visit, mistakes, now))
    assert listed.count('action="/t/room/analysis/try"') == 2 and "5" in listed
    move, brings = Move("blind", "blind", word="train"), Difference(9.0, 1.0)
    told = Comparison(move, brings, Difference(), Difference())
    named = (replace(mistakes[0], played_move=move, compared=told),)
    page = exercises_page.mistakes(MistakesContext(Visit("en"), named, now))
    assert "You played: draw a card face down." in page and f"map-{board.digest}" in page
    assert "The best move: about 9 points more by the end." in page
    assert "/learn/mistakes/next" not in exercises_page.mistakes(MistakesContext(visit, (), now))


def test_notes_are_read_as_they_were_written() -> None:
    notes = Notes(MISTAKE, {"answers": []}, themes=("block",), game="room", step=3)
    assert Notes.read(notes.written()) == notes and json.loads(notes.written())["state"] == ASKED
