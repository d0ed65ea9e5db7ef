"""Seeds of several people in one shuffle: each commits to a seed with the bet and opens it after "no more bets".

The house has committed to its own seed before the first bet, so it cannot choose the cards knowing the seeds; nobody
knows another's seed before betting is closed, so nobody can choose a seed knowing the others'. Any one honest seed is
enough. A seed that is not opened in time is left out, and the round says whose it was: whoever withholds, alone or
with the house, chooses between two shuffles, in the sight of all.

The seeds of up to `LISTED_MAX` people are mixed in as they are, in the order of their seats. Those of more are the
leaves of a Merkle tree (RFC 6962), and its root is mixed in: each person needs only their own seed and a short path.
"""

import hashlib
from collections.abc import Sequence

import msgspec

from pairhouse.core.errors import Refused
from pairhouse.core.merkle import MerkleTree, inclusion_parts, leaf_hash, leaf_hashes, prove, root_from_inclusion
from pairhouse.rounds.fairness import check_client_seed

LISTED_MAX = 16
ALL_MAX = 1_000  # seeds that a bettor is given to check a round; of more, their own with its path
NO_SEED = "no seed was opened"  # mixed in when nobody has opened one


class SharedSeed(msgspec.Struct, frozen=True):
    """What one person gave: the commitment with the bet, and the seed once it is opened; null if it was withheld."""

    seat: int
    commitment: str
    seed: str | None = None


class SeedPath(msgspec.Struct, frozen=True):
    """Where a seed is among those that were mixed in, and the hashes that lead from it to the root."""

    leaf: int
    leaves: int
    path: list[str]


class MixedSeeds(msgspec.Struct, frozen=True, omit_defaults=True):
    """The seeds of a closed round, as one reader needs them to check that theirs was mixed in.

    `seats` are the seats whose wagers the round lists, `seat` is the reader's. Of more than `ALL_MAX` seeds a bettor is
    given their own, with its path to the root.
    """

    seats: list[int]
    opened: int
    withheld: list[int]
    seeds: list[SharedSeed]
    seat: int | None = None
    path: SeedPath | None = None


def mixed_for(seeds: Sequence[SharedSeed], seats: list[int], seat: int | None = None) -> MixedSeeds:
    """What a reader is given of the seeds of a closed round."""
    ordered = sorted(seeds, key=lambda shared: shared.seat)
    left_out = withheld(ordered)
    opened = [shared for shared in ordered if shared.seed is not None]
    place = next((number for number, shared in enumerate(opened) if shared.seat == seat), None)
    path = None
    if place is not None and len(opened) > LISTED_MAX:
        path = seed_path(opened_seeds(opened), place)
        if len(ordered) > ALL_MAX:
            ordered = [opened[place]]
    return MixedSeeds(seats, len(opened), left_out, ordered, seat, path)


def seeds_difference(mixed: MixedSeeds, client_seeds: Sequence[str]) -> str | None:
    """How the seeds that were mixed in differ from those that were opened; None where they are the same."""
    for shared in mixed.seeds:
        if shared.seed is not None and seed_commitment(shared.seed) != shared.commitment:
            return f"the seed of seat {shared.seat} is not the one it committed to"
    if len(mixed.seeds) == mixed.opened + len(mixed.withheld):
        if withheld(mixed.seeds) != mixed.withheld or len(opened_seeds(mixed.seeds)) != mixed.opened:
            return "the seeds that are left out are not those that were not opened"
        return None if mixed_seeds(mixed.seeds) == list(client_seeds) else "other seeds were mixed in than were opened"
    mine = next((shared.seed for shared in mixed.seeds if shared.seat == mixed.seat), None)
    if mine is None or len(mixed.seeds) != 1 or mixed.path is None:
        return "the seeds are not all there, and there is none with a path to what was mixed in"
    if mixed.path.leaves != mixed.opened or [root_from_path(mine, mixed.path)] != list(client_seeds):
        return "the path from your seed does not lead to what was mixed in"
    return None


def seed_commitment(seed: str) -> str:
    """What a person gives with the bet: SHA-256 of the seed's text, as 64 hex digits."""
    return hashlib.sha256(check_client_seed(seed).encode()).hexdigest()


def check_commitment_text(text: object) -> str:
    """A commitment as it was given, or a refusal that says what one is."""
    if isinstance(text, str) and len(text) == 64 and all(digit in "0123456789abcdef" for digit in text):
        return text
    raise Refused("bad-seed", "a seed is committed to by its SHA-256 in 64 hex digits, lower case")


def check_opened(shared: SharedSeed, seed: str) -> SharedSeed:
    """The seed that was committed to, opened; refused if it is another."""
    if seed_commitment(seed) != shared.commitment:
        raise Refused("bad-seed", "this is not the seed that was committed to with the bet")
    return msgspec.structs.replace(shared, seed=seed)


def mixed_seeds(seeds: Sequence[SharedSeed]) -> list[str]:
    """The client seeds of a shuffle: the opened ones in the order of the seats, or the root over them."""
    opened = opened_seeds(seeds)
    if not opened:
        return [NO_SEED]
    return opened if len(opened) <= LISTED_MAX else [seed_root(opened).hex()]


def opened_seeds(seeds: Sequence[SharedSeed]) -> list[str]:
    """The seeds that were opened, in the order of the seats."""
    return [shared.seed for shared in sorted(seeds, key=lambda shared: shared.seat) if shared.seed is not None]


def withheld(seeds: Sequence[SharedSeed]) -> list[int]:
    """The seats that committed to a seed and did not open it."""
    return sorted(shared.seat for shared in seeds if shared.seed is None)


def seed_root(opened: Sequence[str]) -> bytes:
    """The root of the Merkle tree over seeds."""
    tree = MerkleTree()
    tree.extend(_leaves(opened))
    return tree.root()


def seed_path(opened: Sequence[str], leaf: int) -> SeedPath:
    """What the person of a leaf needs beside the seed to find the root."""
    tree = MerkleTree()
    nodes = dict(tree.extend(_leaves(opened), kept_level=0))
    path = prove(inclusion_parts(leaf, len(opened)), nodes.__getitem__)
    return SeedPath(leaf, len(opened), [node.hex() for node in path])


def root_from_path(seed: str, path: SeedPath) -> str:
    """The root that a seed and its path lead to, as hex digits; compare it with what was mixed in."""
    beside = [bytes.fromhex(text) for text in path.path]
    return root_from_inclusion(leaf_hash(seed.encode()), path.leaf, path.leaves, beside).hex()


def _leaves(opened: Sequence[str]) -> list[bytes]:
    return leaf_hashes(seed.encode() for seed in opened)
