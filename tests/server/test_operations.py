"""Alive and ready are two things: a house whose books cannot be written is alive, and not ready."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from sqlalchemy import make_url

from api_house import Open, open_house
from pairhouse.server.routes import operations


def test_ready_means_that_something_was_written(own_house: Open) -> None:
    def pulses() -> list[tuple[str, int]]:
        with own_house.house.database.reading() as tx:
            tx.raw("SELECT house, at FROM pulses")
            return list(tx._cursor.fetchall())

    assert pulses() == []
    answer = own_house.client.get("/ready")
    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert len(pulses()) == 1


def test_a_house_that_cannot_write_is_alive_and_not_ready(
    new_database: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "READY_WITHIN_S", 0.3)
    url = new_database("sqlite")
    for house in open_house(url):
        with closing(sqlite3.connect(str(make_url(url).database), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            answer = house.client.get("/ready")
            assert (answer.status_code, answer.json()["code"]) == (503, "not-ready")
            assert answer.headers["retry-after"] == "1"
            health = house.client.get("/health")
            assert (health.status_code, health.json()["status"]) == (200, "alive")
            other.execute("ROLLBACK")
        monkeypatch.setattr(operations, "READY_WITHIN_S", 30)
        assert house.client.get("/ready").status_code == 200
