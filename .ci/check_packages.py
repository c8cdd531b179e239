"""Build the wheel and the sdist, install each into a clean environment, and play from there: `make package`.

The packages end up in `dist/`. The environments are made in a temporary folder outside the checkout, and pip's
cache is used, so that a second run downloads nothing. The wheel is tried with the engine and with the server. The
sdist yields the same files, so a run with interpreted rules is enough for it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
EDITIONS = ("berlin", "europe", "germany", "great_lakes", "world")
SERVER_START = 60  # seconds until the server must answer
SERVER_STOP = 20


def main() -> None:
    """Build, inspect, install, play."""
    wheel, sdist = build()
    check_contents(wheel, sdist)
    with tempfile.TemporaryDirectory(prefix="branchline-packages-") as folder:
        from_wheel = Environment(Path(folder) / "wheel")
        from_wheel.install(str(wheel))
        from_wheel.play()
        from_wheel.install(f"{wheel}[web]")
        from_wheel.serve()
        from_sdist = Environment(Path(folder) / "sdist", BRANCHLINE_INTERPRET="1")
        from_sdist.install(str(sdist))
        from_sdist.play()
    say("The packages are sound: " + ", ".join(str(one.relative_to(ROOT)) for one in (wheel, sdist)))


def build() -> tuple[Path, Path]:
    """The wheel, built from the sdist, and the sdist; their metadata pass twine's strict check."""
    shutil.rmtree(DIST, ignore_errors=True)
    say("Building wheel and sdist")
    run([sys.executable, "-m", "build", "--outdir", str(DIST), str(ROOT)])
    (wheel,), (sdist,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    run([sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(sdist)])
    return wheel, sdist


def check_contents(wheel: Path, sdist: Path) -> None:
    """The wheel holds the package and its licence, the sdist the whole checkout; neither holds anything else."""
    say("Comparing their contents with the checkout")
    files = checkout()
    package = {name.removeprefix("src/") for name in files if name.startswith("src/branchline/")}
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if not name.endswith("/")}
    metadata = {name for name in inside if ".dist-info/" in name}
    compare("wheel", expected=package, found=inside - metadata)
    expect(any(name.endswith("/licenses/LICENSE") for name in metadata), "the wheel has no licence")
    with tarfile.open(sdist) as source:
        inside = {member.name.partition("/")[2] for member in source.getmembers() if member.isfile()}
    compare("sdist", expected=files, found=inside - {"PKG-INFO"})


def checkout() -> set[str]:
    """Every file of the checkout that git does not ignore."""
    listed = run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    )
    return {name for name in listed.split("\0") if name and (ROOT / name).is_file()}


def compare(what: str, *, expected: set[str], found: set[str]) -> None:
    """Two sets of files must be equal."""
    expect(not expected - found, f"missing from the {what}: {', '.join(sorted(expected - found))}")
    expect(not found - expected, f"should not be in the {what}: {', '.join(sorted(found - expected))}")


class Environment:
    """A virtual environment of its own. Commands run in its folder, and see nothing of the checkout."""

    def __init__(self, folder: Path, **settings: str) -> None:
        say(f"Making the environment {folder.name}")
        run([sys.executable, "-m", "venv", str(folder)])
        self.folder = folder
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        around = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("BRANCHLINE_", "PYTHON", "VIRTUAL_"))
        }
        self.settings = {**around, "BRANCHLINE_CACHE": str(folder / "cache"), "PYTHONUTF8": "1", **settings}

    def install(self, what: str) -> None:
        """Install a package, with its extras if it names any."""
        say(f"Installing {Path(what).name}")
        self.python("-m", "pip", "install", "--quiet", "--disable-pip-version-check", what)

    def play(self) -> None:
        """Use the core as its first user would."""
        say("Playing, listing boards, scoring")
        there = self.python("-c", "import branchline; print(branchline.__file__)").strip()
        expect(Path(there).is_relative_to(self.folder), f"branchline is imported from {there}")
        without_web = self.python("-c", "import importlib.util; print(importlib.util.find_spec('fastapi'))").strip()
        expect(without_web == "None", "the core package installs fastapi")
        numba = self.python("-c", "import importlib.util; print(importlib.util.find_spec('numba'))").strip()
        expect(numba == "None", "the core package installs numba")
        expect("4 games" in self.branchline("simulate", "berlin", "--games", "4"), "simulate did not play")
        boards = self.branchline("board", "list")
        expect(all(name in boards for name in EDITIONS), f"boards are missing:\n{boards}")
        scored = self.branchline("score", str(ROOT / "examples" / "table.json"))
        expect("Anna wins" in scored, f"score is wrong:\n{scored}")
        expect("planner" in self.branchline("bots"), "the built-in bots are not found")

    def serve(self) -> None:
        """Start the server on a free port, fetch the home page, a style sheet of it, and /healthz; stop it."""
        say("Serving")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        database = f"sqlite:///{(self.folder / 'rooms.sqlite').as_posix()}"
        command = ["serve", "--port", str(port), "--database", database, "--no-warm-up"]
        log = self.folder / "server.log"
        with log.open("wb") as output:
            server = subprocess.Popen(
                [str(self.bin / "branchline"), *command],
                cwd=self.folder,
                env=self.settings,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            home = fetch_when_ready(f"http://127.0.0.1:{port}", server)
            style = home.partition('<link rel="stylesheet" href="')[2].partition('"')[0]
            expect("Berlin" in home and style != "", f"not the home page:\n{home[:500]}")
            expect("{" in fetch(f"http://127.0.0.1:{port}{style}"), f"{style} is no style sheet")
            fetch(f"http://127.0.0.1:{port}/healthz")
        except BaseException:
            print(log.read_text(encoding="utf-8", errors="replace"), file=sys.stderr)
            raise
        finally:
            server.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(SERVER_STOP)
            stopped = server.poll() is not None
            server.kill()
        expect(stopped, f"the server did not stop within {SERVER_STOP} s")

    def branchline(self, *arguments: str) -> str:
        """Run the command that the package installs; what it prints."""
        return self.run(str(self.bin / "branchline"), *arguments)

    def python(self, *arguments: str) -> str:
        """Run the Python of this environment; what it prints."""
        return self.run(str(self.bin / "python"), *arguments)

    def run(self, *command: str) -> str:
        """Run a command in the folder of this environment; what it prints."""
        return run(command, cwd=self.folder, env=self.settings)


def fetch_when_ready(url: str, server: subprocess.Popen[bytes]) -> str:
    """A page of a server that is starting."""
    deadline = time.monotonic() + SERVER_START
    while True:
        try:
            return fetch(url)
        except OSError as error:
            expect(server.poll() is None, "the server ended while it was starting")
            expect(time.monotonic() < deadline, f"the server did not answer within {SERVER_START} s: {error}")
            time.sleep(0.2)


def fetch(url: str) -> str:
    """The text at an address; raises OSError unless the answer is a success."""
    with urllib.request.urlopen(url, timeout=30) as answer:
        return str(answer.read().decode())


def run(command: Sequence[str], cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """What a command prints; ends the check where it fails, with all it said."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8", errors="replace")
    expect(done.returncode == 0, f"{' '.join(command)} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(true: bool, otherwise: str) -> None:
    """End the check with a message where something does not hold."""
    if not true:
        sys.exit(f"package check: {otherwise}")


def say(text: str) -> None:
    """A line of progress."""
    print(text, flush=True)


if __name__ == "__main__":
    main()
