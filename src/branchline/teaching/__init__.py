"""What is taught, as data, and how it is checked. Its pages are in `web.lessons` and `web.exercises`."""
