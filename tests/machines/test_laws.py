"""Laws that hold for every game, under any options, any shuffle and any legal choices."""

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairhouse.core.cards import FACES
from pairhouse.core.errors import Refused
from pairhouse.core.game import Game
from pairhouse.core.meter import Meter
from pairhouse.games.catalogue import GAMES
from pairhouse.machines.events import DOWN, PRIVATE, Replay
from pairhouse.rounds.records import to_json
from pairhouse.rounds.round_log import RoundLog, read_round
from strategies import rounds, same_round

every_game = pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))


@every_game
@given(data=st.data())
def test_any_shuffle_with_any_legal_choices_ends_and_replays_the_same(data: st.DataObject, game: Game) -> None:
    log, played = data.draw(rounds(st.just(game)))
    assert played.is_over
    again = read_round(to_json(log)).replay()
    assert to_json(again.record()) == to_json(played.record())


@every_game
@given(data=st.data())
def test_only_the_cards_used_decide(data: st.DataObject, game: Game) -> None:
    log, played = data.draw(rounds(st.just(game)))
    cut = same_round(log, cards=log.cards[: played.cards_used])
    assert to_json(cut.replay().record()) == to_json(played.record())
    with pytest.raises(Refused, match="needs more than"):
        same_round(log, cards=log.cards[: played.cards_used - 1]).replay()


@every_game
@given(data=st.data())
def test_money_is_conserved(data: st.DataObject, game: Game) -> None:
    """Net is returned minus staked; what was staked is the wagers and what the choices added; events tell the same."""
    log, played = data.draw(rounds(st.just(game)))
    for number, bets in enumerate(played.bets, 1):
        staked = sum(bet.stake for bet in bets.values())
        returned = sum(bet.returned or 0 for bet in bets.values())
        assert played.net(number) == returned - staked
        events = [event for event in played.events if event.seat == number]
        added = sum(event.stake or 0 for event in events if event.kind == "chosen")
        assert staked == sum(log.seats[number - 1].values()) + added
        paid = [event for event in events if event.kind == "settled"]
        assert staked == sum(event.stake or 0 for event in paid)
        assert returned == sum(event.returned or 0 for event in paid)
        assert all(bet.returned is not None and bet.returned >= 0 for bet in bets.values())


@every_game
@given(data=st.data())
def test_the_order_of_wagers_changes_nothing(data: st.DataObject, game: Game) -> None:
    log, played = data.draw(rounds(st.just(game)))
    backwards = [dict(reversed(seat.items())) for seat in log.seats]
    assert to_json(same_round(log, seats=backwards).replay().record()) == to_json(played.record())


@every_game
@given(data=st.data())
def test_a_wager_is_settled_alone(data: st.DataObject, game: Game) -> None:
    """What else lies on the seat never changes what a wager returns. [NSB-9] [LP-14]"""
    log, played = data.draw(rounds(st.just(game), most_seats=1))
    variant = log.variant
    openers = [name for name in log.seats[0] if variant.wagers[name].opens]
    for name, stake in log.seats[0].items():
        kept = {name: stake} if name in openers else {openers[0]: log.seats[0][openers[0]], name: stake}
        alone = same_round(log, seats=[kept]).replay()
        assert alone.bets[0][name] == played.bets[0][name]


def prefixes(log: RoundLog) -> list[Replay]:
    """The round as it stood at each decision, and at its end."""
    return [same_round(log, choices=log.choices[:made]).replay() for made in range(len(log.choices) + 1)]


def hidden_from(state: Replay, seat: int | None) -> set[str]:
    """Faces of which every copy dealt so far is hidden from a viewer."""
    hidden: set[str] = set()
    seen: set[str] = set()
    for event in state.events:
        if event.card is None:
            continue
        secret = event.face == DOWN or (event.face == PRIVATE and event.seat != seat)
        (hidden if secret else seen).add(event.card)
    return hidden - seen


