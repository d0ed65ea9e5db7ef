"""What HTTP workers ask of the bookkeeper: a record for each command that changes the books, and what comes back.

Both ends are processes of one machine and one version. Records travel as MessagePack, many in one message; an answer is
ready JSON, which a worker passes on as the body of its response.
"""

from collections.abc import Awaitable
from typing import Literal, Protocol

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.house.care.changes import AnyCareChange
from pairhouse.house.care.exclusions import Barred
from pairhouse.house.care.policy import NO_NOTICE, NO_POLICY, OperatorNotice, Policy
from pairhouse.house.commands import RoundBet, RoundChoice, RoundOpen
from pairhouse.house.free_bets import FreeBetTerms
from pairhouse.house.live.acts import AnyLiveAct, SupervisorAct
from pairhouse.house.pace import TooSoon
from pairhouse.house.pit_orders import PitAct
from pairhouse.house.store.database import OutcomeUnknown, StoreFailed
from pairhouse.server.models import NewTable, TableChange

LOADED = b"!"  # what a worker says before anything else; the listening socket comes with the answer


class BookCommand(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Something to be done in the books. `token` is the hash of a session token, `key` an API key."""


class PlaceBet(BookCommand, frozen=True):
    """Bet and deal; answered with the round."""

    token: str
    bet: RoundBet


class MakeChoice(BookCommand, frozen=True):
    """Answer what a round asks; answered with the round."""

    token: str
    choice: RoundChoice


class NewGuest(BookCommand, frozen=True):
    """A guest with play money; answered with the token of the new session, like the next three."""


class Register(BookCommand, frozen=True):
    """A named account. The password was hashed by the worker: that takes long by design."""

    name: str
    password_hash: str


class MaySignIn(BookCommand, frozen=True):
    """Whether a password is to be compared at all; refused while this name waits for this network."""

    name: str
    network: str


class SignIn(BookCommand, frozen=True):
    """A session for a named account. `network` asks for it.

    The worker has compared the password: `matched` is the digest of the stored one that it was, None for a wrong one.
    """

    name: str
    matched: str | None
    network: str = ""


class OperatorSignIn(BookCommand, frozen=True):
    """A session for a player whose money an operator keeps."""

    wallet: str
    operator_token: str


class TakeName(BookCommand, frozen=True):
    """Turn a guest into a named account."""

    token: str
    name: str
    password_hash: str


class ChangePassword(BookCommand, frozen=True):
    """Store another password; `matched` is the digest of the one in force if that was given, as in `SignIn`."""

    token: str
    name: str
    network: str
    matched: str | None
    password_hash: str


class SignOut(BookCommand, frozen=True):
    """End a session."""

    token: str


class SessionSeen(BookCommand, frozen=True):
    """A session was used for a read; nobody waits for the answer."""

    token: str


class Sit(BookCommand, frozen=True):
    """Sit down at a table, or come back to it; answered with the seat."""

    token: str
    table: str


class RotateSeed(BookCommand, frozen=True):
    """Reveal the server seed in use and commit to a new one."""

    token: str
    table: str


class FillPlayMoney(BookCommand, frozen=True):
    """Fill play money up, once for each idempotency key; answered with the player."""

    token: str
    idempotency_key: str


class AskBalance(BookCommand, frozen=True):
    """Ask an operator's wallet what its player has now; answered with the amount."""

    token: str


class ChangeCare(BookCommand, frozen=True):
    """Change what a player has set for themselves; answered with how it stands."""

    token: str
    change: AnyCareChange


class ActLive(BookCommand, frozen=True):
    """Do something at a live table; answered with the newest entry's number, the balance and the seat."""

    token: str
    act: AnyLiveAct


class SuperviseLive(BookCommand, frozen=True):
    """What a supervisor does at a live table: make it one, void its round, or mark an exposed card."""

    key: str
    table: str
    act: SupervisorAct


class BeginShift(BookCommand, frozen=True):
    """A session for somebody of the staff; the worker has compared the password, as in `SignIn`."""

    name: str
    matched: str | None
    network: str = ""


class EndShift(BookCommand, frozen=True):
    """End a session of the staff, whose token is the key."""

    key: str


class ActInPit(BookCommand, frozen=True):
    """What a supervisor does, with the token of their session as the key; answered with what came of it."""

    key: str
    act: PitAct


class OpenForFriends(BookCommand, frozen=True):
    """Open a table for friends like a live one; answered with its id."""

    token: str
    like: str


class AddTable(BookCommand, frozen=True):
    """Put a table on the floor; answered with the table."""

    key: str
    table: NewTable


class ChangeTable(BookCommand, frozen=True):
    """Change a table; answered with the table."""

    key: str
    table: str
    change: TableChange


class ChangeGame(BookCommand, frozen=True):
    """Open or close a game at every table."""

    key: str
    game: str
    status: str


class ChangePlayer(BookCommand, frozen=True):
    """Disable a player, or make them active again."""

    key: str
    player: str
    status: str


class VoidRound(BookCommand, frozen=True):
    """Call an open round off; answered with the player whose stakes went back."""

    key: str
    round_id: str
    reason: str


class LiftStep(BookCommand, frozen=True):
    """Undo a step of the watch; answered with the step."""

    key: str
    step: str


class GrantFreeBet(BookCommand, frozen=True):
    """Grant a player a free bet; answered with it."""

    key: str
    idempotency_key: str
    terms: FreeBetTerms


class WithdrawFreeBet(BookCommand, frozen=True):
    """Take back what remains of a free bet; answered with it."""

    key: str
    free_bet: str


class CheckReady(BookCommand, frozen=True):
    """Write something to the books, so that whoever asks knows that they can be written; answered with nothing."""


class ReadMetrics(BookCommand, frozen=True):
    """The bookkeeper's own metrics, as the text of Prometheus in a JSON string."""


class ReadSettings(BookCommand, frozen=True):
    """The first thing a worker asks: how it is to serve. It is answered once the books are open."""


AnyCommand = (
    PlaceBet
    | MakeChoice
    | NewGuest
    | Register
    | MaySignIn
    | SignIn
    | OperatorSignIn
    | TakeName
    | ChangePassword
    | SignOut
    | SessionSeen
    | Sit
    | RotateSeed
    | FillPlayMoney
    | AskBalance
    | ChangeCare
    | ActLive
    | SuperviseLive
    | BeginShift
    | EndShift
    | ActInPit
    | OpenForFriends
    | AddTable
    | ChangeTable
    | ChangeGame
    | ChangePlayer
    | VoidRound
    | LiftStep
    | GrantFreeBet
    | WithdrawFreeBet
    | CheckReady
    | ReadMetrics
    | ReadSettings
)


class WorkerSettings(msgspec.Struct, frozen=True):
    """How an HTTP worker serves; the answer to `ReadSettings`. `sealing_key` is the public half."""

    database: str
    is_secure: bool = False
    is_throttled: bool = True
    trusted_proxies: list[str] = []
    allowed_hosts: list[str] | None = None  # None: any
    policy: Policy = NO_POLICY
    notice: OperatorNotice = NO_NOTICE
    sealing_key: str = ""
    epoch: int = 1


class CommandRequest(msgspec.Struct, frozen=True, array_like=True):
    """A command with its number on this connection; number 0 wants no answer."""

    number: int
    command: AnyCommand


class Failure(msgspec.Struct, frozen=True, array_like=True):
    """Why a command was not done."""

    kind: Literal["refused", "store-failed", "outcome-unknown", "broken"]
    sentence: str
    code: str = ""
    round_id: str | None = None
    wait_ms: int | None = None
    retry_after_s: int = 0
    until_at: int = 0


class CommandResult(msgspec.Struct, frozen=True, array_like=True):
    """The answer to a command, as JSON, or why there is none."""

    number: int
    body: bytes
    failure: Failure | None = None


class TableMoved(msgspec.Struct, frozen=True):
    """What the bookkeeper tells every worker unasked, as the body of a result with number 0: a new entry."""

    table: str
    number: int


class RetryLater(Refused):
    """Refused for now: to be asked again after some seconds."""

    def __init__(self, code: str, sentence: str, retry_after_s: int) -> None:
        super().__init__(code, sentence)
        self.retry_after_s = retry_after_s


class BookkeeperFailed(Exception):
    """The bookkeeper met a broken invariant; its log has the trace."""


class BookkeeperClient(Protocol):
    """The way to the bookkeeper: a connection to its process, or the bookkeeper itself where one process does all."""

    def do(self, command: AnyCommand) -> Awaitable[bytes]:
        """Have a command done; its answer as JSON, once it is on disk."""

    def post(self, command: AnyCommand) -> None:
        """Have a command done whose answer nobody waits for."""


def failure_of(error: Exception) -> Failure:
    """An exception as a record."""
    if isinstance(error, RoundOpen):
        return Failure("refused", str(error), error.code, error.round_id)
    if isinstance(error, TooSoon):
        return Failure("refused", str(error), error.code, wait_ms=error.wait_ms)
    if isinstance(error, RetryLater):
        return Failure("refused", str(error), error.code, retry_after_s=error.retry_after_s)
    if isinstance(error, Refused):
        until_at = error.until_at if isinstance(error, Barred) else 0
        return Failure("refused", str(error), error.code, until_at=until_at)
    if isinstance(error, OutcomeUnknown):
        return Failure("outcome-unknown", str(error))
    if isinstance(error, StoreFailed):
        return Failure("store-failed", str(error))
    return Failure("broken", type(error).__name__)


def error_of(failure: Failure) -> Exception:
    """The exception a record stands for, to be raised in the worker."""
    if failure.round_id is not None:
        return RoundOpen(failure.round_id)
    if failure.wait_ms is not None:
        return TooSoon(failure.wait_ms)
    if failure.retry_after_s:
        return RetryLater(failure.code, failure.sentence, failure.retry_after_s)
    if failure.until_at:
        return Barred(failure.code, failure.sentence, failure.until_at)
    if failure.kind == "refused":
        return Refused(failure.code, failure.sentence)
    if failure.kind == "outcome-unknown":
        return OutcomeUnknown(failure.sentence)
    if failure.kind == "store-failed":
        return StoreFailed(failure.sentence)
    return BookkeeperFailed(failure.sentence)
