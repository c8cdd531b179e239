"""A browser's finished games, and what they say together."""
