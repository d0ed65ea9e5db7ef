"""The house on the network: an HTTP API, jobs, metrics, and the pages of the tables."""
