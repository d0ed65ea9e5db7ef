"""A certificate: exact figures by two independent derivations, and what it takes to make them again."""

import hashlib
import platform
import re
import sys
from collections.abc import Mapping
from fractions import Fraction
from importlib.metadata import version as version_of
from pathlib import Path

import msgspec

from pairhouse.analysis.exact.oracle_check import OracleCheck
from pairhouse.analysis.exact.prices import Price
from pairhouse.analysis.exact.variants import is_offered
from pairhouse.analysis.methods.method import COUNTED, FORMULA
from pairhouse.analysis.methods.records import SolvedFigures
from pairhouse.analysis.methods.registry import method_of
from pairhouse.analysis.reports.par import to_json
from pairhouse.analysis.reports.simulated_check import SimulatedCheck, simulated_check
from pairhouse.core.errors import Refused
from pairhouse.core.game import Variant
from pairhouse.games.catalogue import named_by
from pairhouse.version import __version__

JSON_FILE, TEXT_FILE = "certificate.json", "certificate.md"


class Outcome(msgspec.Struct, frozen=True):
    """A row: what it pays, in how many of all deals, and its chance."""

    name: str
    pays: str
    ways: int
    probability: str


class Figure(msgspec.Struct, frozen=True):
    """The exact figures of a wager, fractions as text."""

    ev: str
    variance: str
    hit: str
    total_ways: int
    rows: list[Outcome]


class Derivations(msgspec.Struct, frozen=True):
    """How the figures were found, twice, for which wagers the two agree as fractions, and what other checks say."""

    first: str
    second: str
    agree: dict[str, bool]
    oracle: OracleCheck
    simulated: SimulatedCheck


class Certificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in it but the environment is the same wherever it is made."""

    game: str
    name: str
    options: dict[str, bool | int | str]
    offered_at_table: bool
    rules_hash: str
    version: str
    command: str
    figures: dict[str, Figure]
    figures_sha256: str
    derivations: Derivations
    solved: SolvedFigures | None
    not_priced: dict[str, str]
    meter: int | None
    environment: dict[str, str]

    @property
    def summary(self) -> str:
        """What was derived how often, and whether it agrees."""
        again = self.derivations.agree
        if again:
            which = "every wager" if again.keys() >= self.figures.keys() else f"{' and '.join(again)}"
            verdict = f"agree as fractions, for {which}" if self.agrees else "DO NOT AGREE"
            return f"derived twice. The derivations **{verdict}**"
        verdict = "agree with them" if self.agrees else "DO NOT AGREE"
        held = "held to a plain walk of a small deck, as fractions"
        if self.derivations.simulated.rounds:
            held += ", and to simulated rounds"
        elif self.agrees:
            verdict = "agrees with them"
        return f"derived once on the whole pack and {held}, which **{verdict}**"

    @property
    def agrees(self) -> bool:
        """Whether every derivation came to the same figures."""
        solved = self.solved is None or self.solved.agree
        told = self.derivations
        return solved and all(told.agree.values()) and told.oracle.agree and told.simulated.agree


def certify(variant: Variant) -> Certificate:
    """Derive every figure twice and write down both."""
    method = method_of(variant)
    found = {wager: method.exact_price(wager) for wager in method.wagers_from(COUNTED, FORMULA)}
    second = method.second()
    figures = {wager: _figure(price) for wager, price in found.items()}
    return Certificate(
        game=variant.game.id,
        name=variant.game.name,
        options=dict(variant.options),
        offered_at_table=is_offered(variant),
        rules_hash=variant.rules_hash,
        version=__version__,
        command=command_for(variant),
        figures=figures,
        figures_sha256=digest(figures),
        derivations=Derivations(
            first=" and ".join(dict.fromkeys(price.method for price in found.values())),
            second=second.method,
            agree={
                wager: _endings(price) == second.wagers.get(wager)
                for wager, price in found.items()
                if second.covers_all or wager in second.wagers
            },
            oracle=method.small(),
            simulated=simulated_check(variant),
        ),
        solved=method.solved_again(),
        not_priced={wager: method.reason(wager) for wager in variant.wagers if method.source(wager) is None},
        meter=method.reading,
        environment=environment(),
    )


def _figure(price: Price) -> Figure:
    rows = [Outcome(row.name, str(row.pays), row.ways, str(row.probability)) for row in price.rows]
    return Figure(str(price.ev), str(price.variance), str(price.hit), price.total, rows)


def _endings(price: Price) -> dict[Fraction, Fraction]:
    found: dict[Fraction, Fraction] = {}
    for row in price.rows:
        found[row.pays] = found.get(row.pays, Fraction(0)) + row.probability
    return found


def digest(figures: Mapping[str, Figure]) -> str:
    """SHA-256 over the figures as JSON with sorted keys and no spaces."""
    return hashlib.sha256(msgspec.json.encode(figures, order="sorted")).hexdigest()


def command_for(variant: Variant) -> str:
    """The one command that makes this certificate again."""
    default = variant.game.variant().options
    changed = [f"--option {name}={_word(value)}" for name, value in variant.options.items() if value != default[name]]
    return " ".join(["pairhouse certify", named_by(variant.game.id), *changed, "--out DIR"])


def _word(value: bool | int | str) -> str:
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"


def environment() -> dict[str, str]:
    """What the figures were made with; they should not depend on it."""
    return {
        "python": platform.python_version(),
        "numba": version_of("numba"),
        "numpy": version_of("numpy"),
        "platform": f"{sys.platform} {platform.machine()}",
    }


def make_folder(folder: Path) -> None:
    """The folder a certificate is written to, or a refusal."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused("bad-file", f"{folder} cannot be written: {error.strerror}") from None


