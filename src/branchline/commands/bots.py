"""`branchline bots`: who can be played against."""

from __future__ import annotations

from typing import Annotated

import typer

from branchline.commands.files import write_json
from branchline.commands.screen import columns, plain, show


def bots(as_json: Annotated[bool, typer.Option("--json", help="The list for machines.")] = False) -> None:
    """List the bots that are installed."""
    from branchline.bots import bot_names, describe

    found = [{"name": name, "says": describe(name)} for name in bot_names()]
    if as_json:
        write_json(found)
        return
    table = columns("bot", "plays like this")
    for one in found:
        table.add_row(plain(one["name"]), plain(one["says"]))
    show(table)
