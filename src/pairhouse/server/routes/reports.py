"""Reports for the office, streamed from a file: they need as much memory as a line, however long they are."""

import tempfile
from collections.abc import Iterator
from typing import Annotated, BinaryIO, cast

from litestar import Router, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter
from litestar.response import Stream

from pairhouse.core.money import STAKE_MAX
from pairhouse.house.people import key_holder
from pairhouse.house.reports.writing import CSV, LARGE_WIN, check_format, find_report, read_period, write_report
from pairhouse.house.store.database import Tx
from pairhouse.server.desk import AdminKey, DeskHere
from pairhouse.server.http.errors import WITH_SESSION, problems
from pairhouse.server.models import ReportDocument
from pairhouse.server.routes.tables import PathId

CHUNK_BYTES = 65_536
MEDIA_TYPES = {"csv": "text/csv; header=present", "json": "application/json"}
From = Annotated[str | None, QueryParameter(name="from", max_length=40)]
To = Annotated[str | None, QueryParameter(name="to", max_length=40)]
Form = Annotated[str, QueryParameter(name="format", max_length=8)]
Least = Annotated[int, QueryParameter(ge=0, le=STAKE_MAX)]
ANSWERS = {200: ResponseSpec(ReportDocument, description="The report.", generate_examples=False)}


@get("/admin/reports/{report:str}", responses={**problems(*WITH_SESSION, 404, 422), **ANSWERS})
async def report(
    report: PathId,
    desk: DeskHere,
    admin: AdminKey,
    since: From = None,
    until: To = None,
    form: Form = "json",
    least: Least = LARGE_WIN,
) -> Stream:
    """A report over a period, by default the month so far: `format` is json or csv."""
    find_report(report)
    period, form = read_period(since, until, desk.books.clock(), least), check_format(form)
    file = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115 (closed when it has been sent)

    def ask(tx: Tx) -> None:
        key_holder(tx, admin, "operator")
        write_report(tx, report, period, form, file)

    try:
        await desk.read(ask)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    headers = {"Content-Disposition": f"attachment; filename={report}.csv"} if form == CSV else {}
    return Stream(_chunks(file), media_type=MEDIA_TYPES[form], headers=headers)


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


router = Router("/", route_handlers=[report], tags=["administration"])
