"""The file that holds everything of a person: plain JSON, so there is nothing in it to be unpacked.

`written` makes it, `read` takes one from anywhere. Nothing in it is believed: games are played again by the rules,
boards are read as from any folder, and of texts and numbers only what could have been written here is kept.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from branchline.boards import Board, BranchlineError
from branchline.boards.catalogue import builtin_boards
from branchline.boards.files import NEEDED, OPTIONAL
from branchline.boards.wording import worded
from branchline.game import IllegalAction, Record, RecordError
from branchline.plain_data import JsonObject
from branchline.teaching.lesson_files import lesson_named
from branchline.teaching.puzzles import of_edition
from branchline.teaching.rating import Rating
from branchline.teaching.repetition import RepetitionError, reviewed
from branchline.web.along.store import (
    NewDraft,
    NewGame,
    NewThings,
    OwnThings,
)
from branchline.web.core.room_options import Options
from branchline.web.core.rooms import counted, kept_boards, own_games, seats
from branchline.web.core.rooms.boards import board_by_name
from branchline.web.core.rooms.new_rooms import SeatSetup, new_room, replayed_into
from branchline.web.core.rooms.own_games import Actions, OwnGame, SetUp
from branchline.web.core.rooms.room import ACTION, OVER, Refused
from branchline.web.core.store.evenings import EveningRow
from branchline.web.core.store.rows import Attempt, LogRow, Mistake, PuzzleRating, SeatRow, Snapshot
from branchline.workshop import Draft
from branchline.workshop.draft import is_file_name, is_unicode, packed, title_of
from branchline.workshop.tables import MAX_TEXT

LONGEST = 8_000_000  # letters
MOST = {"games": 2_000, "boards": 60, "evenings": 1_000, "lessons": 1_000, "puzzles": 10_000}  # entries that are read
LONGEST_RECORD = 5_000  # actions
MOST_NOTED = 500  # hints and absences of a game
MOST_REASONS = 12  # that are told; all are counted
_SLACK = 86_400.0  # seconds that a clock may be ahead

Entry = TypeVar("Entry")
Read = TypeVar("Read")


class ArchiveError(BranchlineError):
    """What was handed over is no file of ours; the text is one clear line."""


# ---------------------------------------------------------------------------------------------------- writing


def written(things: OwnThings, drafts: list[tuple[str, JsonObject]], settings: Mapping[str, str], now: float) -> str:
    """Return the file. `drafts`: title and content of the boards of the workshop."""
    data: JsonObject = {
        own_games.MARK: own_games.FORMAT,
        "saved": now,
        "games": [own_games.entry(game, things.mistakes.get(game.row.id, ())) for game in things.games],
        "boards": {name: dict(files) for name, files in things.boards.items() if name not in builtin_boards()},
        "drafts": [draft for _, draft in drafts],
        "evenings": [
            {"id": row.id, "at": row.at, "room": row.room, "position": json.loads(row.position)}
            for row in things.evenings
        ],
        "lessons": dict(things.lessons),
        "puzzles": [vars(attempt) for attempt in things.attempts],
        "puzzle_rating": things.rating and vars(things.rating),
        "settings": {name: value for name, value in settings.items() if value},
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


# ---------------------------------------------------------------------------------------------------- reading


@dataclass(frozen=True)
class LeftOut:
    """Something in a file that was not taken."""

    kind: str  # game, board, evening or exercise
    number: int  # in the file, from 1
    why: str


@dataclass(frozen=True)
class Opened:
    """What was found in a file."""

    things: NewThings
    left: tuple[LeftOut, ...] = ()
    later: int = 0  # games that were not looked at any more: opening the file again takes them
    settings: Mapping[str, str] = field(default_factory=dict)


def read(
    text: str, key: str, here: tuple[OwnGame, ...], mine: frozenset[str], clock_now: float, seconds: float
) -> Opened:
    """Return what a file brings to a person. Raise `ArchiveError` for what is no such file.

    `here`: the games that this person has, `mine`: boards of the workshop, as they are kept. `clock_now`: what the
    clock of the tables shows. After `seconds` of the processor's time no further game is played again.
    """
    return _Reader(_parsed(text), key, here, mine, clock_now, seconds).opened()


def _parsed(text: str) -> JsonObject:
    if len(text) > LONGEST:
        raise ArchiveError(worded("the file is too large: at most {most:,} characters", most=LONGEST))
    try:
        data = json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or own_games.MARK not in data:
        raise ArchiveError(worded("this file was not saved with “Take my games with me”"))
    if data[own_games.MARK] != own_games.FORMAT:
        raise ArchiveError(worded("this file was saved by a newer version of branchline"))
    if not is_unicode(json.dumps(data, ensure_ascii=False)):
        raise ArchiveError(worded("this file was not saved with “Take my games with me”"))
    return data


def _refuse(word: str) -> None:
    raise ValueError(word)


class WrongEntry(BranchlineError):  # noqa: N818  it reads as a sentence
    """An entry of a file that is not as we write it."""

    def __init__(self) -> None:
        super().__init__(worded("the entry is damaged"))


class _Reader:
    def __init__(
        self,
        data: JsonObject,
        key: str,
        here: tuple[OwnGame, ...],
        drafts: frozenset[str],
        clock_now: float,
        seconds: float,
    ) -> None:
        self._data, self._key, self._drafts, self._clock_now = data, key, drafts, clock_now
        self._courses: dict[SetUp, list[OwnGame]] = {}
        for game in here:
            self._courses.setdefault(game.set_up, []).append(game)
        self._until = time.thread_time() + seconds
        self._left: list[LeftOut] = []
        self._here: dict[str, str] = {}  # games that are here already: id in the file → room
        self._made: dict[str, kept_boards.MadeBoard] = {}  # boards that came with the file
        self._later = 0

    def opened(self) -> Opened:
        """Return all that the file brings."""
        games = self._games()
        drafts = list(self._each("board", self._list("drafts", "boards"), self._draft))
        things = NewThings(
            games=games,
            here=self._here,
            boards={made.key: made.files for made in self._made.values()},
            drafts=tuple(draft for draft in drafts if draft.content not in self._drafts),
            drafts_here=sum(draft.content in self._drafts for draft in drafts),
            evenings=tuple(self._each("evening", self._list("evenings"), self._evening)),
            lessons=dict(self._each("exercise", list(self._table("lessons").items()), _lesson)),
            attempts=tuple(self._each("exercise", self._list("puzzles"), _attempt)),
            rating=_rating(self._data.get("puzzle_rating")),
        )
        chosen = self._table("settings").items()
        settings = {name: value for name, value in chosen if isinstance(value, str)}
        return Opened(things, tuple(self._left), self._later, settings)

    def _list(self, name: str, limit: str = "") -> list[object]:
        """Return the entries of a part of the file; what is too much is counted as left out."""
        value = self._data.get(name, [])
        entries = value if isinstance(value, list) else [value]
        most = MOST[limit or name]
        kind = {"games": "game", "drafts": "board", "evenings": "evening"}.get(name, "exercise")
        too_many = worded("the file holds more than {most:,} entries of this kind", most=most)
        self._left += [LeftOut(kind, n, too_many) for n in range(most + 1, len(entries) + 1)]
        return entries[:most]

    def _table(self, name: str) -> JsonObject:
        value = self._data.get(name, {})
        return dict(list(value.items())[: MOST["lessons"]]) if isinstance(value, dict) else {}

    def _each(
        self, kind: str, entries: Sequence[Entry], look: Callable[[Entry], Read], first: int = 1
    ) -> Iterator[Read]:
        """Yield what is found in entries, and note why others are left out."""
        for n, entry in enumerate(entries, first):
            try:
                yield look(entry)
            except BranchlineError as error:
                self._left.append(LeftOut(kind, n, error.message))

    # ------------------------------------------------------------------------------------------------ games

    def _games(self) -> tuple[NewGame, ...]:
        """Return the games that are not here yet, as far as there is time to play them again."""
        games, entries = [], self._list("games")
        for n, entry in enumerate(entries, 1):
            if time.thread_time() > self._until:
                self._later = len(entries) - n + 1
                break
            for found in filter(None, self._each("game", [entry], self._game, n)):
                games.append(found)
                self._courses.setdefault(found.own.set_up, []).append(found.own)
        return tuple(games)

    def _game(self, entry: object) -> NewGame | None:
        """Return a game that was played again by the rules, or None if it is here already."""
        data = _Entry(entry)
        called = data.text("id", 32)
        sitting, mine = self._sitting(data)
        record = Record.from_json(json.dumps(data.table("record")))
        if len(record.actions) > LONGEST_RECORD:
            raise RecordError(worded("the record has more than {count:,} actions", count=LONGEST_RECORD))
        if len(sitting) != record.seats:
            raise WrongEntry
        decks = json.dumps(record.decks)
        people = tuple(seat.kind == seats.PERSON for seat in sitting)
        set_up = SetUp(record.board_digest, record.seats, record.seed, record.first_seat, decks, people)
        if self._is_here(called, set_up, record.actions):
            return None
        board, name = self._board(data.text("board", 200))
        own, state = self._played(board, name, record, sitting, mine, data)
        if not own.portable:
            raise WrongEntry
        if self._is_here(called, own.set_up, own.actions):  # it was saved by older rules
            return None
        return NewGame(called, own, state, tuple(_mistakes(data, own)))

    def _is_here(self, called: str, set_up: SetUp, actions: Actions) -> bool:
        """Return whether the person has this game, perhaps further on; note its room."""
        for game in self._courses.get(set_up, ()):
            if game.actions[: len(actions)] == actions:
                self._here[called] = game.row.id
                return True
        return False

    def _sitting(self, data: _Entry) -> tuple[tuple[SeatRow, ...], tuple[int, ...]]:
        """Return who sits where, and the person's own seats. Of bots only those that are installed here play."""
        rows: list[SeatRow] = []
        for n, entry in enumerate(data.list("seats", 8)):
            seat = _Entry(entry)
            kind, name = seat.text("kind", 8), seats.clean_name(seat.text("name", 60))
            bot, resigned = seat.text("bot", 60), seat.flag("resigned")
            if kind not in (seats.PERSON, seats.BOT):
                raise WrongEntry
            if kind == seats.BOT:
                known = seats.is_bot(bot)
                row = SeatRow(n, kind, "" if name == bot else name, bot) if known else SeatRow(n, seats.PERSON, name)
            else:
                row = SeatRow(n, kind, name, seats.stand_in() if resigned else "", resigned=resigned)
            rows.append(replace(row, name=seats.told_apart(row.name, rows, n)) if row.name else row)
        mine = tuple(sorted({n for n in data.list("mine", 8) if isinstance(n, int) and not isinstance(n, bool)}))
        if any(not 0 <= n < len(rows) or rows[n].kind != seats.PERSON for n in mine):
            raise WrongEntry
        return tuple(rows), mine

    def _board(self, name: str) -> tuple[Board, str]:
        """Return the board of a game, and what rooms call it: one that is offered here, or one from the file."""
        files = self._table("boards").get(name)
        if name in builtin_boards() or files is None:
            return board_by_name(name), name
        if name not in self._made:
            self._made[name] = _board_in(files)
        made = self._made[name]
        return made.board, made.name

    def _played(
        self,
        board: Board,
        name: str,
        record: Record,
        sitting: tuple[SeatRow, ...],
        mine: tuple[int, ...],
        data: _Entry,
    ) -> tuple[OwnGame, Snapshot]:
        """Return a game played again, and its last state. Raise `BranchlineError` where the rules do not allow it."""
        began, ended, pace = data.moment("began"), data.moment("ended"), int(min(data.number("pace"), 60_000))
        if record.rules_version != board.rules_version:
            record = record.as_now(board)
        game = next(iter(record.steps(board)))
        setups = [SeatSetup(seat.kind, seat.name, seat.bot, self._key if seat.seat in mine else "") for seat in sitting]
        room, _ = new_room("", game, name, setups, Options(pace=pace, seeded=True), self._key, began)
        try:
            room = replayed_into(room, record, len(record.actions), ended)
        except (IllegalAction, Refused):
            raise RecordError(worded("what was played is not allowed by the rules")) from None
        log = tuple(_with_noted(room.log, _noted(data, len(sitting))))
        now = time.time()
        row = replace(room.row, version=len(log), asked_at=now, touched=now)
        room = replace(room, row=row, seats=sitting).begun(self._clock_now)
        last = max((line.n for line in log if line.kind == ACTION), default=0)
        return OwnGame(room.row, sitting, log, mine), replace(room.states[-1], n=last)

    # ------------------------------------------------------------------------------------------------ the others

    def _draft(self, entry: object) -> NewDraft:
        draft = Draft.from_json(entry)
        return NewDraft(title_of(draft), packed(draft))

    def _evening(self, entry: object) -> EveningRow:
        data = _Entry(entry)
        position = json.dumps(data.table("position"), ensure_ascii=False)
        fields = {"id": data.text("id", 24), "at": str(data.number("at")), "position": position}
        return replace(counted.row_of(self._key, fields), room=data.text("room", 32))


