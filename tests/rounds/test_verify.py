"""Three programs that share no code agree on every vector and every round, and none is fooled."""

import json
import subprocess
import sys
from copy import deepcopy
from random import Random
from typing import Any

import pytest

import vectors
import verifiers
from fair_rounds import Record, random_rounds
from gallery_games import gallery
from pairhouse.core.errors import Refused
from pairhouse.games.catalogue import GAMES, find
from pairhouse.rounds.fairness import Proof, WordStream, commitment, order_of
from pairhouse.rounds.round_log import faces
from pairhouse.rounds.verify import first_difference, verify

STREAMS = vectors.read("streams.json")
ROUNDS = {vector["name"]: vector["record"] for vector in vectors.read("rounds.json")}


def house_says(record: Any) -> str:
    try:
        difference = first_difference(verify(record, any_rules=True))
    except Refused as refused:
        return f"refused: {refused}"
    return "" if difference is None else f"{difference.check}: {difference.says}"


def proof_of(vector: dict[str, Any]) -> dict[str, Any]:
    return {key: vector[key] for key in ("server_seed", "commitment", "game", "rules_hash", "client_seeds", "nonce")}


@pytest.mark.parametrize("vector", STREAMS, ids=lambda vector: f"{vector['game']} {vector['client_seeds']}"[:40])
def test_all_three_agree_on_words_draws_and_orders(vector: dict[str, Any]) -> None:
    proof = proof_of(vector)
    sizes = [draw["n"] for draw in vector["draws"]]
    given = (
        bytes.fromhex(vector["server_seed"]),
        *(proof[key] for key in ("game", "rules_hash", "client_seeds", "nonce")),
    )
    ours, theirs = WordStream(*given), verifiers.python.words(proof)
    words, draws = vector["words"], [draw["gives"] for draw in vector["draws"]]
    assert [ours.word() for _ in words] == [next(theirs) for _ in words] == words
    ours, theirs = WordStream(*given), verifiers.python.words(proof)
    assert [ours.draw(n) for n in sizes] == [verifiers.python.draw(theirs, n) for n in sizes] == draws
    packs = list(vectors.ORDERS.items())
    page = verifiers.ask_page(
        [["words", proof, len(words)], ["draws", proof, sizes], *(["order", proof, *p] for _, p in packs)]
    )
    assert page == [words, draws, *(vector["orders"][size] for size, _ in packs)]
    for size, pack in packs:
        order = order_of(Proof(**proof, cards_used=0), *pack)
        assert " ".join(faces(order[:])) == " ".join(verifiers.python.shuffled(proof, *pack)) == vector["orders"][size]
    assert commitment(given[0]) == vector["commitment"]


def test_the_vectors_are_of_the_rules_in_force() -> None:
    """`pairhouse verify` settles rounds of other rules by no rules at all: after a change of rules `make vectors`."""
    for record in ROUNDS.values():
        variant = find(record["proof"]["game"]).variant(record["log"]["options"])
        assert record["proof"]["rules_hash"] == variant.rules_hash, "run `make vectors`"


def test_the_vectors_reject_words_and_tell_like_seeds_apart() -> None:
    """A vector that never rejects, or seeds that run together, would leave a mistake unseen."""
    assert any(word >= 2**31 + 1 for word in STREAMS[0]["words"][5:12])
    assert len({vector["prefix"] for vector in STREAMS}) == len(STREAMS)
    assert len({vector["orders"]["52"] for vector in STREAMS}) == len(STREAMS)


@pytest.mark.parametrize("length", [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])
def test_the_hash_of_the_page_is_sha_256(length: int) -> None:
    assert verifiers.ask_page([["hash", "a" * length]]) == [commitment(b"a" * length)]


