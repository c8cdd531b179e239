"""Trained networks: the value of a position, a policy over moves, and the bot that plays by one."""
