"""The signed log of the books: a Merkle tree over the events of all chains, whose heads are signed and kept elsewhere.

`merkle` is the tree, `sequencer` puts the events of several chains into one order, `heads` signs its state, `keys`
holds the key, `chain_keys` lets each writer sign its own chain, `log_proofs` proves one event to a player, `anchors`
and `witness` keep heads where whoever can write the database cannot reach them, and `growth` holds the books to those
heads. The library knows no table of the database; `house/log_keeper.py` keeps the log of a house. See
docs/decisions/0019.
"""
