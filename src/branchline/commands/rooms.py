"""`branchline rooms`: the rooms of a server: list, back up, restore, purge, export."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from branchline.commands.files import CommandError, write_json
from branchline.commands.screen import columns, counted, plain, say, show

if TYPE_CHECKING:
    from branchline.web.core.store.database import Store

app = typer.Typer(name="rooms", help="Back up, restore, purge or export the rooms of a server.", add_completion=False)

Database = Annotated[
    str, typer.Option(metavar="URL", envvar="BRANCHLINE_DATABASE", help="Where games are kept.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Days = Annotated[float, typer.Option(min=0, metavar="DAYS", help="Age, since the room was last touched.")]


@app.command("list")
def list_rooms(
    database: Database = "",
    limit: Annotated[int, typer.Option(min=1, help="At most so many, the latest first.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List rooms, those that were touched last first."""
    from branchline.web.core.store.listing import latest

    with _store(database) as store:
        rooms = latest(store, limit)
    if as_json:
        write_json(rooms)
        return
    numbers = ("seats", "turns")
    table = columns("room", "board", "status", *numbers, "created", "touched", right=numbers)
    for room in rooms:
        when = (_date(room["created"]), _date(room["touched"]))
        table.add_row(room["room"], plain(room["board"]), room["status"], str(room["seats"]), str(room["turns"]), *when)
    show(table)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, for instance rooms.jsonl.gz.")],
    database: Database = "",
    as_json: AsJson = False,
) -> None:
    """Write everything into one file, while the server runs."""
    from branchline.web.core.store.backup import backup

    rows = backup(_url(database), file)
    if as_json:
        write_json({"file": str(file), "rows": rows})
    else:
        say(f"{counted(rows, 'row')} in {file}")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `rooms backup` has written.")],
    database: Database = "",
    replace: Annotated[bool, typer.Option("--replace", help="Throw away what the database holds.")] = False,
    as_json: AsJson = False,
) -> None:
    """Fill a database from a backup; SQLite or PostgreSQL, whichever it was taken from. Stop the server first."""
    from branchline.web.core.store.backup import restore

    rows = restore(_url(database), file, replace=replace)
    if as_json:
        write_json({"file": str(file), "rows": rows})
    else:
        say(f"{counted(rows, 'row')} restored")


@app.command()
def purge(
    days: Days,
    database: Database = "",
    finished: Annotated[bool, typer.Option("--finished", help="Only rooms whose game is over.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many there are.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete rooms that nobody has touched for some days, finished or not."""
    from branchline.web.core.store.purge import purge

    with _store(database) as store:
        done = purge(store, days, None if finished else days, dry_run=dry_run)
    if as_json:
        write_json({"finished": done.finished, "unfinished": done.unfinished, "dry_run": dry_run})
    else:
        kinds = f"{done.finished:,} finished, {done.unfinished:,} unfinished"
        say(f"{counted(done.rooms, 'room')} {'would be ' if dry_run else ''}deleted: {kinds}")


@app.command()
def export(
    target: Annotated[Path, typer.Argument(metavar="DIR|FILE.jsonl", help="A folder, or a file with a game a line.")],
    database: Database = "",
    as_json: AsJson = False,
) -> None:
    """Write the records of all finished games."""
    with _store(database) as store:
        written, unreadable = _export(store, target)
    if as_json:
        write_json({"games": written, "unreadable": unreadable})
    else:
        say(f"{counted(written, 'game')} in {target}")
        for room in unreadable:
            say(f"room {room} cannot be read: it was played by other rules, or its board is gone")


def _export(store: Store, target: Path) -> tuple[int, list[str]]:
    """Return how many games were written, and the rooms that could not be."""
    from branchline.web.core.rooms.records import finished_records

    unreadable: list[str] = []

    def records() -> Iterator[tuple[str, dict[str, object]]]:
        for room, record in finished_records(store):
            if record is None:
                unreadable.append(room)
            else:
                yield room, record

    written = 0
    try:
        if target.suffix == ".jsonl":
            with target.open("x", encoding="utf-8") as file:
                for room, record in records():
                    file.write(json.dumps({"room": room, **record}, ensure_ascii=False) + "\n")
                    written += 1
        else:
            target.mkdir(parents=True, exist_ok=True)
            for room, record in records():
                text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
                (target / f"{room}.json").write_text(text, encoding="utf-8")
                written += 1
    except FileExistsError:
        raise CommandError(f"{target}: is there already") from None
    except OSError as error:
        raise CommandError(f"{target}: cannot be written: {error.strerror or error}") from None
    return written, unreadable


@contextlib.contextmanager
def _store(database: str) -> Iterator[Store]:
    """Yield the store of an existing, current database; a fault of it ends as one line."""
    url = _url(database)
    from branchline.web.core.store.backup import existing, explained
    from branchline.web.core.store.database import Store

    existing(url).dispose()
    store = Store(url, upgrade=False)
    with explained(store.engine):
        yield store


def _url(database: str) -> str:
    if importlib.util.find_spec("sqlalchemy") is None:
        raise CommandError("the web server is not installed; run `pip install 'branchline[web]'`")
    from branchline.web.core.settings import default_database

    return database or default_database()


def _date(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))
