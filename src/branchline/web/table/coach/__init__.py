"""The coach: hints, and warnings before large mistakes."""
