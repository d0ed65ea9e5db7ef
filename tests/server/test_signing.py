"""Signatures of wallet calls: a shared secret, or key pairs; and an operator's adapter that uses key pairs."""

import importlib.util
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from pairhouse.cli.main import app
from pairhouse.core.errors import Refused
from pairhouse.server.wallets.signing import KeyPairs, SharedSecret, Signing, new_key_pair, read_signing
from wallet_pair import ROOT, START, open_pair

HOUSE, OPERATOR = new_key_pair(), new_key_pair()
ENVIRONMENT = {"PAIRHOUSE_WALLET_KEY_ACME": HOUSE[0], "PAIRHOUSE_WALLET_THEIR_KEY_ACME": OPERATOR[1]}
FILE = ROOT / "examples/operator_adapter.py"


def side(own: str, other: str) -> KeyPairs:
    return KeyPairs(bytes.fromhex(own), bytes.fromhex(other))


def both_sides() -> list[tuple[Signing, Signing]]:
    secret = SharedSecret(b"s" * 32)
    return [(secret, secret), (side(HOUSE[0], OPERATOR[1]), side(OPERATOR[0], HOUSE[1]))]


@pytest.mark.parametrize(("ours", "theirs"), both_sides(), ids=["secret", "keys"])
@given(parts=st.lists(st.binary(max_size=20), min_size=1, max_size=4), place=st.integers(0, 200))
def test_only_what_was_signed_fits(ours: Signing, theirs: Signing, parts: list[bytes], place: int) -> None:
    signature = ours.sign(*parts)
    assert theirs.fits(signature, *parts)
    assert not theirs.fits(signature, *parts, b"")
    assert not theirs.fits(signature, parts[0] + b"x", *parts[1:])
    at = place % len(signature)
    changed = signature[:at] + ("0" if signature[at] != "0" else "1") + signature[at + 1 :]
    assert not theirs.fits(changed, *parts)
    for wrong in ("", "ed25519:", "ed25519:zz", "\u00e9"):
        assert not theirs.fits(wrong, *parts)


def test_nobody_signs_in_the_others_name() -> None:
    ours = side(HOUSE[0], OPERATOR[1])
    assert not ours.fits(ours.sign("body"), "body")


def test_a_secret_and_keys_are_read_from_the_environment() -> None:
    assert isinstance(read_signing("acme", {"PAIRHOUSE_WALLET_SECRET_ACME": "s" * 32}), SharedSecret)
    assert isinstance(read_signing("acme", ENVIRONMENT), KeyPairs)


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({}, "it is not set"),
        ({"PAIRHOUSE_WALLET_SECRET_ACME": "short"}, "it has 5 letters"),
        ({**ENVIRONMENT, "PAIRHOUSE_WALLET_SECRET_ACME": "s" * 32}, "a secret and a key"),
        ({"PAIRHOUSE_WALLET_KEY_ACME": HOUSE[0]}, "64 hex digits in PAIRHOUSE_WALLET_THEIR_KEY_ACME; it is not set"),
        ({**ENVIRONMENT, "PAIRHOUSE_WALLET_KEY_ACME": "zz"}, "64 hex digits in PAIRHOUSE_WALLET_KEY_ACME"),
    ],
)
def test_what_cannot_sign_is_refused_without_showing_it(environment: dict[str, str], says: str) -> None:
    with pytest.raises(Refused, match=says) as refused:
        read_signing("acme", environment)
    assert refused.value.code == "bad-wallet"
    assert not [value for value in environment.values() if len(value) > 5 and value in str(refused.value)]


def test_the_command_makes_a_pair() -> None:
    printed = CliRunner().invoke(app, ["wallet-key"])
    private, public = (line.split()[-1] for line in printed.output.splitlines())
    assert side(private, HOUSE[1]).sign("x")
    assert len(public) == 64


@pytest.fixture(scope="module")
def adapter() -> Any:
    spec = importlib.util.spec_from_file_location("operator_adapter", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def operator(adapter: Any) -> Iterator[Any]:
    ledger = adapter.Adapter()
    ledger.accounts.add_player("alice", "alice-token", START)
    server = adapter.Server(ledger, OPERATOR[0], HOUSE[1])
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_adapter_is_short() -> None:
    assert len(FILE.read_text().splitlines()) < 200


def test_a_house_and_the_adapter_move_the_same_money(operator: Any, new_database: Callable[[str], str]) -> None:
    with open_pair(new_database("sqlite"), operator, environment=ENVIRONMENT) as pair:
        pair.sign_in()
        for table in ("la-paire", "three-card-poker"):
            pair.sit(table)
        for _ in range(5):
            status, view = pair.bet("la-paire")
            assert (status, view["state"]) == (201, "settled"), view
        view = pair.open_until("three-card-poker", "play")
        assert pair.choose(view, "play")[0] == 200
        status, refused = pair.bet("la-paire", seats=[{"card-A": 50_000, "red": 50_000}])
        assert status in (201, 402), refused
        pair.check_law()


def call(operator: Any, kind: str, key: Signing | None = None, **given: Any) -> httpx.Response:
    """A call as a house would make it."""

    body = json.dumps(
        {"player": "alice", "token": "alice-token", "round": "R", "currency": "EUR", "exponent": 2, **given}
    ).encode()
    at = str(round(time.time() * 1000))
    signature = (key or side(HOUSE[0], OPERATOR[1])).sign(at, "request-1", kind, body)
    headers = {"X-Wallet-Time": at, "X-Wallet-Request": "request-1", "X-Wallet-Signature": signature}
    return httpx.post(f"{operator.url}/{kind}", content=body, headers=headers, trust_env=False)


def test_the_adapter_does_everything_once_and_believes_nobody_else(operator: Any) -> None:
    bet: dict[str, Any] = {"transaction": "B1", "amount": 500}
    assert call(operator, "bet", **bet).json()["balance"] == START - 500
    assert call(operator, "bet", **bet).json()["balance"] == START - 500
    assert call(operator, "bet", transaction="B1", amount=900).status_code == 409
    assert call(operator, "win", transaction="W1", amount=200).json()["balance"] == START - 300
    for _ in range(2):
        back = call(operator, "rollback", transaction="B1R", reference="B1", amount=500)
        assert back.json()["balance"] == START + 200
    assert call(operator, "rollback", transaction="other", reference="B1", amount=500).json()["balance"] == START + 200
    assert call(operator, "rollback", transaction="B2R", reference="B2", amount=500).status_code == 200
    assert call(operator, "bet", transaction="B2", amount=500).status_code == 409
    assert call(operator, "bet", transaction="B3", amount=10**9).json()["code"] == "insufficient-funds"
    stranger = call(operator, "win", SharedSecret(b"x" * 32), transaction="W2", amount=10**9)
    assert (stranger.status_code, stranger.json()["code"]) == (401, "bad-signature")
    forged = call(operator, "win", side(OPERATOR[0], HOUSE[1]), transaction="W3", amount=10**9)
    assert forged.status_code == 401
    assert operator.ledger.balance_of("alice") == START + 200
