"""The engine's file for somebody else's memory: with it, Python in a browser sees records without copies.

The file has a memory of its own, with its stack and constants at the bottom. There two WebAssembly programs cannot see
each other's memory, so Python's gets the engine as a lodger: its memory is imported, and every address in it moved to
where Python has made room. Where addresses stand, the file says itself (`engine.building` links it twice and compares).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from branchline.runtime.engine_file import EngineError, number_at

TYPES, IMPORTS, MEMORIES, GLOBALS, EXPORTS, CODE, DATA = 1, 2, 5, 6, 7, 10, 11
MEMORY = 2  # as the kind of an import or export
LEB_BYTES = 5  # of an address in code


def sections(file: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the kind of each section of a WebAssembly file, and where its content begins and ends."""
    at = 8
    while at < len(file):
        kind = file[at]
        size, begin = number_at(file, at + 1)
        yield kind, begin, begin + size
        at = begin + size


def leb(number: int, width: int = 1, *, signed: bool = False) -> bytes:
    """Return a number in LEB128, in so many bytes at least."""
    encoded = bytearray()
    while True:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
        if len(encoded) >= width and (number == 0 and not (signed and encoded[-1] & 0x40)):
            encoded[-1] &= 0x7F
            return bytes(encoded)


def addresses(file: bytes, elsewhere: bytes) -> list[int]:
    """Return where addresses stand in a file's code: where it differs from the same file linked for other addresses.

    Each is told as its distance from the one before, the first from the begin of the code. Raise `EngineError` if the
    files differ in more than numbers.
    """
    begin, end = next((begin, end) for kind, begin, end in sections(file) if kind == CODE)
    if len(file) != len(elsewhere):
        raise EngineError("the linker wrote addresses in different lengths")
    places_in: list[int] = []
    last, at = begin, begin
    while at < end:
        if file[at] == elsewhere[at]:
            at += 1
            continue
        place = at - 2  # bits 20 and 21 differ, which are in the third and in the fourth byte
        if number_at(file, place)[1] != place + LEB_BYTES:
            raise EngineError("the linker wrote an address in another length than expected")
        places_in.append(place - last)
        last, at = place, place + LEB_BYTES
    return places_in


def moved(file: bytes, places: Sequence[int], base: int) -> bytes:
    """Return the file with everything so many bytes further on, in an imported memory `engine.memory`."""
    parts = [file[:8]]
    for kind, begin, end in sections(file):
        content = file[begin:end]
        if kind == MEMORIES:
            continue
        if kind == GLOBALS:
            content = _globals(content, base)
        elif kind == DATA:
            content = _data(content, base)
        elif kind == CODE:
            content = _code(content, places, base)
        elif kind == EXPORTS:
            content = _exports(content)
        if kind:  # what is told beside the program stays behind
            parts.append(bytes([kind]) + leb(len(content)) + content)
        if kind == TYPES:
            imported = b"\x01\x06engine\x06memory" + bytes([MEMORY, 0, 0])
            parts.append(bytes([IMPORTS]) + leb(len(imported)) + imported)
    return b"".join(parts)


def extent(file: bytes) -> int:
    """Return the bytes that the file's own stack and constants take."""
    begin, end = next((begin, end) for kind, begin, end in sections(file) if kind == GLOBALS)
    return max(number for _, number, _ in _each_global(file[begin:end]))


def _code(content: bytes, places: Sequence[int], base: int) -> bytes:
    patched, at = bytearray(content), 0
    for distance in places:
        at += distance
        number, _ = number_at(content, at)
        patched[at : at + LEB_BYTES] = leb(number + base, LEB_BYTES)
    return bytes(patched)


def _each_global(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the type and the value of each global, all of them addresses, and where the next thing begins."""
    count, at = number_at(content, 0)
    for _ in range(count):
        number, end = number_at(content, at + 3)
        yield content[at : at + 3], number, end + 1
        at = end + 1


def _globals(content: bytes, base: int) -> bytes:
    entries = list(_each_global(content))
    parts = [kind + leb(number + base, signed=True) + b"\x0b" for kind, number, _ in entries]
    return leb(len(parts)) + b"".join(parts)


def _data(content: bytes, base: int) -> bytes:
    count, at = number_at(content, 0)
    parts = [leb(count)]
    for _ in range(count):
        number, end = number_at(content, at + 2)
        size, begin = number_at(content, end + 1)
        parts += (
            content[at : at + 2],
            leb(number + base, signed=True),
            b"\x0b",
            leb(size),
            content[begin : begin + size],
        )
        at = begin + size
    return b"".join(parts)


def _exports(content: bytes) -> bytes:
    """Return the exports without the memory, which is the importer's."""
    count, at = number_at(content, 0)
    parts: list[bytes] = []
    for _ in range(count):
        length, begin = number_at(content, at)
        kind = content[begin + length]
        _, end = number_at(content, begin + length + 1)
        if kind != MEMORY:
            parts.append(content[at:end])
        at = end
    return leb(len(parts)) + b"".join(parts)
