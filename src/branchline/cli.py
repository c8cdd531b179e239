"""The command line: lists the commands, one from each module of `branchline.commands`, and runs the one called.

Bad input prints one line on standard error and exits with code 2; Ctrl-C exits with 130.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

import typer
from typer.core import TyperGroup

BAD_INPUT = 2
INTERRUPTED = 130

# Click's UsageError; newer versions of typer bundle their own copy of click.
UsageFault: Any = typer.BadParameter.__mro__[1]

PLAY, LEARN, SIMULATE, MAKE, SERVE = "Play", "Learn and analyse", "Simulate and bots", "Make boards", "Serve"

COMMANDS = {
    "score": (PLAY, "score.score", "Score a final position: who owns which routes, tickets, stations and so on."),
    "replay": (
        PLAY,
        "replay.replay",
        "Replay a recorded game, check that it ends as recorded, and show the result.",
    ),
    "notate": (
        PLAY,
        "notate.notate",
        "Turn notes of a game at the table into a record; hidden cards are filled in to fit what was noted.",
    ),
    "demo": (
        PLAY,
        "demo.demo",
        "Let bots play one game of each edition; draw the final positions and save the records.",
    ),
    "analyse": (
        LEARN,
        "analyse.analyse",
        "Review a finished game: everybody's win probability, accuracy, mistakes and luck.",
    ),
    "puzzles": (LEARN, "puzzles.app", "Puzzles: positions with one clearly best move."),
    "simulate": (
        SIMULATE,
        "simulate.simulate",
        "Let bots play many games; show wins, scores and the effect of the order of play, with 95 % intervals.",
    ),
    "tournament": (
        SIMULATE,
        "tournament.tournament",
        "Let all bots play each other with the same seeds in all seats; show ratings with 95 % intervals.",
    ),
    "evaluate": (
        SIMULATE,
        "evaluate.evaluate",
        "Write one page about a bot: wins in all editions and seats, against bots with habits, puzzles, mistakes.",
    ),
    "exploit": (
        SIMULATE,
        "exploit.exploit",
        "Look for a way to play that beats a bot, and measure what it wins: a lower bound of how exploitable it is.",
    ),
    "bots": (SIMULATE, "bots.app", "List the installed bots, or check one."),
    "tune": (
        SIMULATE,
        "tune.tune",
        "Tune the weights of `planner` for a board; keep them if they are better than the general ones.",
    ),
    "train": (SIMULATE, "train.train", "Learn to play a board by expert iteration; the file policy.npz is then a bot."),
    "benchmark": (
        SIMULATE,
        "benchmark.benchmark",
        "Grade a language model: lessons, puzzles, then whole games against the levels.",
    ),
    "bench": (SIMULATE, "bench.bench", "Measure self-play of the bots on one core, and start-up time."),
    "compile": (
        SIMULATE,
        "compile.compile_rules",
        "Compile the rules and the bots for this machine, so that nobody waits for it later (extra `native`).",
    ),
    "board": (MAKE, "board.app", "Begin, check, draw and print boards, and see how they play."),
    "serve": (SERVE, "serve.serve", "Run the web server: play in a browser with friends and bots."),
    "mcp": (SERVE, "mcp.mcp", "Let assistants play, teach and check games by the Model Context Protocol."),
    "site": (SERVE, "site.site", "Write a folder of static files that plays in browsers without any server."),
    "rooms": (SERVE, "rooms.app", "Back up, restore, purge or export the rooms of a server."),
}
"""Each command: its part of the help, where it is, and a summary, which is what its own help begins with.

It is a function, or a group of commands, in a module of `branchline.commands`.
"""

MORE = {"board": ("balance", "compare", "workshop")}
"""Further modules, which add commands of their own to a group."""


Given = ParamSpec("Given")
Option = TypeVar("Option")


def _with_bare_flags(get_params: Callable[Given, list[Option]]) -> Callable[Given, list[Option]]:
    """Return what lists options, with the type taken off flags: nothing follows them, but typer would show `<bool>`."""

    @functools.wraps(get_params)
    def listed(*given: Given.args, **named: Given.kwargs) -> list[Option]:
        options = get_params(*given, **named)
        for option in options:
            if getattr(option, "is_flag", False):
                vars(option)["metavar"] = ""
        return options

    return listed


class Commands(TyperGroup):
    """The commands. Each is imported when it is called; until then its summary stands for it."""

    get_params = _with_bare_flags(TyperGroup.get_params)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name of the command that is called, the command, and the arguments that are left for it."""
        name, summary, rest = super().resolve_command(ctx, args)
        return name, command(name) if name in COMMANDS else summary, rest


def command(name: str) -> Any:
    """Return a command or a group of commands, ready to run."""
    module, _, attribute = COMMANDS[name][1].partition(".")
    target = getattr(import_module(f"branchline.commands.{module}"), attribute)
    for further in MORE.get(name, ()):
        import_module(f"branchline.commands.{further}")
    if isinstance(target, typer.Typer):
        click_command: Any = typer.main.get_group(target)
    else:
        alone = typer.Typer(add_completion=False)
        alone.command(name)(target)
        click_command = typer.main.get_command(alone)
    click_command.name = name
    for one in (click_command, *getattr(click_command, "commands", {}).values()):
        one.get_params = _with_bare_flags(one.get_params)
    return click_command


def application() -> typer.Typer:
    """Return the command line."""
    app = typer.Typer(
        name="branchline",
        cls=Commands,
        help="Play, watch, study and simulate railway-route board games.",
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(branchline)
    for name, (section, _, summary) in COMMANDS.items():
        app.command(name, help=summary, rich_help_panel=section)(_imported_when_it_is_called)
    return app


def _imported_when_it_is_called() -> None:
    """Stand for a command whose module is not imported."""


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
    if os.getcwd() not in sys.path:  # noqa: PTH109  a module of one's own is found as by `python -m`
        sys.path.append(os.getcwd())  # noqa: PTH109
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run a command; its exit code."""
    try:
        code = application()(args=list(arguments), prog_name="branchline", standalone_mode=False)
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
    """Replace closed streams by empty ones, and show what a terminal cannot as a question mark instead of failing."""
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
    """Print one line on standard error, and return the exit code for bad input."""
    print(f"branchline: {' '.join(reason.split())}", file=sys.stderr)
    return BAD_INPUT


def _usage(fault: Any) -> str:
    """Return what is wrong with the call, and where help is."""
    message = fault.format_message()
    if not message or "Usage:" in message:  # a group called without a command: its help
        message = "missing command"
    called = fault.ctx.command_path if fault.ctx else "branchline"
    return f"{message.rstrip('.')}; see `{called} --help`"
