"""Learning to play: expert iteration in self-play. It takes PyTorch; to play by what it makes does not
(`bots.networks.learned`).
"""
