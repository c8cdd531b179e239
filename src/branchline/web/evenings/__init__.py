"""Games of real tables that a browser has kept, and who played them."""
