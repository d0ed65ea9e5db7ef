"""Reports as JSON; as CSV they are a file of the same columns."""

import msgspec


class ReportDocument(msgspec.Struct, kw_only=True):
    """A report over a period. Its lines differ by kind; amounts are there as decimal text and in minor units.

    `says` is how many lines there are, or `no activity`.
    """

    report: str
    from_at: str
    to_at: str
    lines: list[dict[str, str | int | None]]
    count: int
    says: str