def save(certificate: Certificate, folder: Path) -> list[Path]:
    """Write the certificate for programs and for people."""
    make_folder(folder)
    try:
        (folder / JSON_FILE).write_bytes(msgspec.json.format(to_json(certificate), indent=2) + b"\n")
        (folder / TEXT_FILE).write_text(as_text(certificate), encoding="utf-8")
    except OSError as error:
        raise Refused("bad-file", f"{folder} cannot be written: {error.strerror}") from None
    return [folder / JSON_FILE, folder / TEXT_FILE]


def load(folder: Path) -> Certificate:
    """Read a certificate back."""
    try:
        return msgspec.json.decode((folder / JSON_FILE).read_bytes(), type=Certificate)
    except OSError as error:
        raise Refused("bad-file", f"{folder / JSON_FILE} cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("bad-certificate", f"{folder / JSON_FILE} is not a certificate: {error}") from None


def as_text(certificate: Certificate) -> str:
    """The certificate in Markdown."""
    told = certificate.derivations
    named = certificate.command.split()[2:3]
    of_file = f"{named[0]} " if named not in ([], [certificate.game]) else ""
    apart = " It shares no code with the first; only prices are read." if told.agree else ""
    lines = [
        f"# Certificate: {certificate.name}",
        "",
        f"Exact figures of `{certificate.game}`, {certificate.summary}.",
        "",
        "| | |",
        "|---|---|",
        f"| Rules hash | `{certificate.rules_hash}` |",
        f"| Figures, SHA-256 | `{certificate.figures_sha256}` |",
        f"| Version | {certificate.version} |",
        f"| Offered at a table | {_word(certificate.offered_at_table)} |",
        *(f"| Option `{name}` | {_word(value)} |" for name, value in certificate.options.items()),
        *(f"| {name.capitalize()} | {value} |" for name, value in certificate.environment.items()),
        "",
        "Made by, and made again by:",
        "",
        f"    {certificate.command}",
        "",
        f"and compared with `pairhouse certify {of_file}--check DIR`, which answers *same* or *different*.",
        "",
        "## How the figures were found",
        "",
        f"1. {told.first[:1].upper()}{told.first[1:]}, run from the rule book's own source.",
        f"2. {told.second[:1].upper()}{told.second[1:]}.{apart}",
        f"3. On the small deck {told.oracle.deck}, a plain walk through the rule book, card by card.",
        "",
        f"{_agreement_text(told)} The third gives each of the",
        f"{told.oracle.stories} stories of its deck the chance that the count gives: {_word(told.oracle.agree)}.",
        "",
        *_simulated_text(told.simulated),
        *_solved_text(certificate.solved),
        "## Figures",
        "",
        "Per unit of the initial bet. A row's ways are out of the wager's total.",
        *(
            []
            if certificate.meter is None
            else [f"Shares of the meter are priced at a reading of {certificate.meter}."]
        ),
        *(f"{wager} has no price of its own: {reason}." for wager, reason in certificate.not_priced.items()),
        "",
    ]
    for wager, figure in certificate.figures.items():
        lines += _figure_text(wager, figure, told.agree.get(wager))
    return "\n".join(lines)


def _agreement_text(told: Derivations) -> str:
    if not told.agree:
        return "No wager was derived a second time on the whole pack."
    return f"The first and the second agree as fractions: {_word(all(told.agree.values()))}."


def _simulated_text(told: SimulatedCheck) -> list[str]:
    """How far simulated rounds lie from the exact prices."""
    if not told.rounds:
        return ["## Simulated", "", f"{told.how[:1].upper()}{told.how[1:]}.", ""]
    return [
        "## Simulated",
        "",
        f"{told.rounds:,} rounds of seed {told.seed}, strategy {told.strategy}; the same on any machine. The least",
        f"likely of {told.tests} tests has p = {told.least_p}; {told.how}. They agree: {_word(told.agree)}.",
        "",
        "| wager | z |",
        "|---|--:|",
        *(f"| {wager} | {z} |" for wager, z in told.z.items()),
        "",
    ]


def _solved_text(solved: SolvedFigures | None) -> list[str]:
    """A wager that is solved in decimals."""
    if solved is None:
        return []
    told = [f"- {hand}: {', '.join(f'{n} {v}' for n, v in values.items())}" for hand, values in solved.exact.items()]
    return [
        "## The main wager, solved",
        "",
        f"Expectation {solved.ev} under best play, {solved.basic_strategy_ev} by the chart, with an error below",
        f"{solved.error}. Strategy class: {solved.strategy_class}.",
        "",
        "Two further derivations, in exact fractions; the solver meets all of them within its error:",
        f"{_word(solved.agree)}. Values of single hands with this shoe:",
        "",
        *told,
        "",
        "Expectation of the whole game with small shoes, by a plain walk through the rule book, played as solved:",
        "",
        *(f"- {shoe}: {ev}" for shoe, ev in solved.small_shoes.items()),
        "",
        *(f"Side bet {wager}, decided after the hand is played: {ev}." for wager, ev in solved.side_bets.items()),
        *([""] if solved.side_bets else []),
    ]


def _edge(ev: str) -> str:
    """A percentage, where the text is a fraction at all: it may have been tampered with."""
    found = re.fullmatch(r"(-?\d{1,400})(?:/(\d{1,400}))?", ev)
    if found is None or not int(found[2] or 1):
        return "unknown"
    return f"{-100 * float(Fraction(ev)):.6f} %"


def _figure_text(wager: str, figure: Figure, agree: bool | None) -> list[str]:
    derived = "One derivation on the whole pack" if agree is None else f"Both derivations agree: {_word(agree)}"
    return [
        f"### {wager}",
        "",
        f"Expectation {figure.ev} (edge {_edge(figure.ev)}), variance {figure.variance}, hit frequency {figure.hit}.",
        f"{derived}.",
        "",
        "| row | pays | ways | probability |",
        "|---|--:|--:|--:|",
        *(f"| {row.name} | {row.pays} | {row.ways:,} | {row.probability} |" for row in figure.rows),
        f"| *all* | | {figure.total_ways:,} | 1 |",
        "",
    ]
