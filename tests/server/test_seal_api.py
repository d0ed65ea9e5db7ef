"""The signed log over the API: a player proves a round with programs that share no code with the house."""

import importlib.util
import json
import subprocess
from typing import Any

import pytest

from api_house import Open
from pairhouse.house.seal.heads import read_head
from pairhouse.house.seal.keys import PrivateKey
from verifiers import FOLDER, NODE

PAGE = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { verifySeal } = await import(pathToFileURL(process.argv[1]));
console.log(JSON.stringify(verifySeal(...JSON.parse(readFileSync(0, "utf8")))));
"""


def by_page(record: Any, public_key: str) -> Any:
    """What the page's code finds."""
    command = [str(NODE), "--input-type=module", "--eval", PAGE, str(FOLDER / "verifier.js")]
    asked = json.dumps([record, public_key])
    done = subprocess.run(command, input=asked, text=True, capture_output=True, check=True, encoding="utf-8")
    return json.loads(done.stdout)


def by_file(record: Any, public_key: str) -> list[Any]:
    """What the Python file finds."""
    spec = importlib.util.spec_from_file_location("pairhouse_seal", FOLDER / "pairhouse_seal.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(module.verify_seal(record, public_key))


@pytest.mark.parametrize("table", ["la-paire", "three-card-poker"])
def test_a_round_is_proven_to_its_player(house: Open, table: str) -> None:
    guest = house.guest()
    guest.sit(table)
    played = guest.play(table)
    assert "seal" not in played, "a bet is answered before a head is signed"
    before = guest.get(f"/rounds/{played['id']}")
    assert "seal" not in before
    house.house.log.turn()
    closed = guest.get(f"/rounds/{played['id']}")
    assert {name: value for name, value in closed.items() if name != "seal"} == before
    told = house.client.get("/seal").json()
    assert told["public_key"] == house.house.log.key.public_key.hex()
    head = read_head(told["head"])
    assert head.is_signed_by(bytes.fromhex(told["public_key"]))
    assert (head.head.size, head.head.books) == (told["size"], told["books"])
    assert told["key"].startswith(f"pairhouse/books/{told['books']}/{told['epoch']}+")
    found = by_page(closed, told["public_key"])
    assert found["same"], found
    assert all(not finding[-1] for finding in by_file(closed, told["public_key"])), by_file(closed, told["public_key"])
    other = PrivateKey(bytes(32)).public_key.hex()
    assert not by_page(closed, other)["same"]
    closed["view"]["wagers"][0][next(iter(closed["view"]["wagers"][0]))]["returned"] += 1
    assert not by_page(closed, told["public_key"])["same"]


def test_others_are_shown_no_seal(house: Open) -> None:
    """What is sealed has the balance of the player in it: a replay for anybody is without."""
    guest = house.guest()
    guest.sit("la-paire")
    played = guest.play("la-paire")
    house.house.log.turn()
    assert "seal" not in house.client.get(f"/rounds/{played['id']}/replay").json()


def test_an_open_round_has_no_seal(house: Open) -> None:
    guest = house.guest()
    guest.sit("three-card-poker")
    waiting = guest.open("three-card-poker")
    house.house.log.turn()
    assert "seal" not in guest.get(f"/rounds/{waiting['id']}")
