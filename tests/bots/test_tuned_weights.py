"""Which weights the planner uses: those tuned for exactly this board, else the general ones; never another board's."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from boards.board_files import example, spoil, write
from branchline.arena.table import Table
from branchline.arena.tuning import share_of_first
from branchline.boards import Board, builtin_boards, load_board, read_board
from branchline.bots import BotError, Position, bot_maker, make_bot
from branchline.bots.api import memory as memories
from branchline.bots.api import tuned_weights, weights
from branchline.bots.api.tuned_weights import EDITION, GENERAL, TUNED, Tuned, WeightsError
from branchline.bots.planner import planner
from branchline.game import Game
from branchline.rules import kernel

AMONG_THEIR_LIKE = ("europe", 5)  # its own weights win their share among general ones, and these far less among them
OTHERS = tuple(range(1, 1 + len(weights.NAMES)))


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRANCHLINE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def unknown(folder: Path) -> Board:
    return read_board(write(folder / "bodensee", example()))


def tuned(numbers: tuple[int, ...] = OTHERS) -> Tuned:
    return Tuned(tuple(min(number, 16) for number in numbers), "2026-11-22", 5, 2000, 0.55, 0.52, 0.58)


def choices(board: Board, bot: str) -> list[str]:
    """What a bot answers to the questions of one game."""
    game, bots = Game(board, 2, 3), [make_bot(bot, seat) for seat in range(2)]
    while not game.over:
        position = Position.of(game)
        game.play(bots[position.seat].choose(position))
    return list(game.actions)


def test_a_board_that_nobody_tuned_gets_the_general_weights(tmp_path: Path) -> None:
    for files in (example(), spoil(example(), "board.toml", "", "\n[bonuses]\nlongest_trail = 5\n")):
        board = read_board(write(tmp_path / str(len(files)), files))
        assert [board.weights.at(seats).origin for seats in (2, 3)] == [GENERAL] * 2
        assert board.weights.notes == ()
        editions = [load_board(name).weights for name in builtin_boards()]
        taken = {one.tuned[seats].numbers for one in editions for seats in one.tuned}
        assert board.weights.at(2).numbers not in taken


@pytest.mark.parametrize("name", builtin_boards())
def test_an_edition_has_its_own_weights_where_they_are_better(name: str, tmp_path: Path) -> None:
    board = load_board(name)
    assert board.folder is not None
    shipped = board.folder / tuned_weights.FILE
    if shipped.exists():  # and counts: after a change of the board, its weights must be tuned and judged anew
        assert tuned_weights.read_file(shipped).digest == board.digest
        assert board.weights.tuned
    for seats in range(board.seats[0], board.seats[1] + 1):
        used = board.weights.at(seats)
        own = board.weights.tuned.get(seats)
        assert used.origin == (EDITION if own else GENERAL)
        assert own is None or own.low > 1 / seats or (name, seats) == AMONG_THEIR_LIKE
    assert board.weights.notes == ()
    files = {file.name: file.read_bytes() for file in board.folder.iterdir()}
    changed = spoil(files, "board.toml", "pieces_left = ", "pieces_left = 1")
    copy = read_board(write(tmp_path / name, changed))
    assert copy.weights.at(2).origin == GENERAL  # the board has another digest: these weights are not for it


@pytest.mark.long
def test_weights_that_win_only_their_share_among_general_ones_do_not_let_these_have_theirs() -> None:
    name, seats = AMONG_THEIR_LIKE
    board = load_board(name)
    assert board.weights.tuned[seats].high > 1 / seats
    general, own = board.weights.general(seats), board.weights.at(seats)
    games = Table(board, [bot_maker("planner")] * seats, 3).play(0, 400, [general, *[own] * (seats - 1)])
    assert share_of_first([games]).high < 1 / seats


def test_the_general_weights_follow_from_the_board(tmp_path: Path) -> None:
    small = unknown(tmp_path)
    richer = spoil(spoil(example(), "board.toml", "2 = 2", "2 = 5"), "board.toml", "3 = 4", "3 = 9")
    other = read_board(write(tmp_path / "other" / "bodensee", richer))
    routes = small.routes
    a_turn = 10 * sum(small.points[one.points_row] + one.length for one in routes)
    a_turn /= sum(1 + one.price / 2 for one in routes)
    for seats, row in ((2, weights.FOR_TWO), (3, weights.FOR_MORE)):
        numbers, others = small.weights.general(seats).numbers, other.weights.general(seats).numbers
        differ = [weights.NAMES[n] for n in range(len(weights.NAMES)) if numbers[n] != others[n]]
        assert differ == ["turn"] and numbers[weights.TURN] < others[weights.TURN]
        assert abs(numbers[weights.TURN] - weights.GENERAL[weights.CITY, row, weights.TURN] * a_turn / 100) <= 1


def test_every_family_of_boards_has_general_weights_of_its_own() -> None:
    families = {name: weights.family_of(kernel.record_in(load_board(name).tables)) for name in builtin_boards()}
    assert families == {
        "berlin": weights.SUBWAYS,
        "europe": weights.PLAIN,
        "germany": weights.PASSENGERS,
        "great_lakes": weights.PORTS,
        "world": weights.PORTS,
    }


def test_few_pieces_make_a_city(tmp_path: Path) -> None:
    few = unknown(tmp_path)
    many = read_board(
        write(tmp_path / "many" / "bodensee", spoil(example(), "board.toml", "train = 12\n", "train = 26\n"))
    )
    assert weights.family_of(kernel.record_in(few.tables)) == weights.CITY
    assert weights.family_of(kernel.record_in(many.tables)) == weights.PLAIN
    assert few.weights.general(2).numbers != many.weights.general(2).numbers


def test_whoever_plays_without_weights_has_the_general_ones_for_the_seats(tmp_path: Path) -> None:
    board = unknown(tmp_path)
    for seats in (2, 3):
        game, memory = Game(board, seats, 1), kernel.record_in(memories.new_memory())
        planner.want(kernel.record_in(board.tables), kernel.record_in(game.redacted(0)), memory, 0)
        assert tuple(memory.weight) == board.weights.general(seats).numbers


def test_tuned_weights_are_found_beside_the_board_and_used(tmp_path: Path) -> None:
    board = unknown(tmp_path)
    before = choices(board, "planner")
    assert board.folder is not None
    tuned_weights.write_file(board.folder / "weights.toml", board, {2: tuned()})
    board = read_board(board.folder)
    assert board.weights.at(2).origin == TUNED
    assert board.weights.at(2).numbers == tuned().numbers
    assert board.weights.at(3).origin == GENERAL
    assert board.weights.tuned[2] == tuned()
    assert choices(board, "planner") != before
    assert choices(board, "planner@general") == before


def test_what_the_user_tuned_counts_before_what_lies_beside_the_board(tmp_path: Path, own_data: Path) -> None:
    board = unknown(tmp_path)
    assert board.folder is not None
    own = tuned_weights.file_of_user(board)
    assert own is not None and own_data in own.parents
    tuned_weights.write_file(board.folder / "weights.toml", board, {2: tuned((3,) * len(weights.NAMES))})
    tuned_weights.write_file(own, board, {2: tuned()})
    assert read_board(board.folder).weights.at(2).numbers == tuned().numbers
    edition = load_board(builtin_boards()[0])
    own = tuned_weights.file_of_user(edition)
    assert own is not None
    tuned_weights.write_file(own, edition, {2: tuned()})
    assert tuned_weights.read(edition).at(2).origin == TUNED


def test_who_tunes_for_some_seats_keeps_what_comes_with_the_edition_for_the_others(own_data: Path) -> None:
    edition = load_board("berlin")
    shipped = tuned_weights.read(edition)
    assert {2, 3} <= shipped.tuned.keys()
    own = tuned_weights.file_of_user(edition)
    assert own is not None
    tuned_weights.write_file(own, edition, {2: tuned(), 4: tuned()})
    found = tuned_weights.read(edition)
    assert [found.at(seats).origin for seats in (2, 3, 4)] == [TUNED, EDITION, TUNED]
    assert found.at(3) == shipped.at(3)
    assert found.at(2).numbers == tuned().numbers


def test_weights_of_a_board_that_has_changed_since_do_not_count(tmp_path: Path) -> None:
    board = unknown(tmp_path)
    assert board.folder is not None
    tuned_weights.write_file(board.folder / "weights.toml", board, {2: tuned()})
    write(board.folder, spoil(example(), "board.toml", "train = 12", "train = 13"))
    changed = read_board(board.folder)
    assert changed.weights.at(2).origin == GENERAL
    (note,) = changed.weights.notes
    assert (
        note == f"{board.folder / 'weights.toml'}: the board has changed since; these weights are not used, tune again"
    )


DAMAGE = (
    ("turn = 1,", "turn = -1,", 12, "[seats.2.weights] turn is -1, expected a whole number from 0 to 1000"),
    ("turn = 1,", "turn = 1e9,", 12, "[seats.2.weights] turn is 1000000000.0, expected a whole number from 0 to 1000"),
    ("turn = 1,", "", 12, "[seats.2.weights] turn is missing; expected a whole number from 0 to 1000"),
    ("aims = 16,", "aims = 99,", 12, "[seats.2.weights] aims is 99, expected a whole number from 1 to 16"),
    ("turn = 1,", "turn = 1, trun = 2,", 12, 'unknown key "seats.2.weights.trun" (did you mean "turn"?)'),
    ("[seats.2]", "[seats.9]", 5, 'unknown section "seats.9"; known are 2, 3, 4, 5'),
    ('date = "2026-11-22"', 'date = "today"', 6, '[seats.2] date is "today", expected a day as 2026-11-22'),
    ("won = 0.5500", "won = nan", 9, "[seats.2] won is nan, expected a number from 0 to 1"),
    ("games = 2000", "games = [", 9, "is not TOML"),
    ("digest", "\x00", 3, "is not text: it contains a zero byte"),
)


@pytest.mark.parametrize(("old", "new", "line", "message"), DAMAGE)
def test_a_damaged_file_is_named_with_its_line(old: str, new: str, line: int, message: str, tmp_path: Path) -> None:
    board = unknown(tmp_path)
    assert board.folder is not None
    file = board.folder / "weights.toml"
    tuned_weights.write_file(file, board, {2: tuned()})
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(WeightsError) as fault:
        tuned_weights.read_file(file)
    name, _, rest = str(fault.value).removeprefix(f"{file}:").partition(": ")
    assert str(fault.value).startswith(f"{file}:")
    assert int(name) == line, fault.value
    assert rest.startswith(message)
    again = read_board(board.folder)
    assert again.weights.at(2).origin == GENERAL
    assert again.weights.notes == (f"{fault.value}; these weights are not used",)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    board = unknown(tmp_path)
    assert board.folder is not None
    tuned_weights.write_file(board.folder / "weights.toml", board, {2: tuned()})
    (board.folder / "weights.toml").chmod(0)
    assert "cannot be read" in read_board(board.folder).weights.notes[0]


def test_a_folder_that_cannot_be_looked_into_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRANCHLINE_DATA", "/" + 300 * "x")
    found = tuned_weights.read(load_board("berlin"))
    assert found.at(2).origin == EDITION
    (note,) = found.notes
    assert note.endswith("weights.toml: cannot be read: File name too long; these weights are not used")


def test_weights_go_along_with_a_board_that_is_sent_elsewhere(tmp_path: Path) -> None:
    """So that a worker on another machine plays the same, and a file that changes meanwhile changes nothing."""
    board = unknown(tmp_path)
    assert board.folder is not None
    tuned_weights.write_file(board.folder / "weights.toml", board, {2: tuned()})
    board = read_board(board.folder)
    assert board.weights.at(2).origin == TUNED
    (board.folder / "weights.toml").unlink()
    assert pickle.loads(pickle.dumps(board)).weights.at(2).numbers == tuned().numbers


def test_only_the_planner_can_be_told_to_be_general() -> None:
    assert bot_maker("planner@general").__name__ == "PlannerBot"
    for wrong in ("planner@", "planner@europe", "fast@general", "search@general"):
        with pytest.raises(BotError):
            bot_maker(wrong)
