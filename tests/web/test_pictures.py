"""Every table in every phase, as small pictures that were looked at: a layout that breaks no longer looks like them.

The pictures lie in `pictures/`, one sheet a size. They are so small that letters blur: only what lies where, how large
and in which colour is compared. `PAIRHOUSE_WRITE_PICTURES=1` writes them again after a change that is meant; look at
the large ones in `artefacts/` first. The cards of a picture are the same under any rules: the shuffles of these games leave
the rules hash out.
"""

import os
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter, ImageStat

from pairhouse.core.game import Variant
from pairhouse.games.catalogue import find
from pairhouse.house import dealer
from pairhouse.rounds.fairness import WordStream
from web.test_sizes import CUT, SIZES
from web_table import Felt, client_seed

KEPT = Path(__file__).parent / "pictures"
AREA = 5_000  # pixels of a small picture
UNLIKE = 9.0  # mean difference of a part of the picture, of 255
PARTS = 3
Picture = tuple[str, Image.Image]

BPP, V3 = find("blackjack-poker-pairs").variant({}), find("pair-v3").variant({"decks": 6})
TCP, NSB, LP = (find(game).variant({}) for game in ("three-card-poker", "nepal-super-baccarat", "la-paire"))


def picked(variant: Variant, wanted: Callable[[list[str]], bool]) -> str:
    """A seed of the player's that deals cards as wanted, whatever the rules hash has become."""
    return client_seed(variant, wanted, rules_hash="")


def eights(c: list[str]) -> bool:
    return [c[i][:-1] for i in (0, 2, 4)] == ["8"] * 3 and c[1][0] in "456"


def sixteen(c: list[str]) -> bool:
    return {c[0][:-1], c[2][:-1]} == {"10", "6"} and c[1][0] in "789"


def pairs(c: list[str]) -> bool:
    return c[0][:-1] == c[1][:-1] == "J" and c[3][:-1] == c[4][:-1] == "4"


def natural(c: list[str]) -> bool:
    return c[0][:-1] == "9" and c[2][:-1] == "K" and c[1][:-1] == "2" and c[3][:-1] == "3"


def sevens(c: list[str]) -> bool:
    return [card[:-1] for card in c[:3]] == ["7"] * 3


def blackjack(felt: Felt, shot: Callable[[str], Picture]) -> Iterator[Picture]:
    felt.likes(ownSeed=picked(BPP, eights))
    felt.sit("blackjack-poker-pairs").bet("main", "pairs", "poker")
    yield shot("blackjack betting")
    felt.press("deal").until("choosing")
    yield shot("blackjack deciding")
    for hands in (2, 3):
        felt.choose("split")
        felt.page.wait_for_function(f"() => document.querySelectorAll('.main .stack').length === {hands}")
        felt.until("choosing")
    yield shot("blackjack split")
    felt.play_out()
    yield shot("blackjack over")


def pair(felt: Felt, shot: Callable[[str], Picture]) -> Iterator[Picture]:
    felt.likes(ownSeed=picked(V3, sixteen))
    felt.sit("pair-v3-6").bet("main", "pair").press("deal").until("choosing")
    yield shot("pair deciding")


def three_card(felt: Felt, shot: Callable[[str], Picture]) -> Iterator[Picture]:
    felt.likes(ownSeed=picked(TCP, pairs))
    felt.sit("three-card-poker").bet("ante", "pairplus")
    yield shot("three card betting")
    felt.press("deal").until("choosing")
    yield shot("three card deciding")
    felt.choose("play").until("after")
    yield shot("three card over")


def baccarat(felt: Felt, shot: Callable[[str], Picture]) -> Iterator[Picture]:
    felt.likes(ownSeed=picked(NSB, natural))
    felt.sit("nepal-super-baccarat").bet("player", "lucky-6", "player-on-9")
    yield shot("baccarat betting")
    felt.press("deal").until("after")
    yield shot("baccarat over")


def la_paire(felt: Felt, shot: Callable[[str], Picture]) -> Iterator[Picture]:
    felt.likes(ownSeed=picked(LP, sevens))
    felt.sit("la-paire").bet("card-A", "card-7", "red", "any-paire", "poker")
    yield shot("la paire betting")
    felt.press("deal").until("after")
    yield shot("la paire over")


def small(picture: Image.Image) -> Image.Image:
    """So small that the letters of another machine do not matter."""
    scale = (AREA / (picture.width * picture.height)) ** 0.5
    return picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.Resampling.BOX)


def sheet_of(pictures: list[Image.Image]) -> Image.Image:
    """Small pictures side by side."""
    width, height = pictures[0].size
    sheet = Image.new("RGB", (width * len(pictures), height))
    for number, picture in enumerate(pictures):
        sheet.paste(picture, (number * width, 0))
    return sheet


def difference(one: Image.Image, other: Image.Image) -> float:
    """How much the most unlike part of two small pictures differs, on average over its pixels."""
    blurred = (picture.filter(ImageFilter.GaussianBlur(2)) for picture in (one, other))
    apart = ImageChops.difference(*blurred)
    width, height = apart.size
    parts = [
        apart.crop(
            (column * width // PARTS, row * height // PARTS, (column + 1) * width // PARTS, (row + 1) * height // PARTS)
        )
        for row in range(PARTS)
        for column in range(PARTS)
    ]
    return max(max(ImageStat.Stat(part).mean) for part in parts)


@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=() if size == "phone" else pytest.mark.slow) for size in SIZES]
)
def test_every_table_in_every_phase_looks_as_it_did(
    felt: Felt, size: str, artefacts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_rules(seed: bytes, game: str, _: str, client_seeds: list[str], nonce: int) -> WordStream:
        return WordStream(seed, game, "", client_seeds, nonce)

    monkeypatch.setattr(dealer, "WordStream", without_rules)
    felt.resize(*SIZES[size])

    def shot(name: str) -> Picture:
        felt.page.wait_for_timeout(350)  # hands change places, chips come to rest
        assert felt.page.evaluate(CUT) == [], name
        picture = Image.open(BytesIO(felt.page.screenshot())).convert("RGB")
        picture.save(artefacts / f"{size} {name}.png")
        return name, small(picture)

    tables = (blackjack, pair, three_card, baccarat, la_paire)
    seen = [picture for table in tables for picture in table(felt, shot)]
    path = KEPT / f"{size}.jpg"
    if os.environ.get("PAIRHOUSE_WRITE_PICTURES"):
        KEPT.mkdir(exist_ok=True)
        sheet_of([picture for _, picture in seen]).save(path, quality=80)
    kept = Image.open(path).convert("RGB")
    width, height = seen[0][1].size
    unlike = {}
    for number, (name, picture) in enumerate(seen):
        before = kept.crop((number * width, 0, (number + 1) * width, height))
        if (apart := difference(picture, before)) > UNLIKE:
            unlike[name] = round(apart, 1)
    assert unlike == {}
