"""The examples of the OpenAPI document were all really asked and answered, and a house answers them so today."""

import json
import re
from typing import Any

import jsonschema_rs
import pytest

from pairhouse.server.http.openapi import examples
from routes import BY_NAME, DOCUMENT, OPERATIONS, Operation
from tour import FILE, Tour, visit

# What is another on every visit: ids, hashes, chains, seeds, tokens, times, names of guests.
OTHERWISE = [
    (re.compile(r"\d{4}-\d\d-\d\dT[0-9:.]+(Z|\+00:00)?"), "TIME"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC"), "TIME"),
    (re.compile(r"\b[0-9A-HJKMNP-TV-Z]{26}R?\b"), "ID"),
    (re.compile(r"guest-[0-9a-z]{8}"), "GUEST"),
    (re.compile(r"\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+$"), "KEY"),
    (re.compile(r"\b[0-9a-f]{16,64}\b"), "HEX"),
]
COUNTED = (
    "after",
    "attempts",
    "events",
    "number",
    "size",
)  # how far a chain or an operator's wallet has come is no promise
TOLD = json.loads(FILE.read_text())


def same_on_every_visit(value: Any, name: str = "") -> Any:
    """A request or an answer without what is another every time."""
    if isinstance(value, dict):
        return {key: same_on_every_visit(part, key) for key, part in value.items()}
    if isinstance(value, list):
        parts = [same_on_every_visit(part) for part in value]
        return sorted(parts, key=str) if name == "chains" else parts
    if name == "token" and value != "alice-token":
        return "TOKEN"
    if isinstance(value, int) and (name in COUNTED or value > 10**12):
        return "NUMBER"
    if isinstance(value, str) and name == "body" and value.startswith("{"):
        return sorted(json.loads(value))  # what an event says, which the test of the audit reads
    if isinstance(value, str) and name in ("head", "proof"):
        return "SIGNED"
    if isinstance(value, str):
        for pattern, word in OTHERWISE:
            value = pattern.sub(word, value)
    return value


def problem_with(step: dict[str, Any], answer: Any) -> str | None:
    """Where an answer is not what the document promises."""
    response = BY_NAME[step["operation"]].told["responses"][str(step["status"])]
    if "content" not in response:
        return None if answer is None else "there is an answer"
    content = next(
        told for kind, told in response["content"].items() if "json" in kind or len(response["content"]) == 1
    )
    schema = {**content["schema"], "components": DOCUMENT["components"]}
    found = next(jsonschema_rs.validator_for(schema).iter_errors(answer), None)
    return None if found is None else str(found)


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Tour:
    return visit(tmp_path_factory.mktemp("visit"))


def test_every_example_is_asked_again_and_answered_alike(tour: Tour) -> None:
    again = [(step["operation"], step["status"]) for step in tour.steps]
    assert again == [(step["operation"], step["status"]) for step in TOLD], "run `make examples`"
    for step, told in zip(tour.steps, TOLD, strict=True):
        assert same_on_every_visit(step) == same_on_every_visit(told), f"{step['operation']}: run `make examples`"


def test_examples_and_answers_are_what_the_schemas_say(tour: Tour) -> None:
    for step, whole in zip(tour.steps, tour.answers, strict=True):
        assert problem_with(step, whole) is None, step["operation"]
    for step in TOLD:
        assert problem_with(step, step["answer"]) is None, step["operation"]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.name)
def test_every_operation_has_examples(operation: Operation) -> None:
    steps = [step for step in TOLD if step["operation"] == operation.name]
    done = [step for step in steps if step["status"] < 400]
    refused = [step for step in steps if step["status"] >= 400]
    assert done
    assert refused or operation.path in ("/metrics", "/health"), "these refuse nobody"
    for step in steps:
        for content in operation.told["responses"][str(step["status"])].get("content", {}).values():
            assert content["example"] in [one["answer"] for one in steps]
    if "requestBody" in operation.told:
        shown = operation.told["requestBody"]["content"]["application/json"]["example"]
        assert shown == done[0]["body"]
    for name, parameter in operation.parameters.items():
        given = [step["path"] | step["query"] | step["headers"] for step in done]
        assert parameter["example"] in [one.get(name) for one in given]


def test_the_document_is_made_from_the_file() -> None:
    assert examples() == TOLD
    assert {step["answer"]["code"] for step in TOLD if step["status"] >= 400} >= {"no-funds", "round-closed", "bad-key"}
