"""Copies are copies: what is done to one never changes the original, and both go on alike; so do pickles."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest

import branchline as bl
import public_names
import table
from branchline.analysis import Comparison, Decision, Move, Option
from branchline.analysis.comparison import Difference
from branchline.arena import Finding, check_bot, exploit
from branchline.bots import CompiledBot, Position, bot_maker, bot_names, make_bot
from branchline.envs import layout_of
from branchline.game import NotationError
from branchline.rules import kernel
from branchline.tabletop.dealer import Dealer
from table import costly

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from branchline.envs import Batch, Batched, Pool, aec, single, vector
from branchline.envs.seat_batch import SeatBatch

COMPILED = not kernel.INTERPRETED
WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
}


def game_begun(edition: str = "europe", actions: int = 30) -> bl.Game:
    game, luck = bl.Game(table.board(edition), 3, seed=4), random.Random(4)
    for _ in range(actions):
        game.play(luck.choice(game.legal))
    return game


# ------------------------------------------------------------------------------------- what is played on


def on_with_game(game: bl.Game) -> Iterator[Any]:
    luck = random.Random(1)
    for _ in range(40):
        yield game.fingerprint, game.legal.texts, game.question, tuple(game.actions), game.view(0), game.events
        game.play(luck.choice(game.legal))


def on_with_dealer(dealer: Dealer) -> Iterator[Any]:
    luck = random.Random(1)
    for seat in range(dealer.seats):
        offered = dealer.view(seat).offer
        if offered:
            dealer.do(seat, f"keep {' '.join(str(one.index) for one in offered)}")
    for _ in range(12):
        yield dealer.snapshot, dealer.view(0)
        dealer.do(dealer.turn, luck.choice(dealer.allowed(dealer.turn)))
        if dealer.view(dealer.turn).offer:
            dealer.do(dealer.turn, f"keep {dealer.view(dealer.turn).offer[0].index}")
        dealer.do(dealer.turn, "next")


def on_with_agents(env: Any) -> Iterator[Any]:
    for _ in range(40):
        observation, reward, *_ = env.last()
        yield env.agent_selection, observation["observation"].tobytes(), reward, env.state().tobytes()
        env.step(int(np.flatnonzero(observation["action_mask"])[-1]))


def on_with_seat(env: Any) -> Iterator[Any]:
    """Twice to the end, for the luck of the second game."""
    env.reset()
    for _ in range(100):
        legal = np.flatnonzero(env.action_masks())
        observation, reward, over, _, _ = env.step(int(legal[-1]))
        yield observation["observation"].tobytes(), reward, over
        if over:
            env.reset()


def on_with_vector(envs: Any) -> Iterator[Any]:
    mask = envs.batch.mask
    for _ in range(60):
        observation, reward, over, _, info = envs.step(mask.argmax(axis=1))
        yield observation["observation"].tobytes(), reward.tobytes(), over.tobytes(), info["seat"].tobytes()
        mask = observation["action_mask"]


def on_with_batch(batch: Any) -> Iterator[Any]:
    for n in range(90):
        yield batch.observation.tobytes(), batch.mask.tobytes(), batch.seat.tobytes(), batch.done.tobytes(), n
        yield batch.reward.tobytes(), batch.game(1).fingerprint
        batch.step(batch.sample() if isinstance(batch, Batch) and n % 2 else batch.mask.argmax(axis=1))


def on_with_bot(bot: Any) -> Iterator[Any]:
    game = game_begun("berlin", 12)
    for _ in range(10):
        yield bot.choose(Position.of(game))
        game.play(game.legal[-1])


def looked_at(game: bl.Game) -> Iterator[Any]:
    """A game as a seat may know it can be looked at only."""
    yield game.view(0), game.fingerprint


def begun(env: Any, steps: Callable[[Any], Iterator[Any]], count: int) -> Any:
    """An environment in the middle."""
    if hasattr(env, "reset") and not hasattr(env, "sample"):
        env.reset(seed=5)
    for _ in zip(range(count), steps(env), strict=False):
        pass
    return env


def bot_in_play(name: str) -> Any:
    bot, game = make_bot(name, 3), game_begun("berlin", 6)
    bot.choose(Position.of(game))
    return bot


QUICK = ("random", "greedy", "fast", "planner", "planner@general", "easy", "medium", "hard", "learned", "search@3")
PLAYED: dict[str, tuple[Callable[[], Any], Callable[[Any], Iterator[Any]]]] = {
    "Game": (game_begun, on_with_game),
    "Game, tickets on offer": (lambda: bl.Game(table.board("europe"), 2, seed=1), on_with_game),
    "Game as a seat sees it": (lambda: game_begun("world").perspective(0), looked_at),
    "Dealer": (lambda: Dealer(table.board("europe"), 3, 7), on_with_dealer),
    "raw_env": (lambda: begun(aec.raw_env("berlin", 3), on_with_agents, 9), on_with_agents),
    "env": (lambda: begun(aec.env("berlin", 3), on_with_agents, 9), on_with_agents),
    "SeatEnv": (
        lambda: begun(single.SeatEnv("berlin", 3, opponents="greedy", seat=None), on_with_seat, 9),
        on_with_seat,
    ),
    "SeatEnv, objects": (
        lambda: begun(single.SeatEnv("berlin", 3, opponents=[make_bot("easy", 1), first_legal]), on_with_seat, 9),
        on_with_seat,
    ),
    **{f"bot {name}": (lambda name=name: bot_in_play(name), on_with_bot) for name in QUICK},
}  # fmt: skip
if COMPILED:
    PLAYED |= {
        "Batch": (lambda: begun(Batch("berlin", 2, 3, seed=1), on_with_batch, 30), on_with_batch),
        "Batch with threads": (lambda: begun(Batch("berlin", 20, 3, threads=2), on_with_batch, 30), on_with_batch),
        "SeatBatch": (lambda: begun(SeatBatch("berlin", 2, 3, seat=None), on_with_batch, 30), on_with_batch),
        "SeatVectorEnv": (lambda: begun(vector.SeatVectorEnv(2, "berlin", 3), on_with_vector, 30), on_with_vector),
    }


def first_legal(observation: Any, mask: Any) -> int:
    return int(mask.argmax())


@pytest.mark.parametrize("what", PLAYED)
@pytest.mark.parametrize("way", costly(WAYS))
def test_a_copy_played_on_never_changes_the_original_and_both_go_on_alike(what: str, way: str) -> None:
    make, steps = PLAYED[what]
    original = make()
    twin = WAYS[way](original)
    assert type(twin) is type(original) or what.partition("@")[2]
    played = list(steps(twin))
    assert list(steps(original)) == played, "the original does not go on as its copy did"
    third = WAYS[way](original)
    assert list(steps(twin)) == list(steps(third))


def test_a_game_of_ones_own_kind_keeps_it() -> None:
    class Noted(bl.Game):
        pass

    game = Noted(table.board("berlin"), 2, 1)
    game.notes = ["begun"]  # type: ignore[attr-defined]
    for twin in (copy.copy(game), copy.deepcopy(game), game.copy()):
        assert type(twin) is Noted and twin.notes == ["begun"]  # type: ignore[attr-defined]
    copy.copy(game).notes.append("copied")  # type: ignore[attr-defined]
    assert game.notes == ["begun"]  # type: ignore[attr-defined]


def test_an_environment_is_copied_before_its_first_game_too() -> None:
    for way in WAYS.values():
        for env in (aec.env("berlin"), aec.raw_env("berlin")):
            twin = way(env)
            twin.reset(seed=1), env.reset(seed=1)
            assert list(on_with_agents(twin)) == list(on_with_agents(env))


# ------------------------------------------------------------------------------------- what stays as it is


@cache
def values() -> dict[str, Any]:
    """A sample of every public class, by its name."""
    europe, berlin = table.board("europe"), table.board("berlin")
    game, sea = game_begun(), table.board("world")
    over = bl.Game(berlin, 2, seed=1)
    while not over.over:
        over.play(over.legal[-1])
    view, results = over.view(0), bl.simulate(berlin, ["greedy", "random"], games=4)
    rated = bl.tournament(berlin, ["greedy", "random"], games=4)
    done = Move("claim", "claim Brest–Paris", europe.routes[0])
    option = Option(done, 0.5, None)
    decision = Decision(3, 0, 1, True, option, None, 0.1, (0.1, -0.1), (0.0, 0.0), 0.0, 0.0, 0.0, 0.0, done, "", 9)
    analysis = bl.Analysis(berlin, ("a", "b"), (1, 2), (1.0, 0.0), 3, 1, (decision,))
    paying = table.start("europe")
    table.hand(paying, 0, "4 black + 4 red + 3 wild")
    layout = layout_of(berlin, 2)
    found: dict[str, Any] = {
        "Action": game.legal[0], "Analysis": analysis, "Board": europe, "CardRules": europe.cards,
        "Checkup": check_bot("random", games=1, boards=[berlin]), "Decision": decision, "EndRules": europe.ending,
        "Estimate": results.standings[0].win_share, "Event": game.events[0], "Feature": layout["hand"],
        "Fault": fault(), "Finding": Finding("budget", ("slow",)), "Layout": layout, "Ledger": analysis.ledger(0),
        "LegalActions": game.legal, "Option": option, "Order": results.order[0],
        "Pairing": rated.pairings[0], "PassengerRules": table.board("germany").passengers,
        "Payment": paying.payments("claim Danzig–Warszawa")[0], "PieceRules": sea.pieces, "Place": europe.places[0],
        "PlaceIndex": europe.index, "PortRules": sea.ports, "Position": Position.of(game),
        "PublicSeat": view.seats[0], "Question": game.question, "Rating": rated.ratings[0], "Record": over.record(),
        "Results": results, "Route": europe.routes[0], "Scores": over.scores, "SeatScore": over.scores[0],
        "Sprt": bl.Sprt(0.0, 20.0), "Standing": results.standings[0], "StationRules": europe.stations,
        "Ticket": europe.tickets[0], "TicketDraw": europe.ticket_rules.first, "TicketRules": europe.ticket_rules,
        "TicketResult": over.scores[0].results[0], "Tournament": rated, "View": view,
        "Move": done, "Comparison": Comparison(done, Difference(1.0, 0.1), Difference(), Difference()),
        "Exploit": exploit(berlin, "random", games=1, seed=1),
    }  # fmt: skip
    if COMPILED:
        found["Snapshot"] = Batch("berlin", 2).snapshot()
        found |= {"Batched": Batched(first_legal), "Pool": Pool(("greedy", first_legal), (1, 2))}
    return found


def fault() -> Any:
    with pytest.raises(bl.BoardError) as raised:
        bl.read_board("no/such/folder")
    return raised.value.faults[0]


ELSEWHERE = {"Game", "Batch", "SeatBatch", "SeatEnv", "SeatVectorEnv", "raw_env", "CompiledBot"}
"""Tried above."""

NOT_COPIED = {
    "Bot": "a protocol",
    "Export": "an open file",
    "Folder": "a folder on the disk",
    "GpuBatch": "see test_gpu",
}


def told(one: Any) -> Any:
    """All that there is to be compared, arrays as bytes."""
    if isinstance(one, np.ndarray):
        return one.tobytes()
    if hasattr(one, "as_dict"):
        return one.as_dict()
    if isinstance(one, bl.game.LegalActions):
        return one.texts
    if isinstance(one, bl.boards.PlaceIndex):
        return one.place("Paris"), one.route("Paris", "Dieppe").name
    if isinstance(one, Position):
        return kernel.buffer_of(one.state).tobytes(), one.legal, one.board
    if isinstance(one, tuple):
        return tuple(map(told, one))
    return one


def test_every_public_class_is_tried() -> None:
    missing = public_names.classes().keys() - values().keys() - ELSEWHERE - NOT_COPIED.keys()
    assert not missing - ({"Snapshot"} if not COMPILED else set()), "add a sample to this test"
    for name, one in values().items():
        assert one is None or isinstance(one, public_names.classes()[name]), name


@pytest.mark.parametrize("way", WAYS)
def test_what_stays_as_it_is_is_the_same_in_every_copy(way: str) -> None:
    for name, one in values().items():
        twin = WAYS[way](one)
        assert type(twin) is type(one), name
        assert told(twin) == told(one), name


@pytest.mark.long
def test_a_board_is_its_own_copy_and_a_pickled_one_equals_it_and_plays_the_same_games() -> None:
    for edition in table.EDITIONS:
        board = table.board(edition)
        assert copy.copy(board) is board and copy.deepcopy([board])[0] is board
        again = pickle.loads(pickle.dumps(board))
        assert again == board and hash(again) == hash(board) and again.digest == board.digest and again.map == board.map
        assert again.tables.tobytes() == board.tables.tobytes() and "tables" in vars(again), "made anew"
        assert bl.Game(again, 2, 5).fingerprint == bl.Game(board, 2, 5).fingerprint
        assert layout_of(again, 2) is layout_of(board, 2)
    games = pickle.loads(pickle.dumps([game_begun(), game_begun()]))
    assert games[0].board is games[1].board


@pytest.mark.long
def test_errors_of_every_kind_can_be_copied_and_come_back_from_workers() -> None:
    made = {
        bl.IllegalAction: bl.IllegalAction("why", ["blind", "tickets"]),
        NotationError: NotationError(3, "unknown word"),
    }
    with pytest.raises(bl.BoardError) as raised:
        bl.read_board("no/such/folder")
    made[bl.BoardError] = raised.value
    kinds = list(public_names.errors())
    assert len(kinds) > 20
    for kind in kinds:
        taken = getattr(kind.__init__, "__code__", None)  # how many texts it is made of; Python's own say nothing
        error = made[kind] if kind in made else kind(*["what was wrong"] * (taken.co_argcount - 1 if taken else 1))
        for way in WAYS.values():
            twin = way(error)
            assert type(twin) is kind and str(twin) == str(error) and twin.message == error.message, kind
            assert vars(twin) == vars(error) and twin.args == error.args, kind


def test_classes_of_bots_that_were_told_something_can_be_pickled() -> None:
    for name in ("planner@general", "search@3"):
        maker = bot_maker(name)
        again = pickle.loads(pickle.dumps(maker))
        assert again.name == name and again(1).choose(Position.of(game_begun("berlin", 6))) >= 0


def test_every_built_in_bot_is_copied_whole() -> None:
    """By its kind: those that are tried above, and what is made like them."""
    for name in bot_names():
        maker = bot_maker(name)
        assert issubclass(maker, CompiledBot) or hasattr(maker, "__copy__"), name  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------- workers


def made_elsewhere(name: str) -> Any:
    return PLAYED[name][0]() if name in PLAYED else values()[name]


def refused_elsewhere() -> None:
    game_begun().play("claim Paris–Marseille")


@pytest.mark.long
def test_workers_of_a_pool_return_all_of_them() -> None:
    wanted = [*PLAYED, "Action", "View", "Results", "Record", "LegalActions", "Scores", "Position", "Analysis"]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        for name, one in zip(wanted, pool.map(made_elsewhere, wanted, timeout=240), strict=True):
            if name in PLAYED:
                steps = PLAYED[name][1]
                assert list(steps(one)) == list(steps(PLAYED[name][0]())), name
            elif name not in ("Results",):  # it tells how long it took
                assert told(one) == told(values()[name]), name
        with pytest.raises(bl.IllegalAction) as raised:
            pool.submit(refused_elsewhere).result(timeout=60)
        assert raised.value.legal
