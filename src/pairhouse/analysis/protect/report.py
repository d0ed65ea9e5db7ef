"""The protection report as a document: a verdict for every wager, the pictures analysts draw, and every figure."""

from collections.abc import Sequence
from fractions import Fraction

from pairhouse.analysis.methods.records import Value
from pairhouse.analysis.protect import plots
from pairhouse.analysis.protect.effects import JOKER_NAME
from pairhouse.analysis.protect.measures import CutWins, Per100
from pairhouse.analysis.protect.protection import Protection, WagerProtection, best_ceiling
from pairhouse.analysis.protect.report_known import known_section
from pairhouse.analysis.protect.tags import Count
from pairhouse.analysis.protect.verdict import money
from pairhouse.analysis.reports.render.document import (
    LEFT,
    RIGHT,
    Block,
    DataTable,
    Document,
    Fact,
    Facts,
    Picture,
    Prose,
    Section,
    grouped,
    percent,
    signed,
    significant,
)

DETAILED = 12  # wagers with a chapter of their own: the ones most can be won on
TEAMS_SHOWN = 8
NONE_DEALT = "No shoes were dealt: none were asked for, or two rounds do not fit in the pack."


def compose(found: Protection) -> Document:
    """The document."""
    detailed = most_won(found)[:DETAILED]
    sections = [
        Section("glance", "At a glance", glance(found)),
        *together(found),
        Section("wagers", "Wager by wager", [Prose(chapters_say(found, detailed))]),
        *[section for wager in detailed for section in chapter(found, wager)],
        *effects_section(found),
        *known_section(found),
        Section("method", "How the figures were found", how_found(found)),
    ]
    decks = f"{found.decks} deck{'s' * (found.decks > 1)}"
    asked = "" if found.dealt_from_a_shoe else " The game is shuffled for every round; a shoe is a question asked here."
    footer = f"{found.name} · protection · rules {found.rules_hash[:12]} · version {found.version}"
    return Document(found.name, f"Protection report · {decks}.{asked}", identity(found), sections, footer)


def identity(found: Protection) -> list[Fact]:
    """What was asked."""
    behind = (
        f"{found.cuts[0]}; also {', '.join(map(str, sorted(found.cuts[1:])))}" if found.cuts[1:] else str(found.cuts[0])
    )
    cards = f"{found.cards_a_round} in a round" if found.cards_a_round else "as the rule book draws them"
    return [
        Fact("Game", found.game),
        Fact("Cards", f"{found.cards} in {found.decks} deck{'s' * (found.decks > 1)}; {cards}"),
        Fact("Seats", str(found.seats)),
        Fact("Behind the cut card", f"{behind} cards"),
        Fact("Shoes", f"{grouped(found.shoes)} shoes, {grouped(found.rounds)} rounds, seed {found.seed}"),
        Fact("Rules hash", found.rules_hash),
        Fact("Version", found.version),
    ]


def most_won(found: Protection) -> list[str]:
    """Wagers by what a perfect player wins on them, most first."""
    return sorted(found.wagers, key=lambda wager: -ceiling_win(found.wagers[wager]))


def ceiling_win(each: WagerProtection) -> float:
    """What a perfect player wins with the first cut card: by rounds that were solved, where there are such."""
    return best_ceiling(each.by_cut[0]).win if each.by_cut else 0.0


