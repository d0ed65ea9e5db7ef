"""Provably fair dealing, scheme "pairhouse/1": committed before the bet, mixed with the players' seeds, verifiable.

The house draws a server seed and shows its hash. Each player then gives a client seed. An HMAC-SHA256 stream over both
gives 32-bit words, words give unbiased draws, and draws give a Fisher-Yates shuffle that runs from the front, so a card
is final as soon as its place is reached. Nothing else has an influence. docs/fairness.md explains it for players and
laboratories.
"""

import hashlib
import hmac
import secrets
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import overload

import msgspec

from pairhouse.core.cards import FACES, Card, PackOrder, pack
from pairhouse.core.errors import Refused, shown

SCHEME = "pairhouse/1"
SEED_BYTES = 32
CLIENT_SEED_BYTES_MAX = 64
WORD_RANGE = 2**32
CARDS_AT_ONCE = 4

_eight_words = struct.Struct(">8I").unpack
_number_field = struct.Struct(">IQ").pack


def new_seed() -> bytes:
    """A server seed, from the operating system's randomness."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(server_seed: bytes) -> str:
    """What is shown before the bet: SHA-256 of the server seed, as 64 hex digits."""
    return hashlib.sha256(server_seed).hexdigest()


def check_client_seed(text: object) -> str:
    """A client seed exactly as given, or a refusal that says what is accepted."""
    if isinstance(text, str) and 1 <= len(text) <= CLIENT_SEED_BYTES_MAX and text.isascii() and text.isprintable():
        return text
    accepted = f"1 to {CLIENT_SEED_BYTES_MAX} bytes of text without control characters"
    if not isinstance(text, str):
        raise Refused("bad-client-seed", f"{shown(text)} is no client seed; give {accepted}")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise Refused("bad-client-seed", f"{shown(text)} cannot be written as UTF-8; give {accepted}") from None
    if not 1 <= size <= CLIENT_SEED_BYTES_MAX:
        raise Refused("bad-client-seed", f"a client seed of {size} bytes is not possible; give {accepted}")
    if any(letter < " " or letter == "\x7f" for letter in text):
        raise Refused("bad-client-seed", f"{shown(text)} holds a control character; give {accepted}")
    return text


def _field(content: bytes) -> bytes:
    """A field with its length in front, so that different lists of fields never give the same bytes."""
    return len(content).to_bytes(4, "big") + content


def message_prefix(game_id: str, rules_hash: str, client_seeds: Sequence[str], nonce: int) -> bytes:
    """The message of every block of a stream, up to the block's counter."""
    return _before_nonce(game_id, rules_hash, tuple(client_seeds)) + _number_field(8, nonce)


@lru_cache(maxsize=1024)
def _before_nonce(game_id: str, rules_hash: str, client_seeds: tuple[str, ...]) -> bytes:
    fields = [SCHEME.encode(), game_id.encode(), rules_hash.encode("ascii"), len(client_seeds).to_bytes(4, "big")]
    fields += [seed.encode() for seed in client_seeds]
    return b"".join(map(_field, fields))


class WordStream:
    """The random words of one nonce, in order, and fair draws from them. Its repr never shows the seed."""

    __slots__ = ("_block", "_key", "_prefix", "_words")

    def __init__(
        self, server_seed: bytes, game_id: str, rules_hash: str, client_seeds: Sequence[str], nonce: int
    ) -> None:
        self._key = server_seed
        self._prefix = message_prefix(game_id, rules_hash, client_seeds, nonce)
        self._block = 0
        self._words: list[int] = []

    def _next_block(self) -> list[int]:
        """The next eight words, in reverse: they are popped from the end."""
        block = hmac.digest(self._key, self._prefix + _number_field(8, self._block), "sha256")
        self._words = list(_eight_words(block)[::-1])
        self._block += 1
        return self._words

    def word(self) -> int:
        """The next 32-bit word; each block gives eight."""
        return (self._words or self._next_block()).pop()

    def draw(self, n: int) -> int:
        """A number from 0 to n-1, all equally likely: words beyond the last whole multiple of n are rejected."""
        limit = WORD_RANGE - WORD_RANGE % n
        while (word := (self._words or self._next_block()).pop()) >= limit:
            pass
        return word % n


class Order(PackOrder):
    """The order of a whole pack, computed card by card as it is dealt."""

    __slots__ = ("_dealt", "_kinds", "_moved", "_size", "_stream", "pack")

    def __init__(self, stream: WordStream, decks: int, jokers: int = 0) -> None:
        self.pack = (decks, jokers)
        self._stream = stream
        self._kinds = 52 + jokers
        self._size = decks * self._kinds
        self._dealt: list[Card] = []
        self._moved: dict[int, int] = {}  # place -> the card of the unshuffled pack that a swap has put there

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Card: ...
    @overload
    def __getitem__(self, index: slice) -> list[Card]: ...
    def __getitem__(self, index: int | slice) -> Card | list[Card]:
        if isinstance(index, slice):
            places = range(self._size)[index]
            if places:
                self._deal_to(max(places[0], places[-1]))
            return [self._dealt[place] for place in places]
        if 0 <= index < len(self._dealt):
            return self._dealt[index]
        place = index + self._size if index < 0 else index
        if not 0 <= place < self._size:
            raise IndexError(f"place {index} of {self._size} cards")
        if place >= len(self._dealt):
            self._deal_to(place)
        return self._dealt[place]

    def __iter__(self) -> Iterator[Card]:
        return self.cards_from(0)

    def cards_from(self, first: int) -> Iterator[Card]:
        """The cards from a place on, one by one; a few are computed at a time."""
        dealt = self._dealt
        for place in range(first, self._size):
            if place >= len(dealt):
                self._deal_to(min(place + CARDS_AT_ONCE, self._size) - 1)
            yield dealt[place]

    def _deal_to(self, last: int) -> None:
        """Compute the cards up to a place: Fisher-Yates from the front. The very last place needs no draw."""
        moved, dealt, draw, size, kinds = self._moved, self._dealt, self._stream.draw, self._size, self._kinds
        for place in range(len(dealt), last + 1):
            here = moved.pop(place, place)
            left = size - place
            other = place + draw(left) if left > 1 else place
            if other != place:
                dealt.append(moved.get(other, other) % kinds)
                moved[other] = here
            else:
                dealt.append(here % kinds)

    def after(self, first: int) -> "RestOfOrder":
        """The order from a place on, for a coup that is not the first of its shoe."""
        return RestOfOrder(self, first)


