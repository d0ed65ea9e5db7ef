"""Free bets: stakes that an operator gives to a player, kept apart from money.

A free bet pays the first stakes of a round, all of them or none; what a choice costs later comes from the player's own
money. A wager that wins pays its winnings in money, and the free stake in it is not returned unless the grant says so.
What comes back without a win (a push, half after a surrender) and the stakes of a void round go back to the free bet.

Its accounts are `free-granted` (where free bets come from), `free-bet:ID` (what remains of one), `free-held` (in open
rounds), `free-used` and `free-expired`. No transfer goes between them and accounts of money, so each side adds up to
zero by itself. The law of a free bet: remaining + held + used + expired is what was granted.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import bindparam, func, insert, select, update

from pairhouse.core.errors import Refused, one_of, shown, unknown
from pairhouse.core.game import Stakes
from pairhouse.core.money import STAKE_MAX, amount_text
from pairhouse.games.catalogue import GAMES
from pairhouse.house.bank import Transfer, record
from pairhouse.house.care.periods import when_text
from pairhouse.house.care.records import read_care
from pairhouse.house.floor import FloorTable, read_table, table_ids
from pairhouse.house.people import ACTIVE, HOUSE_WALLET, Person
from pairhouse.house.store.database import Row, Tx
from pairhouse.house.store.free_bet_schema import free_bets, free_stakes
from pairhouse.house.store.ids import new_id
from pairhouse.house.store.schema import players
from pairhouse.house.store.transaction import WriteTx
from pairhouse.machines.events import Replay
from pairhouse.rounds.round_view import FreeBetUse, RoundView

GRANTED, HELD, USED, EXPIRED, FREE_BET = "free-granted", "free-held", "free-used", "free-expired", "free-bet:"
DAY_MS = 24 * 3_600_000
DAYS_MAX = 366
AT_ONCE = 500

_COLUMNS = [column.name for column in free_bets.columns]
_FREE_BET = select(free_bets).where(free_bets.c.id == bindparam("free_bet"))
_BY_KEY = select(free_bets).where(free_bets.c.key == bindparam("grant_key"))
_OF_PLAYER = (
    select(free_bets)
    .where(free_bets.c.player_id == bindparam("player"), free_bets.c.remaining > 0)
    .order_by(free_bets.c.expires_at, free_bets.c.id)
)
_PLAYER = select(players.c.wallet, players.c.status).where(players.c.id == bindparam("player"))
_BY_NAME = select(players.c.id).where((players.c.name == bindparam("given")) | (players.c.id == bindparam("given")))
_INSERT = insert(free_bets)
_CHANGE = (
    update(free_bets)
    .where(free_bets.c.id == bindparam("free_bet"))
    .values(remaining=free_bets.c.remaining + bindparam("change"))
)
_WITHDRAW = update(free_bets).where(free_bets.c.id == bindparam("free_bet")).values(withdrawn_at=bindparam("at"))
_is_over = (free_bets.c.expires_at <= bindparam("now")) | free_bets.c.withdrawn_at.is_not(None)
_OVER = select(free_bets.c.id).where(free_bets.c.remaining > 0, _is_over).order_by(free_bets.c.id).limit(AT_ONCE)
FREE_STAKE_COLUMNS = (free_stakes.c.free_bet, free_stakes.c.staked, free_bets.c.stake_returned)
_FREE_STAKE = (
    select(*FREE_STAKE_COLUMNS)
    .join(free_bets, free_bets.c.id == free_stakes.c.free_bet)
    .where(free_stakes.c.round_id == bindparam("round"))
)
_INSERT_STAKE = insert(free_stakes)
_CLOSE_STAKE = (
    update(free_stakes)
    .where(free_stakes.c.round_id == bindparam("round"))
    .values(given_back=bindparam("back"), not_paid=bindparam("unpaid"))
)
FREE_STAKED = func.coalesce(free_stakes.c.staked, 0)  # to be taken off what a round has staked: what was not money
NOT_PAID = func.coalesce(free_stakes.c.not_paid, 0)  # and off what it has returned


class Scope(msgspec.Struct, frozen=True, omit_defaults=True):
    """At which tables, in which games and on which wagers a free bet is good; everywhere, where nothing is named."""

    tables: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    wagers: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """For people: `any bet`, or what is named."""
        named = [
            f"{many} {one_of(names)}"
            for many, names in (("table", self.tables), ("game", self.games), ("wager", self.wagers))
            if names
        ]
        return ", ".join(named) or "any bet"

    def check(self, table: FloorTable, seats: Sequence[Mapping[str, int]]) -> None:
        """Refuse a bet at which this is not good."""
        game = table.betting.variant.game.id
        wagers = [wager for stakes in seats for wager in stakes]
        for kind, names, given in (("table", self.tables, [table.id]), ("game", self.games, [game]),
                                   ("wager", self.wagers, wagers)):  # fmt: skip
            wrong = next((one for one in given if names and one not in names), None)
            if wrong is not None:
                sentence = f"this free bet is not for {kind} {shown(wrong)}"
                raise Refused("free-bet-not-here", f"{sentence}; it is good for {one_of(names)}")


class FreeBetTerms(msgspec.Struct, frozen=True):
    """What an operator grants: how much, for which bets, for how many days, and whether a win returns the stake."""

    player: str
    amount: int
    days: int
    scope: Scope = Scope()
    stake_returned: bool = False


class FreeBet(NamedTuple):
    """A free bet as the books hold it."""

    id: str
    player_id: str
    granted: int
    remaining: int
    scope_text: str
    stake_returned: int
    granted_at: int
    expires_at: int
    by: str
    key: str
    withdrawn_at: int | None

    @property
    def scope(self) -> Scope:
        return msgspec.json.decode(self.scope_text, type=Scope)


class FreeStake(NamedTuple):
    """The first stakes of a round that a free bet has paid."""

    id: str
    staked: int
    stake_returned: bool


class OwnMoney(NamedTuple):
    """What of a round is the player's own: staked, and paid once it is over; and what goes back to its free bet."""

    staked: int
    returned: int
    given_back: int = 0


