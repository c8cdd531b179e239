"""Tells people of their turns while they are not at the table: by mail and by webhook."""
