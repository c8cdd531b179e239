"""Counting the result of a game at a real table."""
