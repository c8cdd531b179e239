"""What pages are made of: HTML and sentences, made of what they are handed."""
