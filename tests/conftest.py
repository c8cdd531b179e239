"""Makes `table` and the other modules beside this file importable from every test; what holds for all tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# The same examples every time, however slow the machine is.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("steady")

# Whatever is missing is compiled at its first call: no test depends on what a background process has done so far.
os.environ.setdefault("BRANCHLINE_INTERPRET", "0")

# Nobody's own tuned weights decide how bots play here.
os.environ["BRANCHLINE_DATA"] = os.devnull

# Tests run beside each other, one for each core: threads of the linear algebra would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

LONG = 1200  # seconds until a long test counts as hanging; the others: `timeout` in pyproject.toml


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.timeout(LONG))
