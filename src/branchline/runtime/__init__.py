"""How this process runs the rules: interpreted or compiled; where compiled code is kept, and who makes it.

It knows no rule. `mode` decides, when it is imported, and only `compiler` needs Numba.
"""
