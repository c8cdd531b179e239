"""Finished games: looking through them, and their analysis."""
