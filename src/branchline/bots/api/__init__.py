"""What a bot is: its interface, its working record, its weights and its errors."""
