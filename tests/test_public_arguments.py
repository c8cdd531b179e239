"""Whatever is passed to the package, the arena or an environment, it works or says in words why not.

What belongs to a game, a board or a record: `game/test_wrong_arguments.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import branchline as bl
import public_names
import table
from branchline.arena import Export, Folder, challenge, exploit
from branchline.boards.faults import shown
from branchline.bots import Position
from branchline.envs import Batch, decode, layout_of, mask_of, observe, observe_position
from branchline.rules import kernel
from odd_values import ODD

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from branchline.envs import aec, single, vector
from branchline.envs.data_set import record_decisions
from branchline.envs.seat_batch import SeatBatch

pytestmark = pytest.mark.skipif(kernel.INTERPRETED, reason="batches run compiled code")

BERLIN = table.board("berlin")
ENVIRONMENT = {"board": "berlin", "seats": 2}
PAID = {"reward": "win", "copy": False}
SEATED = {**ENVIRONMENT, "opponents": "greedy", "seat": 0}
NUMBERS: tuple[Any, ...] = (np.int8(1), np.int64(1), np.uint16(1), np.array(1), np.array([1]), np.array([0, 0]))

Arguments = dict[str, Any]


def calls(folder: Path) -> dict[str, tuple[Callable[..., Any], Arguments]]:
    """By name: what is called, and arguments with which it works."""
    game, layout, batch = bl.Game(BERLIN, 2, 1), layout_of(BERLIN, 2), Batch("berlin", 2)
    seats, envs, env, raw = (
        SeatBatch("berlin", 2),
        vector.SeatVectorEnv(2, "berlin"),
        single.SeatEnv("berlin"),
        raw_env(),
    )
    wrapped = aec.env("berlin")
    wrapped.reset(seed=1)
    results, sprt = bl.simulate(BERLIN, ["random"], games=2), bl.Sprt(0.0, 20.0)
    position = Position.of(game)
    record = game.record()
    ladder = str(folder / "ladder")
    bl.tournament(BERLIN, ["random", "greedy"], games=2, folder=ladder)
    seen = observe(layout, game, 0)
    return {
        "Batch": (Batch, {**ENVIRONMENT, "games": 2, "seed": 1, "threads": 1, "observe": True, **PAID}),
        "Batch.step": (Batch("berlin", 2).step, {"actions": batch.mask.argmax(axis=1)}),
        "Batch.reset": (batch.reset, {"seed": 1}),
        "Batch.game": (batch.game, {"place": 1}),
        "Batch.restore": (batch.restore, {"snapshot": batch.snapshot()}),
        "SeatBatch": (SeatBatch, {**SEATED, "games": 2, "seed": 1, "threads": 1, **PAID}),
        "SeatBatch.step": (seats.step, {"actions": seats.mask.argmax(axis=1)}),
        "SeatBatch.oppose": (seats.oppose, {"opponents": "greedy"}),
        "SeatBatch.reset": (seats.reset, {"seed": 1}),
        "SeatBatch.game": (seats.game, {"place": 1}),
        "SeatVectorEnv": (
            vector.SeatVectorEnv,
            {**SEATED, "num_envs": 2, "threads": 1, "autoreset_mode": "NextStep", "render_mode": None, **PAID},
        ),
        "SeatVectorEnv.step": (envs.step, {"actions": envs.batch.mask.argmax(axis=1)}),
        "SeatVectorEnv.reset": (envs.reset, {"seed": 1, "options": None}),
        "SeatEnv": (single.SeatEnv, {**SEATED, "reward": "win", "render_mode": None}),
        "SeatEnv.step": (lambda action: (env.reset(seed=1), env.step(action)), {"action": 3}),
        "SeatEnv.reset": (env.reset, {"seed": 1, "options": None}),
        "env": (aec.env, {**ENVIRONMENT, "reward": "win", "render_mode": None}),
        "env().step": (lambda action: (wrapped.reset(seed=1), wrapped.step(action)), {"action": 3}),
        "env().reset": (wrapped.reset, {"seed": 1, "options": None}),
        "env().observe": (wrapped.observe, {"agent": "seat_0"}),
        "raw_env": (aec.raw_env, {**ENVIRONMENT, "reward": "win", "render_mode": None}),
        "raw_env.step": (lambda action: raw_env().step(action), {"action": legal(raw)}),
        "raw_env.reset": (raw.reset, {"seed": 1, "options": None}),
        "raw_env.observe": (raw.observe, {"agent": "seat_0"}),
        "raw_env.observation_space": (raw.observation_space, {"agent": "seat_0"}),
        "raw_env.action_space": (raw.action_space, {"agent": "seat_0"}),
        "layout_of": (layout_of, {**ENVIRONMENT, "board": BERLIN}),
        "Layout.part": (layout.part, {"observation": seen, "name": "hand"}),
        "Layout[]": (layout.__getitem__, {"name": "hand"}),
        "observe": (observe, {"layout": layout, "game": game, "seat": 1}),
        "observe_position": (observe_position, {"layout": layout, "position": position}),
        "mask_of": (mask_of, {"game": game, "seat": 1}),
        "decode": (decode, {"layout": layout, "observation": seen, "seat": 1}),
        "record_decisions": (
            lambda **how: record_decisions(**{"target": Export(folder / "a.parquet"), **how}),
            {"board": BERLIN, "bots": ["random"], "games": 1, "seed": 1},
        ),
        "record_decisions(target)": (
            lambda target: record_decisions(BERLIN, ["random"], 1, 1, target),
            {"target": Export(folder / "e.parquet")},
        ),
        "exploit": (
            lambda **how: exploit(games=1, **how),
            {"board": BERLIN, "bot": "random", "minutes": 1.0, "responses": [], "seed": 1},
        ),
        "challenge": (challenge, {"board": BERLIN, "bot": "greedy", "folder": ladder, "games": 2, "bots": []}),
        "Export": (Export, {"target": folder / "b.csv"}),
        "Export.write": (lambda results: Export(folder / "c.csv").write(results), {"results": results}),
        "Export.row_groups": (
            lambda notes: Export(folder / "d.parquet").row_groups(notes).__enter__(),
            {"notes": {"a": "b"}},
        ),
        "Folder": (Folder, {"path": folder / "none"}),
        "Folder.open": (lambda plan: Folder(folder / "f").open(plan), {"plan": {}}),
        "Results.column": (results.column, {"name": "turns"}),
        "Sprt.verdict": (sprt.verdict, {"ratio": 1.0}),
        "Sprt.ratio": (sprt.ratio, {"counts": np.array([1.0, 2.0, 1.0])}),
        "Game.perspective": (game.perspective, {"seat": 0}),
        "Record.save": (record.save, {"path": folder / "record.json"}),
        "Record.check_end": (record.check_end, {"game": game}),
        "Event.for_seat": (bl.Event("pass", 0).for_seat, {"seat": 0}),
        "Place.exonym": (BERLIN.places[0].exonym, {"language": "pl"}),
        "Place.name_in": (BERLIN.places[0].name_in, {"language": "pl"}),
        "Board.title_in": (BERLIN.title_in, {"language": "pl"}),
        "Analysis.mistakes": (bl.Analysis(BERLIN, ("a", "b"), (1, 2), (1.0, 0.0), 3, 1, ()).mistakes, {"seat": 0}),
    }  # fmt: skip


def raw_env() -> Any:
    env = aec.raw_env("berlin")
    env.reset(seed=1)
    return env


def legal(env: Any) -> int:
    return int(env.observe(env.agent_selection)["action_mask"].argmax())


ELSEWHERE = {
    *("Game", "Sprt", "Analysis.of", "Analysis.curve", "Analysis.ledger", "Analysis.turning_points"),
    *("Analysis.from_dict", "Board.svg", "load_board", "read_board", "make_bot", "board_svg", "score_position"),
    *("simulate", "tournament", "check_bot", "analyse"),
    *(f"Game.{one}" for one in ["payments", "play", "record", "redacted", "resume", "svg", "view", "why_not"]),
    *(f"Record.{one}" for one in ["as_now", "from_json", "load", "of", "replay", "steps"]),
}
"""Tried in `game/test_wrong_arguments.py`."""

NOT_FOR_PEOPLE = {
    "Folder.add": "takes games as the arena has played them",
    "Folder.write": "the same of texts",
    "Folder.note": "the same of lines of its history",
    "on_ray": "is an engine: the arena calls it",
    **dict.fromkeys(("GpuBatch", "GpuBatch.game", "GpuBatch.reset", "GpuBatch.restore"), "needs a GPU; as `Batch`"),
    **dict.fromkeys(("GpuBatch.step", "play_random"), "needs a GPU; as `Batch`"),
}


def test_everything_public_is_tried(tmp_path: Path) -> None:
    assert set(public_names.calls()) <= calls(tmp_path).keys() | ELSEWHERE | NOT_FOR_PEOPLE.keys(), "add it to `calls`"


@pytest.mark.long
def test_wrong_arguments_are_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    others, refused = [], 0
    for name, (function, right) in calls(tmp_path).items():
        for argument in right:
            for odd in (*ODD, *NUMBERS):
                try:
                    function(**{**right, argument: odd})
                except bl.BranchlineError as error:
                    refused += 1
                    said = str(error) if not isinstance(error, bl.BoardError) else error.first_line  # it may have many
                    if len(said) > 1000 or not said or "\n" in said:
                        others.append(f"{name}({argument}={shown(odd)}) says {str(error)[:200]!r}")
                except Exception as error:
                    others.append(f"{name}({argument}={type(odd).__name__} {shown(odd)}): {error!r:.160}")
    assert not others, "\n".join(others)
    assert refused > 1500


def told(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """For an argument of each kind what is said of None."""
    for name, (function, right) in calls(tmp_path).items():
        for argument in right.keys() & {"opponents", "games", "layout", "snapshot", "agent", "reward", "copy"}:
            with pytest.raises(bl.BranchlineError) as raised:
                function(**{**right, argument: None})
            yield argument, f"{name}: {raised.value}"


def test_it_is_said_which_argument_and_what_was_expected(tmp_path: Path) -> None:
    said = list(told(tmp_path))
    assert len(said) > 12
    for argument, words in said:
        assert argument in words and "expected" in words, words


def test_whole_numbers_may_be_numpys() -> None:
    one, two = np.int64(1), np.uint8(2)
    batch = Batch("berlin", two, two, seed=one, threads=one)
    assert batch.game(one).fingerprint == Batch("berlin", 2, 2, seed=1).game(1).fingerprint
    env = single.SeatEnv("berlin", two, seat=one)
    env.reset(seed=one)
    env.step(np.int32(env.action_masks().argmax()))
    raw = aec.raw_env("berlin", two)
    raw.reset(seed=one)
    raw.step(np.array(legal(raw)))
    vector.SeatVectorEnv(two, "berlin", two, seat=one).reset(seed=one)
    assert layout_of(BERLIN, two) is layout_of("berlin", 2)
    assert (observe(raw.layout, raw.game, one) == raw.observe("seat_1")["observation"]).all()


def test_a_game_of_another_board_or_more_seats_is_not_observed_by_this_layout() -> None:
    layout = layout_of("berlin", 2)
    for game in (bl.Game(BERLIN, 3, 1), bl.Game(table.board("europe"), 2, 1)):
        with pytest.raises(bl.BranchlineError, match="layout"):
            observe(layout, game, 0)
        with pytest.raises(bl.BranchlineError, match="layout"):
            observe_position(layout, Position.of(game))


def test_numbers_that_nobody_observed_are_refused_by_decode() -> None:
    layout, luck = layout_of("berlin", 2), np.random.default_rng(1)
    for numbers in (np.zeros(layout.size, np.float32), np.full(layout.size, np.nan), np.full(layout.size, 1e30)):
        with pytest.raises(bl.BranchlineError, match="observation"):
            decode(layout, numbers)
    seen, refused = observe(layout, bl.Game(BERLIN, 2, 1), 0), 0
    for _ in range(300):
        spoilt = seen.copy()
        spoilt[luck.integers(layout.size, size=3)] = luck.choice([0.0, 1.0, -1.0, 1e9, np.inf, 0.5])
        try:
            decode(layout, spoilt)
        except bl.BranchlineError:
            refused += 1
    assert refused > 50


def test_a_step_when_nobody_is_asked_is_refused_in_words() -> None:
    env = aec.raw_env("berlin")
    with pytest.raises(bl.BranchlineError, match="reset"):
        env.step(3)
    env.reset(seed=1)
    while not env.game.over:
        env.step(legal(env))
    with pytest.raises(bl.BranchlineError, match="None is expected"):
        env.step(3)
    env.step(None), env.step(None)
    with pytest.raises(bl.BranchlineError, match="reset"):
        env.step(None)
