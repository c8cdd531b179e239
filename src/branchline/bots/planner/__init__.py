"""The planner and its quick variant: a network of routes for the tickets, and everything they weigh."""
