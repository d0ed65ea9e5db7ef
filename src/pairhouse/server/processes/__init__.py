"""The processes of a house and what they say to each other: supervisor, HTTP workers, protocol and connection."""
