"""The metrics of all processes of a server, at an address of their own: strangers who play do not get there."""

from __future__ import annotations

import tempfile
from ipaddress import ip_address

from prometheus_client import REGISTRY, CollectorRegistry, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from branchline.web.core.http.plan import ServeError

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where prometheus-client keeps the figures of each process


class MetricsServer:
    """Answers Prometheus from a thread of the supervisor, with the figures of all processes added up."""

    def __init__(self, address: str, *, one_process: bool = False) -> None:
        """Begin at `address`: ADDRESS:PORT, or a port of this machine. `one_process`: there are no figures to add
        up.
        """
        host, port = read_address(address)
        self._folder = tempfile.TemporaryDirectory(prefix="branchline-metrics-")
        registry = REGISTRY
        if not one_process:
            registry = CollectorRegistry()
            MultiProcessCollector(registry, self._folder.name)  # type: ignore[no-untyped-call]
        try:
            self._server, self._thread = start_http_server(port, host, registry)
        except OSError as error:
            raise ServeError(f"cannot listen on {address} for metrics: {error.strerror or error}") from None

    @property
    def environment(self) -> dict[str, str]:
        """What a process must know to have its figures added."""
        return {FOLDER: self._folder.name}

    def forget(self, process: int) -> None:
        """Forget a process that has ended: what it counted stays, what it had open is gone."""
        mark_process_dead(process, self._folder.name)  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Answer no longer."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._folder.cleanup()


def read_address(text: str) -> tuple[str, int]:
    """Return address and port. Raise `ServeError`."""
    host, _, port = text.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    try:
        if host != "localhost":
            ip_address(host)
        number = int(port) if port.isascii() and port.isdecimal() and len(port) < 6 else -1
        if 0 < number < 65536:
            return host, number
    except ValueError:
        pass
    raise ServeError(f"--metrics {text}: expected ADDRESS:PORT, as in 127.0.0.1:9100")
