"""For mathematicians and testing labs: exact prices, best play, and a par sheet in three formats."""

# %% Every wager, exactly.
import tempfile
from fractions import Fraction
from pathlib import Path

import pairhouse as ph

baccarat = ph.game("nepal-super-baccarat", decks=8)
print(baccarat.prices())

# %% One wager in detail: rows, ways, and the price as a fraction.
tie = baccarat.price("tie")
for row in tie.rows:
    print(f"{row.name:8} {row.ways:>20,} ways, pays {row.pays}")
print(tie.ev, "=", float(tie.ev))
assert sum(row.probability for row in tie.rows) == 1

# %% Best play: the value of one hand, with cards that were seen elsewhere.
poker = ph.game("three-card-poker")
assert poker.price("ante").ev == Fraction(-686689, 20358520)
print(poker.best())
print(poker.best().advise("Qs 6d 4h", seen="2h 3h"))

# %% A par sheet for the file, the screen and the spreadsheet.
folder = Path(tempfile.mkdtemp())
print(poker.par().save(folder / "sheet.json", folder / "sheet.html", folder / "sheet.xlsx"))
