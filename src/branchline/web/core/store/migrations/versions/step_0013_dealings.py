"""Dealings: tables whose board is real, for which the server deals cards and tickets."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables, empty."""
    op.create_table(
        "dealings",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("board", sa.String(200), nullable=False),
        sa.Column("digest", sa.String(80), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("desk", sa.Text, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.Column("before", sa.LargeBinary),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
        comment="Tables whose board is real: the server deals cards and tickets.",
    )
    op.create_table(
        "deeds",
        sa.Column("dealing", sa.String(16), sa.ForeignKey("dealings.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("deed", sa.Text, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        comment="What was done at tables whose board is real.",
    )


def downgrade() -> None:
    """Throw them away."""
    op.drop_table("deeds")
    op.drop_table("dealings")