def _lesson(entry: tuple[str, object]) -> tuple[str, float]:
    name, at = entry
    if len(name) > 80 or lesson_named(name) is None:
        raise ArchiveError(worded("there is no such lesson here"))
    return name, _Entry({"at": at}).moment("at")


def _attempt(entry: object) -> Attempt:
    data = _Entry(entry)
    board, puzzle = data.text("board", 40), data.text("puzzle", 16)
    collection = of_edition(board)
    if collection is None or all(known.id != puzzle for known in collection.puzzles):
        raise ArchiveError(worded("there is no such puzzle here"))
    return Attempt(puzzle, board, data.flag("first"), data.flag("solved"), data.moment("at"))


def _rating(entry: object) -> PuzzleRating | None:
    """Return how well somebody says to solve puzzles: a guess, which the next answers settle."""
    try:
        data = _Entry(entry)
        rating, attempts = min(max(data.number("rating"), 400.0), 3_000.0), min(int(data.number("attempts")), 10**6)
    except WrongEntry:
        return None
    return PuzzleRating(rating, Rating().deviation, Rating().volatility, attempts)


def _board_in(files: object) -> kept_boards.MadeBoard:
    """Return the board in the files of a folder. Raise `BranchlineError` for one that cannot be played on."""
    known = (*NEEDED, *OPTIONAL)
    if not isinstance(files, dict) or not all(isinstance(text, str) for text in files.values()):
        raise WrongEntry
    if sum(map(len, files.values())) > MAX_TEXT or not all(name in known or is_file_name(name) for name in files):
        raise WrongEntry
    return kept_boards.made_of(files, next((name for name in files if name not in known), ""))


