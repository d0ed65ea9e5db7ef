"""Simulated rounds: the games' own `play`, compiled, on cards from a fast reproducible generator."""

from pairhouse.core.extras import need

need("fast", "simulations need")
