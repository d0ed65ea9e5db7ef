"""Headers: those that every answer carries, and what is read from those of a request."""

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
ALWAYS: Headers = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]


def bearer_in(given: str) -> str:
    """The token or key in an `Authorization` header; empty where it is another kind."""
    scheme, _, token = given.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
