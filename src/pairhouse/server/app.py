"""The application: routes, errors and headers, and the pages of the tables."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
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
from pairhouse.house.store.database import StoreFailed
from pairhouse.server.desk import Desk, PlayerRequest, desk_of
from pairhouse.server.http.callers import BODY_MAX_BYTES, caller, check_body, key_holder_of
from pairhouse.server.http.errors import on_broken, on_http, on_refused, on_store_failed
from pairhouse.server.http.headers import completed
from pairhouse.server.http.openapi import document, schemes
from pairhouse.server.metrics import count_response
from pairhouse.server.routes import admin, charts, operations, players, rounds, tables, wallets
from pairhouse.server.routes.pages import page_routes
from pairhouse.version import __version__

OpenDesk = Callable[[], AbstractAsyncContextManager[Desk]]

HANDLERS: dict[Any, Any] = {
    Refused: on_refused,
    StoreFailed: on_store_failed,
    HTTPException: on_http,
    Exception: on_broken,
}


class Application(Litestar):
    """The routes. Every response is counted and timed, and has the same headers, unknown addresses too."""

    is_stopping = False  # set by the server: each response then closes its connection

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def send_complete(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = completed(message["headers"], self.is_stopping)
            await send(message)

        try:
            await super().__call__(scope, receive, send_complete)
        finally:
            count_response(scope["method"], status, time.perf_counter() - started)


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


def build_app(open_desk: OpenDesk, pages: Path | None = None) -> Application:
    """The application; its desk is opened when it starts and closed when it ends."""

    @asynccontextmanager
    async def with_desk(app: Litestar) -> AsyncIterator[None]:
        async with open_desk() as desk:
            app.state.desk = desk
            yield

    @cache
    def encoded_document() -> bytes:
        return msgspec.json.encode(document(app))

    @get("/openapi.json", include_in_schema=False, sync_to_thread=False)
    def openapi() -> Response[bytes]:
        """The whole API as an OpenAPI document."""
        return Response(encoded_document(), media_type=MediaType.JSON)

    app = Application(
        route_handlers=[
            *(part.router for part in (tables, charts, players, rounds, wallets, admin, operations)),
            openapi,
            *page_routes(pages),
        ],
        dependencies={
            "desk": Provide(desk_of, sync_to_thread=False),
            "token": Provide(caller, sync_to_thread=False),
            "admin": Provide(key_holder_of, sync_to_thread=False),
        },
        exception_handlers=HANDLERS,
        before_request=check_body,
        request_max_body_size=BODY_MAX_BYTES,
        lifespan=[with_desk],
        request_class=PlayerRequest,
        openapi_config=_openapi(),
        state=State(),
        logging_config=None,
        debug=False,
    )
    return app
