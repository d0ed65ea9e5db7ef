"""What anybody may look at is made once, not for everybody who asks: else one address could keep a worker busy."""

from collections import Counter
from collections.abc import Callable

import pytest
from markdown_it import MarkdownIt

from api_house import open_house
from pairhouse.server.pricing import price_book
from pairhouse.server.reading import table_records
from pairhouse.server.routes import tables

LOOKS = ("/games/la-paire/rules", "/texts", "/tables", "/tables/la-paire", "/games", "/games/la-paire")


def test_what_anybody_may_look_at_is_made_once(
    new_database: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: Counter[str] = Counter()

    def counting(place: object, name: str) -> None:
        make = getattr(place, name)

        def count(*given: object) -> object:
            made[name] += 1
            return make(*given)

        monkeypatch.setattr(place, name, count)

    counting(MarkdownIt, "render")
    counting(tables, "house_texts")
    counting(table_records, "keyed_game")
    counting(price_book, "price_of")
    for cached in (tables._rule_book, tables._texts, table_records.published_game):
        cached.cache_clear()
    for house in open_house(new_database("sqlite")):
        first = [house.client.get(path).content for path in LOOKS]
        once = Counter(made)
        assert {"render", "house_texts", "keyed_game"} <= once.keys()
        for _ in range(3):
            assert [house.client.get(path).content for path in LOOKS] == first
        assert made == once
