"""The JSON interface for bots and programs."""
