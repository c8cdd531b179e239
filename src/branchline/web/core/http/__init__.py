"""What browsers and programs talk to: the application, its routes, its WebSocket and its JSON API."""
