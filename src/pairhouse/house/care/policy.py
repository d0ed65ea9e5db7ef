"""The policy of a jurisdiction as data: how fast rounds may follow, what pages may do, which reminders players get."""

import tomllib
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from pairhouse.core.errors import Refused, unknown

SHIPPED = Path(__file__).parent / "policies"
EXAMPLE_NOTICE = Path(__file__).parent / "notices" / "example.toml"
FILE_MAX_BYTES = 65_536

Minutes = Annotated[int, Meta(ge=0, le=24 * 60)]
Words = Annotated[str, Meta(min_length=1, max_length=200)]


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a jurisdiction asks. The house enforces times and waits; the page turbo, autoplay and celebrations.

    `minimum_round_ms` is the least time from the start of a round to the start of the player's next. A reminder or a
    longest session of 0 minutes means none. A limit that is raised waits `raise_hours`, then must be confirmed.
    """

    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9-]{0,31}$")]
    title: Words
    minimum_round_ms: Annotated[int, Meta(ge=0, le=60_000)] = 0
    turbo: bool = True
    autoplay: bool = True
    celebrate_up_to_stake: bool = False
    limits_prompt: bool = False
    reminder_minutes: Minutes = 0
    session_minutes_max: Minutes = 0
    raise_hours: Annotated[int, Meta(ge=24, le=720)] = 24
    exclusion_months_min: Annotated[int, Meta(ge=6, le=60)] = 6


class OperatorNotice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who runs the games, and where a player finds help; shown in the lobby, at tables and beside the rules."""

    notice: Annotated[str, Meta(max_length=500)] = ""
    help_question: Annotated[str, Meta(max_length=100)] = ""
    help_phone: Annotated[str, Meta(max_length=40, pattern=r"^[0-9+() .-]*$")] = ""
    help_url: Annotated[str, Meta(max_length=200, pattern=r"^(https://[^\s<>\"']+)?$")] = ""


T = TypeVar("T", Policy, OperatorNotice)


def shipped_policies() -> list[str]:
    """The names of the policies that come with the house."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def find_policy(given: str) -> Policy:
    """A shipped policy by its name, or one in a file of the operator's, whose name ends in .toml."""
    if given.endswith(".toml"):
        return read_toml(Path(given), Policy)
    if given not in shipped_policies():
        raise unknown("policy", given, [*shipped_policies(), "FILE.toml"])
    return read_toml(SHIPPED / f"{given}.toml", Policy)


def find_notice(file: str | None, help_line: str | None) -> OperatorNotice:
    """The operator's notice from a file, with the help line given on the command line in place of the file's."""
    notice = read_toml(Path(file), OperatorNotice) if file is not None else OperatorNotice()
    if help_line is None:
        return notice
    phone, found, address = help_line.partition("https://")
    given = {"help_question": notice.help_question or "Gambling problem?", "help_phone": phone.strip()}
    given["help_url"] = found + address.strip()
    try:
        return msgspec.convert({**msgspec.structs.asdict(notice), **given}, OperatorNotice)
    except msgspec.ValidationError:
        accepted = "a telephone number, and an https:// address after it, such as `800.522.4700 https://help.example`"
        raise Refused("bad-notice", f"{help_line!r} is no help line; give {accepted}") from None


def read_toml(path: Path, kind: type[T]) -> T:
    """A record from a TOML file, checked field by field."""
    try:
        with path.open("rb") as file:
            content = file.read(FILE_MAX_BYTES + 1)
        if len(content) > FILE_MAX_BYTES:
            raise _wrong(kind, f"{path} is longer than {FILE_MAX_BYTES} bytes; it holds a few lines")
        return msgspec.convert(tomllib.loads(content.decode()), kind)
    except OSError as error:
        raise _wrong(kind, f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _wrong(kind, f"{path} is no TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise _wrong(kind, f"{path}: {error}; it may hold {', '.join(kind.__struct_fields__)}") from None


def _wrong(kind: type[Policy] | type[OperatorNotice], sentence: str) -> Refused:
    return Refused("bad-policy", sentence) if kind is Policy else Refused("bad-notice", sentence)


NO_POLICY, NO_NOTICE = find_policy("none"), OperatorNotice()
