"""The built pages: kept for ever by their hash, compressed, and asked for again where they may have changed."""

import gzip
import time
from collections.abc import Callable, Iterator

import pytest

from api_house import Open, open_house
from pairhouse.server.http.compression import takes

SCRIPT = b"console.log('a felt');" * 200
ASSET = "/assets/index-lz435LL9.js"
BY_THE_BUILD = b"the same, smaller"


@pytest.fixture(scope="module")
def built(new_database: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    folder = tmp_path_factory.mktemp("static")
    (folder / "index.html").write_text("<!doctype html><title>tables</title>")
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "assets").mkdir()
    (folder / "assets" / "index-lz435LL9.js").write_bytes(SCRIPT)
    (folder / "assets" / "noise-aaaaaaaa.bin").write_bytes(bytes(range(256)))
    (folder / "assets" / "felt-bbbbbbbb.js").write_bytes(SCRIPT)
    (folder / "assets" / "felt-bbbbbbbb.js.br").write_bytes(BY_THE_BUILD)
    yield from open_house(new_database("sqlite"), pages=folder)


def test_a_file_named_by_its_content_is_kept_for_ever(built: Open) -> None:
    answer = built.client.get(ASSET, headers={"Accept-Encoding": "identity"})
    assert (answer.status_code, answer.content) == (200, SCRIPT)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "content-encoding" not in answer.headers


def test_it_comes_compressed_to_who_takes_that(built: Open) -> None:
    with built.client.stream("GET", ASSET, headers={"Accept-Encoding": "br, gzip"}) as answer:
        sent = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) == len(sent) < len(SCRIPT)
    assert gzip.decompress(sent) == SCRIPT


@pytest.mark.parametrize(
    ("accepted", "encoding"), [("gzip, deflate, br, zstd", "br"), ("gzip, br;q=0", "gzip"), ("gzip", "gzip"), ("", "")]
)
def test_what_the_build_made_smaller_comes_to_who_takes_that(built: Open, accepted: str, encoding: str) -> None:
    path = "/assets/felt-bbbbbbbb.js"
    with built.client.stream("GET", path, headers={"Accept-Encoding": accepted}) as answer:
        sent = b"".join(answer.iter_raw())
    assert answer.headers.get("content-encoding", "") == encoding
    assert {"br": lambda: BY_THE_BUILD, "gzip": lambda: gzip.decompress(sent)}.get(encoding, lambda: sent)() in (
        sent,
        SCRIPT,
    )
    assert (sent == BY_THE_BUILD) == (encoding == "br")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert built.client.get(f"{path}.br").status_code == 404


def test_what_does_not_get_smaller_comes_as_it_is(built: Open) -> None:
    answer = built.client.get("/assets/noise-aaaaaaaa.bin", headers={"Accept-Encoding": "gzip"})
    assert answer.content == bytes(range(256))
    assert "content-encoding" not in answer.headers
    assert answer.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("path", ["/", "/index.html", "/icon.svg"])
def test_the_page_itself_is_asked_for_each_time(built: Open, path: str) -> None:
    first = built.client.get(path)
    assert first.headers["cache-control"] == "no-cache"
    again = built.client.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert built.client.get(path, headers={"If-None-Match": '"another"'}).status_code == 200


def test_each_form_has_a_name_of_its_own(built: Open) -> None:
    names = {built.client.get(ASSET, headers={"Accept-Encoding": form}).headers["etag"] for form in ("gzip", "br")}
    assert len(names) == 2


def test_a_look_at_the_headers_alone(built: Open) -> None:
    whole = built.client.get(ASSET)
    head = built.client.head(ASSET)
    assert (head.status_code, head.content) == (200, b"")
    names = ("content-length", "content-type", "content-encoding", "etag", "cache-control", "vary")
    assert [head.headers[name] for name in names] == [whole.headers[name] for name in names]


def test_other_addresses_and_methods_are_refused_as_everywhere(built: Open) -> None:
    assert built.client.get("/assets/other.js").json()["code"] == "not-found"
    assert built.client.get("/../pyproject.toml").json()["code"] == "not-found"
    refused = built.client.post("/")
    assert (refused.status_code, refused.json()["code"]) == (405, "method-not-allowed")
    assert built.client.get("/tables").headers["cache-control"] == "no-store"


def test_the_tables_come_compressed_to_who_takes_that(built: Open) -> None:
    """A phone reads all tables before the lobby is there."""
    plain = built.client.get("/tables", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    with built.client.stream("GET", "/tables", headers={"Accept-Encoding": "gzip"}) as answer:
        sent = b"".join(answer.iter_raw())
    assert gzip.decompress(sent) == plain.content
    assert 8 * len(sent) < len(plain.content)


@pytest.mark.parametrize(
    ("accepted", "is_taken"),
    [
        ("gzip", True),
        ("br, gzip, deflate", True),
        ("GZIP;q=0.5", True),
        ("gzip;q=1.0", True),
        ("gzip; q=0", False),
        ("gzip;q=0.000", False),
        ("br", False),
        ("", False),
        ("x-gzip", False),
    ],
)
def test_who_takes_gzip(accepted: str, is_taken: bool) -> None:
    assert takes("gzip", accepted) is is_taken


def test_a_list_of_the_tables_may_be_brief(built: Open) -> None:
    """Without paytables, options and fractions; all else is as in the whole list."""
    guest = built.guest()
    while any(one["prices"] is None for one in built.client.get("/tables").json()["tables"]):
        time.sleep(0.1)  # a new house is still counting
    whole, brief = (built.client.get(f"/tables{query}", headers=guest.headers) for query in ("", "?brief=true"))
    assert len(gzip.compress(brief.content)) < 0.5 * len(gzip.compress(whole.content))
    for all_of, some_of in zip(whole.json()["tables"], brief.json()["tables"], strict=True):
        for wager in all_of["game"]["wagers"]:
            wager.update(rules="", rows=[], otherwise="", otherwise_key="")
        for price in all_of["prices"].values():
            price.update(ev=None, edge_exact=None, hit=None)
        all_of["game"]["options"] = []
        assert all_of == some_of
