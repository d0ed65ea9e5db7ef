"""The test vectors of the fairness scheme. `make vectors` writes them again; verifiers elsewhere rely on them.

Rounds have the rules hash they were dealt under, because it is part of what was hashed.
"""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from fair_rounds import Record, random_rounds
from live_rounds import live_vectors
from pairhouse.games.catalogue import GAMES
from pairhouse.rounds.fairness import Order, WordStream, commitment, message_prefix
from pairhouse.rounds.round_log import faces

FOLDER = Path(__file__).parents[1] / "verifier" / "vectors"
ORDERS = {"52": (1, 0), "54": (1, 2), "312": (6, 0), "416": (8, 0)}
DRAWS = (1, 2, 3, 52, 416, 2**31 + 1, 2**31 + 1, 2**31 + 1, 2**32 - 1, 2**32)  # every other word is past 2**31 + 1
STREAMS: list[tuple[str, str, str, list[str], int]] = [
    ("00" * 32, "blackjack", "0" * 64, ["0"], 0),
    ("00" * 32, "blackjack", "0" * 64, ["0"], 1),
    ("00" * 32, "blackjac", "k" + "0" * 63, ["0"], 0),
    (bytes(range(32)).hex(), "la-paire", "ab" * 32, ["ab", "c"], 7),
    (bytes(range(32)).hex(), "la-paire", "ab" * 32, ["a", "bc"], 7),
    (bytes(range(32)).hex(), "la-paire", "ab" * 32, ["abc"], 7),
    ("ff" * 32, "nepal-super-baccarat", "c0ffee00" * 8, ["♠ glück 🃏", "x" * 64, " "], 2**40),
]


def stream_vector(seed: str, game: str, rules_hash: str, client_seeds: list[str], nonce: int) -> dict[str, Any]:
    """One stream: its message, its first words, some draws, and the order of every kind of pack."""
    given = (bytes.fromhex(seed), game, rules_hash, client_seeds, nonce)
    words, draws = WordStream(*given), WordStream(*given)
    return {
        "server_seed": seed,
        "commitment": commitment(bytes.fromhex(seed)),
        "game": game,
        "rules_hash": rules_hash,
        "client_seeds": client_seeds,
        "nonce": nonce,
        "prefix": message_prefix(game, rules_hash, client_seeds, nonce).hex(),
        "words": [words.word() for _ in range(20)],
        "draws": [{"n": n, "gives": draws.draw(n)} for n in DRAWS],
        "orders": {size: " ".join(faces(Order(WordStream(*given), *pack)[:])) for size, pack in ORDERS.items()},
    }


def rows(record: Record) -> set[str]:
    """Every paytable row a round was paid by."""
    seats = record["view"]["wagers"]
    return {row.strip() for seat in seats for bet in seat.values() for row in (bet["row"] or "").split(",")}


def choices(record: Record) -> list[str]:
    made: list[str] = record["log"].get("choices", [])
    return made


def options(record: Record) -> dict[str, Any]:
    return dict(record["log"]["options"])


def wins_under(paytable: str) -> Callable[[Record], bool]:
    """Whether a round of a paytable returned something on PAIR."""

    def holds(record: Record) -> bool:
        won = any(seat.get("pair", {}).get("returned") for seat in record["view"]["wagers"])
        return won and record["state"] == "settled" and options(record)["paytable"] == paytable

    return holds


Wanted = dict[str, Callable[[Record], bool]]

