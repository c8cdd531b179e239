"""Assistants at the table, by the Model Context Protocol: whole games, refusals, and nothing that is hidden."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import anyio
import pytest

import branchline as bl
import table
from branchline.assistants.tables import AssistantTables, TableError
from branchline.boards import builtin_boards
from branchline.bots import Position
from branchline.envs.text import TextGame
from branchline.game import IllegalAction
from branchline.game.actions import route_text
from branchline.rules import kernel, knowledge

if TYPE_CHECKING:
    from mcp import Client

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="the extra mcp is not installed")
# Importing mcp takes a second: it is left to the tests, because every process that runs any imports this module.


def with_assistant(work: Any) -> Any:
    """Run something with a client of a server."""
    from mcp import Client

    from branchline.assistants.server import make_server

    async def run() -> Any:
        async with Client(make_server(seed=7)) as client:
            return await work(Assistant(client))

    return anyio.run(run)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


async def plays_a_short_game(assistant: Assistant) -> None:
    """A whole game on the smallest board, with a look, a hint and a refusal on the way."""
    names = {one.name for one in (await assistant.client.list_tools()).tools}
    assert {"new_table", "look", "play", "score_sheet", "ask_referee", "puzzle"} <= names
    begun = await assistant.call("new_table", board="berlin", players=["me", "greedy"])
    [key] = begun["keys"].values()
    with pytest.raises(RuntimeError, match="unknown place"):
        await assistant.call("play", key=key, action="claim Berlin–Paris")
    for _ in range(400):
        seen = await assistant.call("look", key=key, as_data=True)
        if "result" in seen:
            break
        await assistant.call("play", key=key, action=seen["legal"][0])
    assert sorted(seen["result"]["places"]) in ([1, 2], [1, 1])


class Assistant:
    """Calls tools and reads what they say."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> Any:
        found = await self.client.call_tool(tool, arguments)
        said = found.content[0].text if found.content else ""
        if found.is_error:
            raise RuntimeError(said)
        try:
            return json.loads(said)
        except ValueError:
            return said


@pytest.mark.parametrize("edition", table.costly(builtin_boards()))
def test_an_assistant_plays_a_whole_game_of_each_edition(edition: str) -> None:
    async def play(assistant: Assistant) -> None:
        begun = await assistant.call("new_table", board=edition, players=["me", "greedy"])
        [key] = begun["keys"].values()
        for _ in range(1000):
            seen = await assistant.call("look", key=key, as_data=True)
            if "result" in seen:
                break
            assert seen["asked"] == seen["you"] and seen["legal"]
            await assistant.call("play", key=key, action=seen["legal"][0])
        assert sorted(seen["result"]["places"]) in ([1, 2], [1, 1])
        assert "the game is over" in await assistant.call("look", key=key)
        record = await assistant.call("game_record", key=key)
        assert bl.Record.from_json(json.dumps(record)).replay().over

    with_assistant(play)


@pytest.mark.long
def test_a_game_is_played_over_standard_input_and_output() -> None:
    """As assistants do it: they start the command and talk to it."""
    from mcp import Client, StdioServerParameters

    async def run() -> None:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "branchline", "mcp", "--seed", "7"], env=dict(os.environ)
        )
        async with Client(command) as client:
            await plays_a_short_game(Assistant(client))

    anyio.run(run)


@pytest.mark.long
def test_a_game_is_played_over_http() -> None:
    from mcp import Client

    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "branchline", "mcp", "--http", "--port", str(port), "--seed", "7"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip

    async def run() -> None:
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            await plays_a_short_game(Assistant(client))

    try:
        wait_for_port(port, server)
        anyio.run(run)
    finally:
        server.terminate()
        _, said = server.communicate(timeout=60)
    assert f"http://127.0.0.1:{port}/mcp" in said and "Traceback" not in said


def wait_for_port(port: int, server: subprocess.Popen[str]) -> None:
    """Until somebody listens there; busy machines take a while."""
    for _ in range(600):
        assert server.poll() is None, "the server has ended"
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise AssertionError("nobody listens")


class Thinker:
    """A bot that thinks until it is told to answer."""

    name = "thinker"

    def __init__(self) -> None:
        self.asked, self.may_answer = threading.Event(), threading.Event()
        self.released = False

    def choose(self, position: Position) -> int:
        self.asked.set()
        self.released = self.may_answer.wait(timeout=60)
        return position.legal[0]


