"""Drafts: the boards that are made in the workshop, and the steps that were saved last."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables. Processes of the version before leave them alone."""
    op.create_table(
        "drafts",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
        comment="The boards that are made in the workshop.",
    )
    op.create_index("drafts_public", "drafts", ["public", "touched"])
    op.create_table(
        "draft_saves",
        sa.Column("draft", sa.String(16), sa.ForeignKey("drafts.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("mark", sa.String(40), nullable=False),
        sa.Column("step", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Throw them away, with all that was drawn."""
    op.drop_table("draft_saves")
    op.drop_index("drafts_public", "drafts")
    op.drop_table("drafts")
