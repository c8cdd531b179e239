"""A game that was noted at the table becomes a record: the law, and what cannot have been."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from random import Random

import pytest

import branchline as bl
from branchline.bots.api.bot import Position
from branchline.game import NotationError
from branchline.rules import chance
from branchline.tabletop.late_search import LateSearch
from branchline.tabletop.notation_reader import read_notation
from branchline.tabletop.noted_course import NotedCourse
from branchline.tabletop.reconstruction import SOLVING, SOLVING_NOTED, Reconstruction, reconstruct, solving
from table import board, costly
from tabletop.noting import EYES, Eye, Played, chooser, played

EVENING = Path(__file__).parents[2] / "examples" / "evening.txt"

CLOSE = Eye()
FORGETFUL = Eye(payments=False, market=False, turned=False, kept=False)
GAMES = [
    ("europe", 2), ("europe", 3), ("berlin", 2), ("germany", 2), ("great_lakes", 2), ("world", 2),
    *(
        pytest.param(edition, seats, marks=pytest.mark.long)
        for edition, seats in (
            ("europe", 4), ("europe", 5), ("berlin", 3), ("germany", 3), ("germany", 4), ("great_lakes", 3),
            ("world", 3), ("world", 4),
        )
    ),
]  # fmt: skip


def game_of_planners(edition: str, seats: int, seed: int = 0) -> Played:
    bots = [bl.make_bot("planner", seed * 10 + seat) for seat in range(seats)]

    def choose(game: bl.Game) -> int:
        return bots[game.question.seat].choose(Position.of(game))

    return played(board(edition), seats, seed, choose)


def same_course(real: Played, made: Reconstruction) -> None:
    """The same things are built in the same order by the same seats, and the sheets agree."""
    built = ("claim", "station", "port", "swap", "passenger", "withdraw")
    assert made.over
    assert [line for line in made.record.actions if line.split()[1] in built] == [
        line for line in real.game.actions if line.split()[1] in built
    ]
    parts = [[(seat.total, seat.parts()) for seat in game.scores.seats] for game in (real.game, made.game)]
    assert parts[0] == parts[1]
    assert made.game.scores.winners == real.game.scores.winners


@pytest.mark.parametrize(("edition", "seats"), GAMES)
def test_a_game_of_which_the_hidden_things_are_forgotten_is_a_legal_record_again(edition: str, seats: int) -> None:
    real = game_of_planners(edition, seats)
    made = reconstruct(read_notation(real.noted(CLOSE)))
    same_course(real, made)
    again = bl.Record.from_json(made.record.to_json()).replay()
    assert again.fingerprint == made.game.fingerprint


@pytest.mark.parametrize("bot", costly(["fast", "planner", "greedy", "hoard"]))
@pytest.mark.parametrize("eye", costly(EYES))
@pytest.mark.parametrize(("edition", "seats"), [("germany", 3), pytest.param("europe", 3, marks=pytest.mark.long)])
def test_honest_notes_of_a_game_by_any_player_are_found_again(edition: str, seats: int, eye: str, bot: str) -> None:
    pytest.importorskip("ortools")
    real = played(board(edition), seats, 50, chooser(bot, seats, 0))
    same_course(real, reconstruct(read_notation(real.noted(EYES[eye]))))


@pytest.mark.parametrize("eye", EYES)
def test_the_solver_is_asked_early_where_the_market_was_noted(eye: str) -> None:
    notes = read_notation(played(board("europe"), 2, 50, chooser("fast", 2, 0)).noted(EYES[eye]))
    assert solving(notes) == (SOLVING_NOTED if EYES[eye].market else SOLVING)


@pytest.mark.long
@pytest.mark.parametrize("seed", [201, 205])
def test_hoarders_sweep_the_market_ten_times_and_are_found_again(seed: int) -> None:
    """The decks run out before anybody builds; a shuffle in the middle of sweeps brings what luck brings."""
    pytest.importorskip("ortools")
    real = played(board("world"), 5, seed, chooser("hoard", 5, seed))
    same_course(real, reconstruct(read_notation(real.noted(EYES["the market not noted"]))))


@pytest.mark.long
def test_a_wild_card_lies_in_the_market_only_when_its_place_is_not_needed_for_another() -> None:
    notes = played(board("world"), 5, 602, chooser("planner", 5, 602)).noted(EYES["the market not noted"])
    search = LateSearch(NotedCourse(read_notation(notes), 0), Random("0 late"))
    assert search.game(time.process_time() + 60) is not None


@pytest.mark.long
def test_a_market_that_was_swept_before_the_first_turn_is_thought_of() -> None:
    """Nobody can note it; without it there would be five cards more in the deck."""
    pytest.importorskip("ortools")
    real = played(board("berlin"), 2, 2000, chooser("greedy", 2, 2000))
    same_course(real, reconstruct(read_notation(real.noted(EYES["the market not noted"]))))


def test_who_withdraws_from_a_tunnel_needs_the_cards_for_it_and_no_more() -> None:
    text = (
        "Anna: claim Bruxelles-Paris yellow\nBert: claim Paris-Dieppe\nAnna: withdraw Angora-Constantinople\n"
        "Bert: withdraw Constantinople-Smyrna\n"
    )
    made = reconstruct(read_notation(TABLE + text))
    assert sum("withdraw" in line for line in made.record.actions) == 2


def test_where_no_deal_is_found_it_is_said_how_long_was_searched_and_that_it_proves_nothing() -> None:
    real = game_of_planners("europe", 3)
    with pytest.raises(
        NotationError, match=r"no deal that fits .* was found in 0 seconds of processor time; one may still exist"
    ):
        reconstruct(read_notation(real.noted(FORGETFUL)), seconds=0)


@pytest.mark.parametrize("bot", costly(["fast", "planner", "greedy", "hoard"]))
@pytest.mark.parametrize("eye", ["the market not noted", "only what was built"])
@pytest.mark.parametrize(("edition", "seats"), [("germany", 2), ("great_lakes", 2)])
def test_honest_notes_are_found_again_without_the_solver_too(
    edition: str, seats: int, eye: str, bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("branchline.tabletop.reconstruction.is_installed", lambda: False)
    real = played(board(edition), seats, 50, chooser(bot, seats, 0))
    same_course(real, reconstruct(read_notation(real.noted(EYES[eye])), seconds=60))


@pytest.mark.long
@pytest.mark.parametrize(("edition", "seats"), [("great_lakes", 4), ("great_lakes", 5), ("world", 5)])
def test_most_long_games_with_many_sweeps_are_found_and_the_others_are_refused(edition: str, seats: int) -> None:
    """The search for a deal may fail (`docs/notation.md` says how often); it says so, with the line."""
    found = 0
    for seed in range(6):
        real = game_of_planners(edition, seats, seed)
        with contextlib.suppress(NotationError):
            same_course(real, reconstruct(read_notation(real.noted(CLOSE))))
            found += 1
    assert found >= 3


@pytest.mark.long
def test_what_was_paid_and_how_cards_were_drawn_can_be_forgotten_too() -> None:
    real = game_of_planners("europe", 3)
    made = reconstruct(read_notation(real.noted(FORGETFUL)))
    same_course(real, made)
    assert set(made.imagined) == {"cards", "payments", "tickets"}


@pytest.mark.parametrize(
    "text",
    [
        "Anna: claim Paris to Dieppe with 1 pink",
        "Anna:\u00a0claim\u202fParis\u2212Dieppe with 1\u00a0violet",
        "Anna:\tclaim Paris\uff0dDieppe with 1 purple",
        "\ufeffAn\u200bna: claim\u200e Par\u00adis-\u2060Dieppe with 1 purple\u200b",
    ],
)
def test_blanks_dashes_and_other_words_are_read_like_the_plain_ones(text: str) -> None:
    plain = read_notation(TABLE + "Anna: claim Paris-Dieppe with 1 purple")
    assert read_notation(TABLE + text) == plain


def test_the_same_notation_gives_the_same_record() -> None:
    notation = read_notation(game_of_planners("europe", 2).noted(CLOSE))
    first, second = reconstruct(notation), reconstruct(notation)
    assert first.record == second.record
    assert reconstruct(notation, seed=99).record != first.record


TABLE = "edition europe\nplayers Anna, Bert\n"


def why(text: str) -> tuple[int, str]:
    with pytest.raises(NotationError) as refused:
        reconstruct(read_notation(TABLE + text))
    return refused.value.line, refused.value.why


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("Anna: claim Paris-Dieppe\nBert: claim Paris Dieppe", 4, "already belongs to Anna"),
        ("Anna: claim Berlin-Wien with 5 red", 3, "can have drawn at most 4 cards by then"),
        (
            "Anna: draw 2\nBert: draw 2\n" * 5 + "Anna: claim Petrograd-Riga with 14 red",
            13,
            "can have had at most 12 of these",
        ),
        ("Anna: draw 2\nAnna: draw 2", 4, "it is Bert’s turn, not Anna’s"),
        ("Anna: draw red", 3, "drew only one card"),
        ("Anna: draw wild, blind", 3, "that ended the turn"),
        ("Anna: draw red, wild", 3, "as the second card"),
        ("Anna: draw 3", 3, "3 cards given, but a turn draws at most 2"),
        ("Anna: claim Paris-Dieppe with 1 red", 3, "does not match the price exactly"),
        ("Anna: claim Paris-Wien", 3, "no route joins Paris–Wien"),
        ("Anna: claim Pariss-Dieppe", 3, 'did you mean "Paris"'),
        ("Anna: dance", 3, 'unknown word "dance"'),
        ("Carl: draw 2", 3, 'no player is called "Carl"'),
        ("Anna: tickets keep 4", 3, "4 of 3 tickets kept"),
        ("Anna: draw 2\nAnna: held Paris–Wien", 4, "the tickets at the end (1) do not agree"),
        ("Anna: draw 2\nAnna: held Paris–Wien\nBert: held Paris–Wien", 5, "Anna already has Paris–Wien"),
        ("Anna: pass", 3, "Anna: passing is allowed only when nothing else is possible"),
        ("Anna: port Paris", 3, "Europe does not have these: port"),
        ("Anna: withdraw Paris–Dieppe", 3, "is not a tunnel"),
    ],
)
def test_what_cannot_have_been_is_said_with_its_line_and_the_reason(text: str, line: int, said: str) -> None:
    found = why(text)
    assert found[0] == line and said in found[1], found


def test_a_game_goes_on_as_far_as_it_is_noted() -> None:
    made = reconstruct(
        read_notation(TABLE + "Anna: draw red, blind\nBert: draw 2\nAnna: claim Paris-Dieppe with 1 purple")
    )
    assert not made.over
    assert made.game.question.seat == 1
    assert made.record.names == ("Anna", "Bert")
    assert made.record.replay().fingerprint == made.game.fingerprint


def test_passengers_wait_where_they_were_taken() -> None:
    text = (
        "edition germany\nplayers Anna, Bert\nAnna: claim Kiel–Hamburg purple passengers red at Kiel, red at Hamburg\n"
    )
    made = reconstruct(read_notation(text))
    assert [line for line in made.record.actions if "passenger" in line] == ["0 passenger red", "0 passenger red"]


def test_the_board_may_be_given_and_the_edition_not_named() -> None:
    europe = bl.load_board("europe")
    notation = read_notation("players Anna, Bert\nAnna: claim Paris-Dieppe\nBert: draw 2", europe)
    assert [turn.route.name if turn.route else "" for turn in notation.turns] == ["Dieppe–Paris", ""]
    with pytest.raises(NotationError, match="line 2: the edition belongs in the first line"):
        read_notation("players Anna, Bert\nedition europe", europe)


def test_lines_in_any_order_are_a_notation_or_refused() -> None:
    lines = EVENING.read_text(encoding="utf-8").splitlines()
    players = next(line for line in lines if line.startswith("players"))
    europe, luck = bl.load_board("europe"), Random(1)
    for _ in range(200):
        some = luck.sample(lines, luck.randrange(len(lines)))
        with contextlib.suppress(NotationError):
            read_notation("\n".join([players, *some]), europe)


def test_luck_that_begins_anew_changes_the_generator_and_nothing_else() -> None:
    """In the engine too, whose own seed is for the memory of bots."""
    game = bl.Game(board("europe"), 3, seed=1)
    before = game.state.copy()
    chance.seed(game._state, 12345)
    after = game.state
    assert [name for name in before.dtype.names if (before[name] != after[name]).any()] == ["luck"]
