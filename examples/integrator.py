"""For operators and integrators: a guest bets over HTTP, asks twice with one key, and is charged once.

`python examples/integrator.py http://127.0.0.1:8000` against a running house (`make play`).
"""

# %% A session: guests have play money.
import sys
from uuid import uuid4

import httpx

house = httpx.Client(base_url=sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000", timeout=30)
token = house.post("/guests").raise_for_status().json()["token"]
house.headers["Authorization"] = f"Bearer {token}"

# %% Sit down: the house shows the hash of its seed before the bet.
seat = house.post("/tables/la-paire/sit").raise_for_status().json()
print("commitment", seat["commitment"], "balance", seat["balance"])

# %% Bet. The key makes it one bet, however often it is sent.
bet = {"table": "la-paire", "wagers": {"card-A": 500, "red": 500}, "client_seed": "my luck"}
key = {"Idempotency-Key": uuid4().hex}
first = house.post("/rounds", json=bet, headers=key).raise_for_status().json()
again = house.post("/rounds", json=bet, headers=key).raise_for_status().json()
assert first == again
print("round", first["id"], "net", first["net"], "balance", first["balance"])

# %% Recall: the round with its whole log, and the player's history.
assert house.get(f"/rounds/{first['id']}").json()["log"] == first["log"]
print(house.get("/players/me/rounds").json()["rounds"][0])
