"""`branchline tournament`: all bots play each other and are rated."""

from __future__ import annotations

import importlib.util
import json
import secrets
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.commands.board import sound_board
from branchline.commands.files import CommandError, write_json, write_text
from branchline.commands.progress import progress
from branchline.commands.screen import between, columns, counted, plain, say, show
from branchline.commands.simulate import INTERRUPTED, MOST_GAMES, show_order
from branchline.commands.weights import say_notes, say_weights

if TYPE_CHECKING:
    from branchline.arena import Folder, Tournament

MOST_GAMES_OF_A_PAIRING = 200
MATRIX_MOST = 8  # bots; more columns fit on no screen


def tournament(
    edition: Annotated[str, typer.Argument(help="An edition, or a board folder.")],
    bots: Annotated[str, typer.Option(metavar="BOT,BOT…", help="The bots; see `branchline bots`.")] = "greedy,random",
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_GAMES,
            help="Maximum number of games of each pairing.",
            show_default="200; 20,000 a challenge",
        ),
    ] = None,
    seats: Annotated[int, typer.Option(help="Number of seats; each combination of that many bots is a pairing.")] = 2,
    jobs: Annotated[int, typer.Option(min=0, max=1024, help="Number of processes; 0: one for each core.")] = 1,
    on: Annotated[str, typer.Option(metavar="ENGINE", help="Where games run: `processes` or `ray`.")] = "processes",
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**62 - 1, help="The same seed gives the same results.")
    ] = None,
    folder: Annotated[
        str | None, typer.Option(metavar="DIR", help="Store everything in this folder, and resume from it.")
    ] = None,
    report: Annotated[str | None, typer.Option(metavar="FILE", help="Write the report, as .html.")] = None,
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help="Save every game, as .parquet, .csv or .jsonl.")
    ] = None,
    challenge: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help="With --folder: let this bot play the best one there until a test has decided, as --sprt.",
        ),
    ] = None,
    sprt: Annotated[bool, typer.Option("--sprt", help="Stop a pairing as soon as it is decided.")] = False,
    elo0: Annotated[
        float, typer.Option(help="With --sprt: first hypothesis, how many Elo points the first bot is stronger.")
    ] = 0.0,
    elo1: Annotated[float, typer.Option(help="The other hypothesis.")] = 20.0,
    alpha: Annotated[float, typer.Option(help="Probability of wrongly accepting --elo1.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Probability of wrongly accepting --elo0.")] = 0.05,
    as_json: Annotated[bool, typer.Option("--json", help="Print all results as JSON.")] = False,
) -> None:
    """Let all bots play each other with the same seeds in all seats; show ratings with 95 % intervals."""
    from branchline.arena import Export, Folder, Sprt
    from branchline.arena import challenge as play_best
    from branchline.arena import tournament as play
    from branchline.arena.tournaments import MOST_OF_A_CHALLENGE, plan_challenge, plan_tournament, with_those_before

    board = sound_board(edition)
    names = [name.strip() for name in bots.split(",")]
    test = Sprt(elo0, elo1, alpha, beta) if sprt or challenge is not None else None
    place = Folder(folder) if folder is not None else None
    most = games or (MOST_GAMES_OF_A_PAIRING if challenge is None else MOST_OF_A_CHALLENGE)
    seed = _seed(seed, place)
    if challenge is None:
        everybody, known = with_those_before(names, place)
        _, pairings = plan_tournament(board, everybody, most, seed, seats=seats, sprt=test, known=known)
    elif place is None:
        raise CommandError("--challenge needs the folder of a tournament: --folder DIR")
    else:
        _, pairings, _, _ = plan_challenge(board, challenge, place, most, names, test)
    if report is not None and not report.lower().endswith((".html", ".htm")):
        raise CommandError(f"--report: expected a name that ends with .html, not {plain(report)}")
    export = Export(out) if out is not None else None
    try:
        with progress(board.title, sum(pairing.asked for pairing in pairings)) as done:
            if challenge is None or place is None:
                outcome = play(
                    board, names, most, seed, seats=seats, jobs=jobs, on=on, sprt=test, folder=place, on_progress=done
                )
            else:
                outcome = play_best(
                    board, challenge, place, most, bots=names, sprt=test, jobs=jobs, on=on, on_progress=done
                )
        if export:
            export.write(outcome)
    finally:
        if export:
            export.drop()
    if place:
        _keep(outcome, place)
    if as_json:
        write_json(outcome.as_dict())
        say_notes(board)
    else:
        _show(outcome)
    if report is not None:
        write_text(report, outcome.report())
    if outcome.results.stopped:
        if not as_json:
            say("Run the same command again to resume." if folder else "To be able to resume, use --folder DIR.")
        raise typer.Exit(INTERRUPTED)


