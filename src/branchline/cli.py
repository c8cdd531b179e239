"""The command line: registers the commands, one from each module of `branchline.commands`.

Bad input prints one line on standard error and exits with code 2; Ctrl-C exits with 130.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import typer

BAD_INPUT = 2
INTERRUPTED = 130

# Click's UsageError; newer versions of typer bundle their own copy of click.
UsageFault: Any = typer.BadParameter.__mro__[1]

COMMANDS = {
    "simulate": "simulate.simulate",
    "tournament": "tournament.tournament",
    "tune": "tune.tune",
    "train": "train.train",
    "replay": "replay.replay",
    "analyse": "analyse.analyse",
    "score": "score.score",
    "notate": "notate.notate",
    "puzzles": "puzzles.app",
    "board": "board.app",
    "bots": "bots.app",
    "bench": "bench.bench",
    "compile": "compile.compile_rules",
    "demo": "demo.demo",
    "serve": "serve.serve",
    "rooms": "rooms.app",
}
"""Each command, and where it is: a module of `branchline.commands`, and a function or a group of commands in it."""

MORE = {"board": ("balance", "workshop")}
"""Further modules, which add commands of their own to a group."""


def application(arguments: Sequence[str] = ()) -> typer.Typer:
    """The command line. Where the arguments begin with a command, only that one is imported."""
    app = typer.Typer(
        name="branchline",
        help="Play, watch, study and simulate railway-route board games.",
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(branchline)
    for name in arguments[:1] if arguments and arguments[0] in COMMANDS else COMMANDS:
        module, _, what = COMMANDS[name].partition(".")
        command = getattr(import_module(f"branchline.commands.{module}"), what)
        for further in MORE.get(name, ()):
            import_module(f"branchline.commands.{further}")
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def branchline(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version."),
) -> None:
    """Play, watch, study and simulate railway-route board games."""
    if version:
        from branchline import __version__

        typer.echo(f"branchline {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    _steady_streams()
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run a command; its exit code."""
    try:
        code = application(arguments)(args=list(arguments), prog_name="branchline", standalone_mode=False)
        sys.stdout.flush()
    except UsageFault as fault:
        return refuse(_usage(fault))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has gone
        _give_up_output()
        return 1
    except OSError as fault:  # a disk that is full, a stream that cannot be read
        _give_up_output()
        return refuse(f"{fault.filename or 'standard output'}: {fault.strerror or fault}")
    except Exception as fault:
        from branchline.errors import BranchlineError

        if not isinstance(fault, BranchlineError):
            raise
        return refuse(str(fault))
    return code if isinstance(code, int) else 0


def _steady_streams() -> None:
    """Closed streams become empty ones; what a terminal cannot show becomes a question mark, never an error."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115  stays open to the end
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _give_up_output() -> None:
    """Let nothing more be written to standard output, at the end of Python either."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refuse(reason: str) -> int:
    """One line on standard error; the exit code for bad input."""
    print(f"branchline: {' '.join(reason.split())}", file=sys.stderr)
    return BAD_INPUT


def _usage(fault: Any) -> str:
    """What is wrong with the call, and where help is."""
    said = fault.format_message()
    if not said or "Usage:" in said:  # a group called without a command: its help
        said = "missing command"
    called = fault.ctx.command_path if fault.ctx else "branchline"
    return f"{said.rstrip('.')}; see `{called} --help`"
