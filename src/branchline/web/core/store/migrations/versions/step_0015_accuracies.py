"""Accuracies are told on another scale: those of before are forgotten, as they cannot be compared."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Have all analyses read again: those of older formats say nothing until somebody asks for them anew."""
    results = sa.table("results", sa.column("analysed"), sa.column("accuracy"), sa.column("luck"))
    op.execute(results.update().values(analysed=sa.false(), accuracy=None, luck=None))


def downgrade() -> None:
    """Do nothing: the version before reads them, and shows nothing for what it cannot read."""
    upgrade()
