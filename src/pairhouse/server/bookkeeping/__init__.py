"""The one process that changes the books: commands of players and administrators, and the house's own jobs."""
