"""A closed round as a link: anybody reads the page and sees the picture; an open one, or another's balance, nobody."""

import json
import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from api_house import Open
from guests import BETS, new_name
from pairhouse.server.reading import share_words
from pairhouse.server.reading.share_words import face_text

WIDTH, HEIGHT = 1200, 630


@pytest.mark.parametrize("table", BETS)
def test_a_closed_round_has_a_page_and_a_picture_without_a_session(sqlite_house: Open, table: str) -> None:
    guest = sqlite_house.guest()
    done = guest.play(table)
    sqlite_house.client.cookies.clear()
    page = sqlite_house.client.get(f"/share/{done['id']}")
    assert page.headers["content-type"].startswith("text/html")
    picture = f"/share/{done['id']}.png"
    assert f'property="og:image" content="{str(sqlite_house.client.base_url).rstrip("/")}{picture}"' in page.text
    assert "Won" in page.text or "Lost" in page.text or "Even" in page.text
    for hand in done["view"]["hands"]:
        assert " ".join(map(face_text, hand["cards"])) in page.text
    assert guest.me()["name"] not in page.text
    answer = sqlite_house.client.get(picture)
    image = Image.open(BytesIO(answer.content))
    assert (image.format, image.size) == ("PNG", (WIDTH, HEIGHT))
    assert len(image.convert("RGB").getcolors(WIDTH * HEIGHT) or []) > 100, "cards, felt and text were drawn"
    assert len(answer.content) < 120_000


def test_other_rounds_have_other_pictures(sqlite_house: Open) -> None:
    guest = sqlite_house.guest()
    ids = [guest.play("la-paire", client_seed=new_name())["id"] for _ in range(2)]
    first, second = (sqlite_house.client.get(f"/share/{one}.png").content for one in ids)
    assert first != second


def test_a_shared_round_is_told_in_the_language_of_the_browser(sqlite_house: Open) -> None:
    """German words, amounts with a comma, and a picture of its own; what there is no language for is English."""
    done = sqlite_house.guest().play("blackjack-poker-pairs")
    sqlite_house.client.cookies.clear()
    read = {}
    for languages in ("de-AT,de;q=0.9,en;q=0.8", "en-GB,de", "fr-FR"):
        answer = sqlite_house.client.get(f"/share/{done['id']}", headers={"Accept-Language": languages})
        assert answer.headers["vary"] == "Accept-Language"
        read[languages[:2]] = answer.text
    assert read["fr"] == read["en"]
    assert '<html lang="de">' in read["de"]
    assert "Geber" in read["de"]
    assert not {"Dealer", "Won", "Lost", "Even", "Watch", "bust", "soft"} & set(re.findall(r"\w+", read["de"]))
    pictures = [sqlite_house.client.get(f"/share/{done['id']}.png{query}") for query in ("", "?language=de")]
    assert f"{done['id']}.png?language=de" in read["de"]
    assert pictures[0].content != pictures[1].content


def test_a_hand_is_called_by_its_name_in_the_language_of_the_reader(
    sqlite_house: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Both hands of Three Card Poker in German, by their keys; without a translation the cards stand alone."""
    done = sqlite_house.guest().play("three-card-poker")
    sqlite_house.client.cookies.clear()
    hands = done["view"]["hands"]
    (tmp_path / "de.json").write_text(json.dumps({hand["key"]: f"<{hand['key']}>" for hand in hands}))

    def read(folder: Path) -> str:
        monkeypatch.setattr(share_words, "TRANSLATIONS", folder)
        share_words.house_words.cache_clear()
        return str(sqlite_house.client.get(f"/share/{done['id']}", headers={"Accept-Language": "de"}).text)

    read_with, read_without = read(tmp_path), read(tmp_path / "none")
    share_words.house_words.cache_clear()
    for hand in hands:
        cards = " ".join(map(face_text, hand["cards"]))
        assert f"<dd>{cards}, &lt;{hand['key']}&gt;</dd>" in read_with
        assert f"<dd>{cards}</dd>" in read_without
        assert hand["name"] not in read_with + read_without


def test_an_open_or_unknown_round_cannot_be_shared(sqlite_house: Open) -> None:
    waiting = sqlite_house.guest().open("three-card-poker")["id"]
    for name in (waiting, "0" * 26, "nonsense", "0" * 26 + "'<script>"):
        for path in (f"/share/{name}", f"/share/{name}.png"):
            answer = sqlite_house.client.get(path)
            assert answer.status_code == 404
            assert "<script>" not in answer.text
