"""`branchline board balance`: how a board plays, by many games between bots; and what might be changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.commands.board import app, sound_board
from branchline.commands.files import CommandError, write_json, write_text
from branchline.commands.progress import Reporter, progress
from branchline.commands.screen import columns, counted, plain, say, show
from branchline.decoding import UndecodableError, decoded

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

    from branchline.arena.balance import AtSeats, Balance
    from branchline.arena.balance.improve import TriedChange
    from branchline.boards import Board

INTERRUPTED = 130
GAMES = 2_000
MOST_GAMES = 100_000
MOST_SECONDS = 1_000_000
MOST_NAMED = 8  # routes or tickets on the screen


@app.command()
def balance(
    board: Annotated[str, typer.Argument(metavar="NAME|DIR", help="Name or folder of a board.")],
    games: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_GAMES, help="Games at each number of seats.", show_default=f"{GAMES:,}"),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0, max=MOST_SECONDS, help="Begin no game after so many seconds.")
    ] = None,
    seats: Annotated[
        str | None, typer.Option(metavar="N,N…", help="Numbers of seats.", show_default="all of the board")
    ] = None,
    jobs: Annotated[int, typer.Option(min=0, max=1024, help="Number of processes; 0: one for each core.")] = 0,
    on: Annotated[str, typer.Option(metavar="ENGINE", help="Where games run: `processes` or `ray`.")] = "processes",
    ray: Annotated[bool, typer.Option("--ray", help="The same as --on ray.")] = False,
    seed: Annotated[int, typer.Option(min=0, max=2**62 - 1, help="The same seed gives the same games.")] = 0,
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write a report as one HTML file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON.")] = False,
    improve: Annotated[
        bool, typer.Option("--improve", help="Try suggested ticket values and route colours by the same games.")
    ] = False,
    write: Annotated[
        str | None, typer.Option(metavar="DIR", help="With --improve: write a copy with what helped to a new folder.")
    ] = None,
) -> None:
    """Describe how a board plays: routes, tickets, order of play, blocking; beside the figures of the editions."""
    from branchline.arena.balance import figures
    from branchline.arena.balance.page import balance_html

    if write is not None and not improve:
        raise CommandError("--write needs --improve")
    if html is not None and not html.lower().endswith((".html", ".htm")):
        raise CommandError(f"--html: expected a name that ends with .html, not {plain(html)}")
    chosen = sound_board(board)
    folder = _new_folder(write, chosen) if write is not None else None
    asked = (MOST_GAMES if seconds is not None else GAMES) if games is None else games
    numbers = _numbers(seats)
    engine = "ray" if ray else on

    def played(which: Board, count: int, limit: float | None) -> Balance:
        return figures(_played(which, count, seed, numbers, limit, jobs, engine))

    balance = played(chosen, asked, seconds)
    tried: tuple[TriedChange, ...] | None = None
    if improve and balance.tables and not balance.stopped:
        tried = _tried(balance, played)
    if as_json:
        write_json(balance.as_dict() | ({} if tried is None else {"changes": [_as_dict(trial) for trial in tried]}))
    else:
        _show(balance, tried)
    tell = (lambda _: None) if as_json else say
    if html is not None:
        write_text(html, balance_html(balance, tried))
        tell(f"Report written to {plain(html)}.")
    if folder is not None and tried is not None:
        _write_copy(chosen, tried, folder)
        tell(f"A copy with {counted(sum(trial.helped for trial in tried), 'change')} written to {plain(str(folder))}.")
    if balance.stopped:
        raise typer.Exit(INTERRUPTED)


def _numbers(seats: str | None) -> list[int] | None:
    if seats is None:
        return None
    parts = [part.strip() for part in seats.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        raise CommandError(f"--seats: expected numbers such as 2,3,4, not {plain(seats)}")
    return [int(part) for part in parts]


def _played(
    board: Board, games: int, seed: int, seats: list[int] | None, seconds: float | None, jobs: int, on: str
) -> tuple[AtSeats, ...]:
    from branchline.arena.balance import play_balance
    from branchline.arena.balance.games import BalanceCourse

    whole = BalanceCourse(board, games, seed, seats, seconds).asked
    with progress(board.title, whole) as done:
        return play_balance(
            board,
            games,
            seed,
            seats=seats,
            seconds=seconds,
            jobs=jobs,
            on=on,
            on_progress=lambda count, _whole: done(count),
            on_look=_first_figures(done),
        )


def _first_figures(done: Reporter) -> Callable[[tuple[AtSeats, ...]], None] | None:
    """Return what prints the results so far above the bar."""
    if not done.live:
        return None
    from branchline.arena.balance import figures

    return lambda played: done.show(_glance(figures(played)))


# ------------------------------------------------------------------------------------------------ improve


def _tried(balance: Balance, played: Callable[[Board, int, float | None], Balance]) -> tuple[TriedChange, ...]:
    """Return the suggested changes, and their effect in the same games."""
    from branchline.arena.balance.improve import changed, suggestions, tried

    changes = suggestions(balance)
    if not changes:
        return ()
    games = max(table.games for table in balance.tables)
    return tried(changes, balance, played(changed(balance.board, changes), games, None))


def _new_folder(path: str, board: Board) -> Path:
    """Return a folder for a copy: one that does not exist yet, or an empty one."""
    folder = Path(path)
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise CommandError(f"--write: {plain(path)} is there already; name a new folder")
    except (OSError, ValueError) as error:
        raise CommandError(f"--write: {plain(path)}: {getattr(error, 'strerror', None) or error}") from None
    if board.folder is None:
        raise CommandError(f"--write: {board.title} has no folder to copy")
    return folder


def _write_copy(board: Board, tried: tuple[TriedChange, ...], folder: Path) -> None:
    """Write the folder of the board with the changes that helped."""
    from branchline.workshop import applied, read_draft
    from branchline.workshop.improving import step_of

    assert board.folder is not None
    try:
        files = {
            file.name: decoded(file.read_bytes()).text
            for file in sorted(board.folder.iterdir())
            if file.is_file() and file.suffix in (".toml", ".csv", ".geojson", ".json", ".md", ".txt")
        }
        draft, _ = read_draft(files)
        better = applied(draft, step_of(draft, [trial.change for trial in tried if trial.helped]))
        written = draft.files()
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in better.files().items():
            kept = files.get(name, text) if text == written[name] else text  # with its comments where it stays as it is
            (folder / name).write_text(kept, encoding="utf-8")
    except UndecodableError:
        raise CommandError(
            f"{plain(os.fspath(board.folder))}: one of its texts is not UTF-8 text; no copy was written"
        ) from None
    except OSError as error:
        reason = error.strerror or error
        raise CommandError(f"{plain(os.fspath(folder))}: cannot be written: {reason}") from None


def _as_dict(trial: TriedChange) -> dict[str, object]:
    return {
        "kind": trial.change.kind,
        "name": trial.change.name,
        "items": list(trial.change.items),
        "from": list(trial.change.before),
        "to": list(trial.change.after),
        "before": round(trial.before, 3),
        "after": round(trial.after, 3),
        "helped": trial.helped,
    }


# ------------------------------------------------------------------------------------------------ what is shown


def _show(balance: Balance, tried: tuple[TriedChange, ...] | None) -> None:
    from branchline.arena.balance.verdict import verdict

    board = balance.board
    say(f"{plain(board.title)}: how it plays", style="bold")
    say(f"{counted(balance.games, 'game')}, seed {balance.seed}, {balance.seconds:.1f} s, {plain(balance.bot)}")
    if balance.stopped:
        say("Stopped before all games were played.", style="bold")
    if not balance.tables:
        return
    say()
    for sentence in verdict(balance):
        say(plain(sentence.text.format(**sentence.fields)))
    say()
    show(_glance(balance))
    say()
    show(_of_the_map(balance))
    say()
    show(_bottlenecks(balance))
    say()
    show(_tickets(balance))
    if tried is not None:
        say()
        if tried:
            show(_changes(tried))
        else:
            say("No suggestions.")
    say()
    if board.reconstructed:
        say("The map is a reconstruction; see `branchline board list`.")
    say("Editions: from the least to the most of the five, with these numbers of seats; docs/balance.md explains all.")


def _glance(balance: Balance) -> Table:
    from branchline.arena.balance.ranges import SEAT_FIGURES, range_of, spelt
    from branchline.arena.balance.verdict import marked

    seats = [str(table.seats) for table in balance.tables]
    table = columns("seats", *seats, "editions", right=(*seats, "editions"))
    keyed = [table.keyed() for table in balance.tables]
    for name, figure in SEAT_FIGURES.items():
        if any(figures.get(name) for figures in keyed):
            spans = [span for table in balance.tables if (span := range_of(name, table.seats)) is not None]
            whole = (min(low for low, _ in spans), max(high for _, high in spans)) if spans else None
            values = (
                marked(figure, here.get(name), range_of(name, table.seats))
                for table, here in zip(balance.tables, keyed, strict=True)
            )
            table.add_row(figure.name, *values, spelt(figure, whole))
    return table


def _of_the_map(balance: Balance) -> Table:
    from branchline.arena.balance.ranges import MAP_FIGURES, OFFICIAL, range_of, spelt
    from branchline.arena.balance.verdict import marked

    table = columns("map and tickets", "here", "editions", "official", right=("here", "editions", "official"))
    keyed = balance.keyed()
    for name, figure in MAP_FIGURES.items():
        value = marked(figure, keyed.get(name), range_of(name))
        table.add_row(figure.name, value, spelt(figure, range_of(name)), spelt(figure, OFFICIAL.get(name)))
    return table


def _bottlenecks(balance: Balance) -> Table:
    full = balance.tables[-1]
    numbers = ("contested", "claimed", "blocks", "tickets", "detour")
    table = columns(f"bottlenecks, {counted(full.seats, 'seat')}", *numbers, right=numbers)
    for connection in sorted(full.connections, key=lambda each: -each.contested)[:MOST_NAMED]:
        table.add_row(
            plain(connection.connection.name),
            *(f"{100 * share:.0f} %" for share in (connection.contested, connection.used, connection.blocking)),
            f"{connection.load:.1f}",
            "none" if connection.detour is None else f"+{connection.detour}",
        )
    return table


def _tickets(balance: Balance) -> Table:
    """Return the tickets that pay most and least against others of their length, and those that are never kept."""
    numbers = ("value", "spaces", "kept", "done", "net", "against its like", "suggested")
    table = columns("ticket", *numbers, right=numbers)
    known = sorted(
        (ticket for ticket in balance.tickets if ticket.off), key=lambda ticket: -(ticket.off.mean if ticket.off else 0)
    )
    never = [ticket for ticket in balance.tickets if ticket.never_kept and ticket.off is None]
    half = MOST_NAMED
    shown = known if len(known) <= 2 * half else [*known[:half], *known[-half:]]
    for ticket in [*shown, *never]:
        table.add_row(
            plain(ticket.ticket.name),
            str(ticket.ticket.value),
            str(ticket.way),
            f"{100 * ticket.kept / max(1, ticket.offered):.0f} %",
            f"{100 * ticket.done / max(1, ticket.held):.0f} %" if ticket.held else "–",
            "–" if ticket.net is None else f"{ticket.net.mean:+.1f}",
            "–" if ticket.off is None else f"{ticket.off.mean:+.1f}",
            "" if ticket.suggested is None else str(ticket.suggested),
        )
    return table


def _changes(tried: tuple[TriedChange, ...]) -> Table:
    numbers = ("from", "to", "before", "after")
    table = columns("suggested change", *numbers, "", right=numbers)
    for trial in tried:
        share = trial.change.kind == "route"
        table.add_row(
            plain(trial.change.name),
            " / ".join(trial.change.before),
            " / ".join(trial.change.after),
            *(f"{100 * value:.0f} %" if share else f"{value:+.1f}" for value in (trial.before, trial.after)),
            "helps" if trial.helped else "does not help",
        )
    return table
