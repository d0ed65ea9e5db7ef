"""Backups of the books: a folder with one state of the database and a manifest, and how it is put back."""
