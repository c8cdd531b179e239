"""The version of the tables in a database, and the way from one version to another (Alembic)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from branchline.boards import BranchlineError

MIGRATIONS = Path(__file__).parent / "migrations"
FEATURES = Path(__file__).parents[2]
"""Below it, a feature may have steps of its own in a folder `migrations`; all steps are one chain."""
_NOTED = sa.table("alembic_version", sa.column("version_num"))
"""Where Alembic notes the version; it is read here, because importing Alembic takes as long as opening a database."""
NOTHING = "base"
LATEST = "head"


class StoreError(BranchlineError):
    """The database cannot be opened, or a backup not be read."""


def revision_of(connection: Connection) -> str:
    """Return the version of a database's tables; `base` if there are none yet."""
    if not sa.inspect(connection).has_table(_NOTED.name):
        return NOTHING
    return connection.execute(sa.select(_NOTED.c.version_num)).scalar() or NOTHING


def latest_revision() -> str:
    """Return the version that this release writes."""
    return max(file.name.split("_")[1] for folder in _folders_of_steps() for file in folder.glob("step_*.py"))


def is_known(revision: str) -> bool:
    """Return whether this release knows a version; otherwise it comes from a later one."""
    from alembic.script import ScriptDirectory

    return revision == NOTHING or revision in {
        step.revision for step in ScriptDirectory.from_config(_config()).walk_revisions()
    }


def check_known(connection: Connection) -> None:
    """Raise `StoreError` for a database that a later release has written."""
    revision = revision_of(connection)
    if not is_known(revision):
        raise StoreError(
            f"the database is from a later version of branchline (its tables are of version {revision}, this release "
            f"knows {latest_revision()}): install that version, or restore a backup into another database"
        )


def move(connection: Connection, revision: str) -> None:
    """Bring the tables to a version, within the transaction that is open."""
    from alembic import command

    step = command.downgrade if revision == NOTHING else command.upgrade
    step(_config(connection), revision)


def _folders_of_steps() -> list[Path]:
    return [MIGRATIONS / "versions", *sorted(FEATURES.glob("*/migrations"))]


def _config(connection: Connection | None = None) -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    folders = os.pathsep.join(map(str, _folders_of_steps()))
    config.set_main_option("version_locations", folders.replace("%", "%%"))
    for separator in ("version_path_separator", "path_separator"):  # its older and its newer name
        config.set_main_option(separator, "os")
    config.attributes["connection"] = connection
    return config
