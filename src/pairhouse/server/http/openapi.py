"""The OpenAPI document: the routes as the framework knows them, with models, limits and rights from where they are set.

Schemas come from the very models that check requests and write answers, and who may ask comes from what a route's
function takes, so the document cannot say anything else than the server does. Every example is a request that was made
and the answer that came back (`make examples`; long lists are cut).
"""

from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from litestar import Litestar
from litestar.handlers import BaseRouteHandler
from litestar.openapi.spec import Components, Reference, SecurityScheme
from litestar.routes import HTTPRoute

from pairhouse.house import log_reader
from pairhouse.house.live.acts import LiveDone
from pairhouse.rounds import live_record, live_view, round_view
from pairhouse.server import models
from pairhouse.server.desk import PlayerRequest
from pairhouse.server.http.callers import COOKIE

AS_PLAYER: list[dict[str, list[str]]] = [{"session": []}, {"cookie": []}]
AS_ADMIN: list[dict[str, list[str]]] = [{"key": []}]

_id = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
_round = {"type": "string", "pattern": "^[0-9A-Z]{26}$"}
_day = {"type": "string", "maxLength": 40}
_key = {"type": "string", "minLength": 8, "maxLength": 64, "pattern": "^[A-Za-z0-9_-]+$"}
_time = {"type": "string", "format": "date-time", "maxLength": 32}

# name -> what it says, its schema
PARAMETERS: dict[str, tuple[str, dict[str, Any]]] = {
    "game_id": ("The id of a game, from `GET /games`.", _id),
    "table_id": ("The id of a table, from `GET /tables`.", _id),
    "player_id": ("The id of a player.", _id),
    "free_bet": ("The id of a free bet: 26 digits and letters.", _round),
    "step_id": ("The id of a step of the watch: 26 digits and letters.", _round),
    "round_id": ("The id of a round: 26 digits and letters.", _round),
    "kind": ("A kind of limit: `deposit`, `loss`, `stake` or `time`.", _id),
    "period": ("What a limit counts over: `day`, `week` or `month`.", _id),
    "report": ("A kind of report: `sessions`, `players`, `tables`, `wagers` and so on.", _id),
    "from": ("From this day or time, in UTC; else from the first of this month.", _day),
    "to": ("To the end of this day, or to this time, in UTC; else to now.", _day),
    "format": ("`json`, or `csv` as a file.", {"type": "string", "enum": ["json", "csv"], "default": "json"}),
    "least": ("The smallest win that is large, in minor units.", {"type": "integer", "minimum": 0, "maximum": 10**15}),
    "wallet": ("The name of an operator that keeps its players' money.", _id),
    "Idempotency-Key": ("A key of your own for this request: asked twice, it is done once.", _key),
    "Last-Event-ID": ("The number of the last entry you have seen; what came after it is sent.", {"type": "string"}),
    "game": ("Only rounds of this game.", _id),
    "table": ("Only what belongs to this table.", _id),
    "brief": ("Without paytables, options of games, and fractions of prices.", {"type": "boolean", "default": False}),
    "before": ("Only rounds before this one: the `next` of the last page.", _round),
    "since": ("Only rounds opened from this time on.", _time),
    "until": ("Only rounds opened before this time.", _time),
    "limit": ("How many at most.", {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}),
    "find": ("Only people whose name has these letters in it.", {"type": "string", "maxLength": 64, "default": ""}),
    "chain": ("A chain of events.", {"type": "string", "pattern": "^[0-9a-f]{16}$"}),
    "after": ("Only events after this number.", {"type": "integer", "minimum": 0, "maximum": 2**63 - 1, "default": 0}),
}
# route -> what the body says
BODIES: dict[str, str] = {
    "POST /live": "The live table that yours is to be like.",
    "POST /tables/{table_id}/live/seat": "The seat you want, or an empty object for any.",
    "PUT /tables/{table_id}/live/bet": "Your stakes for the coming round, and the hash of your seed.",
    "POST /tables/{table_id}/live/seed": "The seed you have committed to.",
    "POST /tables/{table_id}/live/choices": "Your decision, and how many were made before it.",
    "PUT /admin/tables/{table_id}/live": "The seats and the clock of the table.",
    "POST /admin/tables/{table_id}/live/void": "Why the round is called off.",
    "POST /admin/tables/{table_id}/live/exposed": "The card that was seen, by its number in the order of the deal.",
    "POST /guests": "Nothing, or an empty object.",
    "POST /players": "The name and password of a new account.",
    "POST /sessions": "The name and password of an account.",
    "POST /wallets/{wallet}/sessions": "The token that the operator gave its player.",
    "POST /players/me/account": "The name and password the guest takes.",
    "POST /players/me/password": "The password in force, and the new one.",
    "POST /players/me/play-money": "Nothing, or the key where the header does not give it.",
    "PUT /players/me/limits/{kind}/{period}": "The limit in minor units or minutes; null for none.",
    "POST /players/me/limits/{kind}/{period}/confirm": "Nothing, or an empty object.",
    "PUT /players/me/reminder": "How often to be reminded; null for what the policy of the house asks.",
    "POST /players/me/reminder/seen": "Nothing, or an empty object.",
    "POST /players/me/break": "How many hours not to play.",
    "POST /players/me/self-exclusion": "How many months not to play, and that it is meant.",
    "POST /tables/{table_id}/sit": "Nothing, or an empty object.",
    "POST /tables/{table_id}/seed": "Nothing, or an empty object.",
    "POST /rounds": "The bets, and a seed of the player's.",
    "POST /rounds/{round_id}/choices": "The choice, and how many were made before it.",
    "POST /admin/tables": "The table to put on the floor; options and limits left out are the usual ones.",
    "PATCH /admin/tables/{table_id}": "What to change; what is left out stays.",
    "PATCH /admin/games/{game_id}": "Whether the game is dealt.",
    "PATCH /admin/players/{player_id}": "Whether the player may play.",
    "POST /admin/free-bets": "The player, how much, and where and how long it is good.",
    "POST /admin/rounds/{round_id}/void": "Why the round is called off.",
    "POST /pit/sessions": "The name and password of somebody on the staff.",
    "POST /pit/acts": "What to do, what it is about, and why.",
}
# route -> another form in which the same is answered
OTHER_FORMS = {"GET /admin/reports/{report}": "text/csv"}
METRICS: dict[str, Any] = {
    "tags": ["operations"],
    "summary": "Metrics",
    "operationId": "Metrics",
    "description": "Counters and times in the text form of Prometheus.",
    "responses": {"200": {"description": "Metrics.", "content": {"text/plain": {"schema": {"type": "string"}}}}},
}


