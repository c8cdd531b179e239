"""Talk: what was said at the tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table. Processes of the version before leave it alone."""
    op.create_table(
        "talk",
        sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("reaction", sa.Boolean, nullable=False),
        sa.Column("everybody", sa.Boolean, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Throw it away, with all that was said."""
    op.drop_table("talk")
