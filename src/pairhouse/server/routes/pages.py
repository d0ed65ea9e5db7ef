"""The pages of the tables, where they are built; the API works without them.

Files whose names carry a hash of their content may be kept for ever; the page that names them is asked for each time.
"""

import gzip
import hashlib
import mimetypes
from pathlib import Path
from typing import Any, NamedTuple

from litestar import MediaType, Request, Response, get, route
from litestar.enums import HttpMethod

from pairhouse.server.http.compression import takes

BUILT = Path(__file__).parents[1] / "static"
BROTLI = ".br"
HASHED = "assets"  # the folder of files that are named by their content
FOR_EVER = "public, max-age=31536000, immutable"
ASK_EACH_TIME = "no-cache"
WITHOUT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Pairhouse</title>
<body style="font-family: system-ui; max-width: 40rem; margin: 4rem auto; line-height: 1.5">
<h1>Pairhouse is open</h1>
<p>The API is running; its document is at <a href="/openapi.json">/openapi.json</a>. The pages of the tables are not
built here: run <code>make web</code> in the source tree and start again.</p>
"""


class StaticFile(NamedTuple):
    """A file as it is served: plain, and compressed in every way that makes it smaller, the smallest first."""

    content: bytes
    compressed: dict[str, bytes]  # by encoding
    name: str  # names the content, for ETag
    media_type: str
    cache_control: str


def read_file(path: Path, is_hashed: bool) -> StaticFile:
    """A file, compressed once: by the build, where one lies beside it that ends in `.br`, and here."""
    content = path.read_bytes()
    brotli = path.with_name(f"{path.name}{BROTLI}")
    forms = {"br": brotli.read_bytes()} if brotli.exists() else {}
    forms["gzip"] = gzip.compress(content, mtime=0)
    return StaticFile(
        content,
        {encoding: form for encoding, form in forms.items() if len(form) < len(content)},
        hashlib.sha256(content).hexdigest()[:32],
        mimetypes.guess_type(path.name)[0] or "application/octet-stream",
        FOR_EVER if is_hashed else ASK_EACH_TIME,
    )


def read_folder(folder: Path) -> dict[str, StaticFile]:
    """Every file by its address; `/` is the page."""
    found = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != BROTLI):
        parts = path.relative_to(folder).parts
        found["/" + "/".join(parts)] = read_file(path, parts[0] == HASHED)
    return {"/": found["/index.html"], **found}


def response_of(file: StaticFile, request: Request[Any, Any, Any]) -> Response[bytes]:
    """A file in the form the caller takes; nothing of it where the caller has it already."""
    accepted = request.headers.get("accept-encoding", "")
    encoding = next((name for name in file.compressed if takes(name, accepted)), None)
    content = file.content if encoding is None else file.compressed[encoding]
    tag = f'"{file.name}"' if encoding is None else f'"{file.name}-{encoding}"'
    headers = {"ETag": tag, "Vary": "Accept-Encoding", "Cache-Control": file.cache_control}
    known = [part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")]
    if tag in known or "*" in known:
        return Response(b"", status_code=304, headers=headers)
    headers |= {"Content-Length": str(len(content))}
    if encoding is not None:
        headers["Content-Encoding"] = encoding
    is_head = request.method == HttpMethod.HEAD
    return Response(b"" if is_head else content, headers=headers, media_type=file.media_type)


def page_routes(built: Path | None = None) -> list[Any]:
    """The built pages, or one that says how to build them."""
    folder = built or BUILT
    if not (folder / "index.html").exists():
        return [without_pages]
    files = read_folder(folder)

    @route(list(files), http_method=[HttpMethod.GET, HttpMethod.HEAD], include_in_schema=False, sync_to_thread=False)
    def page(request: Request[Any, Any, Any]) -> Response[bytes]:
        return response_of(files[request.scope["path"].rstrip("/") or "/"], request)

    return [page]


@get("/", media_type=MediaType.HTML, include_in_schema=False, sync_to_thread=False)
def without_pages() -> str:
    """What to do where the pages are not built."""
    return WITHOUT
