"""The books of a house in a database: players, money, tables, rounds, wallet calls, and the audit of all of it."""
