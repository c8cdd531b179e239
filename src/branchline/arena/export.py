"""Games as files for other programs: Parquet, CSV, or one JSON object a line; one row for each game and seat."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Protocol

from branchline.boards import BranchlineError
from branchline.boards.faults import listed, quoted, shown
from branchline.csv_table import for_programs
from branchline.plain_data import JsonObject
from branchline.whole_file import part_of

KINDS = (".parquet", ".csv", ".jsonl")


class ExportError(BranchlineError):
    """A file that cannot be written."""


class Rows(Protocol):
    """What can be written: results of a series or of a tournament."""

    def columns(self) -> JsonObject:
        """Return an entry for each game and seat."""
        ...

    def rows(self) -> Iterator[JsonObject]:
        """Yield the same as rows of plain values."""
        ...


class Export:
    """A file that is sure to be writable before the games are played. It appears when it is complete."""

    def __init__(self, target: str | Path) -> None:
        """Open it. Raise `ExportError`."""
        try:
            self.path = Path(target)
        except TypeError:
            raise ExportError(f"target: expected the path of a file, not {shown(target)}") from None
        if self.path.suffix.lower() not in KINDS:
            raise ExportError(f"{quoted(str(target))}: expected a name that ends with {listed(KINDS)}")
        self._parquet = _pyarrow() if self.path.suffix.lower() == ".parquet" else None
        try:
            self._unfinished = part_of(self.path)
            if self.path.is_dir():
                raise IsADirectoryError(None, "is a folder")
            if self.path.exists():
                self.path.open("ab").close()
            self._file: IO[bytes] = self._unfinished.open("xb")
        except (OSError, ValueError) as fault:
            raise ExportError(f"{quoted(str(target))}: cannot be written: {_why(fault)}") from None

    def write(self, results: Rows) -> None:
        """Write all games and give the file its name. Raise `ExportError`."""
        self._still_open()
        if not (hasattr(results, "columns") and hasattr(results, "rows")):
            raise ExportError(f"results: expected those of a series or a tournament, not {shown(results)}")
        try:
            with self._file:
                if self._parquet:
                    self._write_parquet(results)
                else:
                    self._write_text(results)
            self._unfinished.replace(self.path)
        except OSError as fault:
            raise ExportError(f"{quoted(str(self.path))}: cannot be written: {_why(fault)}") from None

    @contextmanager
    def row_groups(self, notes: Mapping[str, str]) -> Iterator[Callable[[Mapping[str, object]], None]]:
        """Write a large table group by group: yields what takes the columns of the next rows; Parquet only.

        A column is an array, of two axes where its entries are lists. `notes` become the file's metadata. The file gets
        its name at the end. Raise `ExportError`.
        """
        if self._parquet is None:
            raise ExportError(f"{quoted(str(self.path))}: expected a name that ends with .parquet")
        if not isinstance(notes, Mapping) or not all(isinstance(text, str) for pair in notes.items() for text in pair):
            raise ExportError(f"notes: expected a table of texts, not {shown(notes)}")
        self._still_open()
        arrow, parquet = self._parquet
        writer: Any = None

        def write(columns: Mapping[str, Any]) -> None:
            nonlocal writer
            table = arrow.table({name: _column(arrow, entries) for name, entries in columns.items()})
            table = table.replace_schema_metadata(notes)
            if writer is None:
                plain = [name for name, entries in columns.items() if entries.ndim == 1]  # of lists they are of no use
                writer = parquet.ParquetWriter(
                    self._file, table.schema, compression="zstd", compression_level=1, write_statistics=plain
                )
            writer.write_table(table, row_group_size=len(table))

        try:
            with self._file:
                try:
                    yield write
                finally:
                    if writer is not None:
                        writer.close()
            self._unfinished.replace(self.path)
        except OSError as fault:
            raise ExportError(f"{quoted(str(self.path))}: cannot be written: {_why(fault)}") from None

    def _still_open(self) -> None:
        if self._file.closed:
            raise ExportError(
                f"{quoted(str(self.path))}: it is written already; each file takes an `Export` of its own"
            )

    def drop(self) -> None:
        """Leave nothing behind."""
        with suppress(OSError):  # what could not be written has been told
            self._file.close()
        self._unfinished.unlink(missing_ok=True)

    def _write_text(self, results: Rows) -> None:
        text = io.TextIOWrapper(self._file, encoding="utf-8", newline="")
        if self.path.suffix.lower() == ".csv":
            headings = list(results.columns())
            for_programs(text, headings, ([row[name] for name in headings] for row in results.rows()))
        else:
            text.writelines(json.dumps(row) + "\n" for row in results.rows())
        text.flush()
        text.detach()

    def _write_parquet(self, results: Rows) -> None:
        arrow, parquet = self._parquet or _pyarrow()
        parquet.write_table(arrow.table(results.columns()), self._file)


def _column(arrow: Any, entries: Any) -> object:
    if entries.ndim == 1:
        return arrow.array(entries)
    return arrow.FixedSizeListArray.from_arrays(arrow.array(entries.ravel()), entries.shape[1])


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ExportError('writing Parquet needs pyarrow: pip install "branchline[parquet]"; or write .csv') from None
    return pyarrow, pyarrow.parquet


def _why(fault: Exception) -> str:
    return getattr(fault, "strerror", None) or str(fault)
