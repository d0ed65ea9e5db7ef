"""The scheme by its parts: seeds, draws, orders found card by card, proofs, and `pairhouse verify`."""

import hashlib
import hmac
import json
import re
import struct
import subprocess
from collections import Counter
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import pairhouse
from fair_rounds import Record, Seeds, closed_round, random_rounds
from pairhouse.core.cards import check_from, pack
from pairhouse.core.errors import Refused, shown
from pairhouse.core.shoe import Shoe
from pairhouse.games.catalogue import GAMES, find
from pairhouse.machines.replay import replay
from pairhouse.rounds.fairness import (
    WORD_RANGE,
    Order,
    OrderLeft,
    WordStream,
    cards_left,
    check_client_seed,
    commitment,
    message_prefix,
    new_seed,
    order_of,
    proof_record,
)
from pairhouse.rounds.verify import first_difference, read_closed, verify

PACKS = [(1, 0), (1, 2), (2, 0), (5, 0), (6, 0), (8, 0)]


def stream(nonce: int = 0, seed: bytes = bytes(32)) -> WordStream:
    return WordStream(seed, "blackjack", "0" * 64, ["lucky"], nonce)


@pytest.mark.parametrize("decks_and_jokers", PACKS)
def test_an_order_is_the_whole_pack_and_the_same_however_it_is_read(decks_and_jokers: tuple[int, int]) -> None:
    whole = Order(stream(), *decks_and_jokers)[:]
    assert Counter(whole) == Counter(pack(*decks_and_jokers))
    assert list(Order(stream(), *decks_and_jokers)) == whole
    by_one = Order(stream(), *decks_and_jokers)
    assert [by_one[place] for place in range(len(by_one))] == whole
    assert by_one[-1] == whole[-1]
    backwards = Order(stream(), *decks_and_jokers)
    assert backwards[::-1] == whole[::-1]
    assert whole != Order(stream(1), *decks_and_jokers)[:]


def test_an_order_equals_the_plain_shuffle() -> None:
    """The scheme as it is written down: a list, a loop and a swap."""
    cards, source = list(pack(8)), stream()
    for place in range(len(cards) - 1):
        other = place + source.draw(len(cards) - place)
        cards[place], cards[other] = cards[other], cards[place]
    assert Order(stream(), 8)[:] == cards


def test_a_card_is_found_without_looking_at_those_behind_it() -> None:
    source = stream()
    order = Order(source, 8)
    order[5]
    six = WordStream(bytes(32), "blackjack", "0" * 64, ["lucky"], 0)
    for place in range(6):
        six.draw(416 - place)
    assert source.word() == six.word()


@pytest.mark.parametrize("place", [416, -417])
def test_no_card_lies_outside_the_pack(place: int) -> None:
    with pytest.raises(IndexError):
        Order(stream(), 8)[place]
    with pytest.raises(IndexError):
        Order(stream(), 8).after(10)[place]


def test_the_rest_of_a_shoe_is_the_order_from_there_on() -> None:
    order = Order(stream(), 8)
    whole, rest = Order(stream(), 8)[:], order.after(100)
    assert len(rest) == 316
    assert (rest[0], rest[-1], rest[3:6], list(rest)) == (whole[100], whole[-1], whole[103:106], whole[100:])
    assert list(order.after(416)) == []
    assert (rest[-316], rest[9:9], rest[400:]) == (whole[100], [], [])
    with pytest.raises(IndexError, match="a place before the first of 316 cards"):
        rest[-317]
    with pytest.raises(IndexError, match="417 cards of 416"):
        order.after(417)
    one_by_one = Order(stream(), 8)
    assert list(one_by_one) == whole
    with pytest.raises(IndexError, match="place 416 of 416 cards"):
        one_by_one[416]


def test_what_is_left_of_a_shoe_is_shuffled_like_a_pack_of_those_cards() -> None:
    """From the front, each place drawn from those that are left; the same however it is read."""
    gone = [*pack(1, 2)[3:9], pack(1, 2)[0], pack(1, 2)[-1]]
    plain, drawn = cards_left(1, 2, gone), stream()
    assert plain == [*pack(1, 2)[1:3], *pack(1, 2)[9:-1]]
    for place in range(len(plain) - 1):
        other = place + drawn.draw(len(plain) - place)
        plain[place], plain[other] = plain[other], plain[place]
    left = OrderLeft(stream(), 1, 2, gone)
    assert left.pack == (1, 2)
    assert len(left) == len(plain) == 46
    assert [left[5], left[0], left[-1]] == [plain[5], plain[0], plain[-1]]
    for read in (slice(3, 9), slice(None), slice(9, 3, -2), slice(4, 4)):
        assert OrderLeft(stream(), 1, 2, gone)[read] == left[read] == plain[read]
    assert list(OrderLeft(stream(), 1, 2, gone)) == list(left) == plain


