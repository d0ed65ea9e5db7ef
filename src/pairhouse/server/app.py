"""The application: routes, errors and headers, and the pages of the tables."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import lru_cache
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
from pairhouse.server.http.connections import GuardedConnection, network_of
from pairhouse.server.http.errors import TOO_MANY_AT_ONCE, on_broken, on_http, on_refused, on_store_failed, refused
from pairhouse.server.http.headers import Hosts, completed, fault_in
from pairhouse.server.http.openapi import document, schemes
from pairhouse.server.live.event_stream import forget_request, send_stream, stream_of
from pairhouse.server.metrics import count_response
from pairhouse.server.routes import (
    accounts,
    admin,
    care,
    charts,
    free_bets,
    live,
    operations,
    pit,
    players,
    reports,
    rounds,
    share,
    statistics,
    tables,
    wallets,
)
from pairhouse.server.routes.pages import page_routes
from pairhouse.version import __version__

TOO_MANY, TOO_MANY_WAIT_S = 429, 1.0
OpenDesk = Callable[[], AbstractAsyncContextManager[Desk]]

PARTS = (
    tables,
    live,
    charts,
    players,
    accounts,
    care,
    rounds,
    statistics,
    share,
    wallets,
    admin,
    free_bets,
    reports,
    operations,
    pit,
)
HANDLERS: dict[Any, Any] = {
    Refused: on_refused,
    StoreFailed: on_store_failed,
    HTTPException: on_http,
    Exception: on_broken,
}


class Application(Litestar):
    """The routes. Every response is counted and timed, and has the same headers, unknown addresses too."""

    is_stopping = False  # each response then closes its connection
    is_secure = False  # behind TLS, even where no proxy says so
    hosts = Hosts(None)

    def begin_stopping(self) -> None:
        """The server stops: connections close after their next response, and streams end."""
        self.is_stopping = True
        desk: Desk | None = self.state.get("desk")
        if desk is not None:
            desk.hub.stop()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        started, status = time.perf_counter(), 500
        connection: GuardedConnection | None = scope.get("state", {}).get("connection")
        is_tls = self.is_secure or scope.get("scheme") == "https"

        async def send_complete(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = completed(message["headers"], self.is_stopping, is_tls)
                if connection is not None:
                    if status == TOO_MANY:
                        await asyncio.sleep(TOO_MANY_WAIT_S)  # who asks again at once is slowed down, for nothing
                    connection.answering()
            await send(message)

        is_begun = connection is None or connection.begin(scope)
        try:
            refusal = self._refusal(scope) if is_begun else TOO_MANY_AT_ONCE
            keys = set(scope)
            await (super().__call__ if refusal is None else refused(refusal))(scope, receive, send_complete)
            events = stream_of(scope)
            if events is not None:
                forget_request(scope, keys)
                await send_stream(events, send_complete, send)
        except Exception:
            if connection is None or not connection.is_gone:  # who has gone is not answered, and that is all
                raise
        finally:
            if connection is not None:
                connection.answered(scope if is_begun else None)
            count_response(scope["method"], status, time.perf_counter() - started)

    def _refusal(self, scope: Any) -> Refused | None:
        """Why a request is not even looked at."""
        client = scope.get("client")
        try:
            self.state.desk.throttle.check("address", network_of(client[0]) if client else "unknown")
        except Refused as too_many:
            return too_many
        return fault_in(scope, self.hosts)


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

    @lru_cache(maxsize=1)
    def encoded_document() -> bytes:
        return msgspec.json.encode(document(app))

    @get("/openapi.json", include_in_schema=False, sync_to_thread=False)
    def openapi() -> Response[bytes]:
        """The whole API as an OpenAPI document."""
        return Response(encoded_document(), media_type=MediaType.JSON)

    app = Application(
        route_handlers=[
            *(part.router for part in PARTS),
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