def _seed(seed: int | None, folder: Folder | None) -> int:
    """Return the chosen seed, that of the tournament in the folder, or a new one."""
    if seed is not None:
        return seed
    kept = folder.plan.get("seed") if folder and folder.plan else None
    return kept if isinstance(kept, int) else secrets.randbelow(1 << 31)


def _keep(outcome: Tournament, folder: Folder) -> None:
    """Write all results into the folder; games as Parquet where that is installed."""
    from branchline.arena import Export

    kind = "parquet" if importlib.util.find_spec("pyarrow") else "csv"
    export = Export(folder.path / f"games.{kind}")
    try:
        export.write(outcome)
    finally:
        export.drop()
    folder.write("results.json", json.dumps(outcome.as_dict(), indent=2) + "\n")
    folder.write("report.html", outcome.report())
    if outcome.results.played > outcome.resumed:
        ratings = {rating.bot: round(rating.elo.mean, 1) for rating in outcome.ratings}
        tests = {", ".join(pairing.bots): pairing.why for pairing in outcome.pairings if pairing.sprt is not None}
        line = {"date": date.today().isoformat(), "games": outcome.results.played, "elo": ratings}
        folder.note(line | ({"tests": tests} if tests else {}))


# ------------------------------------------------------------------------------------------------ what is shown


def _show(outcome: Tournament) -> None:
    results = outcome.results
    say(
        f"{results.board.title}: tournament of {counted(len(results.bots), 'bot')}, {results.seats} seats", style="bold"
    )
    kept = f", {outcome.resumed:,} of them from earlier runs" if outcome.resumed else ""
    say(f"{counted(results.played, 'game')}{kept}, seed {results.seed}, {results.seconds:.1f} s")
    say_weights(results)
    if results.stopped:
        say(f"Stopped after {results.played:,} of {results.asked:,} games.", style="bold")
    if results.played == 0:
        return
    say()
    _show_ratings(outcome)
    if len(results.bots) <= MATRIX_MOST:
        say()
        _show_matrix(outcome)
    say()
    show_order(results)
    say()
    for pairing in outcome.pairings:
        if pairing.sprt is not None:
            say(f"{', '.join(pairing.bots)}: {pairing.why}.")
    if results.board.reconstructed:
        say("The map is a reconstruction; see `branchline board list`.")
    say("Elo: Bradley–Terry, mean 0. 95 % intervals: block bootstrap, by seed.")


def _show_ratings(outcome: Tournament) -> None:
    numbers = ("Elo", "95 %", "games", "won", "score", "95 % ")
    standing = {standing_of_bot.bot: standing_of_bot for standing_of_bot in outcome.results.standings}
    table = columns("bot", *numbers, right=numbers)
    for rating in outcome.ratings:
        standing_of_bot = standing[rating.bot]
        table.add_row(
            plain(rating.bot),
            f"{round(rating.elo.mean):+d}",
            f"{round(rating.elo.low):+d} … {round(rating.elo.high):+d}",
            f"{standing_of_bot.appearances:,}",
            f"{100 * standing_of_bot.win_share.mean:.1f} %",
            f"{standing_of_bot.score.mean:.1f}",
            between(standing_of_bot.score),
        )
    show(table)


def _show_matrix(outcome: Tournament) -> None:
    bots = [rating.bot for rating in outcome.ratings]
    table = columns("ranks above, in %", *bots, right=tuple(bots))
    for bot in bots:
        shares = [outcome.matrix.get((bot, other)) for other in bots]
        table.add_row(plain(bot), *("–" if share is None else f"{100 * share.mean:.1f}" for share in shares))
    show(table)