def test_cards_are_dealt_from_a_rest_only_as_far_as_they_are_asked_for() -> None:
    class Counted(WordStream):
        draws = 0

        def draw(self, n: int) -> int:
            self.draws += 1
            return super().draw(n)

    words = Counted(bytes(32), "blackjack", "0" * 64, ["lucky"], 0)
    left = OrderLeft(words, 1, 0, pack(1, 0)[:2])
    for read, draws in ((slice(0, 0), 0), (4, 5), (2, 5), (slice(1, 8), 8), (slice(9, 3, -1), 10), (-1, 49)):
        assert left[read] is not None
        assert words.draws == draws


def test_more_cards_of_a_face_cannot_be_gone_than_the_decks_hold() -> None:
    face = pack(2, 0)[7]
    assert face not in cards_left(2, 0, [face] * 2)
    with pytest.raises(Refused, match=r"^8. is gone from the shoe more often than its 2 decks hold it$") as refused:
        cards_left(2, 0, [face] * 3)
    assert refused.value.code == "bad-card"


def test_an_order_of_another_pack_is_refused() -> None:
    """What is made from one pack need not be counted, but it must be the right pack."""
    check_from(Order(stream(), 8), 8)
    check_from(Order(stream(), 8).after(50), 8)
    for given_pack in [(6, 0), (1, 2)]:
        with pytest.raises(Refused, match="dealt from 8 with 0"):
            check_from(Order(stream(), *given_pack), 8)
        with pytest.raises(Refused):
            replay(find("blackjack-poker-pairs").variant(), Order(stream(), *given_pack), [{"main": 100}])


@given(st.integers(1, 2**32), st.binary(min_size=32, max_size=32))
def test_a_draw_is_below_its_size(n: int, seed: bytes) -> None:
    assert 0 <= stream(seed=seed).draw(n) < n


def test_words_past_the_last_whole_multiple_are_passed_over() -> None:
    n = 2**31 + 1  # nearly every other word is rejected
    plain = stream()
    words = [plain.word() for _ in range(200)]
    source = stream()
    kept = [word for word in words if word < n]
    assert [source.draw(n) for _ in kept] == kept
    assert 60 < len(kept) < 140
    source._words = [7, WORD_RANGE - 1]  # the first past the last whole multiple of three is the last word there is
    assert source.draw(3) == 7 % 3


