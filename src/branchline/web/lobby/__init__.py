"""Where everything begins: the home page, new rooms, invitations."""
