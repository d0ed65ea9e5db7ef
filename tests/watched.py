"""A player who has won more than chance explains, in the books of a house, and what the watch does about it."""

import msgspec

from pairhouse.analysis.protect.watch import odds_of
from pairhouse.games.catalogue import find
from pairhouse.house.house import House
from pairhouse.house.watch_log import WatchFinding, WatchRow, save_look
from pairhouse.server.watch.judge import Record, figures_of, peak_of

TABLE = "nepal-super-baccarat"


def be_watched(house: House, player: str) -> None:
    """This player wins 300 even bets of 300: the watch lowers what they may stake."""
    record = Record(step="lower limits")
    odds = odds_of(find(TABLE).variant())
    for _ in range(300):
        record.results.record(odds.terms((("player", 1000),)), 1000)
    row = WatchRow(TABLE, player, "", peak_of(record), record.step, msgspec.msgpack.encode(record))
    found = WatchFinding(TABLE, player, "", record.step, "wins", figures_of(record))
    house.do(lambda tx: save_look(tx, 0, {}, [row], [found], "limit"))
