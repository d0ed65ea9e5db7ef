"""Pairhouse: casino games, each written once as a rule book that runs."""

__version__ = "0.1.0"
