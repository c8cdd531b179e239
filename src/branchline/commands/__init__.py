"""The commands, a module each: they read what was typed, let the floors below do the work, and print.

They decide nothing about a game. What is slow to load is imported inside a command, so that help comes at once.
"""
