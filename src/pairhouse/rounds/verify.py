"""Verification: deal and settle a closed round again from its seeds, and compare.

This is the house's own check. The verifiers under `verifier/` check the same and share no code with it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from pairhouse.core.cards import FACES, Card, parse
from pairhouse.core.errors import Refused, shown
from pairhouse.core.game import Variant
from pairhouse.core.shoe import Shoe
from pairhouse.machines.events import bet_record
from pairhouse.machines.replay import replay
from pairhouse.rounds.fairness import (
    CLIENT_SEED_BYTES_MAX,
    SCHEME,
    SEED_BYTES,
    Order,
    OrderLeft,
    Proof,
    commitment,
    order_of,
    words_of,
)
from pairhouse.rounds.live_shoe import ShoeProof, can_have_shoe, shoe_difference
from pairhouse.rounds.round_log import RoundLog
from pairhouse.rounds.shared_seeds import MixedSeeds, seeds_difference

Wagers = list[dict[str, dict[str, Any]]]


class Finding(msgspec.Struct, frozen=True):
    """One check: whether it holds, and in words what was compared or how it differs."""

    check: str
    holds: bool
    says: str


class SettledWagers(msgspec.Struct):
    """The part of a view that is checked: the result of each seat's wagers."""

    wagers: Wagers


class ClosedRound(msgspec.Struct):
    """The parts of a closed round that can be checked; other fields are ignored."""

    state: str
    proof: Proof
    view: SettledWagers
    log: RoundLog | None = None
    staked: int | None = None
    returned: int | None = None
    mixed: MixedSeeds | None = None  # of a live round
    shoe: ShoeProof | None = None  # of a coup at a live table; a private one begins after `proof.first_card` cards


