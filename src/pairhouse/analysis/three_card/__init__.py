"""Three Card Poker: every hand counted both ways, its strategy, and other readings of its document."""
