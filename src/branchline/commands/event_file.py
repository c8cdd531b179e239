"""Event files as TensorBoard reads them: numbers by tag and step.

The format is that of TensorFlow (`tensorflow/core/lib/io/record_writer.h`, `tensorflow/core/util/event.proto`): records
with their lengths and CRC-32C checksums, each a message of Protocol Buffers.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Mapping
from pathlib import Path


class EventFile:
    """A new event file in a folder."""

    def __init__(self, folder: Path) -> None:
        """Make the folder, where it is missing, and the file. Raise `OSError`."""
        folder.mkdir(parents=True, exist_ok=True)
        self._file = (folder / f"events.out.tfevents.{time.time_ns()}.branchline").open("xb")
        self._write(_bytes(3, b"brain.Event:2"))

    def add(self, step: int, numbers: Mapping[str, float]) -> None:
        """Write what each tag is at a step, and see that it is in the file."""
        values = (_bytes(1, _bytes(1, tag.encode()) + b"\x15" + struct.pack("<f", x)) for tag, x in numbers.items())
        self._write(b"\x10" + _varint(step) + _bytes(5, b"".join(values)))
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, message: bytes) -> None:
        event = b"\x09" + struct.pack("<d", time.time()) + message
        length = struct.pack("<Q", len(event))
        self._file.write(length + _checksum(length) + event + _checksum(event))


def _bytes(field: int, content: bytes) -> bytes:
    """Return a field of a message that holds a text or another message."""
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    """Return a number in groups of seven bits, the lowest first, all but the last marked."""
    groups = []
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    return bytes([*groups, number])


def _checksum(data: bytes) -> bytes:
    """Return the CRC-32C, turned and shifted as these files have it."""
    rest = 0xFFFFFFFF
    for byte in data:
        rest ^= byte
        for _ in range(8):
            rest = rest >> 1 ^ (0x82F63B78 if rest & 1 else 0)
    rest ^= 0xFFFFFFFF
    return struct.pack("<I", ((rest >> 15 | rest << 17) + 0xA282EAD8) & 0xFFFFFFFF)
