"""Headers: those that every response carries, and what is read from those of a request."""

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from pairhouse.core.errors import Refused

Headers = list[tuple[bytes, bytes]]

HOST = re.compile(r"(?P<name>\[[\da-f:.]+\]|[a-z\d._-]+)(:\d{1,5})?", re.ASCII)
WHOLE_ADDRESS = re.compile(rb"[a-z][a-z\d+.-]*://([^/?#]*)", re.IGNORECASE)
ONCE = {b"host", b"idempotency-key", b"authorization", b"content-type", b"x-pairhouse"}

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
_ALWAYS: Headers = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
_CLOSE = (b"connection", b"close")
_TLS = (b"strict-transport-security", b"max-age=31536000")


def completed(headers: Headers, is_last: bool, is_tls: bool = False) -> Headers:
    """The headers of a response, with those that every response carries; the last of a connection says so."""
    given = {name for name, _ in headers}
    found = [*headers, *(line for line in _ALWAYS if line[0] not in given)]
    if is_tls:
        found.append(_TLS)
    if is_last:
        found.append(_CLOSE)
    return found


class Hosts:
    """The names by which this house may be called; None allows any. An address in figures is always allowed.

    A page of another site can make a browser call us under a name of its own, which leads to our address. It cannot
    do so under an address in figures, nor under `localhost`.
    """

    def __init__(self, names: Iterable[str] | None) -> None:
        self._names = None if names is None else {"localhost", *(name.lower().rstrip(".") for name in names)}
        self.allow = lru_cache(maxsize=256)(self._allow)

    @property
    def are_named(self) -> bool:
        """Whether not any name will do."""
        return self._names is not None

    def _allow(self, host: bytes) -> bool:
        if self._names is None:
            return True
        found = HOST.fullmatch(host.decode("latin-1").lower())
        if found is None:
            return False
        name = found["name"].rstrip(".")
        return name in self._names or name.endswith(".localhost") or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def fault_in(scope: Any, hosts: Hosts) -> Refused | None:
    """What is wrong with the headers of a request that must say the same to everybody who reads them."""
    once: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in ONCE:
            if once.get(name, value) != value or (name in once and name == b"host"):
                return Refused("two-headers", f"the header `{name.decode()}` is given twice; give it once")
            once[name] = value
    host = once.get(b"host")
    if host is None:
        is_needed = hosts.are_named and scope.get("http_version") != "1.0"
        return Refused("bad-host", "the header `host` is missing") if is_needed else None
    named = WHOLE_ADDRESS.match(scope.get("state", {}).get("target", b""))
    if named is not None and named[1].lower() != host.lower():
        return Refused("bad-host", "the address in the request line names another host than the header `host`")
    if not hosts.allow(host):
        sentence = "this house is not called by that name; its operator allows names with --allowed-host"
        return Refused("bad-host", sentence)
    return None


def bearer_in(given: str) -> str:
    """The token or key in an `Authorization` header; empty where it is another kind."""
    scheme, _, token = given.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
