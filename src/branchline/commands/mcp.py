"""`branchline mcp`: let assistants play, teach and check by the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from branchline.commands.files import CommandError


def mcp(
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP, not over standard input and output.")] = False,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="With --http: address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="With --http: port to listen on.")] = 8765,
    seed: Annotated[int | None, typer.Option(min=0, help="Deal the same games each time; for tests.")] = None,
) -> None:
    """Let assistants play, teach and check games by the Model Context Protocol."""
    try:
        from branchline.assistants.server import make_server
    except ImportError as fault:
        raise CommandError(f"needs {fault.name}: pip install 'branchline[mcp]'") from None
    server = make_server(seed)
    if http:
        typer.echo(f"Assistants connect to http://{host}:{port}/mcp. Ctrl-C stops the server.", err=True)
        server.run("streamable-http", host=host, port=port)
    else:
        server.run("stdio")
