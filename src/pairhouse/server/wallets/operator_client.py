"""Operators' wallets over HTTP: who they are, how a call is signed, and what an answer means. See docs/wallet.md."""

import asyncio
import os
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Annotated, TypeVar
from urllib.parse import urlsplit

import httpx
import msgspec
from msgspec import Meta

from pairhouse.core.errors import Refused, shown, unknown
from pairhouse.house.wallet_calls import Message
from pairhouse.server.wallets.signing import Signing, read_signing

ANSWER_S = 4.0
BALANCE_S = 1.5
ANSWER_MAX_BYTES = 65_536
EXPONENT = 2
CURRENCY_VARIABLE = "PAIRHOUSE_WALLET_CURRENCY_"
TIME_HEADER, REQUEST_HEADER, SIGNATURE_HEADER = "X-Wallet-Time", "X-Wallet-Request", "X-Wallet-Signature"
_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")

Minor = Annotated[int, Meta(ge=-(10**18), le=10**18)]


class Settings(msgspec.Struct, frozen=True):
    """Where a wallet is, and how calls to it are signed. Its text form shows no secret."""

    name: str
    url: str
    signing: Signing
    currency: str = "EUR"

    def __repr__(self) -> str:
        return f"Settings({self.name!r}, {self.url!r})"


class AuthenticateRequest(msgspec.Struct, frozen=True):
    """What we ask when a player comes in."""

    token: str
    currency: str
    exponent: int


class BalanceRequest(msgspec.Struct, frozen=True):
    """What we ask to learn a balance."""

    player: str
    token: str
    currency: str
    exponent: int


class WalletAnswer(msgspec.Struct, frozen=True):
    """What an operator answers when it has done what was asked."""

    balance: Minor
    currency: str
    exponent: int
    transaction: str | None = None
    player: Annotated[str, Meta(min_length=1, max_length=128)] | None = None


class WalletRefusal(msgspec.Struct, frozen=True):
    """What an operator answers when it will not do it."""

    code: Annotated[str, Meta(min_length=1, max_length=64)]
    message: Annotated[str, Meta(max_length=500)] = ""


class WalletRefused(Exception):
    """The operator says no, and has changed nothing."""

    def __init__(self, answer: WalletRefusal) -> None:
        super().__init__(answer.code)
        self.code, self.message = answer.code, answer.message


class WalletUnclear(Exception):
    """Nobody can tell whether the operator did it. The text says why, and holds nothing secret."""


def read_settings(given: Sequence[str], environment: Mapping[str, str] = os.environ) -> dict[str, Settings]:
    """Wallets from `NAME=URL`, with their secrets or keys from the environment."""
    found: dict[str, Settings] = {}
    for text in given:
        name, _, url = text.partition("=")
        if not _NAME.fullmatch(name) or name == "house" or name in found:
            accepted = "NAME=URL, each name once: small letters, digits and dashes, up to 32, and not `house`"
            raise Refused("bad-wallet", f"{shown(text)} does not name a wallet; give {accepted}")
        suffix = name.upper().replace("-", "_")
        signing = read_signing(name, environment)
        currency = environment.get(CURRENCY_VARIABLE + suffix, "EUR")
        if not re.fullmatch(r"[A-Z]{3}", currency):
            sentence = f"{CURRENCY_VARIABLE}{suffix} is {shown(currency)}; give three capital letters, such as EUR"
            raise Refused("bad-wallet", sentence)
        found[name] = Settings(name, _check_url(name, url), signing, currency)
    return found


def _check_url(name: str, url: str) -> str:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK)
    if not host or not is_safe or parts.query or parts.fragment or parts.username:
        accepted = "https://host/path, or http:// on this machine, without name, password or query"
        raise Refused("bad-wallet", f"the address of wallet {name} is {shown(url)}; give {accepted}")
    return url.rstrip("/")


Body = TypeVar("Body", AuthenticateRequest, BalanceRequest, Message)


