"""Evenings: games of real tables that browsers have counted and keep."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables, empty."""
    op.create_table(
        "evenings",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("board", sa.String(200), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        comment="Games of real tables that browsers have counted and keep.",
    )


def downgrade() -> None:
    """Throw them away."""
    op.drop_table("evenings")
