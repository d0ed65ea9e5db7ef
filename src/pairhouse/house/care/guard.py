"""What stands between a bet and the cards: exclusions, breaks, reminders, limits and pace.

The pit asks before it deals and tells after it has settled, in the transaction of the bet itself. For a player who has
set nothing, in a house whose policy asks for nothing, neither reads nor writes anything.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.house.bank import PLAYER, Transfer
from pairhouse.house.care.exclusions import BREAK, SELF_EXCLUSION, barred
from pairhouse.house.care.limits import Counters, check_stakes, check_time, counted, room_for_choices
from pairhouse.house.care.periods import MINUTE_MS
from pairhouse.house.care.policy import NO_POLICY, Policy
from pairhouse.house.care.records import CareRecord, cares_of, queue_care, read_care
from pairhouse.house.pace import check_pace
from pairhouse.house.store.transaction import WriteTx


class Guard:
    """Checks bets, choices and deposits against what a player has set and what the policy asks."""

    def __init__(self, policy: Policy = NO_POLICY) -> None:
        self.policy = policy
        self._asks_of_all = bool(policy.session_minutes_max or policy.reminder_minutes or policy.minimum_round_ms)

    def check_bet(
        self,
        now: int,
        session_began_at: int,
        care: CareRecord,
        variant: Variant,
        seats: Sequence[Mapping[str, int]],
        held: int = 0,
        free: int = 0,
    ) -> None:
        """Whether this player may bet these stakes now.

        `held` is what of them was staked before and is changed now. `free` is what a free bet pays: limits on losses
        and stakes count the player's own money only.
        """
        if not care.exists and not self._asks_of_all:
            return
        settings, policy = care.settings, self.policy
        if settings.excluded_until > now:
            raise barred(SELF_EXCLUSION, settings.excluded_until)
        if settings.break_until > now:
            raise barred(BREAK, settings.break_until)
        if policy.session_minutes_max and now - session_began_at >= policy.session_minutes_max * MINUTE_MS:
            sentence = f"this session has lasted {policy.session_minutes_max} minutes, the longest there is here"
            raise Refused("session-over", f"{sentence}; sign out, and come back when you have rested")
        due_at = self.reminder_due_at(session_began_at, care)
        if due_at is not None and now >= due_at:
            played = (now - session_began_at) // MINUTE_MS
            sentence = f"you have been here for {played} minutes; look at your time and net, then say that you go on"
            raise Refused("reality-check", sentence)
        stake = sum(sum(stakes.values()) for stakes in seats) - held - free
        if settings.limits and (stake > 0 or free):
            check_time(settings, care.counters, now)
            check_stakes(settings, care.counters, now, stake, room_for_choices(variant, seats))
        if policy.minimum_round_ms:
            check_pace(now, care.last_round_at, policy.minimum_round_ms)

    def reminder_due_at(self, session_began_at: int, care: CareRecord) -> int | None:
        """When the player is next to be reminded of the time; None where nobody asked for it."""
        minutes = care.settings.reminder_minutes or self.policy.reminder_minutes
        return max(session_began_at, care.reminded_at) + minutes * MINUTE_MS if minutes else None

    def notes_bets(self, care: CareRecord) -> bool:
        """Whether `note_bet` is to be told of this player's bets."""
        return care.exists or self.policy.minimum_round_ms > 0

    def note_bet(self, tx: WriteTx, player_id: str, care: CareRecord, staked: int, returned: int) -> None:
        """A round was opened; `returned` is what it paid, if it is over already."""
        counters = self._counted(tx, care, staked, returned)
        queue_care(tx, player_id, care._replace(counters=counters, last_round_at=tx.now))

    def check_choice(self, now: int, care: CareRecord, cost: int) -> None:
        """Whether a choice that costs a further stake fits. Other choices are always free: a round is finished."""
        if cost and care.settings.limits:
            check_stakes(care.settings, care.counters, now, cost)

    def note_choice(self, tx: WriteTx, player_id: str, care: CareRecord, staked: int, returned: int) -> None:
        """A choice was made; `returned` is what its round paid, if it is over."""
        if care.counters.is_counting:
            queue_care(tx, player_id, care._replace(counters=self._counted(tx, care, staked, returned)))

    def note_void(self, tx: WriteTx, player_id: str, refunded: int) -> None:
        """The stakes of a round went back: they are not lost. They were made, so they count as staked."""
        care = read_care(tx, player_id)
        if care.counters.is_counting:
            counters = counted(care.counters, tx.now, returned=refunded, is_play=False)
            queue_care(tx, player_id, care._replace(counters=counters))

    def note_transfers(self, tx: WriteTx, moves: Sequence[Transfer], *, is_void: bool = False) -> None:
        """Count what went to and from players by these transfers: stakes, stakes taken back, and payments.

        Stakes that go back because the round is void were made, so they count as staked, as in `note_void`.
        """
        staked, returned = Counter[str](), Counter[str]()
        for move in moves:
            if move.kind == "stake":
                staked[move.debit.removeprefix(PLAYER)] += move.amount
            elif move.kind == "refund" and not is_void:
                staked[move.credit.removeprefix(PLAYER)] -= move.amount
            elif move.kind in ("pay", "refund"):
                returned[move.credit.removeprefix(PLAYER)] += move.amount
        for player_id, care in cares_of(tx, sorted(staked.keys() | returned.keys())):
            if care.counters.is_counting:
                money = {"staked": staked[player_id], "returned": returned[player_id]}
                counters = counted(care.counters, tx.now, **money, is_play=player_id in staked)
                queue_care(tx, player_id, care._replace(counters=counters))

    def _counted(self, tx: WriteTx, care: CareRecord, staked: int, returned: int) -> Counters:
        if not care.counters.is_counting:
            return care.counters
        return counted(care.counters, tx.now, staked=staked, returned=returned)
