"""A relay between a browser and a server whose lines can go dead: they stay open, and carry nothing more."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator


class Relay:
    """Listens at a port of its own; what it is sent goes on to the server, and back."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._lines: list[_Line] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                self._lines.append(_Line(near, socket.create_connection(("127.0.0.1", self._target))))

    def die(self) -> None:
        """All lines that are open now carry nothing more; new ones do."""
        for line in self._lines:
            line.there = line.back = False

    def go_deaf(self) -> None:
        """They carry what the browser says, and no answer."""
        for line in self._lines:
            line.back = False

    def close(self) -> None:
        self._listening.close()
        for line in self._lines:
            line.close()


class _Line:
    def __init__(self, near: socket.socket, far: socket.socket) -> None:
        self.near, self.far = near, far
        self.there = self.back = True
        threading.Thread(target=self._carry, args=(near, far, "there"), daemon=True).start()
        threading.Thread(target=self._carry, args=(far, near, "back"), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, way: str) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                if getattr(self, way):
                    other.sendall(data)
            if getattr(self, way):
                other.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        for end in (self.near, self.far):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextlib.contextmanager
def relayed(address: str) -> Iterator[Relay]:
    """A relay to a server."""
    relay = Relay(int(address.rpartition(":")[2]))
    try:
        yield relay
    finally:
        relay.close()
