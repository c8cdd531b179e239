"""Lessons and exercises at the tables of the web server: what is said beside the map, and what may be answered."""
