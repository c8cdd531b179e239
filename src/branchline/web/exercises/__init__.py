"""Puzzles, and the mistakes of own games, as exercises."""
