"""Live tables on the network: the dealer's clock, and what happens at a table sent to all who watch it."""
