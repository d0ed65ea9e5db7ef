"""Prices and best play of any game, found by running its rules: nothing here knows a game."""
