"""Servers and databases for the tests of the web table."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from branchline.analysis import judging
from branchline.web.core.store.database import Store
from needs import missing
from web import servers


@pytest.fixture(scope="session", autouse=True)
def copied_databases() -> Iterator[None]:
    """Let all new SQLite databases begin as copies of one that was made step by step."""
    make_tables = Store._migrate

    def copy_and_look(store: Store) -> None:
        servers.begin_as_copy(store.engine.url)
        make_tables(store)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "_migrate", copy_and_look)
        yield


@pytest.fixture(scope="module")
def few_worlds() -> Iterator[None]:
    """Let analyses in this process be rough: how good they are is tested elsewhere, and is most of the work."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "FIRST", judging.FEWEST)
        patch.setattr(judging, "LATE", judging.FEWEST)
        yield


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'rooms.sqlite'}"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[servers.Server]:
    folder = tmp_path_factory.mktemp("server")
    with servers.serving(f"sqlite:///{folder / 'rooms.sqlite'}", folder) as running:
        yield running


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    if servers.postgres_binaries() is None:
        missing("PostgreSQL is not installed (apt-get install postgresql)")
    with servers.postgres() as url:
        yield url


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    if shutil.which("redis-server") is None:
        missing("Redis is not installed (apt-get install redis-server)")
    with servers.redis() as url:
        yield url
