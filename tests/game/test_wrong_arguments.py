"""Whatever is passed to a public function, it does its work or raises a `BranchlineError` of one clear line."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

import branchline as bl
import table
from branchline.boards.tables import KINDS
from branchline.rules.state import PAIR, STATE
from odd_values import ODD

EUROPE, BERLIN = table.board("europe"), table.board("berlin")


class Call(NamedTuple):
    """A public function, and arguments with which it works; `kept`: which are left as they are."""

    name: str
    function: Callable[..., Any]
    right: dict[str, Any]
    kept: frozenset[str] = frozenset()


@cache
def finished() -> bl.Game:
    game, luck = bl.Game(BERLIN, 2, 1), random.Random(1)
    while not game.over:
        game.play(luck.choice(game.legal))
    return game


def calls(tmp_path) -> list[Call]:
    game, paying, offered = table.start("europe"), table.start("europe"), table.new("europe")
    table.hand(game, 0, "4 black + 4 red + 3 wild")
    table.hand(paying, 0, "4 black + 4 red + 3 wild")
    paying.play("claim Danzig–Warszawa")
    assert paying.question.kind == "colour"
    record, index, whole = finished().record(), EUROPE.index, finished().state.tobytes()
    position = {"edition": "berlin", "seats": [{"name": "Anna"}, {"name": "Bert"}]}
    small = {"games": 1, "seed": 1}
    analysis = bl.Analysis(BERLIN, ("a", "b"), (1, 2), (1.0, 0.0), 3, 1, ())
    return [
        Call("load_board", bl.load_board, {"name_or_path": "berlin"}),
        Call("read_board", bl.read_board, {"folder": BERLIN.folder}),
        Call("score_position", bl.score_position, {"position": position, "board": None}),
        Call("make_bot", bl.make_bot, {"name": "random", "seed": 1}),
        Call("board_svg", bl.board_svg, {"board": BERLIN, "position": None, "theme": "light", "title": "t"}),
        Call("board_svg, more", bl.board_svg, {"board": BERLIN, "labels": True, "interactive": False, "style": True}),
        Call("board_svg, words", bl.board_svg, {"board": BERLIN, "words": {}, "heat": None}, frozenset({"board"})),
        Call("Board.svg", BERLIN.svg, {"theme": "dark"}),
        Call("Sprt", bl.Sprt, {"elo0": 0.0, "elo1": 20.0, "alpha": 0.05, "beta": 0.05}),
        Call("simulate", bl.simulate, {"board": BERLIN, "bots": ["random"], "seats": 2, "on": "processes", **small}),
        Call("tournament", bl.tournament, {"board": BERLIN, "bots": ["random", "fast"], **small, "sprt": None}),
        Call("check_bot", bl.check_bot, {"bot": "random", "games": 1, "seed": 1, "budget": None, "boards": []}),
        Call("analyse", bl.analyse, {"game": finished(), "rollouts": 1, "jobs": 1, "seed": 1, "seats": []}),
        Call("index.find", index.find, {"text": "Paris"}),
        Call("index.place", index.place, {"text": "Paris"}),
        Call("index.routes", index.routes, {"a": "Paris", "b": "Dieppe"}),
        Call("index.route", index.route, {"a": "Paris", "b": "Dieppe", "colour": None, "line": 0}),
        Call("index.ticket", index.ticket, {"names": "Paris–Wien"}),
        Call("index.split_places", index.split_places, {"text": "Paris–Wien"}),
        Call("Game", bl.Game, {"board": BERLIN, "seats": 2, "seed": 1, "first_seat": 0, "decks": {}}),
        Call("Game.decks", lambda cards: bl.Game(BERLIN, 2, 1, decks={"cards": cards}), {"cards": ["red"]}),
        Call("Game.payments", game.payments, {"action": "claim Danzig–Warszawa"}),
        Call("Game.payments, paying", paying.payments, {"action": None}),
        Call("Game.view", game.view, {"seat": 0}),
        Call("Game.redacted", game.redacted, {"seat": 0}),
        Call("Game.svg", finished().svg, {"seat": 0, "theme": "light"}),
        Call("Game.play", lambda action: game.copy().play(action), {"action": "blind"}),
        Call("Game.play, paying", lambda action: paying.copy().play(action), {"action": "pay black"}),
        Call("Game.play, tickets", lambda action: offered.copy().play(action), {"action": "keep all"}),
        Call("Game.why_not", game.why_not, {"action": 3, "seat": 1}),
        Call("Game.why_not, tickets", offered.why_not, {"action": 3, "seat": 1}),
        Call("Game.record", game.record, {"names": ["Anna", "Bert"]}),
        Call("Game.resume", bl.Game.resume, {"board": BERLIN, "state": whole, "seed": 0, "actions": ()}),
        Call("Game.resume, more", bl.Game.resume, {"board": BERLIN, "state": whole, "first_seat": 0, "decks": None}),
        Call("legal.get", game.legal.get, {"number": 3}),
        Call("legal.has_text", game.legal.has_text, {"text": "blind"}),
        Call("legal.by_text", game.legal.by_text, {"text": "blind"}),
        Call("in legal", game.legal.__contains__, {"action": "blind"}),
        Call("Record", bl.Record, {name: getattr(record, name) for name in record.__dataclass_fields__}),
        Call("Record.of", bl.Record.of, {"game": game, "names": ()}, frozenset({"game"})),
        Call("Record.load", bl.Record.load, {"path": tmp_path / "none.json"}, frozenset()),
        Call("Record.from_json", bl.Record.from_json, {"text": record.to_json()}),
        Call("Record.replay", record.replay, {"board": BERLIN}),
        Call("Record.as_now", record.as_now, {"board": BERLIN}),
        Call("Record.steps", lambda board: next(record.steps(board)), {"board": BERLIN}),
        Call("Analysis.of", analysis.of, {"seat": 0}),
        Call("Analysis.curve", analysis.curve, {"seat": 0}),
        Call("Analysis.ledger", analysis.ledger, {"seat": 0}),
        Call("Analysis.turning_points", analysis.turning_points, {"most": 5}),
        Call("Analysis.from_dict", bl.Analysis.from_dict, {"data": analysis.as_dict(), "board": BERLIN}),
    ]


COSTLY = {"simulate", "tournament", "check_bot", "analyse"}


@pytest.mark.long
def test_nothing_that_is_passed_ends_in_any_other_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused, others = 0, []
    for call in calls(tmp_path):
        for name in call.right.keys() - call.kept:
            for odd in ODD:
                if call.name in COSTLY and _would_play(name, odd):
                    continue
                try:
                    call.function(**{**call.right, name: odd})
                except bl.BranchlineError as error:
                    refused += 1
                    said = str(error)
                    if len(said) > 3000 or not said or ("\n" in said and not isinstance(error, bl.BoardError)):
                        others.append(f"{call.name}({name}={_short(odd)}) says {said[:200]!r}")
                except Exception as error:
                    others.append(f"{call.name}({name}={type(odd).__name__} {_short(odd)}): {error!r:.200}")
    assert not others, "\n".join(others)
    assert refused > 1000


def _short(odd: Any) -> str:
    return "a huge number" if isinstance(odd, int) and odd.bit_length() > 64 else repr(odd)[:60]


def _would_play(name: str, odd: Any) -> bool:
    """Whether this is a right value, with which all would be played: it is tried elsewhere."""
    return odd is None or (name in ("seed", "rollouts", "games") and isinstance(odd, (int, np.integer)))


@pytest.mark.parametrize("edition", table.COSTLY_EDITIONS)
def test_a_state_that_was_damaged_anywhere_is_refused_or_can_be_looked_at(edition):
    luck = random.Random(edition)
    game = bl.Game(table.board(edition), 3, 4)
    moments = []
    while not game.over:
        if luck.random() < 0.04:
            moments += [game.state, game.redacted(0), game.redacted(None)]
        game.play(luck.choice(game.legal))
    refused = 0
    for n in range(400):
        buffer = moments[n % len(moments)]
        bl.Game.resume(game.board, buffer)  # as it is, it is taken
        content = bytearray(buffer.tobytes())
        for _ in range(luck.choice((1, 1, 3, 40))):
            content[luck.randrange(len(content))] = luck.choice((0, 1, 127, 128, 255, luck.randrange(256)))
        try:
            again = bl.Game.resume(game.board, bytes(content))
        except bl.SetupError as error:
            assert "damaged" in str(error)
            refused += 1
            continue
        again.view(None), again.view(0), again.legal, again.question, again.scores
    assert refused > 100


def at_question(edition, question):
    """A game in which this is asked for the first time."""
    luck = random.Random(2)
    for seed in range(20):
        game = bl.Game(table.board(edition), 2, seed)
        while not game.over:
            if game.question.kind == question:
                return game
            game.play(luck.choice(game.legal))
    raise AssertionError(f"nobody was asked for {question}")


@pytest.mark.parametrize(
    ("edition", "question", "field", "value", "said"),
    [
        ("europe", "tunnel", "colour", -1, "a question that cannot be asked"),
        ("europe", "wilds", "laid", [12] * 8 + [0] * (KINDS - 8), "more cards laid than held"),
        ("europe", "wilds", "pieces", 0, "what cannot be built"),
        ("europe", "wilds", "stations_built", 3, "the stations do not add up"),
        ("europe", "wilds", "question", PAIR, "without a colour"),
        ("europe", "turn", "station_free", 0, "sites of stations"),
        ("europe", "turn", "offer_size", [1, 0, 0, 0, 0], "on offer to somebody"),
        ("europe", "keep_tickets", "offered", 3, "do not add up"),
        ("world", "turn", "port_free", 0, "sites of ports"),
        ("world", "marked", "colour", -1, "without a colour"),
    ],
)
def test_a_forged_question_or_payment_is_refused(edition, question, field, value, said):
    state = at_question(edition, question).state
    bl.Game.resume(table.board(edition), state)
    state[field] = value
    with pytest.raises(bl.SetupError, match=said):
        bl.Game.resume(table.board(edition), state)


def test_more_stations_than_there_are_cannot_stand():
    state = table.start("europe").state
    state["station_owner"][0, :5], state["stations_built"][0, 0] = 0, 3
    state["station_free"][0, 0] &= ~0b11111
    with pytest.raises(bl.SetupError, match="do not add up"):
        bl.Game.resume(EUROPE, state)


def test_a_state_of_another_board_and_noise_are_refused():
    luck = random.Random(5)
    states = [bl.Game(table.board(edition), 2, 1).state for edition in table.EDITIONS]
    for edition in table.EDITIONS:
        for of, state in zip(table.EDITIONS, states, strict=True):
            if of == edition:
                bl.Game.resume(table.board(edition), state)
            elif {of, edition} != {"germany", "europe"}:
                with pytest.raises(bl.SetupError, match="not of"):
                    bl.Game.resume(table.board(edition), state)
    for content in (bytes(STATE.itemsize), luck.randbytes(STATE.itemsize), b"\xff" * STATE.itemsize):
        with pytest.raises(bl.SetupError, match="damaged"):
            bl.Game.resume(EUROPE, content)


@pytest.mark.parametrize("names", [["Anna\nBert"], ["\x1b[31m"], ["x" * 201], ["a", "b", "c"], "Anna", [7], 5, None])
def test_names_of_a_record_are_looked_at(names):
    with pytest.raises(bl.RecordError, match="names"):
        finished().record(names)


def test_while_tickets_are_on_offer_a_refusal_says_so_first():
    game = table.new("europe")
    table.own(game, 1, "Brest–Paris")
    for text in ("claim Brest–Paris", "claim Palermo–Smyrna", "station Paris", "blind", "tickets"):
        with pytest.raises(bl.IllegalAction, match=r"^choose which tickets to keep first"):
            game.play(text)
    with pytest.raises(bl.IllegalAction, match=r"^at least 2 of the 4 tickets have to be kept"):
        game.play(f"keep {game.question.tickets[0].name}")


def test_wilds_are_counted_in_the_right_number():
    game = table.start("europe")
    table.hand(game, 0, "6 red")
    for ferry, wilds in (("Palermo–Smyrna", "2 wilds"), ("Athína–Smyrna", "1 wild")):
        with pytest.raises(bl.IllegalAction, match=rf"needs at least {wilds}, you have 0"):
            game.play(f"claim {ferry}")


def test_the_price_of_difficult_terrain_is_its_cards():
    world = table.board("world")
    for one in world.routes:
        assert one.price == one.length + one.pairs and one.points_row == one.length
        assert world.points[one.points_row]


def test_nothing_far_fetched_is_suggested():
    with pytest.raises(bl.UnknownName) as refusal:
        bl.load_board("nope")
    assert str(refusal.value) == 'unknown board "nope"; there are berlin, europe, germany, great_lakes or world'
    with pytest.raises(bl.UnknownName, match='did you mean "europe"'):
        bl.load_board("eurpoe")
