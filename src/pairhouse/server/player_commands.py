"""Commands of players other than bets and choices: sessions, seats, seeds and play money."""

from typing import TYPE_CHECKING

from pairhouse.core.errors import Refused
from pairhouse.house.bank import recorded_at
from pairhouse.house.floor import read_table
from pairhouse.house.history import open_rounds
from pairhouse.house.operator_bets import money_of
from pairhouse.house.people import Person, end_session, new_guest, person_of, refill, register, sign_in
from pairhouse.house.store.database import Tx
from pairhouse.house.store.transaction import WriteTx
from pairhouse.server.models import Me, RevealedSeed, Rotation, Seat
from pairhouse.server.player_records import filled_record
from pairhouse.server.protocol import (
    AskBalance,
    FillPlayMoney,
    NewGuest,
    OperatorSignIn,
    Register,
    RotateSeed,
    SessionSeen,
    SignIn,
    SignOut,
    Sit,
)
from pairhouse.server.table_records import seat_record

if TYPE_CHECKING:
    from pairhouse.server.bookkeeper import Bookkeeper


async def do_new_guest(keeper: "Bookkeeper", _: NewGuest) -> str:
    token: str = await keeper.write(new_guest)
    return token


async def do_register(keeper: "Bookkeeper", command: Register) -> str:
    token: str = await keeper.write(lambda tx: register(tx, command.name, command.password_hash))
    return token


async def do_sign_in(keeper: "Bookkeeper", command: SignIn) -> str:
    answer: str | Refused = await keeper.write(lambda tx: sign_in(tx, command.name, command.matches))
    if isinstance(answer, Refused):  # an answer of its own: the count of failures must stay
        raise answer
    return answer


async def do_operator_sign_in(keeper: "Bookkeeper", command: OperatorSignIn) -> str:
    return await keeper.cashier.sign_in(command.wallet, command.operator_token)


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
        name = f"refill:{person.id}:{command.idempotency_key}"
        filled_at = recorded_at(tx, name)
        if filled_at is None:
            refill(tx, person, sum(line.staked for line in open_rounds(tx, person.id)), name)
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
