"""Looking after players: their own limits, reminders, breaks and exclusions, and the policy of a jurisdiction."""
