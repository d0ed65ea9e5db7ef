"""Checks of the signed log: chains are certified and signed, the log has every event once, and it only ever grew."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pairhouse.core.errors import Refused
from pairhouse.core.merkle import leaf_hashes
from pairhouse.house.audit.key_checks import SealingKeys
from pairhouse.house.audit.notebook import Differs, Notebook, check_equal
from pairhouse.house.seal.chain_keys import ChainCertificate
from pairhouse.house.seal.growth import GrowthCheck, GrowthResult
from pairhouse.house.seal.heads import SignedHead, read_head
from pairhouse.house.seal.sequencer import RunsCheck
from pairhouse.house.store.chain_ends import all_ends
from pairhouse.house.store.database import Tx
from pairhouse.house.store.log_rows import LogState, all_heads, all_nodes, all_runs, pages_of_seals, read_state

Ends = Mapping[str, tuple[int, str]]  # the last event of each chain: its number and seal


class Outside(NamedTuple):
    """What the books are held to that is not in them: the public key of the house, and heads kept elsewhere."""

    public_key: bytes
    heads: Sequence[SignedHead] = ()


class LogFound(NamedTuple):
    """What was found: how many events the log has, how many are still to come, and the heads that were compared."""

    size: int
    waiting: int
    anchored: int
    newest: int | None
    left_behind: int


def check_log(tx: Tx, notebook: Notebook, outside: Outside, ends: Ends) -> LogFound:
    """Check certificates, ends, runs, subtrees and heads; what contradicts a signature is a difference."""
    try:
        return _check_log(tx, notebook, outside, ends)
    except Refused as refused:
        raise Differs(str(refused)) from refused
    except ValueError as error:
        raise Differs(f"the signed log cannot be read: {error}") from error


def _check_log(tx: Tx, notebook: Notebook, outside: Outside, ends: Ends) -> LogFound:
    state = read_state(tx)
    stored = [_stored_head(*row) for row in all_heads(tx)]
    keys = SealingKeys(notebook, state, outside.public_key, [*outside.heads, *stored])
    _check_ends(tx, state, keys, ends)
    order, grown = _walk(tx, state, GrowthCheck([*outside.heads, *stored], keys.ring))
    for chain, last in order.last.items():
        if last > ends.get(chain, (0, ""))[0]:
            raise Differs(f"the log has event {last} of chain {chain}, which is missing")
    waiting = sum(number for number, _ in ends.values()) - order.size
    given = {signed.head for signed in outside.heads}
    compared = [head.size for head in grown.extended if head in given]
    return LogFound(order.size, waiting, len(compared), max(compared, default=None), len(grown.left_behind))


def _check_ends(tx: Tx, state: LogState, keys: SealingKeys, ends: Ends) -> None:
    """Each chain was opened by this house and goes exactly as far as its writer has signed."""
    signed = {one.chain: one for one in all_ends(tx)}
    certified: list[tuple[ChainCertificate, int]] = []
    for chain in sorted(ends.keys() | signed.keys()):
        if chain not in signed:
            raise Differs(f"chain {chain} was not opened by this house: it has no certificate")
        certificate, end = signed[chain].certificate_of(state.books), signed[chain].end
        certified.append((certificate, end.number))
        end.check(certificate)
        number, seal = ends.get(chain, (0, ""))
        if number != end.number:
            raise Differs(f"chain {chain} is signed up to event {end.number}; the books have {number} of its events")
        check_equal(f"chain {chain}", "the seal of its last event", seal, end.seal)
    keys.check_chains(tx, certified)


def _walk(tx: Tx, state: LogState, growth: GrowthCheck) -> tuple[RunsCheck, GrowthResult]:
    """Go through all leaves once; the stored subtrees, the right edge and every head follow from them."""
    order = RunsCheck()
    kept = {(level, place): made for level, place, made in all_nodes(tx)}
    count = 0
    for run in all_runs(tx):
        order.add(run)
        for page in pages_of_seals(tx, run.chain, run.first, run.last):
            for node, made in growth.add(leaf_hashes(page)):
                check_equal(f"subtree {node.place} of level {node.level}", "its hash", kept.get(node), made.hex())
                count += 1
    check_equal("subtrees of the log", "how many there are", len(kept), count)
    grown = growth.finish()
    check_equal("the signed log", "how many events it has", state.size, grown.events)
    check_equal("the signed log", "how many events its runs have", order.size, grown.events)
    check_equal("the signed log", "its right edge", state.edge, b"".join(growth.edge).hex())
    return order, grown


def _stored_head(epoch: int, size: int, at: int, text: str) -> SignedHead:
    signed = read_head(text)
    head = signed.head
    check_equal(f"head {epoch}/{size}", "what is signed", (head.epoch, head.size, head.at), (epoch, size, at))
    return signed
