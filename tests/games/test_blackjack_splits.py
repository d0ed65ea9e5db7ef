"""Split hands at every blackjack table, and blackjack without a hole card."""

import dataclasses

import pytest

from blackjack_rounds import check_to_the_last_card, hand, lines, story, variant
from pairhouse.core.cards import FACES
from pairhouse.core.errors import Refused
from pairhouse.core.verbs import HANDS_PER_SEAT
from pairhouse.machines.replay import replay
from rule_tables import Case, table

every_table = pytest.mark.parametrize("game", ["blackjack", "blackjack-poker-pairs", "pair-v3"])


@every_table
@table(
    "blackjack",
    """
    rule         | cards                   | wagers   | choices                     | result
    BPP-30 BJ-19 | Tc 7d Kh Ts             | main 100 |                             | awaits 1.1 stand hit double split
    BPP-30 BJ-19 | Ac 7d Ah Ts             | main 100 |                             | awaits 1.1 stand hit double split
    BPP-30 BJ-19 | Tc 7d 9h Ts             | main 100 |                             | awaits 1.1 stand hit double
    BPP-30 BJ-19 | 4c 7d 4h Ts 8c          | main 100 | hit                         | awaits 1.1 stand hit
    BPP-34 BJ-18 | 8c 7d 8h Ts 3c          | main 100 | split                       | awaits 1.1 stand hit double
    BPP-34 BJ-18 | 8c 7d 8h Ts 3c 2d       | main 100 | split hit                   | awaits 1.1 stand hit
    BPP-27 BJ-14 | 8c 7d 8h Ts 3c Td       | main 100 | split stand                 | awaits 1.2 stand hit double
    BPP-30 BJ-19 | 8c 7d 8h Ts Kc Td       | main 100 | split stand stand           | main 400 win, win
    BPP-41 BJ-28 | 8c 7d 8h Ts 9c Td       | main 100 | split stand stand           | main 300 push, win
    BPP-35 BJ-17 | 8c 7d 8h Ts Kc 9d Td    | main 100 | split hit stand             | main 200 bust, win
    BPP-35 BJ-17 | 8c 7d 8h Ts Kc Td 9d    | main 100 | split stand hit             | main 200 win, bust
    BPP-38 BJ-27 | 8c 6d 8h Ts Kc 9d Td 9s | main 100 | split hit hit               | main 0 bust, bust
    BPP-34 BJ-18 | 8c 7d 8h Ts 3c Kc Td    | main 100 | split double stand          | main 600 win, win
    BPP-34 BJ-18 | 8c 7d 8h Ts Tc 3d 2s    | main 100 | split stand double          | main 200 win, lose
    BPP-35 BJ-17 | 8c 7d 8h Ts 6c Kc Td    | main 100 | split double stand          | main 200 bust, win
    BPP-29 BJ-16 | 8c 7d 8h Ts 3c Kd Td    | main 100 | split hit stand             | main 400 win, win
    BPP-33 BJ-23 | Kc 7d Th Ts Ac Ad       | main 100 | split                       | main 400 win, win
    BPP-33 BJ-23 | Kc 7d Th 4s Ac Ad Tc    | main 100 | split                       | main 200 push, push
    BPP-33 BJ-23 | Ac 7d Ah Ts Kc Qd       | main 100 | split                       | main 400 win, win
    BPP-32 BJ-20 | Ac 7d Ah Ts 5c 9d       | main 100 | split                       | main 200 lose, win
    BPP-32 BJ-20 | Ac 7d Ah Ts As Ad       | main 100 | split                       | main 0 lose, lose
    BPP-24 BJ-10 | 8c Ad 8h 9s Tc Td       | main 100 | insurance split stand stand | main 0 lose, lose; insurance 0 no win
    """,
)
def test_split_hands(case: Case, game: str) -> None:
    """Equal values may split; 21 on a split hand is no blackjack; split aces get one card; a split hand may double.

    [BPP-29] [BPP-30] [BPP-32] [BPP-33] [BPP-34] [BPP-35] [BJ-17] [BJ-18] [BJ-19] [BJ-20] [BJ-23]
    """
    check_to_the_last_card(dataclasses.replace(case, game=game))


