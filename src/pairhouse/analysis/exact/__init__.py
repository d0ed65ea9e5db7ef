"""Exact prices: tallies, expectations, covariances and risk, as fractions."""
