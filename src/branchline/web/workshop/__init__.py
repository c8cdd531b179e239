"""The drafts of the workshop on the server: how they begin, how steps are saved, and how they are played on."""
