"""The pages of the tables, where they are built; the API works without them."""

from pathlib import Path
from typing import Any

from litestar import MediaType, get
from litestar.static_files import create_static_files_router

BUILT = Path(__file__).parents[1] / "static"
WITHOUT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Pairhouse</title>
<body style="font-family: system-ui; max-width: 40rem; margin: 4rem auto; line-height: 1.5">
<h1>Pairhouse is open</h1>
<p>The API is running; its document is at <a href="/openapi.json">/openapi.json</a>. The pages of the tables are not
built here: run <code>make web</code> in the source tree and start again.</p>
"""


def page_routes(built: Path | None = None) -> list[Any]:
    """The built pages, or one that says how to build them."""
    folder = built or BUILT
    if (folder / "index.html").exists():
        return [create_static_files_router(path="/", directories=[folder], html_mode=True, include_in_schema=False)]

    @get("/", media_type=MediaType.HTML, include_in_schema=False, sync_to_thread=False)
    def front() -> str:
        return WITHOUT

    return [front]
