"""Simulated rounds: the games' own `play`, compiled, on cards from a fast reproducible generator."""
