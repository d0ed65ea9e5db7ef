"""The Python API behind `import pairhouse as ph`: games, prices, best play, simulation and rounds for Python programs."""
