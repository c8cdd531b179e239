"""Balances: how the boards of the workshop play, and how far the games are that will say."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table. Processes of the version before leave it alone."""
    op.create_table(
        "balances",
        sa.Column("draft", sa.String(16), sa.ForeignKey("drafts.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("mark", sa.String(24), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("beat", sa.Float, nullable=False),
        sa.Column("running", sa.Boolean, nullable=False),
        sa.Column("improving", sa.Boolean, nullable=False),
        sa.Column("failed", sa.Boolean, nullable=False),
        sa.Column("stopped", sa.Boolean, nullable=False),
        sa.Column("played", sa.Integer, nullable=False),
        sa.Column("asked", sa.Integer, nullable=False),
        sa.Column("looks", sa.Integer, nullable=False),
        sa.Column("found", sa.Text),
        comment="How boards of the workshop play, by the games that were played last.",
    )


def downgrade() -> None:
    """Throw it away."""
    op.drop_table("balances")
