"""Exercises: the mistakes of browsers and when they come back, puzzles they have tried, and ratings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables, empty."""
    op.create_table(
        "mistakes",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("step", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("lost", sa.Float, nullable=False),
        sa.Column("answers", sa.Text, nullable=False),
        sa.Column("card", sa.Text, nullable=False),
        sa.Column("answered", sa.Integer, nullable=False),
        sa.Column("right", sa.Integer, nullable=False),
        sa.Column("due_at", sa.Float, nullable=False),
        comment="Mistakes in analysed games of browsers, as exercises, and when they come back.",
    )
    op.create_index("mistakes_due", "mistakes", ["key", "due_at"])
    op.create_index("mistakes_room", "mistakes", ["room"])
    op.create_table(
        "games_collected",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
        comment="Games whose mistakes are in the table of mistakes.",
    )
    op.create_index("games_collected_room", "games_collected", ["room"])
    op.create_table(
        "puzzle_attempts",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("puzzle", sa.String(16), primary_key=True),
        sa.Column("board", sa.String(200), nullable=False),
        sa.Column("first", sa.Boolean, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        comment="Which puzzles browsers have tried and solved.",
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("of", sa.String(64), primary_key=True),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        comment="How strong puzzles and those who solve them are, by Glicko-2.",
    )


def downgrade() -> None:
    """Throw them away."""
    for name in ("puzzle_ratings", "puzzle_attempts", "games_collected", "mistakes"):
        op.drop_table(name)
