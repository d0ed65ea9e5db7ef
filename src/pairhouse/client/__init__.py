"""A house from outside: its HTTP API and the events of its live tables, for programs of ours that visit it."""
