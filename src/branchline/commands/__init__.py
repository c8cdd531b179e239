"""The commands, one module each: they parse options, call the layers below, and print.

They contain no game logic. Slow imports are inside the commands, so that `--help` is quick.
"""
