"""Tables whose board is real: the server deals cards and tickets, the people at the table do all the rest."""