def own_money(free: FreeStake | None, state: Replay) -> OwnMoney:
    """What a round has cost its player and pays in money, and what it gives back to the free bet."""
    if free is None:
        return OwnMoney(state.staked, state.returned if state.is_over else 0)
    if not state.is_over:
        return OwnMoney(state.staked - free.staked, 0)
    return OwnMoney(state.staked - free.staked, *paid_and_back(free, state.stakes, state.wagers))


def paid_and_back(free: FreeStake, seats: Sequence[Stakes], result: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """What a round that is over pays in money, and what it gives back to the free bet that paid these stakes."""
    paid = back = 0
    for stakes, wagers in zip(seats, result, strict=True):
        for name, bet in wagers.items():
            free_part, returned = stakes.get(name, 0), bet["returned"] or 0
            if returned > bet["stake"]:  # a win
                paid += returned if free.stake_returned else returned - free_part
            else:
                kept = min(free_part, returned)
                back, paid = back + kept, paid + returned - kept
    return paid, back


def own_money_of(free: FreeStake, staked: int, seats: str, result: str) -> OwnMoney:
    """The same for a round that is over, as it is stored. What its result does not name goes back."""
    found = msgspec.json.decode(result)
    paid, back = paid_and_back(free, msgspec.json.decode(seats), found)
    unnamed = staked - sum(bet["stake"] for wagers in found for bet in wagers.values())
    return OwnMoney(staked - free.staked, paid + unnamed, back)


def free_moves(free: FreeStake, is_first: bool, is_over: bool, given_back: int) -> list[Transfer]:
    """The transfers of an act between the accounts of free bets."""
    account, used = FREE_BET + free.id, free.staked - given_back
    moves = [Transfer("free-stake", account, HELD, free.staked)] if is_first else []
    if is_over:
        moves += [Transfer("free-use", HELD, USED, used)] if used else []
        moves += [Transfer("free-back", HELD, account, given_back)] if given_back else []
    return moves


def book_free_stake(
    tx: WriteTx, round_id: str, player_id: str, free: FreeStake, own: OwnMoney, returned: int | None, is_first: bool
) -> list[Transfer]:
    """Write what an act did to a free bet: the first one takes the stake, the one that ends the round uses it up."""
    is_over = returned is not None
    not_paid = returned - own.returned if returned is not None else 0
    if is_first:
        tx.queue_row(_INSERT_STAKE, (round_id, free.id, player_id, free.staked, own.given_back, not_paid))
    elif is_over:
        tx.queue(_CLOSE_STAKE, {"round": round_id, "back": own.given_back, "unpaid": not_paid})
    change = own.given_back - (free.staked if is_first else 0)
    if change:
        tx.queue(_CHANGE, {"free_bet": free.id, "change": change})
    return free_moves(free, is_first, is_over, own.given_back)


def free_stake_in(row: Row) -> FreeStake | None:
    """The free stake in a row of `FREE_STAKE_COLUMNS`, which is empty for a round of the player's own money."""
    free_bet, staked, stake_returned = row
    return FreeStake(free_bet, staked, bool(stake_returned)) if free_bet is not None else None


def free_stake_of(tx: Tx, round_id: str) -> FreeStake | None:
    """The free stake of a round, if it has one."""
    row = tx.one(_FREE_STAKE, {"round": round_id})
    return free_stake_in(row) if row is not None else None


def with_free_stake(view: RoundView, free: FreeStake, state: Replay) -> RoundView:
    """The view of a round, with what a free bet had to do with it. Its net is that of the player's own money."""
    own, is_over = own_money(free, state), state.is_over
    use = FreeBetUse(free.staked, own.given_back if is_over else None, own.returned if is_over else None)
    return msgspec.structs.replace(view, free=use, net=own.returned - own.staked if is_over else None)


# Granting, staking, ending.


def grant(tx: WriteTx, by: str, key: str, terms: FreeBetTerms) -> FreeBet:
    """Grant a free bet. Asked again with the same key, it is the one that was granted."""
    if not 0 < terms.amount <= STAKE_MAX:
        raise Refused("bad-amount", f"a free bet of {shown(terms.amount)} is not possible; give 1 to {STAKE_MAX} cents")
    if not 1 <= terms.days <= DAYS_MAX:
        raise Refused("bad-days", f"a free bet for {shown(terms.days)} days is not possible; give 1 to {DAYS_MAX}")
    scope_text = msgspec.json.encode(terms.scope).decode()
    named = f"{by}:{key}"
    row = tx.one(_BY_KEY, {"grant_key": named})
    if row is not None:
        found = FreeBet._make(row)
        asked = (terms.player, terms.amount, scope_text, terms.stake_returned, terms.days * DAY_MS)
        made = (found.player_id, found.granted, found.scope_text, bool(found.stake_returned))
        if asked != (*made, found.expires_at - found.granted_at):
            raise Refused("key-reused", "this key was used for another free bet; give each grant a key of its own")
        return found
    _check_player(tx, terms.player)
    _check_scope(tx, terms.scope)
    new = FreeBet(
        new_id(tx.now), terms.player, terms.amount, terms.amount, scope_text, int(terms.stake_returned),
        tx.now, tx.now + terms.days * DAY_MS, by, named, None,
    )  # fmt: skip
    tx.run(_INSERT, dict(zip(_COLUMNS, new, strict=True)))
    moves = [Transfer("free-grant", GRANTED, FREE_BET + new.id, terms.amount)]
    record(tx, f"free-grant:{new.id}", None, moves)
    says = {name: value for name, value in zip(_COLUMNS, new, strict=True) if name not in ("remaining", "withdrawn_at")}
    tx.seal("free-bet-granted", {**says, "transfers": moves})
    return new


def player_named(tx: Tx, given: str) -> str:
    """The id of a player who is named by name or id."""
    found: str | None = tx.value(_BY_NAME, {"given": given})
    if found is None:
        raise Refused("unknown-player", f"player {shown(given)} is unknown")
    return found


def _check_player(tx: Tx, player_id: str) -> None:
    row = tx.one(_PLAYER, {"player": player_id})
    if row is None:
        raise Refused("unknown-player", f"player {shown(player_id)} is unknown")
    wallet, status = row
    if wallet != HOUSE_WALLET:
        raise money_elsewhere(wallet)
    if status != ACTIVE:
        raise Refused("player-disabled", f"this player is {status}; only an active player is granted free bets")
    settings, now = read_care(tx, player_id).settings, tx.now if isinstance(tx, WriteTx) else 0
    until = max(settings.excluded_until, settings.break_until)
    if until > now:
        sentence = f"this player takes no part until {when_text(until)}"
        raise Refused("player-excluded", f"{sentence}; nobody who is excluded or on a break is granted free bets")


def _check_scope(tx: Tx, scope: Scope) -> None:
    here = table_ids(tx)
    for table in scope.tables:
        if table not in here:
            raise unknown("table", table, here)
    for game in scope.games:
        if game not in GAMES:
            raise unknown("game", game, GAMES)
    found = [read_table(tx, table).betting.variant for table in here]
    wagers = {wager.id for variant in found for wager in variant.wagers.values() if wager.base is None}
    for wager in scope.wagers:
        if wager not in wagers:
            raise unknown("wager", wager, sorted(wagers))


def money_elsewhere(wallet: str) -> Refused:
    """Free bets of an operator's players are known to the operator alone."""
    sentence = f"the money of this player is kept by {wallet}, and so are free bets"
    return Refused("free-bets-elsewhere", f"{sentence}; grant and stake them in that wallet")


def free_stake_for(
    tx: Tx, person: Person, free_bet: str, table: FloorTable, seats: Sequence[Stakes], now: int
) -> FreeStake:
    """The free stake of a bet that names a free bet, if it is this player's, good here, and enough."""
    row = tx.one(_FREE_BET, {"free_bet": free_bet})
    found = FreeBet._make(row) if row is not None else None
    if found is None or found.player_id != person.id:
        raise unknown_free_bet(free_bet)
    if found.withdrawn_at is not None:
        raise Refused("free-bet-over", "this free bet was withdrawn; ask the house why")
    if now >= found.expires_at:
        raise Refused("free-bet-over", f"this free bet was good until {when_text(found.expires_at)}")
    found.scope.check(table, seats)
    staked = sum(stake for stakes in seats for stake in stakes.values())
    if staked > found.remaining:
        sentence = f"this bet takes {amount_text(staked)} and {amount_text(found.remaining)} of the free bet remains"
        raise Refused("no-free-bet", f"{sentence}; a bet is paid by one free bet or by your balance, never by both")
    return FreeStake(found.id, staked, bool(found.stake_returned))


def unknown_free_bet(free_bet: str) -> Refused:
    return Refused("unknown-free-bet", f"there is no free bet {shown(free_bet)} of yours")


def free_bets_of(tx: Tx, player_id: str, now: int) -> list[FreeBet]:
    """The free bets a player can stake, the one that expires first before others."""
    found = map(FreeBet._make, tx.all(_OF_PLAYER, {"player": player_id}))
    return [one for one in found if one.expires_at > now and one.withdrawn_at is None]


def withdraw(tx: WriteTx, by: str, free_bet: str) -> FreeBet:
    """Take back what remains of a free bet; rounds that are open go on, and what they give back is gone."""
    row = tx.one(_FREE_BET, {"free_bet": free_bet})
    if row is None:
        raise Refused("unknown-free-bet", f"free bet {shown(free_bet)} is unknown")
    found = FreeBet._make(row)
    if found.withdrawn_at is None:
        tx.run(_WITHDRAW, {"free_bet": free_bet, "at": tx.now})
        tx.seal("free-bet-withdrawn", {"by": by, "free_bet": free_bet, "player": found.player_id, "at": tx.now})
        found = found._replace(withdrawn_at=tx.now)
        if found.remaining:
            _end(tx, found)
    return found._replace(remaining=0)


def free_bets_over(tx: Tx, now: int) -> list[str]:
    """Some free bets of which something remains and which are no longer good."""
    return [found for (found,) in tx.all(_OVER, {"now": now})]


def expire(tx: WriteTx, free_bet: str, now: int) -> bool:
    """End a free bet that is no longer good by this time; whether anything remained of it."""
    row = tx.one(_FREE_BET, {"free_bet": free_bet})
    found = FreeBet._make(row) if row is not None else None
    if found is None or not found.remaining or (found.expires_at > now and found.withdrawn_at is None):
        return False
    _end(tx, found)
    return True


def _end(tx: WriteTx, found: FreeBet) -> None:
    """Move what remains of a free bet to those that expired. It may come to that again, when an open round pushes."""
    key = f"free-end:{new_id(tx.now)}"
    moves = [Transfer("free-expire", FREE_BET + found.id, EXPIRED, found.remaining)]
    tx.run(_CHANGE, {"free_bet": found.id, "change": -found.remaining})
    record(tx, key, None, moves)
    tx.seal("free-bet-ended", {"free_bet": found.id, "player": found.player_id, "key": key, "transfers": moves})
