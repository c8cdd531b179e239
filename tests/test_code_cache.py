"""Where compiled code is kept: what tells one folder from another."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from branchline.runtime import code_cache

PACKAGE = Path(code_cache.__file__).parent.parent


def copied(to: Path) -> Path:
    """The sources of what is compiled, in another place."""
    for layer in ("runtime", "rules"):
        (to / layer).mkdir(parents=True)
        for source in (PACKAGE / layer).glob("*.py"):
            shutil.copy(source, to / layer)
    return to


def test_code_of_a_second_installation_is_not_taken_for_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(package: Path) -> str:
        monkeypatch.setattr(code_cache, "__file__", str(package / "runtime" / "code_cache.py"))
        return code_cache._version()

    one, other = copied(tmp_path / "one"), copied(tmp_path / "other")
    before = version(one)
    assert version(one) == before != version(other)
    with (one / "rules" / "turn.py").open("a", encoding="utf-8") as file:
        file.write("\n# changed\n")
    assert version(one) != before
