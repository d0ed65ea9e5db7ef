"""What the watch has found, as the API shows it."""

import msgspec

from pairhouse.house.store.database import Tx
from pairhouse.house.watch_log import TakenStep, WatchRow, highest_records, read_cursor, taken_steps
from pairhouse.rounds.round_view import at_text
from pairhouse.server.models import WatchFigures, WatchRecord, WatchReport, WatchStep

MOST = 100


def watch_report(tx: Tx) -> WatchReport:
    """The latest steps, and the records with the most evidence."""
    at = read_cursor(tx).at
    steps = [step_record(step) for step in taken_steps(tx, MOST)]
    return WatchReport(at_text(at) if at else None, steps, [_record(row) for row in highest_records(tx, MOST)])


def step_record(step: TakenStep) -> WatchStep:
    """A step as it is shown."""
    return WatchStep(
        id=step.id,
        at=at_text(step.at),
        table=step.table,
        player=step.player or None,
        wager=step.wager or None,
        step=step.step,  # type: ignore[arg-type]  # of the words of `STEPS`
        why=step.figures["why"],
        done=step.done,
        figures=msgspec.convert(step.figures, WatchFigures),
        lifted_at=at_text(step.lifted_at) if step.lifted_at is not None else None,
        lifted_by=step.lifted_by,
    )


def _record(row: WatchRow) -> WatchRecord:
    from pairhouse.server.watch.judge import Record, figures_of  # noqa: PLC0415 (numpy, for those who ask only)

    record = msgspec.msgpack.decode(row.record, type=Record)
    return WatchRecord(
        table=row.table,
        player=row.player or None,
        wager=row.wager or None,
        step=row.step,  # type: ignore[arg-type]  # of the words of `STEPS`
        figures=msgspec.convert(figures_of(record), WatchFigures),
    )
