"""Notices: how each browser wants to be told of its turns, and what was sent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables. Processes of the version before do not know them, and tell nobody anything."""
    op.create_table(
        "notice_choices",
        sa.Column("id", sa.String(100), primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id", ondelete="CASCADE")),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("webhook", sa.String(500), nullable=False),
        sa.Column("format", sa.String(8), nullable=False),
        sa.Column("wait", sa.Float, nullable=False),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_to", sa.Integer),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
        comment="How browsers want to be told of their turns.",
    )
    op.create_index("notice_choices_key", "notice_choices", ["key"])
    op.create_index("notice_choices_room", "notice_choices", ["room"])
    op.create_table(
        "mail_addresses",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("asked", sa.Integer, nullable=False),
        sa.Column("asked_at", sa.Float, nullable=False),
        sa.Column("confirmed_at", sa.Float),
        sa.Column("stopped_at", sa.Float),
        sa.UniqueConstraint("key", "address", name="mail_addresses_key"),
        comment="Who has agreed to get mail.",
    )
    op.create_index("mail_addresses_address", "mail_addresses", ["address"])
    op.create_table(
        "notices",
        sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("turn", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("channel", sa.String(8), primary_key=True),
        sa.Column("target", sa.String(64)),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("again_at", sa.Float),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("detail", sa.String(200), nullable=False),
        sa.UniqueConstraint("room", "seat", "turn", "target", name="notices_once"),
        comment="What was sent. That a row exists once makes several processes safe: whoever writes it sends.",
    )
    op.create_index("notices_again", "notices", ["again_at"])
    op.create_index("notices_target", "notices", ["target", "at"])
    op.create_index("notices_key", "notices", ["key", "at"])


def downgrade() -> None:
    """Throw them away."""
    for table in ("notices", "mail_addresses", "notice_choices"):
        op.drop_table(table)
