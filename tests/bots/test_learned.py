"""Bots that have learned: at first one plays as the planner does, files are read with care, and nothing is seen that a
seat may not know.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from branchline.arena import check_bot, simulate
from branchline.boards import Board, builtin_boards, load_board
from branchline.bots import BotError, Position, bot_maker, make_bot
from branchline.bots.api.tuned_weights import TRAINED, Weights
from branchline.bots.api.weights import AIMS, NAMES
from branchline.bots.networks import policy
from branchline.bots.networks.policy_networks import (
    NetworkError,
    PolicyNetwork,
    read_network,
    shipped_name,
    shipped_network,
    shipped_networks,
)
from branchline.game import Game
from branchline.rules import kernel
from table import altered

BERLIN = load_board("berlin")


def written(folder: Path, numbers: np.ndarray, *, seats: int = 2, weights: tuple[int, ...] | None = None) -> Path:
    file = folder / "policy.npz"
    file.write_bytes(PolicyNetwork(numbers.astype(np.float32), BERLIN.id, BERLIN.digest, seats, weights).packed())
    return file


def seats_of(board: Board) -> range:
    return range(board.seats[0], board.seats[1] + 1)


def by_chance(seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 0.3, policy.SIZE)


@pytest.mark.long
@pytest.mark.skipif(kernel.INTERPRETED, reason="takes long")
def test_a_network_of_zeros_plays_as_the_planner_does(tmp_path: Path) -> None:
    learned = make_bot(str(written(tmp_path, np.zeros(policy.SIZE))), 5)
    planners = [make_bot("planner", 5), make_bot("planner", 6)]
    game = Game(BERLIN, 2, seed=3)
    while not game.over:
        position = Position.of(game)
        chosen = planners[position.seat].choose(position)
        if position.seat == 0:
            assert learned.choose(position) == chosen
        game.play(chosen)


@pytest.mark.long
@pytest.mark.skipif(kernel.INTERPRETED, reason="takes long")
@pytest.mark.parametrize("seats", [2, 4])
def test_whatever_the_network_it_keeps_to_the_rules_and_does_not_peek(tmp_path: Path, seats: int) -> None:
    maker = bot_maker(str(written(tmp_path, by_chance(seats))))
    found = check_bot(maker, boards=["berlin"], games=2)
    assert found.ok, str(found)


def test_no_network_is_for_a_board_that_is_no_more() -> None:
    boards = [load_board(name) for name in builtin_boards()]
    assert set(shipped_networks()) <= {shipped_name(board, seats) for board in boards for seats in seats_of(board)}
    assert shipped_name(BERLIN, 2) in shipped_networks()


@pytest.mark.long
@pytest.mark.skipif(kernel.INTERPRETED, reason="takes long")
def test_what_ships_beats_the_planner() -> None:
    tables = [(load_board(name), seats) for name in builtin_boards() for seats in seats_of(load_board(name))]
    shipped = [(board, seats) for board, seats in tables if len(shipped_network(board, seats))]
    assert len(shipped) == len(shipped_networks())
    for board, seats in shipped:
        planners = ["planner"] * (seats - 1)
        found = {one.bot: one for one in simulate(board, ["learned", *planners], 150, seed=11).standings}
        assert found["learned"].win_share.mean > 1 / seats


@pytest.mark.skipif(kernel.INTERPRETED, reason="takes long")
def test_where_there_is_no_network_it_plays_as_the_planner_does() -> None:
    game = Game(altered("berlin", id="mine"), 2, seed=4)
    learned, planner = make_bot("learned", 5), make_bot("planner", 5)
    for _ in range(40):
        position = Position.of(game)
        chosen = planner.choose(position)
        assert learned.choose(position) == chosen
        game.play(chosen)


def test_it_is_named_after_its_file(tmp_path: Path) -> None:
    file = written(tmp_path, by_chance())
    assert bot_maker(str(file)).name == str(file)


def test_it_plays_with_the_weights_it_was_trained_with_whatever_is_tuned_later(tmp_path: Path) -> None:
    own = tuple(3 if name == NAMES[AIMS] else number for number, name in enumerate(NAMES))
    maker = bot_maker(str(written(tmp_path, by_chance(), weights=own)))
    assert maker.weights_on(BERLIN, 2) == Weights(own, TRAINED)
    assert maker.weights_on(BERLIN, 3) == BERLIN.weights.at(3)  # it was not trained there
    older = bot_maker(str(written(tmp_path, by_chance())))
    assert older.weights_on(BERLIN, 2) == BERLIN.weights.at(2)


def test_a_network_is_of_one_board(tmp_path: Path) -> None:
    maker = bot_maker(str(written(tmp_path, by_chance())))
    with pytest.raises(BotError, match='trained on "berlin"'):
        maker.weights_on(load_board("europe"), 2)


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "policy.npz"
    with pytest.raises(BotError, match=r"policy\.npz: cannot be read: No such file"):
        bot_maker(str(file))
    file.write_bytes(b"no archive")
    with pytest.raises(BotError, match=r"policy\.npz: not a network"):
        bot_maker(str(file))
    for spoilt, reason in (
        ({"numbers": np.zeros(3, np.float32)}, "numbers is not what"),
        ({"numbers": np.full(policy.SIZE, np.nan, np.float32)}, "damaged"),
        ({"seats": np.int64(9)}, "damaged"),
        ({"version": np.int64(policy.VERSION + 1)}, "another version"),
        ({"version": np.zeros(4, np.int64)}, "another version"),
        ({"digest": np.int64(1)}, "digest is not what"),
        ({"weights": np.ones(3, np.int64)}, "another version"),
        ({"weights": np.full(len(NAMES), 5000)}, "damaged"),
        ({"board": np.array([{}], dtype=object)}, "not a network"),
    ):
        whole = {
            "numbers": by_chance().astype(np.float32), "version": np.int64(policy.VERSION), "seats": np.int64(2),
            "board": np.str_("berlin"), "digest": np.str_(BERLIN.digest),
        }  # fmt: skip
        again = tmp_path / f"{reason.split()[0]}-{len(list(tmp_path.iterdir()))}.npz"
        np.savez(again, **(whole | spoilt))
        with pytest.raises(BotError, match=reason):
            bot_maker(str(again))


def test_a_file_is_read_anew_when_there_is_another_in_its_place(tmp_path: Path) -> None:
    first, second = by_chance(1).astype(np.float32), by_chance(2).astype(np.float32)
    assert (read_network(written(tmp_path, first)).numbers == first).all()
    assert (read_network(written(tmp_path, second)).numbers == second).all()


def test_an_archive_that_lies_about_what_is_in_it_is_refused(tmp_path: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (10**13,)})
    file = tmp_path / "policy.npz"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("numbers.npy", header.getvalue())
    vast = file.read_bytes()
    at = vast.index(b"PK\x01\x02")
    encrypted, packed_oddly = bytearray(vast), bytearray(vast)
    encrypted[6] |= 1
    encrypted[at + 8] |= 1
    packed_oddly[8] = packed_oddly[at + 10] = 99
    for content in (vast, encrypted, packed_oddly):
        file.write_bytes(content)
        with pytest.raises(BotError, match=r"policy\.npz: not a network"):
            bot_maker(str(file))


@pytest.mark.long
def test_no_damaged_byte_is_more_than_a_network_that_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path, by_chance(), weights=(5,) * len(NAMES))
    whole = file.read_bytes()
    headers = [*range(250), *range(len(whole) - 1200, len(whole))]
    changes = np.random.default_rng(1).integers(1, 256, len(headers))
    refused = 0
    for at, change in zip(headers, changes, strict=True):
        spoilt = bytearray(whole)
        spoilt[at] ^= int(change)
        file.write_bytes(spoilt)
        try:
            read_network(file)
        except NetworkError:
            refused += 1
    assert refused > len(headers) // 2


def test_an_array_larger_than_numbers_go_is_refused(tmp_path: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (2**70,)})
    with zipfile.ZipFile(tmp_path / "policy.npz", "w") as packed:
        packed.writestr("numbers.npy", header.getvalue())
    with pytest.raises(BotError, match="not a network"):
        bot_maker(str(tmp_path / "policy.npz"))


def test_a_file_that_would_unpack_to_much_is_refused(tmp_path: Path) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (10**7,)})
    with zipfile.ZipFile(tmp_path / "policy.npz", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("numbers.npy", header.getvalue() + bytes(4 * 10**7))
    with pytest.raises(BotError, match="too large"):
        bot_maker(str(tmp_path / "policy.npz"))
