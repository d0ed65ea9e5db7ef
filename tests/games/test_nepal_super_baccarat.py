"""Nepal Super Baccarat, rule by rule."""

from tables import Case, check, table


@table(
    "nepal-super-baccarat",
    """
    rule          | cards             | wagers                | choices | result
    NSB-14 NSB-30 | 9c 3d Kh 4s       | player 100            |         | player 200 Player wins
    """,
)
def test_main_wagers(case: Case) -> None:
    check(case)