def test_words_are_made_as_the_recipe_says() -> None:
    """By hand, from docs/fairness.md."""

    def field(content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + content

    parts = [
        b"pairhouse/1",
        b"blackjack",
        b"0a" * 32,
        struct.pack(">I", 2),
        b"luck",
        "♠".encode(),
        struct.pack(">Q", 7),
    ]
    prefix = b"".join(map(field, parts))
    blocks = [hmac.new(b"s" * 32, prefix + field(struct.pack(">Q", k)), hashlib.sha256).digest() for k in range(3)]
    words = [word for block in blocks for word in struct.unpack(">8I", block)]
    source = WordStream(b"s" * 32, "blackjack", "0a" * 32, ["luck", "♠"], 7)
    assert [source.word() for _ in range(24)] == words


@given(st.lists(st.text(min_size=1, max_size=5), max_size=4), st.lists(st.text(min_size=1, max_size=5), max_size=4))
def test_other_seeds_are_another_message(first: list[str], second: list[str]) -> None:
    same = message_prefix("blackjack", "00", first, 1) == message_prefix("blackjack", "00", second, 1)
    assert same == (first == second)


def test_a_new_seed_is_new_and_stays_out_of_text() -> None:
    seed = new_seed()
    assert len(seed) == 32
    assert seed != new_seed()
    source = stream(seed=seed)
    assert seed.hex() not in repr(source) + str(vars(type(source)))
    proof = proof_record("blackjack", "0" * 64, seed, ["a"], 3, cards_used=4)
    assert proof.server_seed is None
    assert seed.hex() not in repr(proof)
    assert proof.commitment == commitment(seed)
    with pytest.raises(
        Refused, match=r"^the server seed of this round is not revealed yet; rotate the seed"
    ) as refused:
        order_of(proof, 6)
    assert refused.value.code == "seed-not-revealed"


@pytest.mark.parametrize("seed", ["0", "x" * 64, "♠" * 21, "é" * 32, "two words", "été à A", " "])
def test_a_client_seed_is_kept_as_given(seed: str) -> None:
    assert check_client_seed(seed) == seed


@pytest.mark.parametrize("seed", ["", "x" * 65, "♠" * 22, "a\nb", "nul\0", "\x7f", "\ud800", 7, None, b"bytes"])
def test_a_bad_client_seed_is_refused(seed: Any) -> None:
    with pytest.raises(Refused, match="give 1 to 64 bytes of text") as refused:
        check_client_seed(seed)
    assert refused.value.code == "bad-client-seed"


@pytest.mark.parametrize(
    ("seed", "says"),
    [
        (7, "7 is no client seed"),
        ("\ud800", f"{shown(chr(0xD800))} cannot be written as UTF-8"),
        ("", "a client seed of 0 bytes is not possible"),
        ("é" * 32 + "x", "a client seed of 65 bytes is not possible"),
        ("\n", r"'\n' holds a control character"),
        ("é\x7f", r"'é\x7f' holds a control character"),
    ],
)
def test_why_a_client_seed_is_refused(seed: Any, says: str) -> None:
    with pytest.raises(
        Refused, match="^" + re.escape(f"{says}; give 1 to 64 bytes of text without control characters")
    ):
        check_client_seed(seed)


def test_what_is_not_said_of_a_proof_is_the_usual() -> None:
    proof = proof_record("la-paire", "0" * 64, b"s" * 32, ["a"], 3, cards_used=4, revealed=True)
    assert proof.first_card == 0
    assert len(order_of(proof, 2)) == 104


@pytest.mark.parametrize("game", list(GAMES))
def test_the_house_verifies_its_own_rounds(game: str) -> None:
    for record in random_rounds(GAMES[game], 60, Random(3)):
        findings = verify(record)
        assert first_difference(findings) is None
        assert [finding.check for finding in findings] == ["commitment", "names", "place", "cards", "settlement"]


def test_a_coup_must_begin_where_a_coup_ended() -> None:
    """[NSB-4] [NSB-5]"""
    variant = find("nepal-super-baccarat").variant({"decks": 5, "cut_card": 230})
    seeds = Seeds(Random(1))
    order = seeds.next_order(variant)
    shoe = Shoe(tuple(order), 230)
    while not shoe.finished:
        record = closed_round(variant, seeds, order.after(shoe.dealt), [{"tie": 5}], Random(1), first_card=shoe.dealt)
        assert first_difference(verify(record)) is None
        shoe = shoe.after(record["proof"]["cards_used"])
    for first in (1, shoe.dealt):
        record = closed_round(variant, seeds, order.after(first), [{"tie": 5}], Random(1), first_card=first)
        difference = first_difference(verify(record))
        assert difference is not None
        assert difference.says == f"no coup of this shoe begins after {first} cards"


@pytest.fixture
def record() -> Record:
    variant = find("three-card-poker").variant()
    seeds = Seeds(Random(2))
    return closed_round(variant, seeds, seeds.next_order(variant), [{"ante": 500, "pairplus": 100}], Random(2))


def run_verify(tmp_path: Path, given: Any, *more: str) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "ROUND.json"
    file.write_text(given if isinstance(given, str) else json.dumps(given))
    return pairhouse("verify", str(file), *more)


def test_verify_says_what_holds(record: Record, tmp_path: Path) -> None:
    done = run_verify(tmp_path, record)
    assert (done.returncode, done.stdout.count("✓"), done.stderr) == (0, 5, "")
    told = json.loads(run_verify(tmp_path, record, "--json").stdout)
    assert told["same"] is True
    assert [finding["check"] for finding in told["findings"]][-1] == "settlement"


def test_verify_says_the_first_difference(record: Record, tmp_path: Path) -> None:
    wrong = deepcopy(record)
    wrong["view"]["wagers"][0]["ante"]["returned"] += 100
    done = run_verify(tmp_path, wrong)
    assert done.returncode == 1
    assert "Different: seat 1, ante: returned was" in done.stdout
    wrong["view"]["wagers"][0]["ante"]["returned"] -= 100
    wrong["view"]["wagers"][0]["ante"]["row"] = "royal"
    assert json.loads(run_verify(tmp_path, wrong, "--json").stdout)["same"] is False


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda record: record["proof"].update(server_seed=None), "rotate the seed at its table"),
        (lambda record: record["proof"].update(server_seed="xyz"), "64 hex digits"),
        (lambda record: record["proof"].update(nonce=-1), "out of range"),
        (lambda record: record["proof"].update(client_seeds=[]), "client seed"),
        (lambda record: record["proof"].update(rules_hash="0" * 64), "the rules in force are"),
        (lambda record: record.update(state="open"), "once it is settled"),
        (lambda record: record.pop("view"), "cannot be read"),
    ],
)
def test_a_round_that_cannot_be_verified_is_refused(record: Record, change: Any, says: str) -> None:
    change(record)
    with pytest.raises(Refused, match=says):
        verify(record)


def test_verify_refuses_with_status_2(record: Record, tmp_path: Path) -> None:
    record["proof"]["server_seed"] = None
    done = run_verify(tmp_path, record)
    assert done.returncode == 2
    assert "rotate the seed at its table" in done.stderr
    assert run_verify(tmp_path, "{").returncode == 2
    with pytest.raises(Refused, match="nested too deeply"):
        read_closed('{"log":{"options":' + '{"a":' * 100_000)
