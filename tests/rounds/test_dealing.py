"""The dealing itself, tested on final outcomes, and the tests themselves tested on shuffles known to be bad."""

from math import isclose

import pytest

from dealing_battery import FAMILY_ERROR, PACKS, Dealer, chi_square_p, honest, p_values_of, rejected
from pairhouse.rounds.fairness import Order, WordStream

QUICK = {52: 20_000, 54: 20_000, 104: 20_000, 312: 10_000, 416: 10_000}


@pytest.mark.parametrize("size", list(QUICK))
def test_the_dealing_passes_every_test_together(size: int) -> None:
    """[BPP-2] Each size gets its share of the one in a hundred that a fair shuffle may fail."""
    p_values = p_values_of(size, QUICK[size])
    assert rejected(p_values, FAMILY_ERROR / len(QUICK)) == []
    assert p_values["duplicates, whole orders"] == 1.0


@pytest.mark.parametrize("size", list(PACKS))
def test_numbered_cards_are_dealt_as_the_faces_are(size: int) -> None:
    """What the battery counts is the order of the house, with the copies of a card told apart."""
    decks, jokers = PACKS[size]
    numbered = honest(WordStream(bytes(32), "dealing", "0" * 64, ["test"], 7), size)
    faces = Order(WordStream(bytes(32), "dealing", "0" * 64, ["test"], 7), decks, jokers)[:]
    assert sorted(numbered) == list(range(size))
    assert [number % (52 + jokers) for number in numbered] == faces


@pytest.mark.slow
@pytest.mark.parametrize("size", list(PACKS))
def test_a_million_shuffles_pass_every_test_together(size: int) -> None:
    """`make test-dealing`"""
    assert rejected(p_values_of(size, 1_000_000), FAMILY_ERROR / len(PACKS)) == []


def naive(stream: WordStream, size: int) -> list[int]:
    """Each place swapped with any place: the best known of all mistakes."""
    cards = list(range(size))
    for place in range(len(cards)):
        other = stream.draw(len(cards))
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def byte_modulo(stream: WordStream, size: int) -> list[int]:
    """One byte, reduced by a remainder: small numbers come too often, and far places never."""
    cards = list(range(size))
    for place in range(len(cards) - 1):
        other = place + (stream.word() & 255) % (len(cards) - place)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def last_card_stays(stream: WordStream, size: int) -> list[int]:
    """One place too few in the draw: the last card is never moved."""
    cards = list(range(size))
    for place in range(len(cards) - 2):
        other = place + stream.draw(len(cards) - 1 - place)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def never_itself(stream: WordStream, size: int) -> list[int]:
    """Sattolo's cycles: no place may keep its card."""
    cards = list(range(size))
    for place in range(len(cards) - 1):
        other = place + 1 + stream.draw(len(cards) - 1 - place)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def clumped(stream: WordStream, size: int) -> list[int]:
    """A fair cut of a pack shuffled in pairs: each card is as likely anywhere, but neighbours stay together."""
    pairs = list(range(size // 2))
    for place in range(len(pairs) - 1):
        other = place + stream.draw(len(pairs) - place)
        pairs[place], pairs[other] = pairs[other], pairs[place]
    cards = [card for pair in pairs for card in (2 * pair, 2 * pair + 1)]
    cut = stream.draw(len(cards))
    return cards[cut:] + cards[:cut]


@pytest.mark.parametrize(
    ("bad", "size", "caught_by"),
    [
        (naive, 52, "chi-square, place by card"),
        (naive, 416, "chi-square, place by place before"),
        (byte_modulo, 52, "chi-square, place by card"),
        (byte_modulo, 416, "chi-square, place by card"),
        (last_card_stays, 52, "serial correlation, last card of successive rounds"),
        (last_card_stays, 416, "chi-square, place by card"),
        (never_itself, 54, "chi-square, place by card"),
        (clumped, 52, "serial correlation, neighbours"),
        (clumped, 104, "runs, lower and upper half"),
        (clumped, 312, "interplay, cards 1 and 2"),
    ],
)
def test_the_same_tests_reject_a_bad_shuffle(bad: Dealer, size: int, caught_by: str) -> None:
    assert caught_by in rejected(p_values_of(size, 4_000, bad))


def test_a_stream_that_repeats_itself_is_noticed() -> None:
    def stuck(_stream: WordStream, size: int) -> list[int]:
        return naive(WordStream(bytes(32), "stuck", "0" * 64, [], _stream.word() % 500), size)

    found = rejected(p_values_of(52, 4_000, stuck))
    assert "duplicates, whole orders" in found
    assert "duplicates, first four cards" in found
    assert "coupon collector, thirteen ranks" in found


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        (3.841459, 1, 0.05),
        (18.307038, 10, 0.05),
        (1.145476, 5, 0.95),
        (1074.679449, 1000, 0.05),
        (63.69074, 100, 0.9983),
    ],
)
def test_chi_square_agrees_with_printed_tables(statistic: float, freedom: int, p: float) -> None:
    assert isclose(chi_square_p(statistic, freedom), p, rel_tol=1e-3)