@every_table
@table(
    "blackjack",
    """
    rule         | cards                         | wagers              | choices                                   | result
    BPP-27 BJ-14 | 8c 7d 8h Ts 2c 3c 4d          | main 100            | split hit stand stand                     | 8c 2c 3c / 8h 4d
    BPP-27 BJ-14 | 8c 7d 8h Ts 8s 2c 3c 4c       | main 100            | split split stand stand stand             | 8c 2c / 8s 3c / 8h 4c
    BPP-27 BJ-14 | 8c 7d 8h Ts 9c 8s 2c 3c       | main 100            | split stand split stand stand             | 8c 9c / 8h 2c / 8s 3c
    BPP-27 BJ-14 | 8c 7d 8h Ts 8s 2c 3c 8d 4c 5c | main 100            | split split stand stand split stand stand | 8c 2c / 8s 3c / 8h 4c / 8d 5c
    BPP-27 BJ-14 | Ac 7d Ah Ts 2c 3c             | main 100            | split                                     | Ac 2c / Ah 3c
    BPP-27 BJ-14 | 8c 9c 7d 8h 9h Ts 2c 3c 4c 5c | main 100 / main 100 | split stand stand split stand stand       | 8c 2c / 8h 3c / 9c 4c / 9h 5c
    """,
)
def test_where_cards_lie_after_a_split(case: Case, game: str) -> None:
    """The hand in play gets its card at once, the next in its turn; a resplit takes the hand's place. [BPP-27] [BJ-14]"""
    done = dataclasses.replace(case, game=game).play()
    lying = [
        done.cards_at[place] for place in sorted(done.cards_at) if place >= HANDS_PER_SEAT and done.cards_at[place]
    ]
    assert " / ".join(" ".join(FACES[card] for card in held) for held in lying) == case.result
    seen = [held.cards for held in done.view().hands if held.seat]
    assert [[FACES[card] for card in held] for held in lying] == seen


def test_order_of_split_hands() -> None:
    """A bust split hand is settled before the next hand gets its card. [BPP-27] [BPP-35] [BJ-14] [BJ-17]"""
    case = Case("blackjack", "", "8c 7d 8h Ts Kc 9d Td", "main 100", "split hit stand", "")
    expected = """
        1 split, 1 gets Kc, 1 hit, 1 gets 9d, 1 main 0, 1.2 gets 10d, 1.2 stand, dealer turns 10s, 1.2 main 200
    """
    assert story(case.play())[4:] == lines(expected)


@table(
    "blackjack-poker-pairs",
    """
    rule          | cards                               | wagers   | choices                             | result
    BPP-31        | 8c 7d 8h Ts 8s                      | main 100 | split                               | awaits 1.1 stand hit double split
    BPP-31        | 8c 7d 8h Ts 8s 8d                   | main 100 | split split                         | awaits 1.1 stand hit double
    BPP-31        | 8c 7d 8h Ts 8s 8d 8c                | main 100 | split split stand                   | awaits 1.2 stand hit double
    BPP-31        | 8c 7d 8h Ts 8s 8d 8c 8h             | main 100 | split split stand stand             | awaits 1.3 stand hit double split
    BPP-31        | 8c 7d 8h Ts 8s 8d 8c 8h 8s          | main 100 | split split stand stand split       | awaits 1.3 stand hit double
    BPP-31        | 8c 7d 8h Ts 8s 8d 8c 8h 8s 8d       | main 100 | split split stand stand split stand | awaits 1.4 stand hit double
    BPP-31        | 8c 7d 8h Ts 9s 8s 8d                | main 100 | split stand split                   | awaits 1.2 stand hit double
    BPP-34 BPP-36 | 2c Td 2h Ks 2s 3c 2d 3h 2s 3d 3s Kc | main 100 | split hit hit hit hit hit hit stand | main 200 8 cards, lose
    BPP-35 BPP-36 | 2c Td 2h Ks 2s 3c 2d 3h 2s 3d 5s Kc | main 100 | split hit hit hit hit hit hit stand | main 0 bust, lose
    """,
)
def test_splits_of_poker_and_pairs(case: Case) -> None:
    """Each hand of the first split may be split once more; a split hand of eight cards wins. [BPP-31] [BPP-36]"""
    check_to_the_last_card(case)