def read_closed(text: bytes | str) -> ClosedRound:
    """A closed round from its JSON, or a refusal that says what is wrong with it."""
    try:
        return checked(msgspec.json.decode(text, type=ClosedRound))
    except msgspec.ValidationError as error:
        raise Refused("bad-round", f"the round cannot be read: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("bad-json", f"this is not JSON: {error}") from None
    except RecursionError:
        raise Refused("bad-json", "this JSON is nested too deeply; a round is a flat record") from None


def checked(closed: ClosedRound) -> ClosedRound:
    """The same round if it can be verified; otherwise a refusal that says why not."""
    proof = closed.proof
    if proof.scheme != SCHEME:
        raise Refused("other-scheme", f"the round was dealt by scheme {shown(proof.scheme)}; this checks {SCHEME}")
    if closed.state not in ("settled", "void") or closed.log is None:
        raise Refused("round-open", "the round is not closed, or its log is missing; verify it once it is settled")
    if proof.server_seed is None:
        sentence = "the server seed of this round is not revealed yet; rotate the seed at its table, then verify again"
        raise Refused("seed-not-revealed", sentence)
    if not _is_hex(proof.server_seed, SEED_BYTES) or not _is_hex(proof.commitment, 32):
        raise Refused("bad-round", "server seed and commitment must be 64 hex digits each")
    if not proof.rules_hash.isascii() or not 0 <= proof.nonce < 2**64 or min(proof.first_card, proof.cards_used) < 0:
        raise Refused("bad-round", "the rules hash, the nonce or the place of the cards is out of range")
    if not proof.client_seeds or not all(_fits(seed) for seed in proof.client_seeds):
        raise Refused("bad-round", f"each player gives a client seed of 1 to {CLIENT_SEED_BYTES_MAX} bytes of UTF-8")
    return closed


def _is_hex(text: str, size: int) -> bool:
    return len(text) == 2 * size and all(digit in "0123456789abcdef" for digit in text)


def _fits(seed: str) -> bool:
    try:
        return 1 <= len(seed.encode()) <= CLIENT_SEED_BYTES_MAX
    except UnicodeEncodeError:
        return False


def verify(record: ClosedRound | Mapping[str, Any], *, any_rules: bool = False) -> list[Finding]:
    """Every check of a closed round, in order.

    A round dealt under other rules than those in force is refused, unless `any_rules` says that they pay the same.
    """
    closed = checked(record) if isinstance(record, ClosedRound) else read_closed(msgspec.json.encode(record))
    assert closed.log is not None
    variant = closed.log.variant
    if not any_rules and closed.proof.rules_hash != variant.rules_hash:
        dealt, now = closed.proof.rules_hash[:12], variant.rules_hash[:12]
        raise Refused("other-rules", f"the round was dealt under rules {dealt}; the rules in force are {now}")
    return list(_findings(closed, closed.log, variant))


def first_difference(findings: list[Finding]) -> Finding | None:
    """The first check that failed, or None when all hold."""
    return next((finding for finding in findings if not finding.holds), None)


def _findings(closed: ClosedRound, log: RoundLog, variant: Variant) -> Iterator[Finding]:
    proof = closed.proof
    found = commitment(bytes.fromhex(proof.server_seed or ""))
    says = "the revealed server seed hashes to the commitment shown before the bet"
    if found != proof.commitment:
        says = f"the server seed hashes to {found}, but the commitment shown was {proof.commitment}"
    yield Finding("commitment", found == proof.commitment, says)
    yield _names(closed, log)
    if closed.mixed is not None:
        yield _seeds(closed.mixed, proof)
    order: Order | OrderLeft = order_of(proof, *variant.pack)
    if closed.mixed is not None and closed.shoe is not None:
        shoe = _shoe(closed.shoe, proof, variant)
        yield shoe
        if not shoe.holds:
            return
        order = OrderLeft(words_of(proof), *variant.pack, parse(closed.shoe.gone))
    if proof.first_card + proof.cards_used > len(order):
        yield Finding("cards", False, f"{proof.first_card} + {proof.cards_used} cards are more than the pack holds")
        return
    yield _place(proof, order, variant) if isinstance(order, Order) else _place_left(proof)
    dealt = order[proof.first_card : proof.first_card + proof.cards_used]
    yield _cards(dealt, log)
    yield _settlement(closed, log, variant, dealt)


def _names(closed: ClosedRound, log: RoundLog) -> Finding:
    """Proof, log and state agree on the game, the rules and the ending."""
    proof = closed.proof
    differences = {
        f"the proof is of {proof.game}, the log of {log.game}": proof.game != log.game,
        "the log names other rules than the proof": log.rules not in (None, proof.rules_hash),
        f"the log says void: {log.void}, but the round's state is {closed.state}": (closed.state == "void")
        != (log.void is not None),
    }
    for difference, there in differences.items():
        if there:
            return Finding("names", False, difference)
    return Finding("names", True, "proof, log and state speak of one game, one set of rules and one ending")


def _seeds(mixed: MixedSeeds, proof: Proof) -> Finding:
    """At a live table: the seeds that were opened are those committed to, and those that were mixed in."""
    difference = seeds_difference(mixed, proof.client_seeds)
    if difference is not None:
        return Finding("seeds", False, difference)
    says = f"the {mixed.opened} seeds that were opened were mixed in"
    seats = ", ".join(map(str, mixed.withheld))
    return Finding("seeds", True, f"{says}; withheld by seat {seats}" if seats else f"{says}, and none was withheld")


def _shoe(shoe: ShoeProof, proof: Proof, variant: Variant) -> Finding:
    """The cards gone before a coup of a live table are those that the coups before it were dealt."""
    if not can_have_shoe(variant):
        return Finding("shoe", False, "every round of this game is shuffled anew, yet cards are said to be gone")
    difference = shoe_difference(variant, proof.rules_hash, shoe)
    if difference is not None:
        return Finding("shoe", False, difference)
    says = f"coup {shoe.coup} of shoe {shoe.number}: the seeds of the {len(shoe.before)} coups before it deal the"
    return Finding("shoe", True, f"{says} {len(shoe.gone)} cards that were gone")


def _place_left(proof: Proof) -> Finding:
    if proof.first_card:
        return Finding("place", False, f"the coup skips {proof.first_card} cards of a shuffle of its own")
    return Finding("place", True, "the coup begins with the first card of its shuffle of what the shoe still holds")


def _place(proof: Proof, order: Order, variant: Variant) -> Finding:
    """The round begins with the first card of its shuffle, or where a coup of its shoe begins."""
    if proof.first_card == 0:
        return Finding("place", True, "the round begins with the first card of its shuffle")
    if not variant.game.shoe:
        return Finding(
            "place", False, f"every round of this game is shuffled anew, yet it skips {proof.first_card} cards"
        )
    shoe = Shoe(tuple(order), variant.options["cut_card"])
    opener = next(wager.id for wager in variant.wagers.values() if wager.opens)
    while shoe.dealt < proof.first_card and not shoe.finished:
        shoe = shoe.after(replay(variant, order.after(shoe.dealt), [{opener: variant.steps[opener]}]).cards_used)
    if shoe.finished or shoe.dealt != proof.first_card:
        return Finding("place", False, f"no coup of this shoe begins after {proof.first_card} cards")
    return Finding("place", True, f"the coup begins after {proof.first_card} cards, where the coup before it ended")


def _cards(dealt: list[Card], log: RoundLog) -> Finding:
    """The cards of the log are those the seeds deal."""
    logged = parse(log.cards)
    if len(logged) != len(dealt):
        return Finding("cards", False, f"the proof says {len(dealt)} cards were used, the log holds {len(logged)}")
    for number, (ours, theirs) in enumerate(zip(dealt, logged, strict=True), 1):
        if ours != theirs:
            return Finding("cards", False, f"card {number} is {FACES[theirs]} in the log; the seeds deal {FACES[ours]}")
    return Finding("cards", True, f"the seeds deal the {len(dealt)} cards of the log, in that order")


def _settlement(closed: ClosedRound, log: RoundLog, variant: Variant, dealt: list[Card]) -> Finding:
    """Replayed with the cards the seeds deal, every wager has the result it was paid."""
    try:
        meter = log.meter_before(variant)
        state = replay(variant, dealt, log.seats, log.choices, meter=meter, void=log.void)
    except Refused as refused:
        return Finding("settlement", False, f"the round cannot be played from these cards and choices: {refused}")
    if not state.is_over:
        return Finding("settlement", False, "the choices end before the round does")
    if log.void is None and state.cards_used != len(dealt):
        return Finding("settlement", False, f"the round needs {state.cards_used} cards, not {len(dealt)}")
    wagers: Wagers = [{name: dict(bet_record(bet)) for name, bet in bets.items()} for bets in state.bets]
    difference = _other_wagers(wagers, closed.view.wagers) or _other_totals(wagers, closed)
    if difference:
        return Finding("settlement", False, difference)
    return Finding("settlement", True, "replayed by the rules, every wager comes to what was paid")


def _other_wagers(ours: Wagers, theirs: Wagers) -> str | None:
    if len(ours) != len(theirs):
        return f"{len(ours)} seats were played, {len(theirs)} were settled"
    for seat, (mine, yours) in enumerate(zip(ours, theirs, strict=True), 1):
        for name in [*mine, *(name for name in yours if name not in mine)]:
            for part in ("stake", "returned", "row"):
                should, was = mine.get(name, {}).get(part), yours.get(name, {}).get(part)
                if should != was:
                    return f"seat {seat}, {name}: {part} was {shown(was)}, and should be {shown(should)}"
    return None


def _other_totals(wagers: Wagers, closed: ClosedRound) -> str | None:
    for part, word, was in (("stake", "staked", closed.staked), ("returned", "returned", closed.returned)):
        should = sum(bet[part] for bets in wagers for bet in bets.values())
        if was is not None and was != should:
            return f"the round says that {was} in all was {word}; its wagers add up to {should}"
    return None
