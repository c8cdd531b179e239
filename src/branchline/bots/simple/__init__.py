"""Simple bots: chance, and single ideas followed through."""