def test_all_three_agree_on_every_round() -> None:
    assert len(ROUNDS) >= 40
    assert {record["log"]["game"] for record in ROUNDS.values()} == set(GAMES)
    said = dict(zip(ROUNDS, verifiers.page_says(list(ROUNDS.values())), strict=True))
    for name, record in ROUNDS.items():
        assert (house_says(record), verifiers.python_says(record), said[name]) == ("", "", ""), name


def tampered(record: Record) -> dict[str, Record]:
    """A round with one lie in it, by the name of the lie."""
    lies: dict[str, Record] = {}

    def lie(name: str) -> Record:
        lies[name] = deepcopy(record)
        return lies[name]

    card = record["log"]["cards"][0]
    lie("card")["log"]["cards"][0] = "7d" if card != "7d" else "8c"
    lie("two cards swapped")["log"]["cards"][:2] = reversed(record["log"]["cards"][:2])
    seed = record["proof"]["server_seed"]
    lie("server seed")["proof"]["server_seed"] = ("1" if seed[0] != "1" else "2") + seed[1:]
    other = lie("server seed with its own commitment")["proof"]
    other["server_seed"] = "5" * 64
    other["commitment"] = commitment(b"\x55" * 32)
    lie("commitment")["proof"]["commitment"] = "0" * 64
    lie("client seed")["proof"]["client_seeds"][0] += "!"
    lie("one more client seed")["proof"]["client_seeds"].append("x")
    lie("nonce")["proof"]["nonce"] += 1
    lie("first card")["proof"]["first_card"] += 1
    lie("cards used")["proof"]["cards_used"] += 1
    lie("game")["proof"]["game"] = "poker"
    lie("rules")["proof"]["rules_hash"] = "f" * 64
    wager = next(iter(record["view"]["wagers"][0]))
    lie("returned")["view"]["wagers"][0][wager]["returned"] += 1
    lie("stake")["view"]["wagers"][0][wager]["stake"] += 1
    del lie("wager left out")["view"]["wagers"][0][wager]
    lie("total")["returned"] += 1
    lie("bet after the cards")["log"]["seats"][0][wager] += 2
    lie("ending")["state"] = "void" if record["state"] == "settled" else "settled"
    if record["log"].get("choices"):
        lie("choice")["log"]["choices"][-1] = "even-money"
        lie("one choice more")["log"]["choices"].append("stand")
    if first_and_second_are_alike(record):
        del lies["two cards swapped"]
    return lies


def first_and_second_are_alike(record: Record) -> bool:
    first, second = record["log"]["cards"][:2]
    return bool(first == second)


def test_no_lie_passes_any_of_the_three() -> None:
    lies = [(f"{name}, {lie}", record) for name, true in ROUNDS.items() for lie, record in tampered(true).items()]
    page = verifiers.page_says([record for _, record in lies])
    passed = {name for (name, _), said in zip(lies, page, strict=True) if not said}
    passed |= {name for name, record in lies if not house_says(record) or not verifiers.python_says(record)}
    void = {name for name in passed if ROUNDS[name.rpartition(", ")[0]]["state"] == "void"}
    # A void round gives every stake back whatever it stopped at, so a choice too many changes no payment there.
    assert {name.rpartition(", ")[2] for name in void} <= {"one choice more"}
    assert passed - void == set()


@pytest.mark.parametrize("count", [300, pytest.param(1_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", list(GAMES))
def test_many_rounds_with_rotating_seeds_are_verified(game: str, count: int) -> None:
    rounds = json.loads(json.dumps(random_rounds(GAMES[game], count, Random(f"rotating {game}"))))
    assert len({record["proof"]["server_seed"] for record in rounds}) == count // 25
    assert [said for said in map(verifiers.python_says, rounds) if said] == []
    assert [said for said in verifiers.page_says(rounds) if said] == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda record: record["proof"].update(server_seed=None), "rotate the seed at"),
        (lambda record: record.update(state="open"), "once it is settled"),
        (lambda record: record.update(log=None), "once it is settled"),
        (lambda record: record["proof"].update(scheme="dice/9"), "pairhouse/1"),
    ],
)
def test_a_round_that_cannot_be_checked_yet_is_told_why(change: Any, says: str) -> None:
    record = deepcopy(next(iter(ROUNDS.values())))
    change(record)
    for said in (house_says(record), verifiers.python_says(record), *verifiers.page_says([record])):
        assert said.startswith("refused: ")
        assert says in said


