"""Reports over HTTP, for the office alone."""

import csv
import io

import pytest

from api_house import Open
from pairhouse.house.reports.writing import REPORTS


@pytest.mark.parametrize("kind", list(REPORTS))
def test_every_report_as_json_and_as_csv(house: Open, kind: str) -> None:
    house.guest().play("la-paire")
    office = house.office("operator")
    told = office.do("GET", f"/admin/reports/{kind}")
    assert told["report"] == kind
    answer = office.ask("GET", f"/admin/reports/{kind}", params={"format": "csv"})
    assert answer.headers["content-type"] == "text/csv; header=present; charset=utf-8"
    assert answer.headers["content-disposition"] == f"attachment; filename={kind}.csv"
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert len(rows) - 1 == max(1, told["count"])


@pytest.mark.parametrize(
    ("path", "query", "status", "code"),
    [
        ("weather", {}, 404, "unknown-report"),
        ("tables", {"from": "tomorrow"}, 422, "bad-period"),
        ("tables", {"format": "pdf"}, 422, "bad-format"),
        ("tables", {"least": "-1"}, 400, "bad-request"),
    ],
)
def test_reports_that_cannot_be(house: Open, path: str, query: dict[str, str], status: int, code: str) -> None:
    answer = house.office("operator").ask("GET", f"/admin/reports/{path}", params=query)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_report_needs_a_key(house: Open) -> None:
    assert house.guest().ask("GET", "/admin/reports/players").status_code == 401
