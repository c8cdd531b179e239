"""`branchline simulate`: many games between bots, with statistics."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.commands.board import sound_board
from branchline.commands.files import CommandError, write_json
from branchline.commands.progress import progress
from branchline.commands.screen import between, between_shares, columns, counted, plain, say, show
from branchline.commands.weights import say_notes, say_weights
from branchline.plain_data import JsonObject

if TYPE_CHECKING:
    from rich.table import Table

    from branchline.arena import Order, Results, Standing

INTERRUPTED = 130
MOST_GAMES = 10_000_000
ALL = "all"
"""In place of an edition, with `--audit`: every edition that comes with branchline, at every number of seats."""


def simulate(
    edition: Annotated[str, typer.Argument(help="An edition, or a board folder; with --audit also `all`.")],
    bots: Annotated[
        str | None,
        typer.Option(metavar="BOT,BOT…", help="The bots; see `branchline bots`.", show_default="greedy,random"),
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=MOST_GAMES, help="Number of games.")] = 1000,
    seats: Annotated[
        int | None, typer.Option(help="Number of seats; if there are more seats than bots, the bots take turns.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=0, max=1024, help="Number of processes; 0: one for each core.")] = 1,
    on: Annotated[str, typer.Option(metavar="ENGINE", help="Where games run: `processes` or `ray`.")] = "processes",
    seed: Annotated[int | None, typer.Option(min=0, max=2**62 - 1, help="The same seed gives the same games.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all results as JSON.")] = False,
    out: Annotated[
        str | None, typer.Option(metavar="FILE", help="Save every game, as .parquet, .csv or .jsonl.")
    ] = None,
    audit: Annotated[bool, typer.Option("--audit", help="Check the invariants after every action.")] = False,
    decisions: Annotated[
        bool, typer.Option("--decisions", help="Save every decision, with what was seen, for learning: .parquet.")
    ] = False,
    labels: Annotated[
        bool, typer.Option("--labels", help="With --decisions: save also what was hidden, hands and tickets.")
    ] = False,
    targets: Annotated[
        str | None,
        typer.Option(metavar="SEARCH", help="With --decisions: save also what this search would do: search@400."),
    ] = None,
) -> None:
    """Let bots play many games; show wins, scores and the effect of the order of play, with 95 % intervals."""
    seed = secrets.randbelow(1 << 31) if seed is None else seed
    if decisions and (audit or on != "processes"):
        raise CommandError("--decisions goes with processes of this machine and without --audit")
    if (labels or targets is not None) and not decisions:
        raise CommandError("--labels and --targets go with --decisions")
    names = [name.strip() for name in (("random" if audit else "greedy,random") if bots is None else bots).split(",")]
    if edition.strip().casefold() == ALL:
        if not audit:
            raise CommandError("the edition `all` needs --audit: simulate all --audit")
        if out is not None:
            raise CommandError("--out needs a single edition, not `all`")
        _audit_all(names, games, seats, jobs, on, seed, as_json)
        return
    if decisions:
        results = _recorded(edition, names, games, seats, jobs, seed, out, labels, targets)
    else:
        results = _played(edition, names, games, seats, jobs, on, seed, out, audit)
    if as_json:
        write_json(results.as_dict() | {"audited": audit})
        say_notes(results.board)
    else:
        _show(results, audit)
    if results.stopped:
        raise typer.Exit(INTERRUPTED)


def _played(
    edition: str,
    names: list[str],
    games: int,
    seats: int | None,
    jobs: int,
    on: str,
    seed: int,
    out: str | None,
    audit: bool,
) -> Results:
    """Play games, after checking everything that can be wrong."""
    from branchline.arena import AuditError, Export
    from branchline.arena import simulate as play
    from branchline.arena.series import plan_series

    board = sound_board(edition)
    plan_series(board, names, games, seed, seats=seats)
    export = Export(out) if out is not None else None
    try:
        with progress(f"{board.title}", games) as done:
            results = play(
                board,
                names,
                games,
                seed,
                seats=seats,
                jobs=jobs,
                on=on,
                audited=audit,
                on_progress=done,
                on_results=(lambda results: done.show(_standings_so_far(results))) if done.live else None,
            )
        if export:
            export.write(results)
    except AuditError as fault:
        raise CommandError(str(fault)) from None
    finally:
        if export:
            export.drop()
    return results


def _recorded(
    edition: str, names: list[str], games: int, seats: int | None, jobs: int, seed: int, out: str | None, labels: bool,
    targets: str | None,
) -> Results:  # fmt: skip
    """Play the same games, with every decision written to a file."""
    if out is None or not out.lower().endswith(".parquet"):
        raise CommandError("--decisions needs a file: --out FILE.parquet")
    from branchline.arena import Export
    from branchline.arena.series import plan_series
    from branchline.envs.data_set import Further, record_decisions

    board = sound_board(edition)
    plan_series(board, names, games, seed, seats=seats)
    export = Export(out)
    try:
        with progress(f"{board.title}", games) as done:
            further = Further(labels, targets)
            return record_decisions(
                board, names, games, seed, export, seats=seats, jobs=jobs, further=further, on_progress=done
            )
    finally:
        export.drop()


def _standings_so_far(results: Results) -> Table:
    numbers = ("wins", "of games", "score")
    rows: list[tuple[str, Standing | Order]]
    if _one_bot(results):
        table, rows = columns("order of play", *numbers, right=numbers), [(f"{o.position}.", o) for o in results.order]
    else:
        table, rows = columns("bot", *numbers, right=numbers), [(plain(one.bot), one) for one in results.standings]
    for name, row in rows:
        table.add_row(name, _won(row.wins), f"{100 * row.win_share.mean:.1f} %", f"{row.score.mean:.1f}")
    return table


def _one_bot(results: Results) -> bool:
    """Return whether all seats are played by the same bot, whose share of the wins says nothing."""
    return len(results.standings) == 1


def _won(wins: float) -> str:
    """Return a number of wins; shared victories count in part."""
    return f"{wins:,.2f}".removesuffix(".00")


# ------------------------------------------------------------------------------------------------ what is shown


def _show(results: Results, audited: bool) -> None:
    speed = f", {results.played / results.seconds:,.0f} games/s" if results.seconds > 0 else ""
    say(f"{results.board.title}: {', '.join(results.bots)}", style="bold")
    say(f"{counted(results.played, 'game')}, seed {results.seed}, {results.seconds:.1f} s{speed}")
    say_weights(results)
    if results.stopped:
        say(f"Stopped after {counted(results.played, 'game')} of {results.asked:,}.", style="bold")
    if results.played == 0:
        return
    if audited:
        actions = int(results.column("actions").sum())
        say(f"Audit: all invariants held after each of {actions:,} actions.")
    say()
    if _one_bot(results):
        _show_one_bot(results)
    else:
        _show_standings(results)
    say()
    _show_components(results)
    say()
    show_order(results)
    say()
    say(f"Turns of each seat: {results.turns.mean:.1f}. Decisions in a game: {results.actions:.0f}.")
    if results.shared_victories:
        say(f"Shared victories: {results.shared_victories:,}; each counts 1/k for k winners.")
    if results.dried_up:
        say(f"{counted(results.dried_up, 'game')} ended because no seat could act.")
    if results.board.reconstructed:
        say("The map is a reconstruction; see `branchline board list`.")
    if digest := getattr(results, "digest", ""):
        say(f"Digest of the decisions: {digest}")
    say("Lead: points above the mean of the table. 95 % intervals: block bootstrap, by seed.")


def _show_standings(results: Results) -> None:
    numbers = ("wins", "of games", "95 %", "score", "95 % ", "tickets")
    table = columns("bot", *numbers, right=numbers)
    uneven = len(results.standings) < len(results.bots)
    for standing in results.standings:
        table.add_row(
            plain(f"{standing.places} × {standing.bot}" if uneven else standing.bot),
            _won(standing.wins),
            f"{100 * standing.win_share.mean:.1f} %",
            between_shares(standing.win_share),
            f"{standing.score.mean:.1f}",
            between(standing.score),
            f"{standing.tickets_done:.1f} of {standing.tickets_held:.1f}",
        )
    show(table)


def _show_one_bot(results: Results) -> None:
    """Show how the bot at all seats did; which seat wins more often is told by the order of play."""
    standing = results.standings[0]
    say(plain(f"Every seat is played by the same bot, {standing.bot}; the seats differ only in the order of play."))
    say(
        f"Mean score {standing.score.mean:.1f} ({between(standing.score)}), "
        f"tickets done {standing.tickets_done:.1f} of {standing.tickets_held:.1f}."
    )


def _show_components(results: Results) -> None:
    used = [
        name
        for name in results.standings[0].components
        if any(standing.components[name] for standing in results.standings)
    ]
    table = columns("mean points from", *(plain(standing.bot) for standing in results.standings), right=results.bots)
    for name in used:
        table.add_row(name.replace("_", " "), *(f"{standing.components[name]:.1f}" for standing in results.standings))
    show(table)


def show_order(results: Results) -> None:
    """Print the effect of playing first, second, …"""
    numbers = ("wins", "of games", "95 %", "score", "lead", "95 % ")
    table = columns("order of play", *numbers, right=numbers)
    for place in results.order:
        table.add_row(
            f"{place.position}.",
            _won(place.wins),
            f"{100 * place.win_share.mean:.1f} %",
            between_shares(place.win_share),
            f"{place.score.mean:.1f}",
            f"{place.advantage.mean:+.1f}",
            between(place.advantage, "+"),
        )
    show(table)


# ------------------------------------------------------------------------------------------------ the great audit


def _audit_all(names: list[str], games: int, seats: int | None, jobs: int, on: str, seed: int, as_json: bool) -> None:
    """Audit games on all editions that come with branchline, at all numbers of seats, evenly spread."""
    from branchline.boards import builtin_boards, load_board

    boards = [load_board(name) for name in builtin_boards()]
    tables = [(board, count) for board in boards for count in range(board.seats[0], board.seats[1] + 1)]
    tables = [(board, count) for board, count in tables if seats in (None, count)]
    if not tables:
        raise CommandError(f"no edition is for {seats} seats")
    share = -(-games // len(tables))
    tables_played: list[JsonObject] = []
    stopped = False
    for board, count in tables:
        results = _played(board.id, names[:count], share, count, jobs, on, seed, None, True)
        tables_played.append(
            {
                "edition": board.id,
                "seats": count,
                "games": results.played,
                "actions": int(results.column("actions").sum()),
                "dried_up": results.dried_up,
                "shared_victories": results.shared_victories,
                "seconds": round(results.seconds, 2),
            }
        )
        stopped = results.stopped
        if stopped:
            break
    _show_audit(tables_played, names, seed, stopped, as_json)
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _show_audit(tables: list[JsonObject], names: list[str], seed: int, stopped: bool, as_json: bool) -> None:
    games = sum(table["games"] for table in tables)
    actions = sum(table["actions"] for table in tables)
    if as_json:
        write_json(
            {"bots": names, "seed": seed, "stopped": stopped, "games": games, "actions": actions, "tables": tables}
        )
        return
    numbers = ("seats", "games", "actions", "no action left", "shared", "seconds")
    table = columns("edition", *numbers, right=numbers)
    for table_row in tables:
        table.add_row(
            table_row["edition"],
            str(table_row["seats"]),
            f"{table_row['games']:,}",
            f"{table_row['actions']:,}",
            f"{table_row['dried_up']:,}",
            f"{table_row['shared_victories']:,}",
            f"{table_row['seconds']:.1f}",
        )
    show(table)
    say()
    if stopped:
        say("Stopped.", style="bold")
    say(f"{games:,} games, seed {seed}: all invariants held after each of {actions:,} actions.")