class Operators:
    """The wallets this house knows, and one client to reach them. Proxies of the environment are not used."""

    def __init__(self, settings: Mapping[str, Settings] | None = None) -> None:
        self.settings = dict(settings or {})
        self._client: httpx.AsyncClient | None = None

    def _reach(self) -> httpx.AsyncClient:
        """The client, made with the first call. Each call has a deadline of its own."""
        if self._client is None:
            self._client = httpx.AsyncClient(trust_env=False, timeout=None)
        return self._client

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    def find(self, name: str) -> Settings:
        if name not in self.settings:
            raise unknown("wallet", name, self.settings)
        return self.settings[name]

    async def authenticate(self, name: str, token: str) -> WalletAnswer:
        """Who a token belongs to, and what they have."""
        wallet = self.find(name)
        request = AuthenticateRequest(token, wallet.currency, EXPONENT)
        answer = await self._call(wallet, "authenticate", request, ANSWER_S)
        if answer.player is None:
            raise WalletUnclear("the answer names no player")
        return answer

    async def balance(self, name: str, player: str, token: str) -> int:
        """What a player has now."""
        wallet = self.find(name)
        request = BalanceRequest(player, token, wallet.currency, EXPONENT)
        answer = await self._call(wallet, "balance", request, BALANCE_S)
        return answer.balance

    async def bet(self, name: str, message: Message) -> int:
        """Take a bet; the balance after it."""
        return await self._move(name, "bet", msgspec.json.encode(message), message.transaction)

    async def send(self, name: str, kind: str, body: bytes, transaction: str) -> int:
        """Tell of a win or a rollback; the balance after it."""
        return await self._move(name, kind, body, transaction)

    async def _move(self, name: str, kind: str, body: bytes, transaction: str) -> int:
        answer = await self._call_encoded(self.find(name), kind, body, ANSWER_S)
        if answer.transaction != transaction:
            raise WalletUnclear("the answer names another transaction")
        return answer.balance

    async def _call(self, wallet: Settings, what: str, body: Body, limit_s: float) -> WalletAnswer:
        return await self._call_encoded(wallet, what, msgspec.json.encode(body), limit_s)

    async def _call_encoded(self, wallet: Settings, what: str, body: bytes, limit_s: float) -> WalletAnswer:
        request, at = secrets.token_hex(16), str(time.time_ns() // 1_000_000)
        headers = {
            "Content-Type": "application/json",
            TIME_HEADER: at,
            REQUEST_HEADER: request,
            SIGNATURE_HEADER: wallet.signing.sign(at, request, what, body),
        }
        try:
            async with asyncio.timeout(limit_s):
                status, signature, answer = await self._post(f"{wallet.url}/{what}", body, headers)
        except TimeoutError:
            raise WalletUnclear(f"no answer within {limit_s} s") from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise WalletUnclear(f"connection: {type(error).__name__}") from None
        if not wallet.signing.fits(signature, request, str(status), answer):
            raise WalletUnclear(f"status {status} with a signature that does not fit")
        return _read(wallet, status, answer)

    async def _post(self, url: str, body: bytes, headers: dict[str, str]) -> tuple[int, str, bytes]:
        async with self._reach().stream("POST", url, content=body, headers=headers) as response:
            answer = b""
            async for part in response.aiter_bytes():
                answer += part
                if len(answer) > ANSWER_MAX_BYTES:
                    raise WalletUnclear(f"an answer of more than {ANSWER_MAX_BYTES} bytes")
            return response.status_code, response.headers.get(SIGNATURE_HEADER, ""), answer


def _read(wallet: Settings, status: int, content: bytes) -> WalletAnswer:
    """A signed answer: done, turned down, or neither."""
    try:
        if 400 <= status < 500:
            raise WalletRefused(msgspec.json.decode(content, type=WalletRefusal))
        if status != 200:
            raise WalletUnclear(f"status {status}")
        answer = msgspec.json.decode(content, type=WalletAnswer)
    except msgspec.DecodeError:  # a ValidationError is one too
        raise WalletUnclear(f"status {status} with a body that cannot be read") from None
    if (answer.currency, answer.exponent) != (wallet.currency, EXPONENT):
        raise WalletUnclear("the answer is in another currency or exponent")
    return answer
