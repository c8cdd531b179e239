"""Rooms: a game with its seats and its log, as a value; and the rooms of this process while people look at them."""
