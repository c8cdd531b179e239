"""Noting a game of a real table turn by turn."""
