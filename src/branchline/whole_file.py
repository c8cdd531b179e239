"""A file is written whole or not at all: beside it first, and put in its place once it is complete."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

UNFINISHED = ".part"
"""How the name of a file ends that is not complete yet. One that lies about is of a process that was killed."""


def part_of(file: Path) -> Path:
    """Return a name beside a file for its incomplete content; always a new one, as two may write the same file at
    once.
    """
    return file.with_name(f"{file.name}.{secrets.token_hex(4)}{UNFINISHED}")


def write_whole(file: Path, content: str | bytes, *, lasting: bool = True) -> None:
    """Put bytes, or text as UTF-8, into a file. Until that is done the older file stays, and it does if it cannot be.

    `lasting`: it must outlive a power cut, so wait until it is on the disk, which can take some milliseconds.
    Raise `OSError`, and `ValueError` for a name that no file can have or text that cannot be encoded.
    """
    part = part_of(file)
    data = content.encode() if isinstance(content, str) else content
    try:
        with part.open("xb") as target:
            with contextlib.suppress(OSError):  # there is no older one
                part.chmod(stat.S_IMODE(file.stat().st_mode))  # before anybody could read what is not for them
            target.write(data)
            if lasting:
                target.flush()
                os.fsync(target.fileno())
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
