"""Makes `table` and the other modules beside this file importable from every test; what holds for all tests."""

from __future__ import annotations

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from branchline.runtime.mode import NATIVE

# The same examples every time, however slow the machine is.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("steady")

# Nobody's own tuned weights decide how bots play here.
os.environ["BRANCHLINE_DATA"] = os.devnull

# Tests run beside each other, one for each core: threads of the linear algebra would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell that starts the tests in the background has them ignore Ctrl-C, and whatever they start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Thousands of tests and the modules they import stay to the end: no need to look through them again and again.
gc.set_threshold(20_000, 20, 50)

LONG = 1200  # seconds until a long test counts as hanging; the others: `timeout` in pyproject.toml


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    needs_numba = pytest.mark.skip(reason="native code: set BRANCHLINE_RULES=native, as `make test-long` does")
    for item in items:
        native = item.get_closest_marker("native")
        if native and not NATIVE:
            item.add_marker(needs_numba)
        if native or item.get_closest_marker("long"):
            item.add_marker(pytest.mark.timeout(LONG))


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
