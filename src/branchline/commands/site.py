"""`branchline site`: the web application as static files."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from branchline.commands.files import CommandError
from branchline.commands.screen import say


def site(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to be written: new, empty, or an older site.")],
    base: Annotated[
        str, typer.Option(metavar="PATH", help="Path of the address where it will be, as in /games/.")
    ] = "/",
) -> None:
    """Write a folder of static files that plays in browsers without any server.

    Any web server can serve it, also `python -m http.server`; it works offline after the first visit. It needs https,
    or an address of this very machine. Pyodide (14 MB) is fetched from npm the first time and kept.
    """
    if importlib.util.find_spec("starlette") is None:
        raise CommandError("this needs the extra `web`: pip install 'branchline[web]'")
    from branchline.site.building import build

    sizes = build(folder, base)
    say(f"{folder}: {len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB")
    say(f"To try it: python -m http.server --directory {folder} 8000, then http://localhost:8000{base}")
