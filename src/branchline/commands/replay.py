"""`branchline replay`: replay a recorded game, print it and draw it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from branchline.commands.board import ThemeName, ThemeOption, picture, sound_board
from branchline.commands.files import DASH, CommandError, called, parse_json, read_text, write_json, write_text
from branchline.commands.screen import counted, plain, say
from branchline.commands.sheet import show_sheet, show_tickets, show_winners
from branchline.plain_data import JsonObject

if TYPE_CHECKING:
    from branchline.game import Game, Record

ACTION_WIDTH = 36


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="The record; - reads standard input.")],
    moves: Annotated[bool, typer.Option("--moves", help="Print every action and its result.")] = False,
    at: Annotated[int | None, typer.Option("--at", metavar="N", min=0, help="Stop after N actions.")] = None,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE|-", help="Draw the position into this file.")
    ] = None,
    theme: ThemeOption = ThemeName.light,
    board: Annotated[
        str | None, typer.Option("--board", metavar="NAME|DIR", help="The board, if the record's own is not found.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Replay a recorded game, check that it ends as recorded, and show the result."""
    if as_json and svg == DASH:
        raise CommandError("--json and --svg - cannot both use standard output")
    record = read_record(file)
    game, log = _played(file, record, board, at)
    names = [*record.names, *(f"seat {seat}" for seat in range(len(record.names), record.seats))][: record.seats]
    if svg is not None:
        write_text(svg, picture(game, theme))
    if as_json:
        write_json(_as_json(game, names, log if moves else None))
    elif svg != DASH:
        _show(game, record, names, log if moves else None, at)


def read_record(source: str) -> Record:
    """Return a record from a file or standard input. Raise `CommandError`."""
    from branchline.game import Record, RecordError

    text = read_text(source, "record of a game")
    value = parse_json(text, source)
    if isinstance(value, dict) and "edition" in value and "branchline_record" not in value:
        raise CommandError(f"{called(source)}: this is a position, not a recorded game; see `branchline score`")
    try:
        return Record.from_json(text)
    except RecordError as error:
        raise CommandError(f"{called(source)}: {error}") from None


def _played(source: str, record: Record, board: str | None, at: int | None) -> tuple[Game, list[tuple[str, str]]]:
    """Return the game after `at` actions (None: after all), and each action with what happened."""
    from branchline.game import RecordError

    if at is not None and at > len(record.actions):
        raise CommandError(f"--at {at}: the record has {len(record.actions)} actions")
    log: list[tuple[str, str]] = []
    on = None if board is None else sound_board(board)
    try:
        steps = record.steps(on)
        game = next(steps)
        for game in steps if at != 0 else ():
            log.append((game.actions[-1], "; ".join(event.text for event in game.events)))
            if len(log) == at:
                break
        else:
            if at is None:
                record.check_end(game)
    except RecordError as error:
        raise CommandError(f"{called(source)}: {str(error).splitlines()[0]}") from None
    return game, log


def _show(game: Game, record: Record, names: list[str], log: list[tuple[str, str]] | None, at: int | None) -> None:
    from branchline.tabletop.position import as_json as components

    say(f"edition {game.board.id}   rules {record.rules_version}   seats {game.seats}   seed {game.seed}")
    if log is not None:
        say("   ".join(f"{seat} {plain(name)}" for seat, name in enumerate(names)))
    for action, happened in log or ():
        say(f"{action:<{ACTION_WIDTH}} | {happened}".rstrip(" |"))
    say()
    scores = game.scores
    seats = [components(seat) for seat in scores.seats]
    show_sheet(game.board, names, seats, final=scores.final)
    say()
    if scores.final:
        show_tickets(names, seats)
        show_winners(game.board, names, seats, scores.winners)
    question = game.question
    if question.seat is not None:
        asked = f"{question.kind}, {counted(len(game.legal), 'possible answer')}"
        say(f"Next question, for {plain(names[question.seat])}: {asked}.")
    played, recorded = len(game.actions), len(record.actions)
    length = counted(played, "action") if at in (None, recorded) else f"{played} of {counted(recorded, 'action')}"
    say(f"{counted(_turns(game), 'turn')}, {length}.")


def _turns(game: Game) -> int:
    return game.view(None).turns


def _as_json(game: Game, names: list[str], log: list[tuple[str, str]] | None) -> dict[str, object]:
    from branchline.tabletop.position import scores_as_json

    scores, question = game.scores, game.question
    answer: JsonObject = {
        "edition": game.board.id,
        "seats": game.seats,
        "names": names,
        "seed": game.seed,
        "actions": len(game.actions),
        "turns": _turns(game),
        "over": game.over,
        "question": {"seat": question.seat, "kind": question.kind},
        "fingerprint": game.fingerprint,
        "scores": scores_as_json(scores),
    }
    if log is not None:
        answer["moves"] = [
            {"seat": int(action.partition(" ")[0]), "action": action.partition(" ")[2], "happened": happened}
            for action, happened in log
        ]
    return answer
