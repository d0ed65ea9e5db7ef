"""Headers: those that every response carries, and what is read from those of a request."""

Headers = list[tuple[bytes, bytes]]

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


def completed(headers: Headers, is_last: bool) -> Headers:
    """The headers of a response, with those that every response carries; the last of a connection says so."""
    given = {name for name, _ in headers}
    always = [line for line in _ALWAYS if line[0] not in given]
    return [*headers, *always, _CLOSE] if is_last else [*headers, *always]


def bearer_in(given: str) -> str:
    """The token or key in an `Authorization` header; empty where it is another kind."""
    scheme, _, token = given.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
