"""The house on the network: an HTTP API, jobs, metrics, and the pages of the tables."""

from pairhouse.core.extras import need

need("server", "opening the house needs")
