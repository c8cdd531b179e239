"""How this process runs the rules: interpreted or compiled; where compiled code is kept, and who makes it.

It knows no rule. `mode` decides, when it is imported, and only `compiler` needs Numba.
"""

OURS = "branchline."
"""Modules whose functions are compiled with less than Numba offers: see `whole_program` and `element_access`.

Functions of others, such as their bots, get all of Numba.
"""
