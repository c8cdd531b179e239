"""Makes `table` and the other modules beside this file importable from every test; long tests may take longer."""

from __future__ import annotations

import pytest

LONG = 1200  # seconds until a long test counts as hanging; the others: `timeout` in pyproject.toml


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.timeout(LONG))
