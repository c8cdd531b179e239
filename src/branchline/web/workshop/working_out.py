"""What is worked out of a draft, from the row as it is kept: for processes apart (`web.core.jobs`)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from branchline.boards import Board, Fault
from branchline.draw import board_svg
from branchline.draw.layout import layout_of
from branchline.web.core.rooms.kept_boards import MadeBoard, made_of
from branchline.web.workshop import beginning, exporting, saving, suggesting
from branchline.web.workshop.store import DraftRow
from branchline.workshop import Finding, Step, findings, printing, step_between
from branchline.workshop.findings import written
from branchline.workshop.ground import Ground, ground_of


def begun(fields: Mapping[str, str]) -> tuple[DraftRow, tuple[Fault, ...]]:
    """Return the row of a new draft, and what of its files could not be kept. Raise `BranchlineError`."""
    draft, reasons = beginning.begun(fields)
    return saving.begun(draft), reasons


def read_onto(row: DraftRow, text: str) -> tuple[Step, tuple[Fault, ...]]:
    """Return the step that puts files into a draft, and what of them could not be kept. Raise `BranchlineError`."""
    before = saving.unpacked(row)
    after, reasons = beginning.of_files(text, before)
    return step_between("", before, after), reasons


def checked(row: DraftRow) -> tuple[Finding, ...]:
    """Return what `board check` says."""
    return findings(saving.unpacked(row))


def grounded(row: DraftRow) -> Ground:
    """Return the sheet and its backdrop."""
    return ground_of(saving.unpacked(row))


def suggested(row: DraftRow, fields: Mapping[str, str]) -> Step:
    """Return the step that a form asks for. Raise `BranchlineError` where there is none."""
    return suggesting.suggested(saving.unpacked(row), fields)


def suggested_route(row: DraftRow, params: Mapping[str, str]) -> dict[str, str]:
    """Return length and colour of a new route."""
    return suggesting.suggested_route(saving.unpacked(row), params)


def exported(row: DraftRow, name: str) -> bytes | None:
    """Return what is saved under a name, or None if there is no such file.

    Raise `DraftError` for what a format cannot hold.
    """
    return exporting.exported(saving.unpacked(row), name)


def made(row: DraftRow) -> MadeBoard:
    """Return the board, ready to be kept and played on. Raise `BoardError`."""
    draft = saving.unpacked(row)
    return made_of(draft.files(), draft.backdrop_file)


def laid_out(row: DraftRow) -> MadeBoard:
    """Return the board, ready to be drawn, too. Raise `BoardError`."""
    kept_board = made(row)
    layout_of(kept_board.board)  # on disk from now on
    return kept_board


@dataclass(frozen=True)
class Sheets:
    """What somebody wants to have printed; see `workshop.printing.printed`."""

    paper: str
    poster: bool
    parts: tuple[str, ...]
    backs: bool
    date: str
    language: str
    words: Mapping[str, str]
    on_map: Mapping[str, str]


def printed(row: DraftRow, wish: Sheets) -> tuple[str, bytes]:
    """Return the id of the board, and its PDF. Raise `BoardError` or `PrintError`."""
    with _folder(row) as board:
        return board.id, printing.printed(board, **vars(wish))


def drawn(row: DraftRow, theme: str, language: str, words: Mapping[str, str]) -> str:
    """Return the board as it will be printed, as SVG. Raise `BoardError`."""
    with _folder(row) as board:
        return board_svg(board, theme=theme, language=language, words=words)


@contextmanager
def _folder(row: DraftRow) -> Iterator[Board]:
    """Yield the board, as long as its folder is there."""
    with tempfile.TemporaryDirectory(prefix="branchline-drawing-") as folder:
        yield written(saving.unpacked(row), Path(folder))