class RestOfOrder(PackOrder):
    """The part of an order after its first cards."""

    __slots__ = ("_first", "_order", "pack")

    def __init__(self, order: Order, first: int) -> None:
        if not 0 <= first <= len(order):
            raise IndexError(f"{first} cards of {len(order)}")
        self.pack = order.pack
        self._order = order
        self._first = first

    def __len__(self) -> int:
        return len(self._order) - self._first

    @overload
    def __getitem__(self, index: int) -> Card: ...
    @overload
    def __getitem__(self, index: slice) -> list[Card]: ...
    def __getitem__(self, index: int | slice) -> Card | list[Card]:
        if isinstance(index, slice):
            places = range(self._first, len(self._order))[index]
            return self._order[places.start : places.stop : places.step] if places else []
        if index < 0:
            index += len(self)
            if index < 0:
                raise IndexError(f"a place before the first of {len(self)} cards")
        return self._order[self._first + index]

    def __iter__(self) -> Iterator[Card]:
        return self._order.cards_from(self._first)


class OrderLeft(PackOrder):
    """The order of the cards that a shoe still holds, shuffled anew; computed card by card as it is dealt.

    The pack lies unshuffled without the cards that are gone; of equal faces the first in it are gone first.
    """

    __slots__ = ("_cards", "_final", "_stream", "pack")

    def __init__(self, stream: WordStream, decks: int, jokers: int, gone: Sequence[Card]) -> None:
        self.pack = (decks, jokers)
        self._stream = stream
        self._cards = cards_left(decks, jokers, gone)
        self._final = 0

    def __len__(self) -> int:
        return len(self._cards)

    @overload
    def __getitem__(self, index: int) -> Card: ...
    @overload
    def __getitem__(self, index: slice) -> list[Card]: ...
    def __getitem__(self, index: int | slice) -> Card | list[Card]:
        places = range(len(self._cards))[index]
        if isinstance(places, int):
            self._deal_to(places)
            return self._cards[places]
        if places:
            self._deal_to(max(places[0], places[-1]))
        return [self._cards[place] for place in places]

    def __iter__(self) -> Iterator[Card]:
        for place in range(len(self._cards)):
            self._deal_to(place)
            yield self._cards[place]

    def _deal_to(self, last: int) -> None:
        """Compute the cards up to a place: Fisher-Yates from the front. The very last place needs no draw."""
        cards = self._cards
        for place in range(self._final, last + 1):
            left = len(cards) - place
            other = place + self._stream.draw(left) if left > 1 else place
            cards[place], cards[other] = cards[other], cards[place]
        self._final = max(self._final, last + 1)


def cards_left(decks: int, jokers: int, gone: Sequence[Card]) -> list[Card]:
    """The unshuffled pack without the cards that are gone; refused if it does not hold them."""
    missing = Counter(gone)
    left = []
    for card in pack(decks, jokers):
        if missing[card]:
            missing[card] -= 1
        else:
            left.append(card)
    if missing.total():
        face = FACES[next(iter(+missing))]
        raise Refused("bad-card", f"{face} is gone from the shoe more often than its {decks} decks hold it")
    return left


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What a player needs to verify a round. The server seed is null until it is revealed."""

    scheme: str = SCHEME
    game: str
    rules_hash: str
    commitment: str
    server_seed: str | None = None
    client_seeds: list[str]
    nonce: int
    first_card: int = 0
    cards_used: int


def proof_record(
    game_id: str,
    rules_hash: str,
    server_seed: bytes,
    client_seeds: Sequence[str],
    nonce: int,
    *,
    cards_used: int,
    first_card: int = 0,
    revealed: bool = False,
) -> Proof:
    """The proof of a round; the server seed is in it only if `revealed`."""
    return Proof(
        game=game_id,
        rules_hash=rules_hash,
        commitment=commitment(server_seed),
        server_seed=server_seed.hex() if revealed else None,
        client_seeds=list(client_seeds),
        nonce=nonce,
        first_card=first_card,
        cards_used=cards_used,
    )


def words_of(proof: Proof) -> WordStream:
    """The random words that a revealed proof gives."""
    if proof.server_seed is None:
        sentence = "the server seed of this round is not revealed yet; rotate the seed at its table, then verify again"
        raise Refused("seed-not-revealed", sentence)
    key = bytes.fromhex(proof.server_seed)
    return WordStream(key, proof.game, proof.rules_hash, proof.client_seeds, proof.nonce)


def order_of(proof: Proof, decks: int, jokers: int = 0) -> Order:
    """The order of the cards that a revealed proof gives."""
    return Order(words_of(proof), decks, jokers)