@table(
    "blackjack",
    """
    rule        | cards                         | wagers   | choices                 | options                                      | result
    BJ-19       | 8c 7d 8h Ts 8s                | main 100 | split                   | max_hands=2                                  | awaits 1.1 stand hit double
    BJ-19       | 8c 7d 8h Ts 8s                | main 100 | split                   | max_hands=3                                  | awaits 1.1 stand hit double split
    BJ-19       | 8c 7d 8h Ts 8s 8d             | main 100 | split split             | max_hands=3                                  | awaits 1.1 stand hit double
    BJ-19       | 8c 7d 8h Ts 8s 8d 8c 8h       | main 100 | split split stand stand | max_hands=3                                  | awaits 1.3 stand hit double
    BJ-19       | 8c 7d 8h Ts 8s 8d             | main 100 | split split             | max_hands=4                                  | awaits 1.1 stand hit double split
    BJ-19       | 8c 7d 8h Ts 8s 8d 8c          | main 100 | split split split       | max_hands=4                                  | awaits 1.1 stand hit double
    BJ-19       | 8c 7d 8h Ts 8s 8d 8c 8h       | main 100 | split split split stand | max_hands=4                                  | awaits 1.2 stand hit double
    BJ-19       | 8c 7d 8h Ts 8s 8d 8c 8h       | main 100 | split split stand stand | max_hands=4                                  | awaits 1.3 stand hit double split
    BJ-18       | 8c 7d 8h Ts                   | main 100 |                         | double_after_split=false                     | awaits 1.1 stand hit double split
    BJ-18       | 8c 7d 8h Ts 3c                | main 100 | split                   | double_after_split=false                     | awaits 1.1 stand hit
    BJ-18       | 8c 7d 8h Ts 2c                | main 100 | split                   | double=10-11                                 | awaits 1.1 stand hit double
    BJ-18       | 8c 7d 8h Ts 4c                | main 100 | split                   | double=10-11                                 | awaits 1.1 stand hit
    BJ-24       | 8c 7d 8h Ts 3c                | main 100 | split                   | surrender=late                               | awaits 1.1 stand hit double
    BJ-25       | 2c Td 2h Ks 3s 2d 3c 4h Tc    | main 100 | split hit hit hit stand | charlie=5                                    | main 200 5 cards, lose
    BJ-21       | Ac 7d Ah Ts As                | main 100 | split                   | resplit_aces=true                            | awaits 1.1 stand split
    BJ-21       | Ac 7d Ah Ts 9c As             | main 100 | split                   | resplit_aces=true                            | awaits 1.2 stand split
    BJ-21       | Ac 7d Ah Ts As 9d             | main 100 | split stand             | resplit_aces=true                            | main 200 lose, win
    BJ-21       | Ac 7d Ah Ts As 9c 9d 9h       | main 100 | split split             | resplit_aces=true                            | main 600 win, win, win
    BJ-21       | Ac 7d Ah Ts As 9d             | main 100 | split                   | resplit_aces=true max_hands=2                | main 200 lose, win
    BJ-21       | Ac 7d Ah Ts As Ad 9c 9d       | main 100 | split split             | resplit_aces=true max_hands=3                | main 400 lose, win, win
    BJ-21       | Ac 7d Ah Ts As Ad 9c 9d 9h 9s | main 100 | split split split       | resplit_aces=true                            | main 800 win, win, win, win
    BJ-22       | Ac 7d Ah Ts 5c                | main 100 | split                   | hit_split_aces=true                          | awaits 1.1 stand hit double
    BJ-22       | Ac 7d Ah Ts 5c                | main 100 | split                   | hit_split_aces=true double_after_split=false | awaits 1.1 stand hit
    BJ-20 BJ-22 | Ac 7d Ah Ts As                | main 100 | split                   | hit_split_aces=true                          | awaits 1.1 stand hit double
    BJ-21 BJ-22 | Ac 7d Ah Ts As                | main 100 | split                   | hit_split_aces=true resplit_aces=true        | awaits 1.1 stand hit double split
    BJ-22       | Ac 7d Ah Ts 5c 5h 9d          | main 100 | split hit stand         | hit_split_aces=true                          | main 400 win, win
    BJ-22       | Ac 7d Ah Ts 5c 4h 9d          | main 100 | split double stand      | hit_split_aces=true                          | main 600 win, win
    BJ-22 BJ-23 | Ac 7d Ah Ts Kc Qd             | main 100 | split                   | hit_split_aces=true                          | main 400 win, win
    """,
)
def test_split_options(case: Case) -> None:
    """How many hands, doubling after a split, aces split again and played on.

    [BJ-18] [BJ-19] [BJ-20] [BJ-21] [BJ-22] [BJ-23] [BJ-24] [BJ-25]
    """
    check_to_the_last_card(case)


