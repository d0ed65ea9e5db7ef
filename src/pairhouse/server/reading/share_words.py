"""What the page and the picture of a shared round say, in each language of the tables."""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pairhouse.core.money import amount_text
from pairhouse.machines.events import Hand
from pairhouse.rounds.round_view import VOID, RoundView
from pairhouse.rounds.text_keys import KeyedHand

TRANSLATIONS = Path(__file__).parents[1] / "static" / "translations"  # built with the pages
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class ShareWords(NamedTuple):
    """One language: its code, its separators of an amount, its sentences, and its names of places at a table."""

    code: str
    separators: str
    void: str
    even: str
    won: str
    lost: str
    watch: str
    face_down: str
    card: str
    places: Mapping[str, str]


ENGLISH = ShareWords(
    code="en",
    separators=",.",
    void="Void: every stake was returned",
    even="Even: as much back as staked",
    won="Won {0} on {1}",
    lost="Lost {0} on {1}",
    watch="Watch it card by card, and check that it was fair",
    face_down="face down",
    card=" card",
    places=MappingProxyType({}),
)
GERMAN = ShareWords(
    code="de",
    separators=".,",
    void="Ungültig: alle Einsätze zurück",
    even="Plus minus null",
    won="{0} gewonnen bei {1} Einsatz",
    lost="{0} verloren bei {1} Einsatz",
    watch="Karte für Karte ansehen, und ob alles fair war",
    face_down="verdeckt",
    card="-Karte",
    places=MappingProxyType(
        {"player": "Spieler", "dealer": "Geber", "first card": "erste Karte", "Poker card": "Pokerkarte"}
    ),
)


def words_for(languages: str) -> ShareWords:
    """The first language that a browser lists and that there is, else English."""
    for tag in languages.lower().split(","):
        for words in (ENGLISH, GERMAN):
            if tag.strip().startswith(words.code):
                return words
    return ENGLISH


def result_of(round_: RoundView, words: ShareWords) -> str:
    """What came of a round."""
    net = round_.net or 0
    if round_.state == VOID:
        return words.void
    if net == 0:
        return words.even
    written = str.maketrans(",.", words.separators)
    amounts = [amount_text(minor).translate(written) for minor in (abs(net), round_.staked)]
    return (words.won if net > 0 else words.lost).format(*amounts)


def place_of(hand: KeyedHand, words: ShareWords) -> str:
    """Whose a hand is, as at the head of a line; "" for the player's."""
    at = hand.at or ""
    place = words.places.get(at, at.removesuffix(" card") + words.card if at.endswith(" card") else at)
    return place[:1].upper() + place[1:]


@lru_cache(maxsize=8)
def house_words(code: str) -> Mapping[str, str]:
    """What the house says at its tables in a language, by key; nothing where the pages are not built."""
    file = TRANSLATIONS / f"{code}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def name_of(hand: Hand, words: ShareWords) -> str:
    """What a hand comes to; in another language than the house's own by the key of its name, and a total as it is."""
    if words is ENGLISH or not isinstance(hand, KeyedHand):
        return hand.name
    return house_words(words.code).get(hand.key, "")


def face_text(face: str | None, words: ShareWords = ENGLISH) -> str:
    """A card as people write it: `10♥`."""
    if face is None:
        return words.face_down
    return "Joker" if face.startswith("X") else face[:-1] + SUITS[face[-1]]


def in_words(round_: RoundView, words: ShareWords) -> list[tuple[str, str]]:
    """Whose each hand is, and its cards with what they come to."""
    player = words.places.get("player", "player").capitalize()
    told = []
    for hand in round_.view.hands:
        if hand.cards:
            name = name_of(hand, words) if len(hand.cards) > 1 else ""
            cards = " ".join(face_text(face, words) for face in hand.cards)
            told.append((place_of(hand, words) or player, cards + (f", {name}" if name else "")))
    return told
