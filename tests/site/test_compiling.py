"""What a start imports is compiled ahead, by the Python of the site in Node; without Node the sources are shipped."""

from __future__ import annotations

import gzip
import io
import shutil
import zipfile

import pytest

from branchline.site import building, compiling
from branchline.site.building import WHOLE
from branchline.site.packing import archive, unpacked
from needs import missing
from sites import written_site


def test_an_archive_is_read_again_as_it_was() -> None:
    files = {"a.py": b"1", "folder/b.bin": bytes(range(256)), "empty": b""}
    assert unpacked(archive(files)) == files


def test_without_node_the_sources_are_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert compiling.compiled({"a.py": b"X = 1\n"}, (), {}, {}) is None


def test_where_node_fails_the_sources_are_shipped_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: "false")
    assert compiling.compiled({"a.py": b"X = 1\n"}, (), {}, {}) is None
    assert "nothing is compiled ahead" in caplog.text


@pytest.mark.long
def test_what_a_start_imports_is_compiled_and_what_is_read_as_text_is_there(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    if not shutil.which("node"):
        missing("node is not installed (apt-get install nodejs)")
    (folder,) = (written_site(tmp_path_factory) / "site").iterdir()
    program = unpacked(gzip.decompress((folder / "program.packed").read_bytes()))
    assert "branchline/web/lobby/routes.pyc" in program and "branchline/web/lobby/routes.py" not in program
    assert "sqlalchemy/engine/base.pyc" in program and "alembic/command.py" in program
    for name in program:
        if name.startswith(tuple(f"branchline/{path}" for path in WHOLE)) or name in compiling.READ_SOURCES:
            assert not name.endswith(".pyc")
    assert program[f"branchline/{building.assets.GIVEN.relative_to(building.PACKAGE).as_posix()}"]
    library = gzip.decompress((folder / "pyodide" / f"{compiling.LIBRARY}.packed").read_bytes())
    names = zipfile.ZipFile(io.BytesIO(library)).namelist()
    assert "asyncio/events.pyc" in names and "asyncio/events.py" not in names
