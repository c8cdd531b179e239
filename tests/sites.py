"""The site, written once for all tests of a run: that takes half a minute."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from branchline.file_lock import locked
from cli.running import branchline_process
from needs import missing


def written_site(folders: pytest.TempPathFactory) -> Path:
    """The site for an address that ends in `/games/`. Of processes that run tests beside each other one writes it.

    A process of its own writes it: the driver of a browser has an event loop in this one.
    """
    common = folders.getbasetemp()
    if common.name.startswith("popen-"):  # the folder of one of several processes
        common = common.parent
    made, done = common / "written" / "games", common / "written.done"
    with (common / "written.lock").open("w") as lock:
        while not locked(lock):
            time.sleep(0.1)
        if not done.exists():
            run = branchline_process("site", str(made), "--base", "/games/")
            if "cannot be fetched" in run.err:
                missing(run.err)
            assert run.code == 0, run.err
            done.touch()
    return made
