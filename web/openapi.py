"""Write the shapes of the API's own document: the types of the pages are made from them."""

import json
import sys

from pairhouse import __version__
from pairhouse.server.http.openapi import schemas


def shapes() -> dict[str, object]:
    """The document the server gives at /openapi.json, without its paths."""
    info = {"title": "Pairhouse", "version": __version__}
    return {"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": schemas()}}


if __name__ == "__main__":
    json.dump(shapes(), sys.stdout)
