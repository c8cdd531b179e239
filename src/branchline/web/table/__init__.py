"""The table: playing a game."""