def glance(found: Protection) -> list[Block]:
    """Every wager in a line, and which are not safe."""
    concern = found.concern
    rows = []
    for each in found.wagers.values():
        count, ceiling = each.per_100, best_ceiling(each.by_cut[0]) if each.by_cut else None
        rows.append([
            each.name,
            percent(-Fraction(each.price), 3),
            "none" if each.untouched else f"{each.correlation:.3f}",
            "" if each.turns_at is None else signed(each.turns_at, 2),
            "" if count is None else f"{count.win:.3f}",
            "" if ceiling is None else f"{ceiling.win:.3f} ± {ceiling.error:.3f}",
            "never" if each.by_cut and each.safe_cut is None else str(each.safe_cut or ""),
            stake_text(each),
        ])  # fmt: skip
    titles = ["wager", "edge", "follows", "turns at", "count wins", "ceiling", "safe from", "safe stake"]
    table = DataTable(titles, [LEFT, *[RIGHT] * 7], rows, small=True)
    unsafe = [each.name for each in found.wagers.values() if not each.verdict.startswith("Safe")]
    if not found.shoes:
        said = f"{NONE_DEALT} Effects and counts alone are reported."
    elif unsafe:
        said = f"{not_safe(len(unsafe), len(found.wagers))} with {found.cuts[0]} cards behind the cut."
    else:
        said = f"Every wager is safe with {found.cuts[0]} cards behind the cut."
    explained = (
        "The ceiling is what a player wins who knows the price of every wager before every round and bets one unit "
        "whenever it is above 0: nobody wins more. The count is the best one with whole-number tags that a person "
        "keeps; “follows” is its correlation with the price, “turns at” the true count at which the bet is worth 0. "
        "Count and ceiling are units of stake per 100 rounds, ± one standard error. A wager is called safe where the "
        f"ceiling, three standard errors added, is at most {concern.safe_win:g} per 100 rounds; “safe from” says how "
        "many cards behind the cut card that takes. The safe stake keeps an hour’s ceiling under "
        f"{money(concern.sum_an_hour)} at {concern.pace:g} rounds an hour."
    )
    blocks: list[Block] = [Prose(f"**{said}**"), Prose(explained), table]
    best = [wager for wager in most_won(found) if ceiling_win(found.wagers[wager]) > 0][:20]
    if len(best) > 2:
        shown = [found.wagers[wager] for wager in best]
        svg = plots.ceilings(
            [each.name for each in shown],
            [ceiling_win(each) for each in shown],
            [each.per_100.win if each.per_100 else 0.0 for each in shown],
        )
        blocks.append(Picture(svg, "The ceiling of each wager as a bar, and what the count wins of it."))
    return blocks


def not_safe(some: int, all_of_them: int) -> str:
    """How many wagers are not safe, as somebody would say it."""
    if all_of_them == 1:
        return "The wager is not safe"
    if some == all_of_them:
        return "No wager is safe"
    return f"{some} of {all_of_them} wagers {'is' if some == 1 else 'are'} not safe"


def stake_text(each: WagerProtection) -> str:
    """The safe stake; nothing is said of one where no shoe was dealt."""
    if not each.by_cut:
        return ""
    return "any" if each.safe_stake is None else money(each.safe_stake)


def together(found: Protection) -> list[Section]:
    """All wagers at once, and teams who share them out."""
    if not found.joint or len(found.wagers) < 2:
        return []
    rows = [
        [f"{at.behind_cut} cards", f"{at.rounds_a_shoe:.1f}", percent(at.bet_share, 1),
         f"{at.all_bets:.3f} ± {at.error:.3f}", f"{at.one_bet:.3f}"]
        for at in sorted(found.joint, key=lambda joint: joint.behind_cut)
    ]  # fmt: skip
    titles = ["behind the cut card", "rounds a shoe", "rounds with a bet", "every good bet", "the best bet only"]
    says = (
        "One unit on every wager that is worth more than 0, round by round, or only on the best of them. Stakes change "
        "no card, so a team that shares the wagers out wins the sum of what its members win."
    )
    blocks: list[Block] = [Prose(says), DataTable(titles, [LEFT, *[RIGHT] * 4], rows)]
    if len(found.joint) > 2:
        svg = plots.joint_by_cut(
            [at.behind_cut for at in found.joint],
            [at.all_bets for at in found.joint],
            [at.one_bet for at in found.joint],
        )
        blocks.append(Picture(svg, "What can be won in all, against the cards behind the cut card."))
    if found.teams:
        shown = found.teams[:TEAMS_SHOWN]
        more = (
            "" if shown == found.teams else f" The first {TEAMS_SHOWN} of {len(found.teams)}; the JSON report has all."
        )
        blocks.append(Prose(f"So many followers, a wager each, on the wagers that are worth most together.{more}"))
        lines = [
            [str(team.followers), found.wagers[team.wagers[-1]].name, f"{team.win:.3f}", percent(team.share, 1)]
            for team in shown
        ]
        titles = ["followers", "the wager of the last one", "win together", "of all there is"]
        blocks.append(DataTable(titles, [RIGHT, LEFT, RIGHT, RIGHT], lines))
    return [Section("together", "All wagers together", blocks)]


def chapter(found: Protection, wager: str) -> list[Section]:
    """One wager: the verdict, pictures, counts, cut cards."""
    each = found.wagers[wager]
    blocks: list[Block] = [Prose(each.verdict)]
    if not each.untouched:
        if each.by_true_count:
            blocks.append(Picture(plots.panels(each), picture_words(each)))
        blocks.append(counts_table([*each.counts, *each.published]))
    if each.second_order and (each.untouched or "hardly touches" in each.verdict):
        blocks += second_order_blocks(each)
    if each.by_cut:
        blocks += cuts_tables(each)
    aside = f"edge {percent(-Fraction(each.price), 4)}"
    return [Section(f"wager-{wager}", each.name, blocks, level=2, aside=aside)]


