"""What is read from JSON and TOML, or written there."""

from __future__ import annotations

from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""A table by names; what its values are, whoever reads them looks at."""