@every_game
@given(data=st.data())
def test_no_view_contains_a_hidden_face(data: st.DataObject, game: Game) -> None:
    """Nobody sees a face-down card, nor another player's hand before the showdown; undealt cards least of all.

    [TCP-15] [LP-19] [BPP-21] [BJ-7]
    """
    log, _ = data.draw(rounds(st.just(game), most_seats=3))
    for state in prefixes(log):
        dealt = {event.card for event in state.events}
        for seat in (None, *range(1, len(log.seats) + 1)):
            text = msgspec.json.encode(state.view(seat)).decode()
            for face in hidden_from(state, seat) | (set(FACES) - dealt):
                assert f'"{face}"' not in text


@every_game
@given(data=st.data())
def test_a_void_round_gives_back_what_is_not_decided(data: st.DataObject, game: Game) -> None:
    """At any point of a round: of a finished one and of a game that is paid at its end, every stake.

    [TCP-40] [NSB-38] [LP-41] [BPP-50] [BJ-31] [PV3-18]
    """
    log, _ = data.draw(rounds(st.just(game)))
    made = data.draw(st.integers(0, len(log.choices)))
    reason = data.draw(st.sampled_from(["misdeal", "malfunction", "cancelled"]))
    before = same_round(log, choices=log.choices[:made])
    void = same_round(before, void=reason).replay()
    assert void.is_over
    reached = before.replay()
    keeps = reached.variant.pays_when_decided and not reached.is_over
    expected = [
        {
            name: bet.stake - bet.decided + (bet.returned or 0) if keeps else bet.stake
            for name, bet in seat.items()
            if bet.stake
        }
        for seat in reached.bets
    ]
    assert [{name: bet.returned for name, bet in seat.items()} for seat in void.bets] == expected
    assert void.last_decided()[0] == void.last_decided()[1], "a void gives back, and takes nothing"


@given(data=st.data())
def test_an_illegal_choice_is_refused_and_named(data: st.DataObject) -> None:
    """Whatever is not offered is refused with the words that would be accepted."""
    log, _ = data.draw(rounds(st.sampled_from([game for game in GAMES.values() if game.actions])))
    if not log.choices:
        return
    made = data.draw(st.integers(0, len(log.choices) - 1))
    state = same_round(log, choices=log.choices[:made]).replay()
    assert state.awaiting is not None
    words = {action.name for game in GAMES.values() for action in game.actions} | {"", "HIT", "dance"}
    wrong = data.draw(st.sampled_from(sorted(words - set(state.awaiting.options))))
    with pytest.raises(Refused) as refused:
        same_round(log, choices=[*log.choices[:made], wrong]).replay()
    assert refused.value.code == "illegal-choice"
    assert all(option in str(refused.value) for option in state.awaiting.options)


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 7)), max_size=60), st.integers(0, 1_000_000))
def test_the_meter_loses_nothing(story: list[tuple[bool, int]], amount: int) -> None:
    """Paid in plus seeds equals paid out plus what stands there. [TCP-31] [TCP-32] [TCP-34] [TCP-36]"""
    variant = GAMES["three-card-poker"].variant({"progressive": True})
    fresh = variant.game.meter(variant.options)
    assert fresh is not None
    meter = Meter(amount, fresh.seed, fresh.contribution, fresh.ceiling)
    paid_in, paid_out, seeds = amount, 0, 0
    picks = random.Random(amount)
    for is_win, tickets in story:
        if is_win:
            share = picks.choice([line.share for line in variant.wagers["progressive"].paytable.rows if line.share])
            won, meter = meter.award(share)
            paid_out += won
            seeds += fresh.seed if share == 1 else 0
        else:
            for _ in range(tickets):
                meter = meter.fed(100)
            paid_in += 20 * tickets
        assert 0 <= meter.amount <= meter.ceiling
        assert paid_in + seeds == paid_out + meter.amount + meter.reserve
