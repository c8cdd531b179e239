"""The clock of the tables: how far the date was ahead of it when a question was asked. Until now it was the date."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change no older questions: the clock begins with the date."""
    op.add_column("rooms", sa.Column("asked_ahead", sa.Float, nullable=False, server_default="0"))


def downgrade() -> None:
    """Make clocks dates again."""
    op.drop_column("rooms", "asked_ahead")
