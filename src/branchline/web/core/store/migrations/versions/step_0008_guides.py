"""Guides: rooms that teach, and which lessons a browser has done."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Leave existing rooms without a guide. Processes of the version before leave both alone."""
    op.add_column("rooms", sa.Column("guide", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "lessons_done",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("lesson", sa.String(80), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        comment="Which lessons browsers have done.",
    )


def downgrade() -> None:
    """Throw them away: rooms with a guide become games like any other."""
    op.drop_table("lessons_done")
    op.drop_column("rooms", "guide")
