"""A real Chromium in front of a real server, whose secret seed is known here so that hands can be chosen."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from api_house import Clock
from pairhouse.house import dealer
from pairhouse.house.care.policy import EXAMPLE_NOTICE, find_notice, find_policy
from pairhouse.house.house import House
from pairhouse.house.people import new_key
from pairhouse.house.vault import KEY_VARIABLE
from pairhouse.server.app import Application
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.processes.one_process import build
from pairhouse.server.routes.pages import BUILT
from servers import free_port
from web_table import SERVER_SEED, Felt

START_LIMIT_S = 60
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")  # the lightest first
ARTEFACTS = Path(__file__).parents[2] / "artefacts"


@contextmanager
def running(app: Application) -> Iterator[str]:
    """A server in a thread of its own; its address."""
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + START_LIMIT_S
    while not server.started and time.monotonic() < until:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/"
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope="session")
def known_seeds() -> Iterator[None]:
    """Server seeds that the tests know."""
    patch = pytest.MonkeyPatch()
    patch.setattr(dealer, "new_seed", lambda: SERVER_SEED)
    patch.setenv(KEY_VARIABLE, "ab" * 32)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory, known_seeds: None) -> House:
    """A house over a fresh database; the server closes it."""
    return House(f"sqlite:///{tmp_path_factory.mktemp('house') / 'house.db'}")


@pytest.fixture(scope="session")
def house_url(house: House) -> Iterator[str]:
    """The address of the house."""
    with running(build(house=house, throttle=Throttle({}))) as address:
        yield address


@pytest.fixture(scope="session")
def office(house: House, house_url: str) -> Callable[..., Any]:
    """What an administrator asks of the house over HTTP."""
    key = house.do(lambda tx: new_key(tx, "office of the tests", "admin"))[1]

    def ask(method: str, path: str, body: Any) -> Any:
        headers = {"Authorization": f"Bearer {key}"}
        answer = httpx.request(method, house_url.rstrip("/") + path, json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json()

    return ask


@pytest.fixture(scope="session")
def uk_house(tmp_path_factory: pytest.TempPathFactory, known_seeds: None) -> Iterator[tuple[str, House]]:
    """A house under the policy of Great Britain, with an operator's notice."""
    url = f"sqlite:///{tmp_path_factory.mktemp('uk') / 'house.db'}"
    house = House(url, clock=Clock(), policy=find_policy("uk"))
    notice = find_notice(str(EXAMPLE_NOTICE), None)
    with running(build(house=house, throttle=Throttle({}), jobs=False, notice=notice)) as address:
        yield address, house


def find_chromium() -> str | None:
    """The Chromium of this machine, or the one named by PAIRHOUSE_CHROMIUM."""
    return os.environ.get("PAIRHOUSE_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A real browser."""
    if not (BUILT / "index.html").exists():
        pytest.skip("the pages are not built here: npm's packages could not be fetched; `make web` says why")
    found = find_chromium()
    if found is None:
        pytest.skip("no Chromium here: install one, or name it in PAIRHOUSE_CHROMIUM")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(params=[pytest.param(1440, marks=pytest.mark.slow), 390], ids=["desktop", "phone"])
def width(request: pytest.FixtureRequest) -> int:
    """Both ends of what the tables are made for. Tests that ask for no width are on a desktop."""
    found: int = request.param
    return found


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A player's browser, quick by choice."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB", service_workers="block")
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that fails the test when a script fails."""
    page = context.new_page()
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    yield page
    assert broken == []


@pytest.fixture
def felt(page: Page, house_url: str) -> Felt:
    """A guest in the lobby, in turbo and without sound."""
    return Felt(page, house_url).enter()


@pytest.fixture
def artefacts() -> Path:
    """Where screenshots go."""
    ARTEFACTS.mkdir(exist_ok=True)
    return ARTEFACTS