def _noted(data: _Entry, players: int) -> list[tuple[int, int, str]]:
    """Return what happened beside the actions of a game: after how many of them, to whom, what."""
    found = []
    for entry in data.list("noted", MOST_NOTED):
        if not isinstance(entry, list) or len(entry) != 3 or entry[2] not in own_games.NOTED:
            raise WrongEntry
        after, seat = (int(_Entry({"n": number}).number("n")) for number in entry[:2])
        if seat >= players:
            raise WrongEntry
        found.append((after, seat, str(entry[2])))
    return sorted(found, key=lambda one: one[0])


def _with_noted(log: Sequence[LogRow], noted: list[tuple[int, int, str]]) -> Iterator[LogRow]:
    """Yield the rows of a log with what else happened between them, numbered anew."""
    at = log[-1].at if log else 0.0
    n, waiting = 0, list(noted)
    for count, row in enumerate((*log, None)):
        while waiting and (row is None or waiting[0][0] <= count):
            n += 1
            _, seat, kind = waiting.pop(0)
            yield LogRow(n, seat, kind, at=at)
        if row is not None:
            n += 1
            yield replace(row, n=n)


def _mistakes(data: _Entry, game: OwnGame) -> Iterator[Mistake]:
    """Yield how far the person is with mistakes of a game; one whose card cannot be read begins anew."""
    actions, known = game.actions, set[int]()
    for entry in data.list("mistakes", 500) if game.row.status == OVER else ():
        found = _Entry(entry)
        step, seat = int(found.number("step")), int(found.number("seat"))
        if step in known or step >= len(actions) or seat not in game.mine or not actions[step].startswith(f"{seat} "):
            raise WrongEntry
        known.add(step)
        card, due_at = found.text("card", 2_000), float(found.number("due_at"))
        try:
            reviewed(card, True, time.time())
        except RepetitionError:
            card, due_at = "", 0.0
        answered = min(int(found.number("answered")), 10_000)
        right = min(int(found.number("right")), answered)
        yield Mistake(step, seat, min(float(found.number("lost")), 1.0), card, answered, right, due_at)


class _Entry:
    """An object in a file, whose values are looked at one by one. Raises `WrongEntry`."""

    def __init__(self, entry: object) -> None:
        if not isinstance(entry, dict):
            raise WrongEntry
        self._entry: JsonObject = entry

    def text(self, name: str, longest: int) -> str:
        value = self._entry.get(name, "")
        if not isinstance(value, str) or len(value) > longest:
            raise WrongEntry
        return value

    def number(self, name: str) -> float:
        """Return a number from 0."""
        value = self._entry.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e15:
            raise WrongEntry
        return value

    def moment(self, name: str) -> float:
        """Return a date until now, in seconds since 1970."""
        value = float(self.number(name))
        if value > time.time() + _SLACK:
            raise WrongEntry
        return value

    def flag(self, name: str) -> bool:
        value = self._entry.get(name)
        if not isinstance(value, bool):
            raise WrongEntry
        return value

    def table(self, name: str) -> JsonObject:
        value = self._entry.get(name)
        if not isinstance(value, dict):
            raise WrongEntry
        return value

    def list(self, name: str, most: int) -> list[object]:
        value = self._entry.get(name, [])
        if not isinstance(value, list) or len(value) > most:
            raise WrongEntry
        return value
