"""Lessons that teach the game by playing it."""
