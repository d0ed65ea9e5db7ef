"""Generated requests over the document: whatever is sent, the server answers as the document says, and never breaks."""

import os
from copy import deepcopy
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi import checks

from api_house import Open
from guests import BETS
from pairhouse.games.catalogue import GAMES
from pairhouse.games.floor_plan import FLOOR_PLAN
from pairhouse.rounds.table_limits import Limits
from pairhouse.server.http.connections import ConnectionLimits
from routes import DOCUMENT, OPERATIONS, Operation

LIVE_TABLES = [table.id for table in FLOOR_PLAN if table.clock is not None]
EXAMPLES = int(os.environ.get("PAIRHOUSE_API_EXAMPLES", "6"))


def without_rights(document: dict[str, Any]) -> dict[str, Any]:
    """The document for generation: who asks is said by the tests, and tested in test_rights."""
    told = deepcopy(document)
    for methods in told["paths"].values():
        for operation in methods.values():
            operation.pop("security", None)
    del told["components"]["securitySchemes"]
    return told


SCHEMA = schemathesis.openapi.from_dict(without_rights(DOCUMENT))
GIVEN = [one for one in OPERATIONS if one.parameters or "requestBody" in one.told]  # what can be given otherwise
CASES = [(one, GenerationMode.POSITIVE) for one in OPERATIONS] + [(one, GenerationMode.NEGATIVE) for one in GIVEN]


def credentials(house: Open, operation: Operation) -> dict[str, str]:
    if "key" in operation.schemes:
        return house.office().headers
    return house.guest().headers if operation.schemes else {}


def known(house: Open, operation: Operation) -> dict[str, st.SearchStrategy[Any]]:
    """Things that exist, so that generated requests meet something."""
    guest = house.guest()
    makes_live = operation.name == "PUT /admin/tables/{table_id}/live"  # for good: nobody could play alone there again
    played = [guest.play("la-paire")["id"], guest.open("three-card-poker")["id"]]
    return {
        "table_id": st.sampled_from([*BETS] if not makes_live else LIVE_TABLES),
        "game_id": st.sampled_from(["la-paire", "three-card-poker"]),
        "round_id": st.sampled_from(played),
        "player_id": st.just(house.guest().me()["id"]),
    }


def reopen(house: Open, operation: Operation) -> None:
    """What the generated office closed is opened again."""
    if operation.path.startswith("/admin/") and operation.method != "GET":
        for game in GAMES:
            house.office().do("PATCH", f"/admin/games/{game}", json={"status": "open"})
        for table in BETS:
            limits = msgspec.to_builtins(Limits())
            house.office().do("PATCH", f"/admin/tables/{table}", json={"status": "open", "limits": limits})


@pytest.mark.parametrize(("operation", "mode"), CASES, ids=lambda one: getattr(one, "name", None))
def test_answers_are_as_the_document_says(served_house: Open, operation: Operation, mode: GenerationMode) -> None:
    told = SCHEMA[operation.path][operation.method]
    things = known(served_house, operation) if mode is GenerationMode.POSITIVE and "{" in operation.path else {}
    headers = credentials(served_house, operation)
    count = EXAMPLES if served_house.house.database.is_sqlite else max(2, EXAMPLES // 3)
    quiet = [*HealthCheck]

    @settings(max_examples=count, derandomize=True, deadline=None, phases=[Phase.generate], suppress_health_check=quiet)
    @given(case=told.as_strategy(generation_mode=mode), data=st.data())
    def run(case: Any, data: st.DataObject) -> None:
        for name in case.path_parameters or {}:
            if name in things and data.draw(st.booleans()):
                case.path_parameters[name] = data.draw(things[name])
        answer = case.call(base_url=str(served_house.client.base_url), headers=headers)
        assert answer.status_code < 500, answer.text
        if answer.status_code == 414:  # by the guard before all routes, so it stands with none of them
            assert len(answer.request.url) > ConnectionLimits().url_bytes
            return
        case.validate_response(answer, excluded_checks=[checks.positive_data_acceptance])

    run()
    reopen(served_house, operation)
