"""Only the writer that opened a chain can add to it, and only a house can open one."""

import pytest

from pairhouse.core.errors import Refused
from pairhouse.house.seal.chain_keys import ChainKey
from pairhouse.house.seal.heads import read_body
from sealed_logs import BOOKS, some_key

HOUSE, THIEF = some_key(1), some_key(2)
SEAL = "ab" * 32


def test_the_end_of_a_chain_is_signed_by_its_writer() -> None:
    key = ChainKey(HOUSE, BOOKS, 1, "c1")
    key.certificate.check([THIEF.public_key, HOUSE.public_key])
    end = key.sign_end(7, SEAL)
    end.check(key.certificate)
    for wrong in (end._replace(number=8), end._replace(seal="cd" * 32), end._replace(signature=bytes(64))):
        with pytest.raises(
            Refused, match=f"event {wrong.number} of chain c1 is not signed by the writer of that chain"
        ):
            wrong.check(key.certificate)


def test_nobody_opens_a_chain_without_the_sealing_key() -> None:
    minted = ChainKey(THIEF, BOOKS, 1, "mint")
    with pytest.raises(Refused, match="chain mint was not opened by this house: its certificate does not hold") as out:
        minted.certificate.check([HOUSE.public_key])
    assert out.value.code == "bad-chain"
    real = ChainKey(HOUSE, BOOKS, 1, "c1").certificate
    for wrong in (real._replace(chain="mint"), real._replace(epoch=2), real._replace(public_key=THIEF.public_key)):
        with pytest.raises(Refused, match="was not opened by this house"):
            wrong.check([HOUSE.public_key])


def test_the_key_of_one_chain_signs_no_other() -> None:
    first, second = (ChainKey(HOUSE, BOOKS, 1, name) for name in ("c1", "c2"))
    with pytest.raises(Refused, match="event 3 of chain c1 is not signed") as other:
        first.sign_end(3, SEAL).check(second.certificate)
    assert other.value.code == "bad-chain"
    with pytest.raises(Refused, match="event 3 of chain c2 is not signed"):
        first.sign_end(3, SEAL)._replace(chain="c2").check(second.certificate)


def test_a_certificate_can_never_be_read_as_a_head() -> None:
    with pytest.raises(Refused, match="is not the head of any books"):
        read_body(ChainKey(HOUSE, BOOKS, 1, "c1").certificate.body.decode())