@table(
    "blackjack",
    """
    rule        | cards                      | wagers              | choices           | options                       | result
    BJ-8        | 9c Kd 7h                   | main 100            |                   | hole_card=none                | awaits 1.1 stand hit double
    BJ-8 BJ-26  | 9c Kd 7h 6s Kc             | main 100            | stand             | hole_card=none                | main 200 win
    BJ-8 BJ-26  | 9c 7d 7h Ts                | main 100            | stand             | hole_card=none                | main 0 lose
    BJ-10       | 9c Ad 9h Ks                | main 100            | insurance stand   | hole_card=none                | main 0 dealer blackjack; insurance 150 dealer blackjack
    BJ-10       | 9c Ad 9h 6s                | main 100            | insurance stand   | hole_card=none                | main 200 win; insurance 0 no win
    BJ-12       | Ac Kd Kh As                | main 100            |                   | hole_card=none                | main 100 push
    BJ-12       | Ac Kd Kh 6s                | main 100            |                   | hole_card=none                | main 250 blackjack
    BJ-12       | Ac Ad Kh Qs                | main 100            | insurance         | hole_card=none                | main 100 push; insurance 150 dealer blackjack
    BJ-12       | Ac Ad Kh 9s                | main 100            | no-insurance      | hole_card=none                | main 250 blackjack
    BJ-12 BJ-27 | Ac 9d Kh                   | main 100            |                   | hole_card=none                | main 250 blackjack
    BJ-13       | 9c Kd 9h As                | main 100            | stand             | hole_card=none                | main 0 dealer blackjack
    BJ-13       | 6c Kd 5h Ts As             | main 100            | double            | hole_card=none                | main 0 dealer blackjack
    BJ-13       | 6c Kd 5h Ts 9s             | main 100            | double            | hole_card=none                | main 400 win
    BJ-13       | 8c Kd 8h Tc Ts As          | main 100            | split stand stand | hole_card=none                | main 0 dealer blackjack, dealer blackjack
    BJ-13 BJ-23 | Tc Kd Th Ac Ad As          | main 100            | split             | hole_card=none                | main 0 dealer blackjack, dealer blackjack
    BJ-13 BJ-24 | Tc Kd 6h As                | main 100            | surrender         | hole_card=none surrender=late | main 0 dealer blackjack
    BJ-24 BJ-27 | Tc Kd 6h 9s                | main 100            | surrender         | hole_card=none surrender=late | main 50 surrender
    BJ-24 BJ-27 | Tc 9d 6h                   | main 100            | surrender         | hole_card=none surrender=late | main 50 surrender
    BJ-13 BJ-25 | 2c Tc Kd 2h 9h 3s 2d 4c As | main 100 / main 100 | hit hit hit stand | hole_card=none charlie=5      | main 200 5 cards / main 0 dealer blackjack
    BJ-25 BJ-27 | 2c Kd 2h 3s 2d 4c          | main 100            | hit hit hit       | hole_card=none charlie=5      | main 200 5 cards
    BJ-17 BJ-27 | Tc Kd 6h Ts                | main 100            | hit               | hole_card=none                | main 0 bust
    BJ-10 BJ-27 | Tc Ad 6h Ts Ks             | main 100            | insurance hit     | hole_card=none                | main 0 bust; insurance 150 dealer blackjack
    BJ-10 BJ-27 | Tc Ad 6h Ts 2s             | main 100            | insurance hit     | hole_card=none                | main 0 bust; insurance 0 no win
    BJ-27       | Tc Ad 6h Ts                | main 100            | no-insurance hit  | hole_card=none                | main 0 bust
    """,
)
def test_no_hole_card(case: Case) -> None:
    """Without a hole card the second card comes last, takes all with a blackjack, and is drawn only when needed.

    [BJ-8] [BJ-10] [BJ-12] [BJ-13] [BJ-17] [BJ-24] [BJ-26] [BJ-27]
    """
    check_to_the_last_card(case)


def test_illegal_choices_name_the_legal_ones() -> None:
    """A choice that is not open is refused, with those that are. [BJ-9] [BJ-15] [BJ-18]"""
    for cards, chosen, legal in [
        ("9c Ad 8h 9s", "stand", "insurance or no-insurance"),
        ("9c 7d 8h 9s", "split", "stand, hit or double"),
        ("9c 7d 2h 9s 3c", "hit double", "stand or hit"),
    ]:
        with pytest.raises(Refused, match=f"choose {legal}$"):
            replay(variant("blackjack", ""), hand(cards), [{"main": 100}], chosen.split())
