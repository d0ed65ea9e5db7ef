"""What no event tells of: values that change without a trace in the chains, and why that harms nobody.

Everything else that is stored is held to an event or to a signature; a test changes each column to make sure.
"""

UNSEALED: dict[str, tuple[str, ...]] = {
    "players": ("failures", "failed_at", "locked_until"),  # failed sign-ins; each is an event of its own
    "sessions": ("seen_at",),  # when a session was last used; when it ends at the latest is sealed
    # When a player was last dealt to, written anew with every round. Altered, it lets one round begin sooner or later;
    # the times of both rounds are sealed, so they still show it.
    "streams": ("dealt_at",),
    "pulses": ("house", "at"),  # that a house could write just now
    "calls": ("attempts", "next_at"),  # when a call is tried again; what it asks for is sealed
    "purses": ("balance", "at"),  # what an operator last said; it decides by its own books whether a bet is taken
    "signed_log": ("holder", "held_until"),  # which house adds to the log just now
    # When a player was last reminded and last bet: altered, one reminder or one round comes sooner or later. Stakes,
    # losses and deposits in `counters` are counted again; minutes of play in it are not.
    "care": ("reminded_at", "last_round_at"),
    "live_tables": ("dealer", "fence", "held_until"),  # which house deals just now; what it deals is sealed
    "live_seats": ("name", "leaves"),  # what a seat shows, and who goes after this round; whose seat it is is sealed
    # What the watch remembers. Altered, it knows less of what it has read, or reads it again; it cannot be made to read
    # nothing more, and its steps are sealed.
    "watch_cursor": ("id", "revision", "read_to", "at"),
    "watch_records": ("table_id", "player_id", "wager", "peak", "step", "record"),
}
