"""Prometheus: the rules are valid and fire when they should, every metric they name exists, and a real one scrapes."""

import asyncio
import json
import re
import shutil
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from direct_house import new_database
from pairhouse.server.bookkeeping import house_metrics
from pairhouse.server.metrics import BOOKKEEPER, HTTP
from servers import Server, free_port

DEPLOY = Path(__file__).parents[2] / "deploy"
PROMTOOL, PROMETHEUS = shutil.which("promtool"), shutil.which("prometheus")
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="promtool is missing (Debian's package prometheus)")
assert house_metrics  # its metrics are in the registry once it is imported


@needs_promtool
@pytest.mark.parametrize(
    "words", ["check config prometheus.yml", "check rules alerts.yml", "test rules alerts_test.yml"]
)
def test_promtool_accepts_what_ships(words: str) -> None:
    done = subprocess.run([str(PROMTOOL), *words.split()], cwd=DEPLOY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def names_in(text: str) -> set[str]:
    return set(re.findall(r"\bpairhouse_\w+", text))


def test_every_metric_that_is_named_exists() -> None:
    exist = set()
    for registry in (HTTP, BOOKKEEPER):
        for metric in registry.collect():
            exist |= {metric.name, f"{metric.name}_total", f"{metric.name}_bucket"}
    dashboard = json.loads((DEPLOY / "dashboard.json").read_text())
    asked = {target["expr"] for panel in dashboard["panels"] for target in panel["targets"]}
    named = names_in(" ".join(asked)) | names_in((DEPLOY / "alerts.yml").read_text())
    assert named - exist == set()
    assert len(named) > 10


@needs_promtool
def test_every_question_of_the_dashboard_can_be_asked(tmp_path: Path) -> None:
    """Prometheus parses each of them, as the expression of a rule."""
    dashboard = json.loads((DEPLOY / "dashboard.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    rules = [{"record": f"asked:{number}", "expr": text} for number, text in enumerate(asked)]
    (tmp_path / "rules.json").write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    done = subprocess.run(
        [str(PROMTOOL), "check", "rules", str(tmp_path / "rules.json")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(PROMETHEUS is None, reason="prometheus is missing (Debian's package prometheus)")
def test_a_real_prometheus_scrapes_a_real_house(tmp_path: Path) -> None:
    server = Server(new_database("sqlite", tmp_path), tmp_path, words=("--workers", "1")).start()
    asyncio.run(server.ready())
    config = (DEPLOY / "prometheus.yml").read_text()
    config = config.replace("127.0.0.1:8001", f"127.0.0.1:{server.port}").replace(', "127.0.0.1:8002"', "")
    (tmp_path / "prometheus.yml").write_text(config.replace("15s", "1s"))
    shutil.copy(DEPLOY / "alerts.yml", tmp_path)
    port = free_port()
    words = [str(PROMETHEUS), f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/data"]
    with (tmp_path / "prometheus.log").open("wb") as told:
        process = subprocess.Popen([*words, f"--web.listen-address=127.0.0.1:{port}"], stdout=told, stderr=told)
    try:
        httpx.post(f"{server.base}/guests").raise_for_status()
        for query in (
            "up == 1",
            "pairhouse_books_epoch == 1",
            "pairhouse_requests_total > 0",
            "pairhouse_disk_free_bytes > 0",
            "abs(pairhouse_clock_seconds - timestamp(pairhouse_clock_seconds)) < 5",
        ):
            assert asked(port, query), f"{query} has no answer"
        alerts = httpx.get(f"http://127.0.0.1:{port}/api/v1/rules").json()["data"]["groups"][0]["rules"]
        assert {rule["health"] for rule in alerts} == {"ok"}
    finally:
        process.terminate()
        process.wait(30)
        server.stop()


def asked(port: int, query: str) -> bool:
    """Whether Prometheus has an answer to a question, within a minute."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            found = httpx.get(f"http://127.0.0.1:{port}/api/v1/query", params={"query": query}).json()
            if found["data"]["result"]:
                return True
        except (httpx.TransportError, KeyError, ValueError):
            pass
        time.sleep(0.5)
    return False
