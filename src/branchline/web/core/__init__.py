"""What all features of the server share. It knows none of them."""
