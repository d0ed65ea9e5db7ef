"""Responses whose body is ready: JSON that the bookkeeper has encoded."""

from typing import Any, TypeVar

from litestar import Request, Response
from litestar.response.base import ASGIResponse

T = TypeVar("T")


class ReadyJson(Response[T]):
    """The JSON of a record of this type, sent as it is. It has the status of its route and no cookies."""

    def __init__(self, body: bytes) -> None:  # the usual one prepares for headers, cookies and encoders
        self.body = body

    def to_asgi_response(
        self, app: Any, request: Request[Any, Any, Any], *, status_code: int | None = None, **_: Any
    ) -> ASGIResponse:
        return ASGIResponse(body=self.body, status_code=status_code, media_type="application/json")
