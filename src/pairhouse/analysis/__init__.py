"""The mathematics of exactly the games that are dealt."""

from pairhouse.core.extras import need

need("fast", "prices, strategies and simulations need")
