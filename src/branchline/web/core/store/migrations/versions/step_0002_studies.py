"""Studies: what analyses of finished games have found."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "studies",
        sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("found", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Throw it away."""
    op.drop_table("studies")