@pytest.mark.parametrize("given", [None, 7, [], {}, {"proof": {}}, {"proof": None, "log": {}, "state": "settled"}])
def test_what_is_no_round_is_refused(given: Any) -> None:
    assert verifiers.python_says(given).startswith("refused: ")
    assert verifiers.page_says([given])[0].startswith("refused: ")


def test_the_python_file_runs_alone(tmp_path: Any) -> None:
    record = next(iter(ROUNDS.values()))
    wrong = deepcopy(record)
    wrong["log"]["cards"][0] = "X1"
    unrevealed = deepcopy(record)
    unrevealed["proof"]["server_seed"] = None
    script = tmp_path / "alone.py"
    script.write_bytes((verifiers.FOLDER / "pairhouse_verify.py").read_bytes())
    for status, given, words in ((0, record, "[ok] settlement"), (1, wrong, "card 1 is X1"), (2, unrevealed, "rotate")):
        (tmp_path / "round.json").write_text(json.dumps(given))
        command = [sys.executable, "-I", "-S", str(script), str(tmp_path / "round.json")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, words in done.stdout + done.stderr) == (status, True)


def test_the_verifiers_import_nothing_of_the_house() -> None:
    source = (verifiers.FOLDER / "pairhouse_verify.py").read_text()
    assert {line for line in source.splitlines() if line.startswith(("import ", "from "))} == {
        "import hashlib", "import hmac", "import json", "import sys",
    }  # fmt: skip


def test_page_and_module_are_built_from_the_sources() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import json, build; print(json.dumps(build.built()))"],
        cwd=verifiers.FOLDER, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name, text in json.loads(done.stdout).items():
        assert (verifiers.FOLDER / name).read_text(encoding="utf-8") == text, "run `python verifier/build.py`"


def test_the_page_asks_nothing_of_any_network(tmp_path: Any) -> None:
    page = (verifiers.FOLDER / "verifier.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page
    for word in ("http://", "https://", "fetch(", "XMLHttpRequest", "import(", "src=", "<link", "url("):
        assert word not in page
    script = tmp_path / "page.js"
    script.write_text(page.partition("<script>")[2].partition("</script>")[0], encoding="utf-8")
    subprocess.run([str(verifiers.NODE), "--check", str(script)], check=True)


def test_the_page_checks_seeds_and_cards_of_a_game_it_has_no_rules_of() -> None:
    """Of a game from a file it says what it left out, and it is still not fooled."""
    game = gallery("dragon_tiger")
    variant = game.variant()
    proof = proof_of(STREAMS[0]) | {"game": game.id, "rules_hash": variant.rules_hash}
    proof |= {"scheme": "pairhouse/1", "first_card": 0, "cards_used": 2}
    cards = faces(order_of(Proof(**proof), *variant.pack)[:2])
    log = {"game": game.id, "cards": cards, "seats": [{"tie": 100}], "options": dict(variant.options), "choices": []}
    record = {"proof": proof, "log": log, "state": "settled"}
    other_card = record | {"log": log | {"cards": [cards[1], cards[0]]}}
    no_pack = record | {"log": log | {"options": {}}}
    good, swapped, unsaid = verifiers.ask_page([["verify", one] for one in (record, other_card, no_pack)])
    assert (good["same"], good["error"]) == (True, None)
    assert "pairhouse verify" in good["unchecked"]
    assert [one["check"] for one in good["findings"]] == ["commitment", "names", "place", "cards"]
    assert swapped["same"] is (cards[0] == cards[1])
    assert "which pack" in unsaid["error"]
