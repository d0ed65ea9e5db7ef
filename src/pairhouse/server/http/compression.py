"""Long answers, compressed for callers that take it: a phone on a slow line reads the tables in a tenth of the time.

Only what is public and the same for everybody is compressed, so that no length tells of a secret.
"""

import gzip
from functools import lru_cache
from typing import Any

from litestar import MediaType, Request, Response

KEPT = 64  # the last long answers, each as it was compressed


def takes(encoding: str, accepted: str) -> bool:
    """Whether an `Accept-Encoding` header allows an encoding."""
    for part in accepted.split(","):
        name, _, weight = part.replace(" ", "").lower().partition(";q=")
        if name == encoding:
            return weight.strip("0.") != "" or not weight
    return False


@lru_cache(maxsize=KEPT)
def _compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def public_json(content: bytes, request: Request[Any, Any, Any]) -> Response[Any]:
    """JSON that anybody may read, in the form the caller takes."""
    headers = {"Vary": "Accept-Encoding"}
    if takes("gzip", request.headers.get("accept-encoding", "")):
        content, headers["Content-Encoding"] = _compressed(content), "gzip"
    return Response(content, media_type=MediaType.JSON, headers=headers)