def chapters_say(found: Protection, detailed: Sequence[str]) -> str:
    """Which wagers have a chapter."""
    if len(detailed) < len(found.wagers):
        return f"The {len(detailed)} wagers on which a perfect player wins most; the JSON report has all."
    return "Every wager, the one on which a perfect player wins most first."


def picture_words(each: WagerProtection) -> str:
    turns = "" if each.turns_at is None else f" The first-order line is 0 at {each.turns_at:+.2f}."
    return (
        f"The price of {each.name} at each true count, priced {each.priced}; how often each count comes; the best tags "
        f"and the whole-number ones (correlation {each.correlation:.4f}); ceiling and count by cut card.{turns}"
    )


def second_order_blocks(each: WagerProtection) -> list[Block]:
    """What two cards gone together change, beyond what each changes by itself."""
    facts = [
        Fact(SECOND[name], f"{signed(100 * float(value), 5)} % of the stake")
        for name, value in (each.second_order or {}).items()
    ]
    return [
        Prose("What two cards gone together change of the price, beyond what each changes by itself:"),
        Facts(facts),
    ]


def counts_table(counts: Sequence[Count]) -> DataTable:
    """Counts with their tags and correlations."""
    names = list(counts[0].tags) if counts else []
    rows = [
        [count.name, *(signed(tag, 0) for tag in count.tags.values()), f"{count.correlation:.4f}"] for count in counts
    ]
    titles = ["count", *(name if name != "joker" else "Jk" for name in names), "follows"]
    return DataTable(titles, [LEFT, *[RIGHT] * (len(names) + 1)], rows, small=True)


def cuts_tables(each: WagerProtection) -> list[Block]:
    """The figures of the count and of the ceiling for each cut card, fewest cards behind it first.

    There is no table of a count where no count of single cards can follow the wager.
    """
    every = sorted(each.by_cut, key=lambda wins: wins.behind_cut)
    ordered = [wins for wins in every if best_ceiling(wins).win > 0]
    if not ordered:
        return [Prose(f"Nothing could be won with any of these cut cards: {', '.join(map(cards_behind, every))}.")]
    nothing = [wins.behind_cut for wins in every if wins not in ordered]
    said = f" With {nothing[0]} cards behind the cut card, or more, nothing could be won." if nothing else ""
    blocks: list[Block] = [] if each.untouched else count_table(ordered)
    if any(wins.solved is not None for wins in every):
        how = ", by first-order prices; “solved”: corrected by a sample of rounds that were solved"
        said += SOLVED_BLANK if any(wins.solved is None for wins in ordered) else ""
        titles = [*CEILING_TITLES, "win, solved"]
        solved = [["" if one is None else f"{one.win:.3f} ± {one.error:.3f}"] for one in (w.solved for w in ordered)]
    else:
        how, titles, solved = "", CEILING_TITLES, [list[str]() for _ in ordered]
    rows = [
        [cards_behind(wins), rounds_dealt(wins), *followed_cells(wins.ceiling), error_text(wins), *more]
        for wins, more in zip(ordered, solved, strict=True)
    ]
    return [
        *blocks,
        Prose(f"The ceiling, betting one unit whenever the price is above 0{how}:"),
        DataTable(titles, [LEFT, *[RIGHT] * (len(titles) - 1)], rows, small=True),
        Prose(UNITS_SAY + said, quiet=True),
    ]


def count_table(ordered: Sequence[CutWins]) -> list[Block]:
    """What the count wins, by cut card."""
    rows = [
        [
            cards_behind(wins), rounds_dealt(wins),
            "no bet" if wins.count.bet_from is None else signed_count(wins.count.bet_from),
            *followed_cells(wins.count),
        ]
        for wins in ordered
    ]  # fmt: skip
    titles = ["behind the cut card", "rounds a shoe", "bet from", *FOLLOWED]
    table = DataTable(titles, [LEFT, *[RIGHT] * (len(titles) - 1)], rows, small=True)
    return [Prose("The count, betting one unit from a whole true count on:"), table]


def cards_behind(wins: CutWins) -> str:
    """A cut card by what lies behind it."""
    return f"{wins.behind_cut} cards"


def rounds_dealt(wins: CutWins) -> str:
    """How many rounds a shoe has."""
    return f"{wins.rounds_a_shoe:.1f}"


def error_text(wins: CutWins) -> str:
    """One standard error of the ceiling."""
    return f"± {significant(wins.ceiling.error, 2)}"


