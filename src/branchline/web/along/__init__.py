"""Everything of a person in one file: saved here, and opened in another browser or on another server."""
