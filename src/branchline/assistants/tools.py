"""What an assistant can do, as functions of plain values: each is a tool of the server, its docstring the manual."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from branchline.analysis import analyse
from branchline.assistants.tables import AssistantTables, TableError
from branchline.boards import builtin_boards, load_board
from branchline.boards.arguments import text, whole_number
from branchline.bots import Position, bot_names, describe
from branchline.bots.search.reasons import sentence
from branchline.envs.text import TextGame, map_in_words
from branchline.game import Game
from branchline.game.cards import read_cards
from branchline.game.reading import NotLegal, parse_action
from branchline.game.record import Record
from branchline.plain_data import JsonObject
from branchline.rules import kernel
from branchline.rules import state as at
from branchline.tabletop import score_position
from branchline.tabletop.notation_reader import read_notation
from branchline.tabletop.position import scores_as_json
from branchline.tabletop.reconstruction import reconstruct
from branchline.tabletop.referee import FREE, MINE, OTHERS, Inquiry, judge
from branchline.teaching.coach import Coach
from branchline.teaching.puzzles import collection
from branchline.web.rules.page import headings

LONGEST = 200_000  # letters of a record or of notes
ROLLOUTS = 60  # of a review, so that it takes seconds

Board = Annotated[str, Field(description="A board by name, as list_boards gives it: europe, berlin, …")]
Key = Annotated[str, Field(description="The key of a seat, from new_table or join_table.")]


def list_boards() -> str:
    """List the boards, with their numbers of seats, places, routes and tickets."""
    boards = map(load_board, builtin_boards())
    return "\n".join(
        f"{board.id}: {board.title}, {board.seats[0]} to {board.seats[1]} seats, {len(board.places)} places, "
        f"{len(board.routes)} routes, {len(board.tickets)} tickets"
        for board in boards
    )


def list_bots() -> str:
    """List the bots that can play, and how they do."""
    return "\n".join(f"{name}: {describe(name)}" for name in bot_names())


def read_rules(board: Board) -> str:
    """Read the rules of a board, by numbered articles."""
    lines = []
    for chapter in headings(load_board(board), "en"):
        lines.append(f"{chapter.number}. {chapter.title}")
        for line in chapter.lines:
            lines += [f"{line.number} {line.text}", *(f"    ruling: {ruling}" for ruling in line.rulings)]
    return "\n".join(lines)


def read_map(board: Board) -> str:
    """Read a board as text: places, routes with length and colour, tickets with values."""
    return map_in_words(load_board(board))


def score_sheet(
    position: Annotated[
        JsonObject,
        Field(
            description='A final position: {"edition": "europe", "seats": [{"name": "Anna", "routes": [["Paris", '
            '"Dieppe"]], "tickets": [["Paris", "Wien"]], "stations": ["Roma"]}, …]}; also passengers, ports, tours, '
            "swapped, route_points."
        ),
    ],
) -> JsonObject:
    """Score a game from a real table, or check a scoresheet: every part of every seat's score, and the winners."""
    return score_position(position)


def ask_referee(
    board: Board,
    action: Annotated[str, Field(description="As in `claim Paris–Dieppe`, `station Roma`, `port Hamburg`.")],
    hand: Annotated[str, Field(description="Cards in the hand, as in `3 red + 1 wild`; empty: none.")] = "",
    seats: Annotated[int, Field(description="How many people play.")] = 2,
    parallel: Annotated[str, Field(description="Who has the line beside it: free, mine or others.")] = "free",
) -> JsonObject:
    """Ask whether something may be done at a real table with these cards, how it may be paid, and why not."""
    on = load_board(board)
    seats = whole_number("seats", seats, *on.seats, TableError)
    if parallel not in ("free", MINE, OTHERS):
        raise TableError(f"parallel: expected free, {MINE} or {OTHERS}")
    asked = TextGame(on, seats)
    while asked.game.question.kind != "turn":
        asked.game.play(asked.game.legal[0])
    number = number_anywhere(asked.game, action)
    if not (number < at.TAKE or at.PORT <= number < at.PORT + len(on.places)):
        raise TableError("action: the referee judges claims, stations and ports")
    cards = read_cards(text("hand", hand, TableError), on) if hand.strip() else {}
    verdict = judge(on, Inquiry(number, cards, seats, parallel=FREE if parallel == "free" else parallel))
    return {
        "allowed": bool(verdict.ways),
        "payments": [way.payment.text for way in verdict.ways],
        "why_not": None if verdict.why is None else str(verdict.why),
        "missing": [{"colour": colour, "cards": count} for colour, count in verdict.missing],
    }


def number_anywhere(game: Game, action: str) -> int:
    """Return the number of an action, legal now or not."""
    try:
        return number_of(game, action)
    except NotLegal as error:
        return int(error.number)


def number_of(game: Game, action: object) -> int:
    """Return the number of a legal action. Raise `IllegalAction`."""
    wanted = text("action", action, TableError)
    return int(parse_action(game.board, kernel.record_in(game.state), game.legal, wanted))


def notate_game(
    notes: Annotated[str, Field(description="Notes of a game at a real table, one line for each turn.")],
) -> JsonObject:
    """Make a record of a game at a real table from its notes; hidden cards are filled in to fit."""
    outcome = reconstruct(read_notation(text("notes", notes, TableError, LONGEST)))
    data: JsonObject = {"record": json.loads(outcome.record.to_json()), "over": outcome.over}
    return data | ({"scores": scores_as_json(outcome.game.scores)} if outcome.over else {})


