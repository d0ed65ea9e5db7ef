"""Mistakes that authors make: each is told in a sentence with the file and the line, before any command goes on."""

import re
from pathlib import Path

import pytest

from gallery_games import FILES, GALLERY, written
from pairhouse.core.errors import Refused
from pairhouse.games import game_files
from pairhouse.games.game_files import load_file

PAGE = (Path(__file__).parents[2] / "docs" / "kit.md").read_text(encoding="utf-8")
GOOD = dict(re.findall(r"```python (\w+)\n(.*?)```", PAGE, re.DOTALL))
COMPARES, CHOOSES = GOOD["high_card_wins"], GOOD["raise_or_fold"]

MISTAKES = {  # what is changed in the worked example, and what is said of it
    "a pay that is no number": ('"tie", 11,', '"tie", None,', "the row tie pays None; write a number"),
    "a pay that is text": ('"tie", 11,', '"tie", "11",', "the row tie pays '11'; write a number, such as 11"),
    "a pay without end": ('"tie", 11,', '"tie", float("inf"),', "pays inf; write a number"),
    "a pay beyond all": ('"tie", 11,', '"tie", 10**40,', "10,000,000 is the most"),
    "a decimal pay": ('"tie", 11,', '"tie", 0.95,', "pays 0.95, which is no exact number; write it as Fraction"),
    "a pay below the stake": ('"tie", 11,', '"tie", -2,', "no more than the stake is lost"),
    "a wager twice": ('Wager("tie"', 'Wager("left"', "two wagers have the id left"),
    "a row twice": ('row("tie", PUSH', "row(name, PUSH", "two rows of left are called 'Left'"),
    "a forgotten return": ("    return Paytable(", "    Paytable(", "the paytable of left is None"),
    "a forgotten comma": ("c.winner == TIE),)), Compared", "c.winner == TIE))), Compared", "one row too: (row(...),)"),
    "an unknown option": ('options["decks"])', 'options["deck"])', "nothing is called 'deck' here"),
    "an unhashable result": (
        "Compared(TIE if",
        "Compared([1] if left == right else TIE if",
        "winner of Compared is [1]",
    ),
    "a result that is no whole number": ("Compared(TIE if", "Compared(0.5 if left == right else TIE if", "is 0.5"),
    "a result below zero": ("Compared(TIE if", "Compared(-1 if left == right else TIE if", "is -1"),
    "a result that is no NamedTuple": ("class Compared(NamedTuple)", "class Compared", "is a NamedTuple"),
    "an empty deck": (
        "    left, right",
        "    while draw(table, LEFT) >= 0: pass\n    left, right",
        "takes all 416 cards",
    ),
    "a place that is not there": ("draw(table, RIGHT)", "draw(table, 5)", "the house has 0 (left), 1 (right)"),
    "no @rule": ("@rule\n", "", "play is a rule of the game; mark it with @rule"),
    "no wager that opens": (", opens=True", "", "no wager opens a seat"),
    "a pack that is one number": ('(options["decks"], 0)', 'options["decks"]', "such as (6, 0)"),
    "a pack of no decks": ('(options["decks"], 0)', "(0, 0)", "give 1 to 8 decks"),
    "an id with blanks": ('"high-card-wins"', '"High Card"', "small letters, digits and hyphens"),
    "a misspelt word": ("settle(table", "setle(table", "name 'setle' is not defined"),
    "a row that asks for what is not there": (
        "c.winner == TIE),)), C",
        "c.loser == TIE),)), C",
        "no attribute 'loser'",
    ),
    "an argument that is not there": ("seats_max=7", "seat_max=7", "seat_max"),
    "seats that are text": ("seats_max=7", 'seats_max="7"', "seats_max is '7'; a table has 1 to 8 seats"),
    "no seat for a player": ("seats_per_player=1", "seats_per_player=0", "a player has 1 to 7 of the seats"),
    "a default that is no choice": ('"decks", 8, (6, 8)', '"decks", 5, (6, 8)', "decks is 5 unless another is chosen"),
    "choices that are none": ('"decks", 8, (6, 8)', '"decks", 8, ()', "the choices of decks are ()"),
    "an option in place of options": ('8), "decks"),)', '8), "decks"))', "give a tuple, of one too: (Option(...),)"),
    "an option of all games": ('Option("decks"', 'Option("rounding"', "every game has an option rounding already"),
    "places that are text": ('places=("left", "right")', 'places="left"', "give a tuple, of one too"),
    "a name that is none": ('name="High Card Wins"', "name=None", "name is None; write some words"),
    "a wager with blanks": ('Wager("left"', 'Wager("left side"', "use letters, digits, hyphens and plus signs"),
    "what decides is no kind": (
        ", Compared, opens=True),\n    ),",
        ", Compared(0), opens=True),\n    ),",
        "a NamedTuple",
    ),
    "too many Jokers": ('(options["decks"], 0)', "(8, 100)", "give 1 to 8 decks with up to 4"),
    "rules that are no NamedTuple": (
        'Rules(options["decks"])',
        '{"decks": 8}',
        "it gives a NamedTuple of whole numbers",
    ),
    "chance of its own": (
        "    left, right",
        "    import random\n    if random.random() < 0.5: draw(table, LEFT)\n    left, right",
        "play uses random; a rule uses whole numbers",
    ),
    "a rule that prints": ("    left, right", '    print("dealing")\n    left, right', "play uses print"),
    "a result without end": ("Compared(TIE if", "Compared(10**30 if", "2,147,483,647 at most"),
    "a seat that is not there": ("EVERY_SEAT, C", "21, C", "21 is no place of High Card Wins"),
    "a list that rounds could change": (
        "    left, right",
        "    SEEN.append(1)\n    left, right",
        "play uses SEEN; a rule uses whole numbers, tuples",
    ),
    "a number that rounds change": ("    left, right", "    global TIE\n    TIE = 3\n    left, right", "play uses TIE"),
    "chance from elsewhere": ("    left, right", "    randint(0, 1)\n    left, right", "play uses randint"),
    "a play of three things": ("play(table, rules)", "play(table, rules, more)", "def play(table, rules)"),
    "a row without words": ('row("tie", 11', 'row("", 11', "a row of tie is called ''; write some words"),
    "a shortcut that is no function": ("same=rank", "same=5", "same is 5; give a function"),
    "wagers that are none": ("wagers=lambda _options: (", "wagers=lambda _options: 1 or (", "a tuple of Wager"),
}
CHOICES = {
    "an action that does not exist": ("RAISE | FOLD, own", "8, own", "no set of actions; add up those that are legal"),
    "a choice of nothing": ("    actions=(", "    phrases=() and (", "actions is empty"),
    "a situation that is no whole number": ("RAISE | FOLD, own", "RAISE | FOLD, own / 1", "a whole number from 0"),
    "a card turned up twice": (
        "    show(table",
        "    turn_up(table, DEALER, hidden)\n    show(table",
        "a card is turned up that does not lie face down",
    ),
    "nothing legal": ("RAISE | FOLD, own", "0, own", "no set of actions"),
    "a situation below zero": ("RAISE | FOLD, own", "RAISE | FOLD, -1", "a whole number from 0"),
    "a wager that nobody can raise": ('wager="raise"', 'wager="rise"', "booked on 'rise', which is no wager"),
    "an action twice": ('Action("fold"', 'Action("raise"', "two actions are called raise"),
    "a multiple that is text": ('base="ante", times', 'base="ante", multiple="2", times', "give a number above 0"),
    "half a time": ("int(s.ended > 0)", "0.5", "times of raise gives 0.5; it gives how often"),
    "a key twice": ('Action("fold", "f")', 'Action("fold", "r")', "two actions have the key 'r'"),
    "an action with blanks": ('Action("fold"', 'Action("fold it"', "use small letters, digits and hyphens"),
    "a base that is no wager": ('Showdown, base="ante"', 'Showdown, base="auntie"', "'auntie', which is no wager"),
}
CASES = [(COMPARES, *case) for case in MISTAKES.values()] + [(CHOOSES, *case) for case in CHOICES.values()]


