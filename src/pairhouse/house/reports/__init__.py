"""Reports on demand: what happened in a period, page by page from the books, as CSV or JSON."""
