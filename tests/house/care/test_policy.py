"""Policies and notices as data: what ships, what an operator may write, and what is refused."""

from pathlib import Path

import pytest

from pairhouse.core.errors import Refused
from pairhouse.house.care.policy import EXAMPLE_NOTICE, NO_POLICY, find_notice, find_policy, shipped_policies


def test_three_policies_are_shipped() -> None:
    assert shipped_policies() == ["none", "social", "uk"]
    assert all(find_policy(name).name == name for name in shipped_policies())


def test_none_asks_for_nothing() -> None:
    policy = find_policy("none")
    assert policy == NO_POLICY
    assert (policy.minimum_round_ms, policy.reminder_minutes, policy.session_minutes_max) == (0, 0, 0)
    assert policy.turbo
    assert policy.autoplay


def test_uk_has_what_the_standards_of_2025_ask() -> None:
    policy = find_policy("uk")
    assert policy.minimum_round_ms == 5_000
    assert not policy.turbo
    assert not policy.autoplay
    assert not policy.celebrate_up_to_stake
    assert policy.limits_prompt
    assert policy.raise_hours == 24


def test_an_operator_may_write_a_policy(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('name = "ours"\ntitle = "Ours"\nminimum_round_ms = 3000\nturbo = false\n')
    assert find_policy(str(file)).minimum_round_ms == 3_000


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('name = "ours"\ntitle = "Ours"\nspeed = 3\n', "unknown field `speed`"),
        ('name = "ours"\ntitle = "Ours"\nraise_hours = 1\n', ">= 24"),
        ('name = "ours"\ntitle = "Ours"\nturbo = "no"\n', "Expected `bool`"),
        ('name = "ours"\ntitle = \n', "is no TOML"),
        ("#" * 70_000, "longer than"),
    ],
)
def test_a_policy_that_cannot_be(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(text)
    with pytest.raises(Refused, match=says) as refused:
        find_policy(str(file))
    assert refused.value.code == "bad-policy"


def test_unknown_names_are_told_what_there_is() -> None:
    with pytest.raises(Refused, match=r"none, social, uk or FILE\.toml"):
        find_policy("england")
    with pytest.raises(Refused, match="No such file"):
        find_policy("missing.toml")


def test_the_notice_and_the_help_line() -> None:
    example = find_notice(str(EXAMPLE_NOTICE), None)
    assert "owned and operated" in example.notice
    assert example.help_phone == "800.522.4700"
    other = find_notice(None, "0808 8020 133 https://help.example")
    assert other.help_question == "Gambling problem?"


def test_a_help_line_has_a_number_and_an_address() -> None:
    given = find_notice(None, "800.522.4700 https://help.example/now")
    assert (given.help_phone, given.help_url) == ("800.522.4700", "https://help.example/now")
    for wrong in ("call me", "800 javascript:alert(1)", "<b>1</b>"):
        with pytest.raises(Refused, match="help line") as refused:
            find_notice(None, wrong)
        assert refused.value.code == "bad-notice"