def review_game(
    record: Annotated[str, Field(description="A record as JSON, from game_record or `branchline replay`.")],
) -> JsonObject:
    """Review a finished game: win probabilities, accuracy, mistakes with better moves, and luck. Takes seconds."""
    analysis = analyse(Record.from_json(text("record", record, TableError, LONGEST)), rollouts=ROLLOUTS, jobs=1)
    return {
        "points": list(analysis.totals),
        "seats": [
            {
                "seat": seat,
                "accuracy": round(analysis.ledger(seat).accuracy),
                "mistakes": [
                    {"turn": decision.turn, "played": decision.played.move.text, "better": decision.better.move.text}
                    for decision in analysis.mistakes(seat)
                    if decision.better is not None
                ],
            }
            for seat in range(len(analysis.totals))
        ],
    }


def puzzle(board: Board, number: Annotated[int, Field(description="Which one, from 1.")] = 1) -> JsonObject:
    """Get a puzzle: a position in which one move is clearly the best. answer_puzzle says whether you found it."""
    return puzzle_seen(_puzzle(board, number))


def puzzle_seen(puzzle: collection.Puzzle) -> JsonObject:
    """Return a puzzle without its answers."""
    game = TextGame.of(puzzle.game())
    seat = puzzle.answers.seat
    return {"id": puzzle.id, "position": game.look(seat), "legal": list(game.legal(seat))}


def answer_puzzle(board: Board, number: int, action: str) -> JsonObject:
    """Answer a puzzle; tells the best move, and how much of the chance to win yours gives away."""
    puzzle = _puzzle(board, number)
    game = puzzle.game()
    answered = puzzle.answers.to(Position.of(game), number_of(game, action))
    return {
        "right": answered is not None and answered.right,
        "best": puzzle.answers.best.move.text,
        "gives_away": None if answered is None else round(answered.behind, 3),
    }


def _puzzle(board: str, number: int) -> collection.Puzzle:
    shelf = collection.of_edition(load_board(board).id)
    if shelf is None:
        raise TableError(f"no puzzles come with {board}; there are some for {', '.join(collection.editions())}")
    return shelf.puzzles[whole_number("number", number, 1, len(shelf.puzzles), TableError) - 1]


def of_tables(tables: AssistantTables) -> tuple[Callable[..., object], ...]:
    """Return the tools that need the tables of a server."""

    def new_table(
        board: Board,
        players: Annotated[
            list[str], Field(description="One for each seat: `me`, `open` for somebody else, or a bot, as `planner`.")
        ],
    ) -> JsonObject:
        """Begin a game. Gives a key for each seat that is `me`; with it you look and play."""
        name, keys = tables.begin(board, players)
        return {"table": name, "keys": {str(seat): key for seat, key in keys.items()}}

    def join_table(table: str) -> JsonObject:
        """Take an open seat of somebody's table."""
        seat, key = tables.join(table)
        return {"seat": seat, "key": key}

    def look(key: Key, as_data: Annotated[bool, Field(description="As JSON, not as text.")] = False) -> str:
        """See what your seat knows: market, hands, routes, tickets, and what you may do now."""
        with tables.seat(key) as (game, seat):
            return json.dumps(game.data(seat), ensure_ascii=False) if as_data else game.look(seat)

    def play(key: Key, action: Annotated[str, Field(description="As in the list of what you may do.")]) -> str:
        """Do something; the bots answer. A move that is not legal is refused with the reason, and nothing changes."""
        return tables.play(key, action)

    def history(key: Key, since: Annotated[int, Field(description="From so many lines on.")] = 0) -> str:
        """Read what your seat has seen happen."""
        with tables.seat(key) as (game, seat):
            return "\n".join(game.heard(seat, since))

    def hint(key: Key) -> JsonObject:
        """Ask the coach for the best move, from what your seat knows; for teaching."""
        position, _ = _asked(tables, key)
        advice = Coach().advise(position)
        return {
            "move": advice.move.text,
            "reason": None if advice.reason is None else sentence(advice.reason),
            "chance": advice.chance if advice.chance is None else round(advice.chance, 2),
        }

    def check_move(key: Key, action: str) -> JsonObject:
        """Ask the coach whether a move is a mistake, before you do it; for teaching."""
        position, number = _asked(tables, key, action)
        assert number is not None
        caution = Coach().caution(position, number)
        if caution is None:
            return {"mistake": False}
        return {"mistake": True, "better": caution.better.move.text, "gives_away": round(caution.lost, 2)}

    def game_record(key: Key) -> str:
        """Get the record of your game once it is over, for review_game."""
        return tables.record(key)

    return new_table, join_table, look, play, history, hint, check_move, game_record


def _asked(tables: AssistantTables, key: str, action: str | None = None) -> tuple[Position, int | None]:
    """Return the position of the seat, and the number of an action there, to think about with the table free."""
    with tables.seat(key) as (game, seat):
        if game.asked != seat:
            raise TableError("it is not your turn")
        return Position.of(game.game), None if action is None else number_of(game.game, action)


def all_tools(tables: AssistantTables) -> tuple[Callable[..., object], ...]:
    """Return every tool."""
    return (
        *(list_boards, list_bots, read_rules, read_map, score_sheet, ask_referee, notate_game, review_game),
        *(puzzle, answer_puzzle),
        *of_tables(tables),
    )
