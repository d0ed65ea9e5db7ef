"""A real Chromium in front of a real server, whose secret seed is known here so that hands can be chosen."""

import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from pairhouse.house import dealer
from pairhouse.house.vault import KEY_VARIABLE
from pairhouse.server.http.throttle import Throttle
from pairhouse.server.one_process import build
from pairhouse.server.routes.pages import BUILT
from servers import free_port
from web_table import SERVER_SEED, Felt

START_LIMIT_S = 60
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARTEFACTS = Path(__file__).parents[2] / "artefacts"


@pytest.fixture(scope="session")
def house_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in a thread of its own, over a fresh database."""
    patch = pytest.MonkeyPatch()
    patch.setattr(dealer, "new_seed", lambda: SERVER_SEED)
    patch.setenv(KEY_VARIABLE, "ab" * 32)
    port = free_port()
    app = build(f"sqlite:///{tmp_path_factory.mktemp('house') / 'house.db'}", throttle=Throttle({}))
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + START_LIMIT_S
    while not server.started and time.monotonic() < until:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/"
    server.should_exit = True
    thread.join(10)
    patch.undo()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The Chromium of this machine, or the one named by PAIRHOUSE_CHROMIUM."""
    if not (BUILT / "index.html").exists():
        pytest.skip("the pages are not built here: npm's packages could not be fetched; `make web` says why")
    found = os.environ.get("PAIRHOUSE_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if found is None:
        pytest.skip("no Chromium here: install one, or name it in PAIRHOUSE_CHROMIUM")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(params=[1440, 390], ids=["desktop", "phone"])
def width(request: pytest.FixtureRequest) -> int:
    """Both ends of what the tables are made for."""
    found: int = request.param
    return found


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A player's browser, quick by choice."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
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
