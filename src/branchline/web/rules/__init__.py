"""The rules to be read, and the referee."""
