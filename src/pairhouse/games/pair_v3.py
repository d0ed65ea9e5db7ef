"""PAIR Version 3: a side bet on the standard blackjack game."""

from dataclasses import replace

from pairhouse.core.errors import Refused, one_of
from pairhouse.core.hands import NO_PAIR, SUITED_PAIR
from pairhouse.core.options import Option, Options
from pairhouse.core.paytable import Paytable, Wager, row
from pairhouse.games import standard_blackjack
from pairhouse.games.blackjack import InitialDeal


def royal_flush(deal: InitialDeal) -> bool:
    """Ace, king and queen of one suit. [PV3-8]"""
    return deal.royal


def three_of_a_kind(deal: InitialDeal) -> bool:
    """Three cards of one rank, suited or mixed. [PV3-8]"""
    return deal.three_of_a_kind


def three_of_a_kind_suited(deal: InitialDeal) -> bool:
    """Three cards of one rank and one suit; two decks cannot make it. [PV3-8] [PV3-10]"""
    return deal.three_of_a_kind and deal.flush


def flush(deal: InitialDeal) -> bool:
    """Three cards of one suit. [PV3-8]"""
    return deal.flush


def player_pair(deal: InitialDeal) -> bool:
    """The player's own two cards are of one rank. [PV3-8]"""
    return deal.player_pair > NO_PAIR


def player_pair_suited(deal: InitialDeal) -> bool:
    """The player's own two cards are of one rank and one suit. [PV3-8]"""
    return deal.player_pair == SUITED_PAIR


def any_pair(deal: InitialDeal) -> bool:
    """Any two of the three cards are of one rank. [PV3-8]"""
    return deal.any_pair > NO_PAIR


def any_pair_suited(deal: InitialDeal) -> bool:
    """Any two of the three cards are of one rank and one suit: the same card twice. [PV3-8]"""
    return deal.any_pair == SUITED_PAIR


# Rows stand from the top price down, and the first that holds is paid. [PV3-9]
PAYTABLES = {
    "2-deck-a": Paytable("PAIR 2-deck-a", "[PV3-11]", (
        row("3 of a kind", 20, three_of_a_kind),
        row("any pair (suited)", 10, any_pair_suited),
        row("any pair (mixed)", 2, any_pair),
    )),
    "2-deck-b": Paytable("PAIR 2-deck-b", "[PV3-12]", (
        row("3 of a kind", 30, three_of_a_kind),
        row("player pair", 5, player_pair),
        row("any pair", 2, any_pair),
    )),
    "shoe-a": Paytable("PAIR shoe-a", "[PV3-13]", (
        row("3 of a kind (suited)", 20, three_of_a_kind_suited),
        row("3 of a kind (mixed)", 10, three_of_a_kind),
        row("any pair", 3, any_pair),
    )),
    "shoe-b": Paytable("PAIR shoe-b", "[PV3-14]", (
        row("3 of a kind (suited)", 100, three_of_a_kind_suited),
        row("3 of a kind (mixed)", 20, three_of_a_kind),
        row("player pair", 4, player_pair),
        row("any pair", 2, any_pair),
    )),
    "shoe-c": Paytable("PAIR shoe-c", "[PV3-15]", (
        row("royal flush", 100, royal_flush),
        row("3 of a kind (suited)", 50, three_of_a_kind_suited),
        row("3 of a kind (mixed)", 10, three_of_a_kind),
        row("flush", 3, flush),
        row("any pair", 2, any_pair),
    )),
    "shoe-d": Paytable("PAIR shoe-d", "[PV3-16]", (
        row("3 of a kind (suited)", 50, three_of_a_kind_suited),
        row("3 of a kind (mixed)", 25, three_of_a_kind),
        row("player pair (suited)", 5, player_pair_suited),
        row("any pair (suited)", 4, any_pair_suited),
        row("flush", 3, flush),
        row("any pair (mixed)", 1, any_pair),
    )),
}  # fmt: skip


def decks_for(paytable: str) -> tuple[int, ...]:
    """Two tables belong to two decks, four to six or eight. [PV3-2]"""
    return (2,) if paytable.startswith("2-deck") else (6, 8)


def offered(options: Options) -> None:
    """Refuse a paytable with decks it does not belong to. [PV3-2]"""
    accepted = decks_for(options["paytable"])
    if options["decks"] not in accepted:
        fitting = [name for name in PAYTABLES if options["decks"] in decks_for(name)]
        sentence = f"paytable {options['paytable']} belongs to {one_of(accepted)} decks, not {options['decks']}"
        raise Refused("bad-option", f"{sentence}; with {options['decks']} decks choose {one_of(fitting)}")


def defaults(given: Options) -> Options:
    """A paytable without decks brings its own decks, and decks without a paytable bring a table that fits."""
    if "paytable" in given and "decks" not in given:
        return {**given, "decks": 2 if str(given["paytable"]).lower().startswith("2-deck") else 6}
    if str(given.get("decks")) == "2" and "paytable" not in given:
        return {**given, "paytable": "2-deck-a"}
    return given


def wagers(options: Options) -> tuple[Wager, ...]:
    """PAIR beside the main wager of the standard game. [PV3-1] [PV3-3]"""
    return (*standard_blackjack.wagers(options), Wager("pair", "PAIR", PAYTABLES[options["paytable"]], InitialDeal))


GAME = replace(
    standard_blackjack.GAME,
    id="pair-v3",  # with the seats of the standard game [PV3-5]
    name="PAIR Version 3",
    cites="PV3",
    summary="Blackjack with a side bet on your first two cards and the dealer's up card.",
    module=__name__,
    options=(
        Option("decks", 6, (2, 6, 8), "decks in the shoe, shuffled every round [PV3-2]"),
        Option("paytable", "shoe-a", tuple(PAYTABLES), "the paytable in force [PV3-2]"),
        *standard_blackjack.OPTIONS[1:],
    ),
    wagers=wagers,
    offered=offered,
    defaults=defaults,
)
