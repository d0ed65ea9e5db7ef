"""Duplicated, reordered, delayed and concurrent requests for the same round: exactly one effect."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from direct_house import DATABASES, new_database
from servers import Server, Visitor, audit_of

TABLE = "blackjack-poker-pairs"
AT_ONCE = 8


@pytest.fixture(scope="module", params=DATABASES)
def servers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """On PostgreSQL two processes share the books, so that requests race across processes as well."""
    folder = tmp_path_factory.mktemp("requests")
    url = new_database(request.param, folder)
    running = [Server(url, folder).start() for _ in range(1 if request.param == "sqlite" else 2)]
    for server in running:
        asyncio.run(server.ready())
    yield running
    for server in running:
        server.stop()
    done = audit_of(url, folder)
    assert done.returncode == 0, done.stdout + done.stderr


async def seated(servers: list[Server], number: int) -> Visitor:
    visitor = Visitor(number, servers, number)
    await visitor.come_in()
    await visitor.ask("POST", f"/tables/{TABLE}/sit")
    return visitor


def bet(stake: int = 1000, table: str = TABLE) -> dict[str, Any]:
    return {"table": table, "wagers": {"main": stake}, "client_seed": "lucky"}


async def waiting_round(visitor: Visitor, *, costs: str = "") -> dict[str, Any]:
    """A round that asks for a choice, one with a cost if that is wanted."""
    while True:
        view: dict[str, Any] = (await visitor.ask("POST", "/rounds", bet(), visitor.new_key())).json()
        visitor._booked(view, 1000)
        while view["state"] == "open":
            awaiting = view["view"]["awaiting"]
            if not costs or costs in awaiting.get("costs", {}):
                return view
            await visitor.choose(TABLE, next(word for word in ("no-insurance", "stand") if word in awaiting["options"]))
            view = visitor.open.get(TABLE, {"state": "closed"})


def test_one_bet_sent_many_times_at_once_is_one_bet(servers: list[Server]) -> None:
    async def run() -> None:
        visitor = await seated(servers, 1)
        answers = await asyncio.gather(*(visitor.ask("POST", "/rounds", bet(), "the-only-key") for _ in range(AT_ONCE)))
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.json()["id"] for answer in answers}) == 1
        assert len({answer.json()["balance"] for answer in answers}) == 1
        visitor._booked(answers[0].json(), 1000)
        await visitor.check()
        late = await visitor.ask("POST", "/rounds", bet(), "the-only-key")
        assert {**late.json(), "proof": 0} == {**answers[0].json(), "proof": 0}, "a delayed copy has the same answer"
        other = await visitor.ask("POST", "/rounds", bet(1200), "the-only-key")
        assert (other.status_code, other.json()["code"]) == (409, "key-reused")
        await visitor.check()
        await visitor.leave()

    asyncio.run(run())


def test_bets_from_many_tabs_open_one_round(servers: list[Server]) -> None:
    async def run() -> None:
        visitor = await seated(servers, 2)
        for turn in range(5):
            keys = [f"the-tab-{tab}-turn-{turn}" for tab in range(AT_ONCE)]
            answers = await asyncio.gather(*(visitor.ask("POST", "/rounds", bet(), key) for key in keys))
            accepted = [answer.json() for answer in answers if answer.status_code == 201]
            for view in sorted(accepted, key=lambda view: -view["balance"] if view["state"] == "open" else 0):
                visitor.balance = view["balance"]
            opened = [view for view in accepted if view["state"] == "open"]
            refused = [answer.json() for answer in answers if answer.status_code == 409]
            assert len(accepted) + len(refused) == AT_ONCE
            assert len(opened) <= 1
            assert {problem["code"] for problem in refused} <= {"round-open"}
            assert {problem["round"] for problem in refused} <= {view["id"] for view in opened}
            for view in opened:
                visitor.open[TABLE] = view
                visitor.balance = (await visitor.ask("GET", "/players/me")).json()["balance"]
            await visitor.check()
        await visitor.leave()

    asyncio.run(run())


def test_a_double_click_and_two_tabs_choose_once(servers: list[Server]) -> None:
    async def run() -> None:
        visitor = await seated(servers, 3)
        for turn in range(6):
            view = await waiting_round(visitor, costs="double")
            path, number = f"/rounds/{view['id']}/choices", len(view["choices"])
            same = [("double", f"the-click-{turn}")] * 3
            tabs = [(word, f"the-tab-{turn}-{word}-{tab}") for tab in range(2) for word in ("stand", "double")]
            sent = [{"choice": word, "number": number} for word, _ in same + tabs]
            answers = await asyncio.gather(
                *(visitor.ask("POST", path, body, key) for body, (_, key) in zip(sent, same + tabs, strict=True))
            )
            done = [
                (key, answer.json()) for (_, key), answer in zip(same + tabs, answers, strict=True) if answer.is_success
            ]
            codes = Counter(answer.json()["code"] for answer in answers if not answer.is_success)
            assert len({key for key, _ in done}) == 1, "one click counts, with all its copies"
            assert set(codes) <= {"out-of-turn", "round-closed"}
            chosen = done[0][1]
            visitor._booked(chosen, chosen["staked"] - view["staked"])
            await visitor.check()
        await visitor.leave()

    asyncio.run(run())


def test_choices_out_of_order_wait_for_their_turn(servers: list[Server]) -> None:
    async def run() -> None:
        visitor = await seated(servers, 4)
        view = await waiting_round(visitor)
        path, number = f"/rounds/{view['id']}/choices", len(view["choices"])
        early = await visitor.ask("POST", path, {"choice": "stand", "number": number + 1}, "early-key")
        assert (early.status_code, early.json()["code"]) == (409, "out-of-turn")
        await visitor.check()
        if TABLE not in visitor.open:
            await visitor.leave()
            return
        late = await visitor.ask("POST", path, {"choice": "stand", "number": 0}, "late-key")
        assert late.json()["code"] in ("out-of-turn", "round-closed")
        await visitor.leave()

    asyncio.run(run())


def test_play_money_asked_for_twice_is_given_once(servers: list[Server]) -> None:
    async def run() -> None:
        visitor = await seated(servers, 5)
        await visitor.ask("POST", "/tables/la-paire/sit")
        while visitor.balance >= 10_000:
            stake = min(50_000, visitor.balance // 100 * 100)
            body = {"table": "la-paire", "wagers": {"card-A": stake}, "client_seed": "x"}
            visitor._booked((await visitor.ask("POST", "/rounds", body, visitor.new_key())).json(), stake)
        asked = [visitor.ask("POST", "/players/me/play-money", key="more-please") for _ in range(AT_ONCE)]
        answers = await asyncio.gather(*asked)
        assert {(answer.status_code, answer.json()["balance"]) for answer in answers} == {(200, 100_000)}
        visitor.balance = 100_000
        await visitor.check()
        again = await visitor.ask("POST", "/players/me/play-money", key="another-key")
        assert again.json()["code"] == "not-needed"
        await visitor.leave()

    asyncio.run(run())


def test_the_folder_holds_no_secret_in_its_logs(servers: list[Server]) -> None:
    """Whatever went wrong above, servers wrote down no token and no key."""
    for server in servers:
        text = Path(server.log.name).read_text()
        assert "Bearer" not in text
        assert "seed_key" not in text.lower()