FOLLOWED = ["win", "bets", "edge", "deviation", "DI", "N0"]
CEILING_TITLES = ["behind the cut card", "rounds a shoe", *FOLLOWED, "error"]
SOLVED_BLANK = " Nothing is solved where a shoe can end with too few cards for the longest round."
UNITS_SAY = (
    "Win, bets and deviation are for 100 rounds, in units of the stake; the edge is the mean price of the bets that "
    "are made. DI, the desirability index: 1,000 times the win of a round over its deviation. N0: the rounds after "
    "which the win is as large as the deviation."
)
SECOND = {
    "one card twice": "Two cards alike",
    "one rank": "Two of one rank",
    "one suit": "Two of one suit",
    "neither": "Two others",
}


def signed_count(count: int) -> str:
    """A true count as people write it."""
    return f"{count:+d}".replace("-", "−") if count else "0"


def followed_cells(wins: Per100) -> list[str]:
    """What a follower gets for 100 rounds."""
    return [
        significant(wins.win, 3), significant(wins.bets, 3), percent(wins.edge, 2), f"{wins.deviation:.2f}",
        f"{wins.desirability:.2f}", "" if wins.n0 is None else rounds_text(wins.n0),
    ]  # fmt: skip


def rounds_text(rounds: float) -> str:
    """A number of rounds, in powers of ten where it is past all counting."""
    if rounds < 1e7:
        return grouped(round(rounds))
    digits, power = f"{rounds:.1e}".split("e+")
    return f"{digits} × 10{str(int(power)).translate(RAISED)}"


RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def effects_section(found: Protection) -> list[Section]:
    """The effects of removal of every wager, as decimals; the JSON report has the fractions."""
    names = list(next(iter(found.wagers.values())).effects_of_removal)
    rows = [
        [each.name, *(effect_text(value) for value in each.effects_of_removal.values())]
        for each in found.wagers.values()
    ]
    says = (
        "How the price changes when one card of a rank is gone from the whole pack, in hundredths of a per cent of the "
        "stake. The effects of all cards of the pack add up to 0; where a wager is played they add up to what playing "
        "by the card that is gone would gain. The JSON report has them as fractions."
    )
    titles = ["wager", *(name if name != "joker" else "Jk" for name in names)]
    table = DataTable(titles, [LEFT, *[RIGHT] * len(names)], rows, small=True)
    return [Section("effects", "Effects of removal", [Prose(says), table, *effects_by_suit(found)])]


def effects_by_suit(found: Protection) -> list[Block]:
    """By card, for wagers that suits decide: a row a suit."""
    suited = [each for each in found.wagers.values() if each.effects_by_card is not None]
    if not suited:
        return []
    names = [name for name in suited[0].effects_of_removal if name != JOKER_NAME]
    rows = []
    for each in suited[:SUITED_SHOWN]:
        by_card = each.effects_by_card or {}
        for letter, words in SUIT_WORDS.items():
            rows.append([each.name, words, *(effect_text(by_card[f"{name}{letter}"]) for name in names)])
    more = "" if len(suited) <= SUITED_SHOWN else f" The first {SUITED_SHOWN} wagers; the JSON report has all."
    says = f"Where suits matter, card by card, in the same unit.{more}"
    return [Prose(says), DataTable(["wager", "suit", *names], [LEFT, LEFT, *[RIGHT] * len(names)], rows, small=True)]


SUITED_SHOWN = 6
SUIT_WORDS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def effect_text(value: Value) -> str:
    """In hundredths of a per cent; large ones with fewer decimals, so that a column for every rank fits a page."""
    shown = 1e4 * float(value)
    return signed(shown, 2 if abs(shown) < 100 else 1 if abs(shown) < 1000 else 0) if value else "0"


def how_found(found: Protection) -> list[Block]:
    """Definitions, and what is exact and what is sampled."""
    priced = dict.fromkeys(each.priced for each in found.wagers.values())
    return [
        Prose(f"{found.true_count[:1].upper()}{found.true_count[1:]}."),
        Prose(
            "Effects and correlations are worked out from fractions. Whole-number tags are the best of all: every set "
            "that could be the best was tried. The turning point is where the first-order price is 0."
        ),
        *[Prose(f"Not followed: {wager}; {reason}.") for wager, reason in found.left_out.items()],
        *([Prose(PRICES_SAY.format(", or ".join(priced)))] if found.shoes else []),
    ]


PRICES_SAY = (
    "Prices before every round are {}. Shoes are dealt from the seed, and expectations are added up, not results; the "
    "error is one standard error of the sample of shoes."
)
