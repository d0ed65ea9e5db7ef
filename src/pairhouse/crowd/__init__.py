"""Simulated players who visit a house as people do, over its HTTP API: for demonstrations, tests and load."""
