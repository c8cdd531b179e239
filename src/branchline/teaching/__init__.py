"""Learning to play: what is taught, as data, and how it is checked. Pages for it are in `web.lessons` and `web.exercises`."""
