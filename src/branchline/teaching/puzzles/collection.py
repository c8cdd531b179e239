"""A collection of puzzles on one board, and the file it is kept in: the games they are from, and what was found."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from branchline.boards import Board, BranchlineError, load_board
from branchline.boards.faults import quoted
from branchline.bots import Position
from branchline.game import Game, Record, RecordError
from branchline.plain_data import JsonObject
from branchline.teaching.exercises import Answers, ExerciseError, game_at
from branchline.teaching.puzzles.themes import THEMES

FORMAT = 1
FOLDER = Path(__file__).parent
ID = 8  # hexadecimal digits of the position's fingerprint


class PuzzleError(BranchlineError):
    """A file of puzzles that cannot be read, or a puzzle that is not there."""


@dataclass(frozen=True)
class Puzzle:
    """A position with one answer that is clearly the best."""

    id: str  # the same position has the same one
    record: Record  # of the game up to it, perhaps further
    step: int  # actions before it
    themes: tuple[str, ...]  # the main one first
    difficulty: float  # share of the weaker bots that miss it
    answers: Answers

    def game(self, board: Board | None = None) -> Game:
        """Return the game at the position. Raise `PuzzleError` where the record leads elsewhere."""
        try:
            game = game_at(self.record, self.step, board)
        except (RecordError, ExerciseError) as error:
            raise PuzzleError(f"puzzle {self.id}: {str(error).splitlines()[0]}") from None
        if not game.fingerprint.startswith(self.id) or game.over:
            raise PuzzleError(f"puzzle {self.id}: its record leads to another position")
        return game

    def position(self, board: Board | None = None) -> Position:
        """Return the position as the seat that is asked knows it."""
        return Position.of(self.game(board))


@dataclass(frozen=True)
class Collection:
    """Puzzles on one board."""

    board: str
    seed: int
    games: int  # looked through to find them
    rollouts: int  # worlds in which the best answer was compared with the next best
    puzzles: tuple[Puzzle, ...] = ()

    def puzzle(self, id: str) -> Puzzle:
        """Return the puzzle with this id. Raise `PuzzleError`."""
        for puzzle in self.puzzles:
            if puzzle.id == id:
                return puzzle
        raise PuzzleError(f"there is no puzzle {quoted(id)} on {self.board}")

    def to_json(self) -> str:
        """Return the text of the file."""
        records = list({puzzle.record.seed: puzzle.record for puzzle in self.puzzles}.values())
        ends = {
            record.seed: max(puzzle.step for puzzle in self.puzzles if puzzle.record == record) for record in records
        }
        first = records[0] if records else None
        head = {
            "branchline_puzzles": FORMAT,
            "board": self.board,
            "board_digest": first.board_digest if first else "",
            "rules_version": first.rules_version if first else 0,
            "seed": self.seed,
            "games_looked_through": self.games,
            "rollouts": self.rollouts,
        }
        games = [
            {"seats": record.seats, "seed": record.seed, "actions": "\n".join(record.actions[: ends[record.seed]])}
            for record in records
        ]
        puzzles = [
            {
                "id": puzzle.id,
                "game": records.index(puzzle.record),
                "step": puzzle.step,
                "themes": list(puzzle.themes),
                "difficulty": round(puzzle.difficulty, 2),
                "answers": _shorter(puzzle.answers.as_dict()),
            }
            for puzzle in self.puzzles
        ]
        lines = [f'"{name}": {json.dumps(value, ensure_ascii=False)}' for name, value in head.items()]
        for name, rows in (("games", games), ("puzzles", puzzles)):
            inner = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
            lines.append(f'"{name}": [\n{inner}\n]')
        return "{" + ",\n".join(lines) + "}\n"

    @classmethod
    def from_json(cls, text: str, board: Board | None = None) -> Collection:
        """Read a file's text. Raise `PuzzleError`. Whether the games replay is seen when a puzzle is opened.

        `board`: the one it is on, where that is not found by its name.
        """
        try:
            data = json.loads(text)
            if not isinstance(data, dict) or data.get("branchline_puzzles") != FORMAT:
                raise PuzzleError(f"not a file of puzzles in format {FORMAT}")
            board = board or load_board(data["board"])
            if board.id != data["board"]:
                raise PuzzleError(f"puzzles on {quoted(str(data['board']))}, not on {quoted(board.id)}")
            records = [
                Record(
                    board=data["board"],
                    board_digest=data["board_digest"],
                    rules_version=data["rules_version"],
                    seats=game["seats"],
                    seed=game["seed"],
                    actions=tuple(game["actions"].split("\n")),
                )
                for game in data["games"]
            ]
            puzzles = tuple(_puzzle(entry, records, board) for entry in data["puzzles"])
            return cls(data["board"], data["seed"], data["games_looked_through"], data["rollouts"], puzzles)
        except (BranchlineError, KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
            if isinstance(error, PuzzleError):
                raise
            fault = f"{type(error).__name__} {error}"
            if isinstance(error, BranchlineError):
                fault = str(error).splitlines()[0]
            elif isinstance(error, KeyError):
                fault = f"there is no {error}"
            raise PuzzleError(f"not a file of puzzles: {fault}") from None


def _puzzle(data: JsonObject, records: Sequence[Record], board: Board) -> Puzzle:
    themes = tuple(data["themes"])
    if not themes or any(theme not in THEMES for theme in themes):
        raise PuzzleError(f"puzzle {data['id']}: unknown theme")
    if not 0 <= data["game"] < len(records):
        raise PuzzleError(f"puzzle {data['id']}: there is no such game")
    answers = Answers.from_dict(data["answers"], board)
    return Puzzle(str(data["id"]), records[data["game"]], int(data["step"]), themes, float(data["difficulty"]), answers)


def _shorter(value: object) -> object:
    """Return the same value with fewer digits, and without what is empty."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {name: _shorter(item) for name, item in value.items() if item not in ("", None) or name == "reason"}
    if isinstance(value, list):
        return [_shorter(item) for item in value]
    return value


@functools.cache
def editions() -> tuple[str, ...]:
    """Return the editions that come with puzzles."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.json")))


@functools.cache
def of_edition(name: str) -> Collection | None:
    """Return the puzzles that come with an edition; None where there are none."""
    if name not in editions():
        return None
    return Collection.from_json((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def of_the_day(day: date) -> tuple[str, Puzzle] | None:
    """Return the edition and the puzzle of a day, the same for everybody; None where no edition has any.

    Each day has another edition and another puzzle until all have been shown.
    """
    shelves = [one for name in editions() if (one := of_edition(name)) is not None and one.puzzles]
    if not shelves:
        return None
    round_, place = divmod(day.toordinal(), len(shelves))
    shelf = shelves[place]
    return shelf.board, shelf.puzzles[round_ % len(shelf.puzzles)]
