"""The law: small functions over one flat state record, one chapter of the rulebook per file.

They read and write records of numbers only: no objects, no strings, no files, no clock, no luck but the state's own.
They import `boards` for the tables of a board, and nothing from the floors above.
"""
