"""A board beside the printed one: where they differ."""
