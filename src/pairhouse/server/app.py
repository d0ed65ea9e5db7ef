"""The application: routes, errors, headers, jobs, and the pages of the tables."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from litestar import Litestar, MediaType, Response, get
from litestar.datastructures import ResponseHeader, State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, Reference, SecurityScheme

from pairhouse import __version__
from pairhouse.casino.house import House
from pairhouse.casino.store.database import StoreFailed
from pairhouse.core.errors import Refused
from pairhouse.server import admin, charts, floor, players, rounds
from pairhouse.server.desk import Asked, Desk, caller, desk_of
from pairhouse.server.errors import on_broken, on_http, on_refused, on_store_failed
from pairhouse.server.jobs import run_jobs
from pairhouse.server.metrics import measured, metrics
from pairhouse.server.models import Health
from pairhouse.server.pages import page_routes
from pairhouse.server.prices import PriceBook
from pairhouse.server.throttle import Throttle

BODY_MAX_BYTES = 65_536
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}


@get("/health", tags=["operations"])
async def health(desk: Desk) -> Health:
    """Whether the house is open: it can read its books."""
    await desk.read(lambda tx: tx.raw("SELECT 1"))
    return Health("open", __version__, desk.house.database.kind)


def _openapi() -> OpenAPIConfig:
    schemes: dict[str, SecurityScheme | Reference] = {
        "session": SecurityScheme(type="http", scheme="bearer", description="A session token from POST /guests."),
        "cookie": SecurityScheme(type="apiKey", name="pairhouse_session", security_scheme_in="cookie"),
        "key": SecurityScheme(type="http", scheme="bearer", description="An API key from `pairhouse key`."),
    }
    return OpenAPIConfig(
        title="Pairhouse",
        version=__version__,
        description="Five casino games from one rule book each: fair cards, exact prices, money that moves once.",
        components=Components(security_schemes=schemes),
        path="/schema",
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],
    )


def build(
    url: str | None = None,
    *,
    house: House | None = None,
    throttle: Throttle | None = None,
    jobs: bool = True,
    pages: Path | None = None,
    is_secure: bool = False,
) -> Litestar:
    """The application over a house, which is opened when the application starts."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        opened = house or House(url)
        desk = Desk(opened, throttle=throttle or Throttle(), prices=PriceBook(), is_secure=is_secure)
        app.state.desk = desk
        work = asyncio.create_task(run_jobs(desk)) if jobs else None
        try:
            yield
        finally:
            if work is not None:
                work.cancel()
                with suppress(asyncio.CancelledError):
                    await work
            desk.close()

    @get("/openapi.json", include_in_schema=False, sync_to_thread=False)
    def openapi() -> Response[dict[str, Any]]:
        """The whole API as an OpenAPI document."""
        return Response(app.openapi_schema.to_schema(), media_type=MediaType.JSON)

    app = Litestar(
        route_handlers=[
            *(part.router for part in (floor, charts, players, rounds, admin)),
            health,
            metrics,
            openapi,
            *page_routes(pages),
        ],
        dependencies={
            "desk": Provide(desk_of, sync_to_thread=False),
            "token": Provide(caller, sync_to_thread=False),
            "admin": Provide(admin.admin_key, sync_to_thread=False),
        },
        exception_handlers={
            Refused: on_refused,
            StoreFailed: on_store_failed,
            HTTPException: on_http,
            Exception: on_broken,
        },
        middleware=[measured],
        response_headers=[ResponseHeader(name=name, value=value) for name, value in SECURITY_HEADERS.items()],
        request_max_body_size=BODY_MAX_BYTES,
        lifespan=[lifespan],
        request_class=Asked,
        openapi_config=_openapi(),
        state=State(),
        logging_config=None,
        debug=False,
    )
    return app
