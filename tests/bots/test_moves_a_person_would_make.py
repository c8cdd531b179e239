"""Positions of real games in which a bot once chose a move that any strong player would laugh at."""

from __future__ import annotations

from pathlib import Path

from branchline.boards import load_board
from branchline.bots import Position, make_bot
from branchline.game import Game, Record

GAMES = Path(__file__).parent / "games"


def position(name: str, turn: int, seat: int) -> Game:
    """Return the game of a record at the `turn`th turn of a seat, counted from 1."""
    record = Record.load(GAMES / f"{name}.json")
    game = Game(load_board(record.board), record.seats, record.seed)
    turns = 0
    for action in record.actions:
        turns += game.question.seat == seat and game.question.kind == "turn"
        if turns == turn:
            return game
        game.play(action.split(" ", 1)[1])
    raise AssertionError(f"{name} has no turn {turn} of seat {seat}")


def planned(game: Game) -> str:
    """Return what `planner` does now, in words."""
    number = make_bot("planner", 1).choose(Position.of(game))
    return next(action.text for action in game.legal if int(action) == number)


def test_a_station_that_saves_a_ticket_is_built_before_routes_are_claimed_for_their_points() -> None:
    """Cádiz–Stockholm misses Essen–København, which the other has; a station brings 38 points, Berlin–Danzig 7."""
    for turn in (31, 32, 35):
        assert planned(position("europe_901", turn, 1)) == "station Essen"


def test_a_gray_route_is_paid_in_the_colour_that_the_plan_misses_least() -> None:
    """Seven green and five black cards are held; the plan needs three black ones for Angora–Erzurum, and no green."""
    game = position("europe_903", 31, 0)
    assert planned(game) == "claim Kharkov–Kyïv"
    game.play("claim Kharkov–Kyïv")
    assert planned(game) == "pay green"


def test_difficult_terrain_is_paid_in_the_colour_that_the_plan_misses_least() -> None:
    """Three green and two black cards are held; the plan needs three green ones for Cape Town–Dar Es Salaam."""
    game = position("world_700", 28, 1)
    game.play("claim Casablanca–Marseille")
    assert planned(game) == "pair black"
