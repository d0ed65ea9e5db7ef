"""What supervisors may do in the pit, as records. They need nothing of the database."""

import msgspec

NEEDS = {  # act -> what has to be named with it
    "open-table": ("table",),
    "close-table": ("table",),
    "close-betting": ("table",),
    "next-card": ("table",),
    "set-pace": ("table", "pace"),
    "switch-options": ("table", "options"),
    "expose-card": ("table", "card"),
    "void-table": ("table", "cause"),
    "void-round": ("round", "cause"),
    "correct-round": ("round",),
    "disable-player": ("player",),
    "enable-player": ("player",),
}

PACES = ("hand", "clock")

SUPERVISOR, DEALER = "supervisor", "dealer"
MAY: dict[str, tuple[str, ...]] = {  # role -> the acts that are theirs
    SUPERVISOR: tuple(NEEDS),
    DEALER: ("close-betting", "next-card", "expose-card"),
}


class PitAct(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One act of a supervisor, what it is about, and why. `cards` is the wrong number of cards at a misdeal.

    `pace` is how a live table is paced: by `hand` or by the `clock`. At a live table `round`, and `to_turn` (how many
    cards wait to be turned), say what somebody has looked at: the act is refused where the table has gone on since.
    """

    act: str
    reason: str
    table: str | None = None
    round: str | None = None
    player: str | None = None
    cause: str | None = None
    card: int | None = None
    cards: int | None = None
    options: dict[str, str | int | bool] | None = None
    pace: str | None = None
    to_turn: int | None = None


class PitActDone(msgspec.Struct, frozen=True):
    """What came of an act: in a sentence, and the live table it changed."""

    says: str
    table: str | None = None
