"""Rooms, seats, keys, actions, snapshots: the beginning."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "house",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.String(256), nullable=False),
        comment="What all processes of a server share: the secret that signs links and forms.",
    )
    op.create_table(
        "rooms",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("board", sa.String(200), nullable=False),
        sa.Column("digest", sa.String(80), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("first_seat", sa.Integer),
        sa.Column("stacked", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("asked", sa.Integer),
        sa.Column("asked_at", sa.Float, nullable=False),
        sa.Column("due_at", sa.Float),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("rematch_of", sa.String(16), unique=True),
    )
    op.create_index("rooms_due", "rooms", ["due_at"])
    op.create_index("rooms_open", "rooms", ["open", "status", "touched"])
    op.create_table(
        "seats",
        _room(),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("bot", sa.String(40), nullable=False),
        sa.Column("away", sa.Boolean, nullable=False),
        sa.Column("resigned", sa.Boolean, nullable=False),
        sa.Column("time_left", sa.Float),
        sa.Column("seen_until", sa.Float, nullable=False),
    )
    op.create_table(
        "keys",
        sa.Column("hash", sa.String(64), primary_key=True),
        _room(),
        sa.Column("seat", sa.Integer, primary_key=True),
        comment="Who may sit where: SHA-256 of a browser's or remote bot's secret.",
    )
    op.create_index("keys_room", "keys", ["room"])
    op.create_table(
        "actions",
        _room(),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("quiet", sa.Boolean, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "snapshots",
        _room(),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Throw all tables away."""
    for table in ("snapshots", "actions", "keys", "seats", "rooms", "house"):
        op.drop_table(table)


def _room() -> sa.Column[str]:
    return sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True)