BLACKJACK: Wanted = {
    "four hands": lambda r: len(r["log"]["seats"]) == 1 and choices(r).count("split") == 3,
    "three seats with splits": lambda r: len(r["log"]["seats"]) == 3 and choices(r).count("split") >= 2,
    "split and doubled": lambda r: "split" in choices(r) and "double" in choices(r),
    "insurance wins": lambda r: any(bet.get("insurance", {}).get("returned") for bet in r["view"]["wagers"]),
    "insurance loses": lambda r: any(bet.get("insurance", {}).get("returned") == 0 for bet in r["view"]["wagers"]),
    "blackjack": lambda r: "blackjack" in rows(r),
    "void after a choice": lambda r: r["state"] == "void" and len(choices(r)) > 1,
    "rounded": lambda r: r["state"] == "settled" and options(r)["rounding"] == "nearest" and "insurance" in choices(r),
}
STANDARD: Wanted = {
    **BLACKJACK,
    "surrender": lambda r: "surrender" in rows(r),
    "surrender and no hole card": lambda r: "surrender" in choices(r) and options(r)["hole_card"] == "none",
    "dealer blackjack without a hole card": lambda r: (
        "dealer blackjack" in rows(r) and options(r)["hole_card"] == "none"
    ),
    "dealer hits soft 17": lambda r: options(r)["soft_17"] == "hit" and r["proof"]["cards_used"] > 8,
    "five-card charlie": lambda r: options(r)["charlie"] == 5 and choices(r).count("hit") > 4,
    "split aces": lambda r: len(r["log"]["seats"]) == 1 and r["log"]["cards"][0][0] == "A" and "split" in choices(r),
}
PAIR_TABLES = ("2-deck-a", "2-deck-b", "shoe-a", "shoe-b", "shoe-c", "shoe-d")
WANTED: dict[str, Wanted] = {
    "three-card-poker": {
        "plain": lambda r: r["state"] == "settled" and options(r)["rounding"] == "exact",
        "three seats, one folds": lambda r: len(choices(r)) == 3 and choices(r).count("fold") == 1,
        "ante bonus": lambda r: any("ante-bonus" in seat for seat in r["view"]["wagers"]),
        "progressive won": lambda r: any(seat.get("progressive", {}).get("returned") for seat in r["view"]["wagers"]),
        "progressive with a meter": lambda r: "meter" in r["log"] and any("progressive" in s for s in r["log"]["seats"]),
        "void": lambda r: r["state"] == "void" and "play" in choices(r),
    },
    "nepal-super-baccarat": {
        "first coup": lambda r: r["proof"]["first_card"] == 0 and r["state"] == "settled",
        "a later coup": lambda r: r["proof"]["first_card"] > 40 and r["proof"]["nonce"] == 0,
        "a coup of a later shoe": lambda r: r["proof"]["first_card"] > 5 and r["proof"]["nonce"] > 0,
        "banker wins on six": lambda r: "Banker wins on 6" in rows(r) and r["state"] == "settled",
        "three seats": lambda r: len(r["log"]["seats"]) == 3 and r["returned"] > 0,
        "void": lambda r: r["state"] == "void" and r["proof"]["first_card"] > 0,
    },
    "la-paire": {
        "three seats": lambda r: len(r["log"]["seats"]) == 3 and r["returned"] > 0,
        "a joker first": lambda r: r["log"]["cards"][0][0] == "X" and r["state"] == "settled",
        "a joker in the poker hand": lambda r: "X1" in r["log"]["cards"] and any("poker" in s for s in r["log"]["seats"]),
        "a pair": lambda r: r["log"]["cards"][0][:-1] == r["log"]["cards"][1][:-1] and r["returned"] > 0,
        "void": lambda r: r["state"] == "void",
    },
    "blackjack-poker-pairs": BLACKJACK,
    "blackjack": STANDARD,
    "pair-v3": {
        **{name: wins_under(name) for name in PAIR_TABLES},
        "three seats": lambda r: len(r["log"]["seats"]) == 3 and r["returned"] > r["staked"],
    },
}  # fmt: skip


def round_vectors() -> list[dict[str, Any]]:
    """The first random round of each wanted kind."""
    return [
        {"name": f"{game}: {name}", "record": found}
        for game, wanted in WANTED.items()
        for name, found in first_rounds(game, wanted).items()
    ]


def first_rounds(game: str, wanted: Wanted) -> dict[str, Record]:
    """The first round of each kind; the rarest of them may take more rounds to come."""
    missing: list[str] = []
    for count in (20_000, 200_000):
        rounds = random_rounds(GAMES[game], count, Random(f"vectors of {game}"), rotate_after=90)
        found = {name: next((record for record in rounds if holds(record)), None) for name, holds in wanted.items()}
        missing = [name for name, record in found.items() if record is None]
        if not missing:
            return {name: record for name, record in found.items() if record is not None}
    raise LookupError(f"no round of {game} shows {missing[0]}")


def read(name: str) -> list[dict[str, Any]]:
    """The vectors of a file."""
    vectors: list[dict[str, Any]] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return vectors


def write(name: str, vectors: list[dict[str, Any]]) -> None:
    """One vector a line."""
    lines = ",\n".join(json.dumps(vector, ensure_ascii=False) for vector in vectors)
    (FOLDER / name).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    write("streams.json", [stream_vector(*given) for given in STREAMS])
    write("rounds.json", round_vectors())
    write("live.json", live_vectors())
