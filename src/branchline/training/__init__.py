"""Learning to play: expert iteration in self-play. It takes PyTorch; what it makes does not (`bots.learned`)."""
