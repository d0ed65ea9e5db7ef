"""The dealer: the cards of a bet come from its own stream, nonce and client seed, and from nothing else."""

import random
from pathlib import Path

import pytest

from direct_house import DATABASES, TABLES, Guest, audited, new_books
from pairhouse.core.errors import Refused
from pairhouse.house.dealer import stream_in_use
from pairhouse.house.house import House


def test_a_seed_opens_for_its_own_stream_alone(tmp_path: Path) -> None:
    """Although seeds are cached: one that somebody copied to another stream is refused."""
    house = House(new_books("sqlite", tmp_path))
    ann, bob = (Guest(house, random.Random(number)) for number in range(2))
    for guest in (ann, bob):
        guest.sit("la-paire")
    with house.database.reading() as tx:
        mine, other = (stream_in_use(tx, guest.id, "la-paire") for guest in (ann, bob))
    variant = TABLES["la-paire"]
    house.dealer.order(mine.id, mine.sealed_seed, variant, variant.rules_hash, ["x"], 0)
    with pytest.raises(Refused, match="does not open"):
        house.dealer.order(other.id, mine.sealed_seed, variant, variant.rules_hash, ["x"], 0)
    house.close()


@pytest.mark.parametrize("kind", DATABASES)
def test_a_refused_bet_leaves_nothing_of_its_cards(kind: str, tmp_path: Path) -> None:
    """Its nonce goes to the next bet, whose client seed is another: the cards are those of the bet that counts."""
    house = House(new_books(kind, tmp_path))
    guest = Guest(house, random.Random(2))
    guest.sit("la-paire")
    for number in range(8):
        with pytest.raises(Refused, match="your balance is"):
            guest.bet("la-paire", [{f"card-{rank}": 50_000 for rank in "A23456789JQK"}], seed=f"refused {number}")
        guest.bet("la-paire", [{"card-2": 200}], seed="counts")
    found = audited(house)
    house.close()
    assert found.difference is None
