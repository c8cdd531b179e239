"""Records: a finished or running game as a file that replays to the same game, bit for bit."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from branchline.boards import Board, load_board, wording
from branchline.boards.arguments import instance, sequence, text
from branchline.boards.digest import digest_under
from branchline.boards.faults import BranchlineError, quoted, shown
from branchline.boards.files import guess
from branchline.boards.letters import is_clean
from branchline.boards.wording import worded
from branchline.decoding import UndecodableError, decoded
from branchline.game import older_payments
from branchline.game.errors import IllegalAction, RecordError, SetupError
from branchline.game.game import SEEDS, Game
from branchline.game.reasons import ANOTHER_SEAT
from branchline.plain_data import JsonObject
from branchline.whole_file import write_whole

FORMAT = 1
MAX_BYTES = 8_000_000
MAX_ACTIONS = 100_000
MAX_PATH = 1000
MAX_NAME = 200  # letters in a player's name
PAYING = ("colour", "wilds", "ship_wilds", "doubles", "marked", "pair")


@dataclass(frozen=True)
class Record:
    """A recorded game: the board, the set-up and the actions, as text."""

    board: str  # id of the board, or the folder of one's own
    board_digest: str  # of all on the board that can change a game
    rules_version: int
    seats: int
    seed: int
    actions: tuple[str, ...]  # "seat action"
    first_seat: int | None = None  # None: by lot
    decks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    names: tuple[str, ...] = ()  # of the players
    fingerprint: str = ""  # of the last state

    def __post_init__(self) -> None:
        """Raise `RecordError` where a field is of another type."""
        texts, numbers = ("board", "board_digest", "fingerprint"), ("rules_version", "seats", "seed")
        for name in (*texts, *numbers):
            _checked(name, getattr(self, name), str if name in texts else int)
        if self.first_seat is not None:
            _checked("first_seat", self.first_seat, int)
        _checked("decks", self.decks, dict)
        for name, lines in (("actions", self.actions), ("names", self.names)):
            if not isinstance(lines, tuple) or not all(isinstance(line, str) for line in lines):
                raise RecordError(worded('"{name}" must be a tuple of texts', name=name))

    @classmethod
    def of(cls, game: Game, names: Sequence[str] = ()) -> Record:
        """Return the record of a game so far. Raise `RecordError` if a name is not valid."""
        return cls(
            board=game.board.id,
            board_digest=game.board.digest,
            rules_version=game.board.rules_version,
            seats=game.seats,
            seed=game.seed,
            actions=tuple(game.actions),
            first_seat=game.asked_first_seat,
            decks=dict(game.stacked),
            names=_names(names, game.seats),
            fingerprint=game.fingerprint,
        )

    # -------------------------------------------------------------------------------------------- replaying

    def replay(self, board: Board | None = None) -> Game:
        """Return the game at the end of the record. Raise `RecordError` if it does not play as recorded.

        A record of older rules is read with the meaning of its time; see `as_now`.
        """
        game = None
        for game in self.steps(board):  # noqa: B007  the last one is the answer
            pass
        assert game is not None
        self.check_end(game)
        return game

    def steps(self, board: Board | None = None) -> Iterator[Game]:
        """Yield the game after set-up and after each action; it is always the same `Game` object.

        For a record of older rules, the actions are those of `as_now`.
        """
        board = self._checked_board(board)
        try:
            game = Game(board, self.seats, self.seed, first_seat=self.first_seat, decks=self.decks)
        except BranchlineError as error:
            raise RecordError(worded("the record cannot be set up: {why}", why=error.message)) from None
        yield game
        try:
            yield from played_on(game, self.actions)
        except RecordError as error:
            if self.rules_version == board.rules_version:
                raise
            raise RecordError(
                worded(
                    "{why} (recorded with rules {then} of {board}, replayed with rules {now})",
                    why=error.message,
                    then=self.rules_version,
                    board=board.id,
                    now=board.rules_version,
                )
            ) from None

    def check_end(self, game: Game) -> None:
        """Raise `RecordError` unless the game, replayed to its end, is in the recorded state."""
        instance("game", game, Game, "a game", RecordError)
        within_older_payment = self.rules_version != game.board.rules_version and game.question.kind in PAYING
        if self.fingerprint not in ("", game.fingerprint) and not within_older_payment:
            raise RecordError(worded("the actions replay, but lead to a different state from the one recorded"))

    def as_now(self, board: Board | None = None) -> Record:
        """Return the same game with the actions that today's rules ask for. Raise `RecordError` like `replay`.

        The answer to a question that is no longer asked is left out or given in today's form.
        """
        return replace(Record.of(self.replay(board)), names=self.names)

    def _checked_board(self, board: Board | None) -> Board:
        try:
            board = load_board(self.board) if board is None else board
        except BranchlineError as error:
            raise RecordError(worded("the board of the record: {why}", why=_first_line(error))) from None
        if not isinstance(board, Board):
            raise RecordError(worded("board: expected a board, as `load_board` returns it"))
        same = board.rules_version == self.rules_version
        digest = board.digest if same else digest_under(board, self.rules_version)
        if digest != self.board_digest and board.id != self.board:
            raise RecordError(
                worded(
                    "the game was recorded on the board {board}, not on {other}",
                    board=quoted(self.board),
                    other=quoted(board.id),
                )
            )
        if board.rules_version < self.rules_version:
            raise RecordError(
                worded(
                    "recorded with rules {then} of {board}; these are rules {now}",
                    then=self.rules_version,
                    board=board.id,
                    now=board.rules_version,
                )
            )
        if digest != self.board_digest:
            raise RecordError(
                worded("recorded on another {board}: the board's data have changed since", board=board.id)
            )
        return board

    # -------------------------------------------------------------------------------------------- files

    def to_json(self) -> str:
        """Return the record as JSON text, with one action on each line."""
        return json.dumps(self.to_table(), ensure_ascii=False, indent=1) + "\n"

    def to_table(self) -> JsonObject:
        """Return the record as a dictionary that can be written as JSON."""
        return {
            "branchline_record": FORMAT,
            "board": self.board,
            "board_digest": self.board_digest,
            "rules_version": self.rules_version,
            "seats": self.seats,
            "seed": self.seed,
            "first_seat": self.first_seat,
            "decks": {name: list(cards) for name, cards in self.decks.items()},
            "names": list(self.names),
            "fingerprint": self.fingerprint,
            "actions": list(self.actions),
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file. An existing file is replaced only when the new one is complete."""
        target = _path(path)
        try:
            write_whole(target, self.to_json())
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise RecordError(f"{target}: cannot be written: {reason}") from None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """Read a record from a file. Raise `RecordError` if it cannot be read."""
        source = _path(path)
        try:
            if source.stat().st_size > MAX_BYTES:
                raise RecordError(f"{source}: larger than {MAX_BYTES:,} bytes; that is no record")
            text = decoded(source.read_bytes())
        except UndecodableError as error:
            raise RecordError(f"{source}: cannot be read: {error}") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", error)
            raise RecordError(f"{source}: cannot be read: {reason}") from None
        if text.guessed:
            raise RecordError(f"{source}:{text.line}: {guess(text)}; save it as UTF-8")
        try:
            return cls.from_json(text.text)
        except RecordError as error:
            raise RecordError(f"{source}: {error}") from None

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read a record from its JSON text. Raise `RecordError` if it cannot be read."""
        if not isinstance(text, str):
            raise RecordError(worded("not a record: expected its JSON text, not {value}", value=shown(text)))
        try:
            data = json.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            if not isinstance(error, json.JSONDecodeError):
                raise RecordError(worded("not a record: bad numbers")) from None
            why = wording.freely(error.msg, wording.FORMAT)
            raise RecordError(worded("not a record: line {line}: {why}", line=error.lineno, why=why)) from None
        if not isinstance(data, dict) or "branchline_record" not in data:
            raise RecordError(worded("not a record: branchline did not save this file"))
        if data["branchline_record"] != FORMAT:
            raise RecordError(
                worded(
                    "record format {format}; this is format {known}",
                    format=shown(data["branchline_record"]),
                    known=FORMAT,
                )
            )
        return cls(
            board=_field(data, "board", str),
            board_digest=_field(data, "board_digest", str),
            rules_version=_field(data, "rules_version", int),
            seats=_field(data, "seats", int),
            seed=_number(data, "seed", SEEDS),
            actions=_texts("actions", data.get("actions")),
            first_seat=None if data.get("first_seat") is None else _field(data, "first_seat", int),
            decks={name: _texts(f"decks.{name}", cards) for name, cards in _field(data, "decks", dict, {}).items()},
            names=_texts("names", data.get("names", [])),
            fingerprint=_field(data, "fingerprint", str, ""),
        )


def _first_line(error: BranchlineError) -> str:
    """Return the first line of an error; of a `BoardError`, its first fault."""
    return error.message if "\n" not in error.message else error.message.splitlines()[0]


def _names(names: Any, seats: int) -> tuple[str, ...]:
    """Return the names of players: at most one for each seat, each a line of text."""
    checked = sequence("names", names, "a list of names", RecordError)
    if len(checked) > seats:
        raise RecordError(worded("names: {count} names for {seats} seats", count=len(checked), seats=seats))
    for name in checked:
        text("names", name, RecordError, MAX_NAME)
        if name and not is_clean(name):
            raise RecordError(worded("names: {name} holds characters that cannot be printed", name=quoted(name)))
    return checked


def _path(path: Any) -> Path:
    try:
        checked = Path(path)
    except TypeError:
        raise RecordError(f"expected the path of a record, not {shown(path)}") from None
    if len(str(checked)) > MAX_PATH:
        raise RecordError(f"{shown(str(checked))}: the path is longer than {MAX_PATH:,} characters")
    return checked


def played_on(game: Game, lines: Sequence[str]) -> Iterator[Game]:
    """Play recorded lines, `seat action`, and give the game after each. Raise `RecordError`, naming the line.

    Lines of older rules are played as they are asked now.
    """
    n = 0
    while n < len(lines):
        count = older_payments.payment_at(game.board, lines, n) or 1
        payment = lines[n : n + count]
        if count > 1:
            payment = older_payments.as_asked_now(game, payment, unfinished=n + count == len(lines))
        for line in payment:
            _play_line(game, n + 1, line)
            yield game
        n += count


def _play_line(game: Game, n: int, line: str) -> None:
    def refused(why: str) -> RecordError:
        return RecordError(worded("action {number}, {line}: {why}", number=n, line=quoted(line), why=why))

    seat, _, action = line.partition(" ")
    if game.over:
        raise refused(worded("the game is over already"))
    if seat != str(game.question.seat):
        assert game.question.seat is not None
        raise refused(ANOTHER_SEAT(seat=game.question.seat))
    try:
        game.play(action)
    except IllegalAction as error:
        raise refused(error.why) from None
    except SetupError as error:  # cards are stacked here that are not there
        raise refused(error.message) from None


def _field(data: JsonObject, name: str, kind: type, default: Any = None) -> Any:
    return _checked(name, data.get(name, default), kind)


def _checked(name: str, value: object, kind: type) -> object:
    if not isinstance(value, kind) or isinstance(value, bool):
        words = {str: worded("a text"), int: worded("a whole number"), dict: worded("a table")}
        if value is None:
            raise RecordError(worded('"{name}" is missing; expected {kind}', name=name, kind=words[kind]))
        raise RecordError(
            worded('"{name}" is {value}; expected {kind}', name=name, value=shown(value), kind=words[kind])
        )
    return value


def _number(data: JsonObject, name: str, bound: int) -> int:
    value: int = _field(data, name, int)
    if not 0 <= value < bound:
        raise RecordError(worded('"{name}" is out of range', name=name))
    return value


def _texts(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(line, str) and len(line) <= 1000 for line in value):
        raise RecordError(worded('"{name}" must be a list of texts', name=name))
    if len(value) > MAX_ACTIONS:
        raise RecordError(worded('"{name}" has more than {count:,} entries', name=name, count=MAX_ACTIONS))
    return tuple(value)
