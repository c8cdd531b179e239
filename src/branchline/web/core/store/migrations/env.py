"""Alembic's door: runs the migrations on the connection that the store hands over, or on `-x url=…`."""

from __future__ import annotations

from alembic import context
from sqlalchemy import create_engine

from branchline.web.core.store.tables import metadata

connection = context.config.attributes.get("connection")
if connection is None:
    connection = create_engine(context.get_x_argument(as_dictionary=True)["url"]).connect()

context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
