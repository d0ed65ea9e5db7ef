"""What the house keeps: the schema, and the two ways to it (many readers, writers that commit in groups)."""
