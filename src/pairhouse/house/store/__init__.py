"""The database of a house: its schema and migrations, transactions that read, and writers that commit in batches."""
