"""Branchline's games as other libraries of reinforcement learning and of language models expect them.

Each module needs its library and nothing else beyond the extra `envs`; none is imported unless you import it.
"""
