"""The books of the house: people, money, tables, rounds, wallets and the audit, kept in a database."""
