"""Commands of players other than bets and choices: sessions, seats, seeds and play money."""

from typing import TYPE_CHECKING

from pairhouse.house.accounts import change_password, take_name, wrong_password
from pairhouse.house.bank import recorded_at
from pairhouse.house.floor import read_table
from pairhouse.house.history import open_rounds
from pairhouse.house.live.live_history import held_at_live_tables
from pairhouse.house.operator_bets import money_of
from pairhouse.house.people import (
    REFILL,
    Person,
    bad_login,
    end_session,
    new_guest,
    note_failed_login,
    person_of,
    refill,
    register,
    sign_in,
)
from pairhouse.house.store.database import Tx
from pairhouse.house.store.transaction import WriteTx
from pairhouse.server.models import Me, RevealedSeed, Rotation, Seat
from pairhouse.server.processes.protocol import (
    AskBalance,
    ChangePassword,
    FillPlayMoney,
    MaySignIn,
    NewGuest,
    OperatorSignIn,
    Register,
    RotateSeed,
    SessionSeen,
    SignIn,
    SignOut,
    Sit,
    TakeName,
)
from pairhouse.server.reading.player_records import filled_record
from pairhouse.server.reading.table_records import seat_record

if TYPE_CHECKING:
    from pairhouse.server.bookkeeping.bookkeeper import Bookkeeper


async def do_new_guest(keeper: "Bookkeeper", _: NewGuest) -> str:
    token: str = await keeper.write(new_guest)
    return token


async def do_register(keeper: "Bookkeeper", command: Register) -> str:
    token: str = await keeper.write(lambda tx: register(tx, command.name, command.password_hash))
    return token


async def do_may_sign_in(keeper: "Bookkeeper", command: MaySignIn) -> None:
    """Comparing a password is slow by design, so nobody who has to wait makes the house do it."""
    keeper.sign_in_delays.check((command.name, command.network))


async def do_sign_in(keeper: "Bookkeeper", command: SignIn) -> str:
    """A failure is sealed after it was answered: how long the answer takes tells nothing of whether a name is known."""
    pair = command.name, command.network
    keeper.sign_in_delays.check(pair)
    matched = command.matched
    if matched is None:
        keeper.sign_in_delays.failed(pair)
        keeper.write_later(lambda tx: note_failed_login(tx, command.name))
        raise bad_login()
    token: str = await keeper.write(lambda tx: sign_in(tx, command.name, matched))
    keeper.sign_in_delays.succeeded(pair)
    return token


async def do_operator_sign_in(keeper: "Bookkeeper", command: OperatorSignIn) -> str:
    return await keeper.cashier.sign_in(command.wallet, command.operator_token)


async def do_take_name(keeper: "Bookkeeper", command: TakeName) -> None:
    await keeper.write(lambda tx: take_name(tx, command.token, command.name, command.password_hash))


async def do_change_password(keeper: "Bookkeeper", command: ChangePassword) -> None:
    """A wrong password counts as a failed sign-in from the same address."""
    pair = command.name, command.network
    keeper.sign_in_delays.check(pair)
    matched = command.matched
    if matched is None:
        keeper.sign_in_delays.failed(pair)
        keeper.write_later(lambda tx: note_failed_login(tx, command.name))
        raise wrong_password()
    await keeper.write(lambda tx: change_password(tx, command.token, matched, command.password_hash))
    keeper.sign_in_delays.succeeded(pair)


async def do_sign_out(keeper: "Bookkeeper", command: SignOut) -> None:
    await keeper.write(lambda tx: end_session(tx, command.token))


async def do_session_seen(keeper: "Bookkeeper", command: SessionSeen) -> None:
    await keeper.write(lambda tx: person_of(tx, command.token, tx.now))


async def do_sit(keeper: "Bookkeeper", command: Sit) -> Seat:
    def take_seat(tx: WriteTx) -> tuple[Person, Seat]:
        person = person_of(tx, command.token, tx.now)
        keeper.house.dealer.sit(tx, person.id, read_table(tx, command.table).id)
        return person, seat_record(keeper.house, tx, person, command.table)

    found: tuple[Person, Seat] = await keeper.write(take_seat)
    person, seat = found
    seat.balance = await keeper.cashier.balance(person, seat.balance)
    return seat


async def do_rotate_seed(keeper: "Bookkeeper", command: RotateSeed) -> Rotation:
    def rotate(tx: WriteTx) -> Rotation:
        person = person_of(tx, command.token, tx.now)
        revealed, stream = keeper.house.dealer.rotate(tx, person.id, read_table(tx, command.table).id)
        seed = RevealedSeed(revealed.commitment, revealed.server_seed, revealed.nonces)
        return Rotation(seed, commitment=stream.commitment)

    rotation: Rotation = await keeper.write(rotate)
    return rotation


async def do_fill_play_money(keeper: "Bookkeeper", command: FillPlayMoney) -> Me:
    def fill(tx: WriteTx) -> Me:
        person = person_of(tx, command.token, tx.now)
        name = f"{REFILL}{person.id}:{command.idempotency_key}"
        filled_at = recorded_at(tx, name)
        if filled_at is None:
            held = sum(line.staked for line in open_rounds(tx, person.id)) + held_at_live_tables(tx, person.id)
            refill(tx, person, held, name)
            filled_at = tx.now
        return filled_record(tx, person, filled_at)

    filled: Me = await keeper.write(fill)
    return filled


async def do_ask_balance(keeper: "Bookkeeper", command: AskBalance) -> int:
    def known(tx: Tx) -> tuple[Person, int]:
        person = person_of(tx, command.token, keeper.house.clock())
        return person, money_of(tx, person, "").balance

    person, balance = await keeper.read(known)
    return await keeper.cashier.balance(person, balance)
