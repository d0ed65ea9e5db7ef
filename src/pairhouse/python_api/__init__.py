"""What `import pairhouse as ph` offers: games, prices, best play, simulation and rounds for Python programs."""
