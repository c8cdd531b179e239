"""Links: how often the links to a seat, and those for watching a room, were made anew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the counts. Processes of the version before leave them at 0."""
    for table in ("rooms", "seats"):
        op.add_column(table, sa.Column("links", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop them: the first links are good again."""
    for table in ("seats", "rooms"):
        op.drop_column(table, "links")
