"""Live tables in the books: rounds that a table owns and several people play, as numbered entries."""
