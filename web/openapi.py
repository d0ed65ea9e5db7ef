"""Write the API's own document, without its paths: the types of the pages are made from its shapes."""

import json
import sys

from pairhouse.server.app import build


def shapes() -> dict[str, object]:
    """The document the server gives at /openapi.json, reduced to what the pages read and send."""
    document = build("sqlite://", jobs=False).openapi_schema.to_schema()
    return {key: document[key] for key in ("openapi", "info")} | {
        "paths": {},
        "components": {"schemas": document["components"]["schemas"]},
    }


if __name__ == "__main__":
    json.dump(shapes(), sys.stdout)
