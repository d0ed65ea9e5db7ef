"""Every operation of the OpenAPI document, and a request for each, made from the document's own examples."""

import re
from dataclasses import dataclass
from typing import Any

from guests import new_name
from pairhouse.server.http.openapi import document
from pairhouse.server.processes.one_process import build

DOCUMENT: dict[str, Any] = document(build("sqlite:////nowhere/house.db"))


@dataclass(frozen=True)
class Operation:
    """A route and a method, as the document tells it."""

    method: str
    path: str
    told: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def schemes(self) -> set[str]:
        """The ways to say who one is; empty for what anybody may do."""
        return {scheme for way in self.told.get("security", []) for scheme in way}

    @property
    def parameters(self) -> dict[str, Any]:
        return {one["name"]: one for one in self.told.get("parameters", [])}

    def fits(self, path: str) -> bool:
        """Whether an address is one of this route."""
        return re.fullmatch(re.sub(r"\{[a-z_]+\}", "[^/]+", self.path), path) is not None

    def request(self, **given: Any) -> dict[str, Any]:
        """What to hand to a client: the examples, with these path parameters, query or body fields in their place."""
        path, query, headers = self.path, {}, {}
        for name, one in self.parameters.items():
            value = given.get(name, one["example"])
            if one["in"] == "path":
                path = path.replace("{" + name + "}", value)
            elif one["in"] == "query" and name in given:
                query[name] = value
            elif one["in"] == "header":
                headers[name] = given.get(name, new_name())
        what: dict[str, Any] = {"method": self.method, "url": path, "params": query, "headers": headers}
        if "requestBody" in self.told:
            example = self.told["requestBody"]["content"]["application/json"]["example"]
            what["json"] = {**example, **given.get("body", {})}
        return what


OPERATIONS = [
    Operation(method.upper(), path, told)
    for path, methods in DOCUMENT["paths"].items()
    for method, told in methods.items()
]
BY_NAME = {one.name: one for one in OPERATIONS}