def schemes() -> Components:
    """The ways to say who one is."""
    session = SecurityScheme(type="http", scheme="bearer", description="A session token, from POST /guests.")
    cookie = SecurityScheme(
        type="apiKey",
        name=COOKIE,
        security_scheme_in="cookie",
        description="The session of a browser; a change needs the header `X-Pairhouse: 1` beside it.",
    )
    key = SecurityScheme(type="http", scheme="bearer", description="An API key, from `pairhouse key`.")
    named: dict[str, SecurityScheme | Reference] = {"session": session, "cookie": cookie, "key": key}
    return Components(security_schemes=named)


def document(app: Litestar) -> dict[str, Any]:
    """The whole API as an OpenAPI document."""
    described: dict[str, Any] = app.openapi_schema.to_schema()
    described["components"]["schemas"] = schemas()
    for route in app.routes:
        if isinstance(route, HTTPRoute) and route.path_format in described["paths"]:
            for method, (handler, _) in route.route_handler_map.items():
                operation = described["paths"][route.path_format].get(method.lower())
                if operation is not None:
                    _complete(operation, f"{method} {route.path_format}")
                    operation["security"] = _rights(handler)
    for route_name, form in OTHER_FORMS.items():
        asked, path = route_name.split(" ")
        answers = described["paths"][path][asked.lower()]["responses"]["200"]["content"]
        answers[form] = {"schema": {"type": "string"}}
    described["paths"]["/metrics"] = {"get": deepcopy(METRICS)}
    for example in examples():
        method, path = example["operation"].split(" ")
        _exemplify(described["paths"][path][method.lower()], example)
    return described


@lru_cache(maxsize=1)
def examples() -> list[dict[str, Any]]:
    """What was asked and answered on a visit to a running house, in order."""
    found: list[dict[str, Any]] = msgspec.json.decode(Path(__file__).with_name("openapi_examples.json").read_bytes())
    return found


def _exemplify(operation: dict[str, Any], example: dict[str, Any]) -> None:
    """Show a request and its answer; the first of each kind stays."""
    response = operation["responses"][str(example["status"])]
    for content in response.get("content", {}).values():
        content.setdefault("example", example["answer"])
    if example["status"] >= 400:
        return
    for parameter in operation.get("parameters", []):
        given = {**example["path"], **example["query"], **example["headers"]}
        if parameter["name"] in given:
            parameter.setdefault("example", given[parameter["name"]])
    if "requestBody" in operation:
        operation["requestBody"]["content"]["application/json"].setdefault("example", example["body"])


def schemas() -> dict[str, Any]:
    """Every model, with all its limits."""
    modules = (models, round_view, live_view, live_record, log_reader)
    named = [value for module in modules for value in vars(module).values() if _is_model(value, module)]
    named.append(LiveDone)
    _, components = msgspec.json.schema_components(named, ref_template="#/components/schemas/{name}")
    return components


def _is_model(value: object, module: ModuleType) -> bool:
    return (
        isinstance(value, type) and issubclass(value, msgspec.Struct) and value.__module__.startswith(module.__name__)
    )


def _rights(handler: BaseRouteHandler) -> list[dict[str, list[str]]]:
    """Who may ask, from what the route's function takes: a session, a key, or a request that knows its session."""
    taken = handler.parsed_fn_signature.parameters
    if "admin" in taken:
        return AS_ADMIN
    is_players = "request" in taken and taken["request"].annotation is PlayerRequest
    return AS_PLAYER if "token" in taken or is_players else []


def _complete(operation: dict[str, Any], route: str) -> None:
    operation["description"] = operation.get("description") or operation["summary"]
    for parameter in operation.get("parameters", []):
        says, schema = PARAMETERS[parameter["name"]]
        parameter |= {"description": says, "schema": schema}
    if "requestBody" in operation:
        operation["requestBody"]["description"] = BODIES[route]
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            response["description"] = SUCCESS[status]
        if status == "204":
            response.pop("content", None)


SUCCESS = {"200": "Done; this is how it stands.", "201": "Made; this is how it stands.", "204": "Done."}
