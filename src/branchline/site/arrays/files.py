"""Arrays from the files that `numpy.save` and `numpy.savez` write."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

from branchline.site.arrays.array_type import ndarray
from branchline.site.arrays.number_types import Thing


class _Archive:
    """The arrays of a file with several."""

    def __init__(self, file: Thing) -> None:
        self._archive = zipfile.ZipFile(file)
        self.files = [name.removesuffix(".npy") for name in self._archive.namelist()]

    def __getitem__(self, name: str) -> Thing:
        return _read(self._archive.read(f"{name}.npy"))

    def __contains__(self, name: str) -> bool:
        return name in self.files

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def items(self) -> Iterator[tuple[str, Thing]]:
        """Yield all names and arrays."""
        return ((name, self[name]) for name in self.files)

    def __enter__(self) -> _Archive:
        return self

    def __exit__(self, *_error: object) -> None:
        self._archive.close()


def load(file: Thing, allow_pickle: bool = False) -> Thing:
    """Return the array of a file, or an archive of several."""
    content = file.read() if hasattr(file, "read") else Path(file).read_bytes()
    return _Archive(io.BytesIO(content)) if content[:2] == b"PK" else _read(content)


def _read(content: bytes) -> Thing:
    import ast

    if content[:6] != b"\x93NUMPY":
        raise ValueError("not a file of NumPy")
    wide = content[6] > 1
    (length,) = struct.unpack_from("<I" if wide else "<H", content, 8)
    begin = 12 if wide else 10
    said = ast.literal_eval(content[begin : begin + length].decode("latin1"))
    found = ndarray(said["shape"], said["descr"], bytearray(content[begin + length :]))
    return found.transpose() if said["fortran_order"] else found
