"""The application: routes, errors, headers, jobs, and the pages of the tables."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, MediaType, Response, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from pairhouse.core.errors import Refused
from pairhouse.house.house import House
from pairhouse.house.store.database import StoreFailed
from pairhouse.server.desk import Asked, Desk, DeskHere, desk_of
from pairhouse.server.http.callers import caller, check_body, key_holder_of
from pairhouse.server.http.errors import on_broken, on_http, on_refused, on_store_failed, problems
from pairhouse.server.http.headers import ALWAYS
from pairhouse.server.http.openapi import document, schemes
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.jobs import run_jobs
from pairhouse.server.lane import Lane
from pairhouse.server.metrics import measured, metrics
from pairhouse.server.models import Health
from pairhouse.server.plain import BODY_MAX_BYTES
from pairhouse.server.pricing.price_book import PriceBook
from pairhouse.server.routes import admin, charts, players, rounds, wallets
from pairhouse.server.routes import tables as floor
from pairhouse.server.routes.pages import page_routes
from pairhouse.server.wallets.operator_client import Operators
from pairhouse.version import __version__


@get("/health", tags=["operations"], responses=problems())
async def health(desk: DeskHere) -> Health:
    """Whether the house is open: it can read its books."""
    await desk.read(lambda tx: tx.raw("SELECT 1"))
    return Health("open", __version__, desk.house.database.kind)


class Application(Litestar):
    """The routes, with the same headers on every answer, refusals and unknown addresses too."""

    lane: Lane | None = None  # from when the desk is there

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request: bets and choices by the short way, where they are plainly in order."""
        await (self.framework if self.lane is None else self.lane)(scope, receive, send)

    async def framework(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request by its route."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return

        async def send_safely(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(line for line in ALWAYS if line[0] not in given)]
            await send(message)

        await super().__call__(scope, receive, send_safely)


def _openapi() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Pairhouse",
        version=__version__,
        description="Five casino games from one rule book each: fair cards, exact prices, money that moves once.",
        components=schemes(),
        use_handler_docstrings=True,
        path="/schema",
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],
    )


HANDLERS: dict[Any, Any] = {
    Refused: on_refused,
    StoreFailed: on_store_failed,
    HTTPException: on_http,
    Exception: on_broken,
}


@asynccontextmanager
async def staffed(app: Application, desk_for: Callable[[], Desk], has_jobs: bool) -> AsyncIterator[None]:
    """The desk is opened with the application and closed after it, what was begun being finished first."""
    desk = app.state.desk = desk_for()
    app.lane = Lane(desk, app.framework)
    work = asyncio.create_task(run_jobs(desk)) if has_jobs else None
    try:
        yield
    finally:
        if work is not None:
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work
        await desk.cashier.close()
        desk.close()


def build(
    url: str | None = None,
    *,
    house: House | None = None,
    throttle: Throttle | None = None,
    jobs: bool = True,
    pages: Path | None = None,
    is_secure: bool = False,
    operators: Operators | None = None,
) -> Application:
    """The application over a house, which is opened when the application starts."""

    def desk_for() -> Desk:
        limits, opened = throttle or Throttle(), house or House(url)
        return Desk(opened, throttle=limits, prices=PriceBook(), is_secure=is_secure, operators=operators)

    @get("/openapi.json", include_in_schema=False, sync_to_thread=False)
    def openapi() -> Response[bytes]:
        """The whole API as an OpenAPI document."""
        if not told:
            told.append(msgspec.json.encode(document(app)))
        return Response(told[0], media_type=MediaType.JSON)

    told: list[bytes] = []
    app = Application(
        route_handlers=[
            *(part.router for part in (floor, charts, players, rounds, wallets, admin)),
            health,
            metrics,
            openapi,
            *page_routes(pages),
        ],
        dependencies={
            "desk": Provide(desk_of, sync_to_thread=False),
            "token": Provide(caller, sync_to_thread=False),
            "admin": Provide(key_holder_of, sync_to_thread=False),
        },
        exception_handlers=HANDLERS,
        middleware=[measured],
        before_request=check_body,
        request_max_body_size=BODY_MAX_BYTES,
        lifespan=[lambda _: staffed(app, desk_for, jobs)],
        request_class=Asked,
        openapi_config=_openapi(),
        state=State(),
        logging_config=None,
        debug=False,
    )
    return app