def test_a_bot_that_thinks_at_one_table_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    tables, thinker = AssistantTables(seed=3), Thinker()
    [(_, key)] = tables.begin("berlin", ["me", "greedy"])[1].items()
    with tables.seat(key) as (game, seat):
        tables._at(key)[0].bots[1 - seat] = thinker
        first = game.legal(seat)[0]
    played = threading.Thread(target=tables.play, args=(key, first))
    played.start()
    assert thinker.asked.wait(timeout=60)
    _, keys = tables.begin("berlin", ["me", "greedy"])
    with tables.seat(keys[0]) as (game, seat):
        action = game.legal(seat)[0]
    assert tables.play(keys[0], action)
    monkeypatch.setattr("branchline.assistants.tables.PATIENCE", 0.01)
    with pytest.raises(TableError, match="still thinking"):
        tables.play(key, first)
    thinker.may_answer.set()
    played.join(timeout=60)
    assert thinker.released and not played.is_alive()


def test_refusals_explain_and_change_nothing() -> None:
    async def err(assistant: Assistant) -> None:
        begun = await assistant.call("new_table", board="europe", players=["me", "open", "planner"])
        [key] = begun["keys"].values()
        before = await assistant.call("look", key=key)
        for arguments, said in [
            ({"tool": "play", "key": key, "action": "claim Paris–Rom"}, "."),
            ({"tool": "play", "key": "another", "action": "pass"}, "no seat has this key"),
            ({"tool": "game_record", "key": key}, "would tell what is hidden"),
            ({"tool": "new_table", "board": "europa", "players": ["me", "greedy"]}, "europe"),
            ({"tool": "new_table", "board": "europe", "players": ["me", "my_bots:Bot"]}, "expected me, open"),
            ({"tool": "score_sheet", "position": {"edition": "europe", "seats": 3}}, "seats"),
        ]:
            with pytest.raises(RuntimeError, match=said):
                await assistant.call(arguments.pop("tool"), **arguments)
        assert await assistant.call("look", key=key) == before
        joined = await assistant.call("join_table", table=begun["table"])
        assert joined["key"] != key and joined["seat"] == 1

    with_assistant(err)


def test_the_rules_the_map_the_referee_scoring_and_puzzles_answer() -> None:
    async def ask(assistant: Assistant) -> None:
        assert "tunnel" in (await assistant.call("read_rules", board="europe")).casefold()
        told = await assistant.call("read_map", board="europe")
        assert all(route_text(one) in told for one in bl.load_board("europe").routes)
        allowed = await assistant.call("ask_referee", board="europe", action="claim Paris-Dieppe", hand="1 purple")
        assert allowed["allowed"] and allowed["payments"]
        refused = await assistant.call("ask_referee", board="europe", action="claim Paris-Dieppe", hand="1 red")
        assert not refused["allowed"] and refused["why_not"] and refused["missing"]
        scored = await assistant.call(
            "score_sheet",
            position={"edition": "europe", "seats": [{"name": "A", "routes": [["Paris", "Dieppe"]]}, {"name": "B"}]},
        )
        assert scored["seats"][0]["routes"] == 1
        riddle = await assistant.call("puzzle", board="europe", number=2)
        assert not {"best", "answers"} & set(riddle)
        answer = await assistant.call("answer_puzzle", board="europe", number=2, action=riddle["legal"][0])
        assert isinstance(answer["right"], bool) and answer["best"]

    with_assistant(ask)


@pytest.mark.parametrize("edition", builtin_boards())
def test_HIDE_what_a_seat_reads_is_the_same_whatever_is_hidden(edition: str) -> None:
    board = table.board(edition)
    game, others = TextGame(board, 3, seed=5), 0
    for n in range(120):
        if game.asked is None:
            break
        if n % 12 == 0:
            for seat in range(3):
                state = kernel.copy_of(game.game.redacted(seat))
                knowledge.imagine(kernel.record_in(board.tables), kernel.record_in(state), seat, n)
                other = TextGame.of(bl.Game.resume(board, state))
                assert game.look(seat) == other.look(seat) and game.data(seat) == other.data(seat)
                others += state["hand"].tobytes() != game.game.state["hand"].tobytes()
        game.play(game.asked, game.legal(game.asked)[n % len(game.legal(game.asked))])
    assert others > 5


def test_a_seat_hears_what_it_saw_and_acts_only_in_its_turn() -> None:
    game = TextGame("berlin", 2, seed=3)
    asked = game.asked
    assert asked is not None
    with pytest.raises(IllegalAction, match="is to act"):
        game.play(1 - asked, "pass")
    game.play(asked, game.legal(asked)[0])
    assert game.heard(asked) != game.heard(1 - asked), "which tickets are kept is a secret"
    assert game.legal(asked) == () or game.asked == asked
