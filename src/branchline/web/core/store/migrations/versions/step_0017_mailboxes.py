"""The mailbox that each mail address leads to, however it is spelt, and the domain that runs it: limits go by them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from branchline.web.core.store.mailboxes import domain_of, mailbox_of

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Work them out for the addresses that are known. What processes of the version before add has neither."""
    addresses = sa.table(
        "mail_addresses", sa.column("id"), sa.column("address"), sa.column("mailbox"), sa.column("domain")
    )
    for name in ("mailbox", "domain"):
        op.add_column("mail_addresses", sa.Column(name, sa.String(254), nullable=False, server_default=""))
        op.create_index(f"mail_addresses_{name}", "mail_addresses", [name])
    connection = op.get_bind()
    for id_, address in connection.execute(sa.select(addresses.c.id, addresses.c.address)).all():
        mailbox = mailbox_of(address)
        found = {"mailbox": mailbox, "domain": domain_of(mailbox)}
        connection.execute(addresses.update().where(addresses.c.id == id_).values(found))


def downgrade() -> None:
    """Make each spelling an address of its own again."""
    for name in ("mailbox", "domain"):
        op.drop_index(f"mail_addresses_{name}", "mail_addresses")
        op.drop_column("mail_addresses", name)
