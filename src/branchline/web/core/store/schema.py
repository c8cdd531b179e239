"""The version of the tables in a database, and the way from one version to another (Alembic)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sqlalchemy.engine import Connection

from branchline.boards import BranchlineError

MIGRATIONS = Path(__file__).parent / "migrations"
FEATURES = Path(__file__).parents[2]
"""Below it, a feature may have steps of its own in a folder `migrations`; all steps are one chain."""
NOTHING = "base"
LATEST = "head"


class StoreError(BranchlineError):
    """The database cannot be opened, or a backup not be read."""


def revision_of(connection: Connection) -> str:
    """Return the version of a database's tables; `base` if there are none yet."""
    from alembic.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision() or NOTHING


def latest_revision() -> str:
    """Return the version that this release writes."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory.from_config(_config()).get_current_head() or NOTHING


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


def _config(connection: Connection | None = None) -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    steps = [MIGRATIONS / "versions", *sorted(FEATURES.glob("*/migrations"))]
    config.set_main_option("version_locations", os.pathsep.join(map(str, steps)).replace("%", "%%"))
    for separator in ("version_path_separator", "path_separator"):  # its older and its newer name
        config.set_main_option(separator, "os")
    config.attributes["connection"] = connection
    return config
