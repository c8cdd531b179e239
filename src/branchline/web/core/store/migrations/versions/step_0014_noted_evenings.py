"""Evenings whose order of play was noted: the room in which the game can be looked through."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Leave the column empty for evenings that were only counted."""
    op.add_column("evenings", sa.Column("room", sa.String(32), nullable=False, server_default=""))


def downgrade() -> None:
    """Keep the rooms, although nothing leads to them."""
    op.drop_column("evenings", "room")
