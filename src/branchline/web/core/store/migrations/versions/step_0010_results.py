"""Results: a row for each finished game and seat. They are made in the background, for old games too."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table. Processes of the version before leave it alone."""
    op.create_table(
        "results",
        sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("board", sa.String(200), nullable=False),
        sa.Column("ended", sa.Float, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("against", sa.String(200), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("won", sa.Float, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("points", sa.Text, nullable=False),
        sa.Column("tickets_done", sa.Integer, nullable=False),
        sa.Column("tickets", sa.Integer, nullable=False),
        sa.Column("helped", sa.Integer, nullable=False),
        sa.Column("shared", sa.Boolean, nullable=False),
        sa.Column("resigned", sa.Boolean, nullable=False),
        sa.Column("rating", sa.Float),
        sa.Column("deviation", sa.Float),
        sa.Column("volatility", sa.Float),
        sa.Column("analysed", sa.Boolean, nullable=False),
        sa.Column("accuracy", sa.Float),
        sa.Column("luck", sa.Float),
        comment="How finished games ended for each seat.",
    )


def downgrade() -> None:
    """Throw it away."""
    op.drop_table("results")
