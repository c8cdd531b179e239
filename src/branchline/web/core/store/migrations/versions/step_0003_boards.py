"""Boards: the files of the boards that are played on, so that a game goes on when they are edited."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "boards",
        sa.Column("digest", sa.String(80), primary_key=True),
        sa.Column("files", sa.Text, nullable=False),
        comment="The boards that are played on, as they were when the games began.",
    )


def downgrade() -> None:
    """Throw it away."""
    op.drop_table("boards")
