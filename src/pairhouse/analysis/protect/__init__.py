"""What could be won from the house, and how it notices: card counters' ceilings, safe limits, evidence from results."""
