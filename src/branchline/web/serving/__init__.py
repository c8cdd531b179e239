"""Processes that serve: how they are started, watched, told of in logs and stopped."""
