"""The books of the house: people, money, tables, rounds, wallets and the audit, kept in a database."""

from pairhouse.core.extras import need

need("server", "the books of a house need")