@pytest.mark.parametrize(("text", "before", "after", "says"), CASES, ids=[*MISTAKES, *CHOICES])
def test_a_mistake_is_told_with_its_line(text: str, before: str, after: str, says: str, tmp_path: Path) -> None:
    assert before in text
    name = f"mistaken_{abs(hash((before, after)))}"
    text = f"from random import randint\nSEEN = []\n{text.replace(before, after)}"
    with pytest.raises(Refused) as refused, written(tmp_path, name, text):
        pass
    assert re.match(rf"{name}\.py, line \d+: ", str(refused.value))
    assert says in str(refused.value)


@pytest.mark.parametrize("where", ["LEFT, RIGHT, TIE = 0, 1, 2", '    """A card to each side'])
def test_a_file_that_never_ends_is_stopped(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_files, "SECONDS_MAX", 1)
    indent = " " * (len(where) - len(where.lstrip()))
    text = COMPARES.replace(where, f"{indent}while True: pass\n{where}")
    name = f"endless_{len(indent)}"
    with pytest.raises(Refused, match=rf"{name}\.py, line \d+: still running"), written(tmp_path, name, text):
        pass


def test_what_a_file_prints_is_no_part_of_an_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with written(tmp_path, "talks", f"print('hello')\n{COMPARES}"):
        assert capsys.readouterr() == ("", "hello\n")


def test_two_saves_in_a_second_are_two(tmp_path: Path) -> None:
    with written(tmp_path, "saved", COMPARES) as game:
        assert game.name == "High Card Wins"
    with written(tmp_path, "saved", COMPARES.replace("High Card Wins", "High Card Lose")) as game:
        assert game.name == "High Card Lose"


@pytest.mark.parametrize("name", FILES)
def test_no_fault_is_found_in_the_gallery(name: str) -> None:
    assert load_file(str(GALLERY / f"{name}.py"), "").id
