"""Commands of whoever runs a house: backup, restore, epoch, migrate, changes of keys, dispute."""

import os
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from pairhouse.cli.arguments import Json, write
from pairhouse.cli.books import reading
from pairhouse.cli.serve import Anchor, Db, SealingKey, Signer

NEW_KEY_VARIABLE = "PAIRHOUSE_NEW_SEED_KEY"


def database_of(db: str | None) -> Any:
    """The database of a house, whether it is there or not."""
    from pairhouse.house.house import default_url
    from pairhouse.house.store.database import Database

    return Database(db or default_url())


def existing(db: str | None) -> Any:
    """The database of a house that exists."""
    from pairhouse.house.audit import open_books
    from pairhouse.house.house import default_url

    return open_books(db or default_url())


def backup(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder for the backup.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Back up the books while the house is open: one state of the database, with a manifest and its hash."""
    from pairhouse.house.backup.make import make_backup
    from pairhouse.rounds.records import to_json

    with closing(existing(db)) as database:
        manifest = _stored(lambda: make_backup(database, folder))
        kept_elsewhere = _not_in_a_backup(database)
    if json:
        write(to_json(manifest))
        return
    write(f"{folder} is {manifest.words}.")
    write("Keep apart from it, and as safe: " + "; ".join(kept_elsewhere) + ".")


def _not_in_a_backup(database: Any) -> list[str]:
    """What a house needs and a backup of its books does not hold."""
    from pairhouse.house.epoch.seen import folder_of
    from pairhouse.house.vault import KEY_VARIABLE

    path = Path(str(database.url.database))
    in_file = database.is_sqlite and not os.environ.get(KEY_VARIABLE)
    key = f"{path}.key" if in_file else f"the key in {KEY_VARIABLE}"
    return [
        f"the key that seeds are sealed with ({key})",
        "the sealing key and its anchors",
        "the secrets of operators' wallets",
        f"what this house has seen of its books ({folder_of(database.url)})",
    ]


def restore(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="What `pairhouse backup` has made.")],
    db: Db = None,
    replace: Annotated[
        str | None, typer.Option("--replace", metavar="BOOKS", help="The id of newer or other books to be replaced.")
    ] = None,
    json: Json = False,
) -> None:
    """Put a backup back. The house must be closed; when it opens, a new epoch of its books begins."""
    from pairhouse.house.backup.restore import restore as put_back
    from pairhouse.rounds.records import to_json

    with closing(database_of(db)) as database:
        done = _stored(lambda: put_back(folder, database, replace))
    if json:
        replaced = str(done.replaced) if done.replaced else None
        write(to_json({"manifest": done.manifest, "replaced": replaced}))
        return
    kept = f" What was there is now {done.replaced}." if done.replaced else ""
    write(f"Put back: {done.manifest.words}.{kept}")
    write("When the house opens, rounds that were open are void, seeds in use are revealed, and a new epoch begins.")


def epoch(
    new: Annotated[
        bool, typer.Option("--new", help="These books are a copy: the next opening begins an epoch.")
    ] = False,
    current: Annotated[bool, typer.Option("--current", help="These books are the newest there are.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Which books these are, and whether they are as new as this house has seen them; or say so."""
    from pairhouse.core.errors import Refused
    from pairhouse.house.epoch import books_epoch
    from pairhouse.house.epoch.old_books import missing_chains
    from pairhouse.house.epoch.seen import SeenFolder, folder_of
    from pairhouse.rounds.records import to_json

    if new and current:
        raise Refused("bad-epoch", "books are a copy (--new) or the newest (--current), not both")
    folder = SeenFolder(folder_of(existing(db).url))
    if (new or current) and folder.is_in_use():
        raise Refused("house-open", "a house has this database open; stop it first")
    with reading(db) as tx:
        here = books_epoch(tx)
        if new or current:
            folder.declare(here.id, here.epoch, is_current=current)
        missing = missing_chains(tx, [chain for chain in folder.chains() if chain.hash])
    seen = folder.books()
    record = {
        "books": here.id,
        "epoch": here.epoch,
        "seen": str(folder.path),
        "seen_books": seen.id if seen else None,
        "seen_epoch": seen.epoch if seen else None,
        "missing": [(chain.chain, chain.number) for chain in missing],
        "new_epoch": (seen.new_epoch or None) if seen else None,
    }
    write(to_json(record) if json else _epoch_text(record))


def _epoch_text(record: dict[str, Any]) -> str:
    here = f"Books {record['books']}, epoch {record['epoch']}."
    if record["seen_books"] is None:
        return f"{here} {record['seen']} has seen none."
    if record["new_epoch"]:
        return f"{here} The next opening begins a new epoch: {record['new_epoch']}."
    if record["seen_books"] != record["books"]:
        return f"{here} {record['seen']} belongs to other books ({record['seen_books']})."
    if record["missing"] or record["epoch"] < record["seen_epoch"]:
        return f"{here} They are older than what was seen of them; the next opening begins a new epoch."
    return f"{here} They are as new as they were seen."


def migrate(db: Db = None, json: Json = False) -> None:
    """Bring the database to the schema of this version, as a role that may; a house then needs no such rights."""
    from pairhouse.house.store.migrate import migrate as bring_up
    from pairhouse.rounds.records import to_json

    revision = _stored(lambda: bring_up(database_of(db)))
    write(to_json({"schema": revision}) if json else f"The database has schema {revision}.")


def rekey(db: Db = None, json: Json = False) -> None:
    """Seal all seeds with a new key. The house must be closed; backups from before still need the old key."""
    from pairhouse.core.errors import Refused
    from pairhouse.house.epoch.closed import check_closed
    from pairhouse.house.epoch.seen import SeenFolder, folder_of
    from pairhouse.house.house import House
    from pairhouse.house.rekey import rekey as seal_anew
    from pairhouse.house.vault import KEY_VARIABLE, KeyFile, vault_from
    from pairhouse.rounds.records import to_json

    database = existing(db)
    check_closed(database, SeenFolder(folder_of(database.url)))
    key_file = KeyFile(Path(f"{database.url.database}.key")) if database.is_sqlite else None
    by_variable = bool(os.environ.get(KEY_VARIABLE)) or key_file is None
    new = vault_from(NEW_KEY_VARIABLE)
    if by_variable and new is None:
        raise Refused("bad-seed-key", f"give the new key in {NEW_KEY_VARIABLE}, beside the old one in {KEY_VARIABLE}")
    if new is None:
        assert key_file is not None
        new = key_file.make_next()
    vault = new
    house = _stored(lambda: House(db, deals=False))
    try:
        seeds, tokens = house.do(lambda tx: seal_anew(tx, house.vault, vault))
    except Refused as refused:
        if refused.code != "bad-seed-key" or by_variable:
            raise
        seeds, tokens = house.do(lambda tx: seal_anew(tx, vault, vault))  # done before, and cut off after its commit
    finally:
        house.close()
    if key_file is not None and not by_variable:
        kept = f"The old key is now {key_file.take_next()}; backups from before need it."
    else:
        kept = f"Give the new key as {KEY_VARIABLE} from now on; backups from before need the old one."
    record = {"seeds": seeds, "tokens": tokens}
    write(to_json(record) if json else f"{seeds} seeds and {tokens} tokens are sealed with the new key. {kept}")


def change_sealing_key(
    db: Db = None,
    sealing_key: SealingKey = None,
    signer: Signer = None,
    new_signer: Annotated[
        str | None, typer.Option("--new-signer", metavar="COMMAND", help="A program that signs with the new key.")
    ] = None,
    anchor: Anchor = None,
    json: Json = False,
) -> None:
    """Change the sealing key: the old one signs for the new one. The house must be closed; old heads stay good."""
    from pairhouse.house.epoch.closed import check_closed
    from pairhouse.house.epoch.seen import SeenFolder, folder_of
    from pairhouse.house.key_handover import change_key
    from pairhouse.house.sealing_key import SealOptions
    from pairhouse.rounds.records import to_json

    database = existing(db)
    check_closed(database, SeenFolder(folder_of(database.url)))
    given = SealOptions.from_environment()
    options = SealOptions(sealing_key or given.key_file, signer or given.signer, anchor or given.anchors)
    done = _stored(lambda: change_key(database, options, new_signer))
    if json:
        write(to_json(done))
        return
    write(f"The books are sealed with key {done.public_key} from event {done.size} on. {done.kept}")
    write(f"Publish {done.file}: whoever knows an earlier key follows it to this one.")


def dispute(
    round_id: Annotated[str, typer.Argument(metavar="ROUND", help="The id of a round.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """All that the books say of one round: acts, money, calls to the operator, and the events that seal them."""
    from pairhouse.house.dispute import dispute as find
    from pairhouse.house.live.live_dispute import LiveDispute, live_dispute
    from pairhouse.rounds.records import to_json

    with reading(db) as tx:
        found = live_dispute(tx, round_id) or find(tx, round_id)
    lines = _live_dispute_lines if isinstance(found, LiveDispute) else _dispute_lines
    write(to_json(found) if json else "\n".join(lines(found)))


def _dispute_lines(found: Any) -> list[str]:
    """A disputed round as text: what it is, then everything that happened in the order of time."""
    from pairhouse.core.money import amount_text

    happened = [
        (act.at, f"{act.kind} {act.word}".strip() + f", staked {amount_text(act.staked)}, balance "
         f"{amount_text(act.balance)}; event {act.event} of chain {act.chain}, seal {act.seal}")
        for act in found.acts
    ]  # fmt: skip
    happened += [
        (moved.at, f"{moved.kind}: {amount_text(moved.amount)} from {moved.debit} to {moved.credit}")
        for moved in found.transfers
    ]
    happened += [
        (call.made_at, f"call {call.id} to {found.wallet}: {call.kind} of {amount_text(call.amount)}, {call.state}")
        for call in found.calls
    ]
    seeds = bytes(found.client_seeds).decode()
    returned = amount_text(found.returned) if found.returned is not None else "nothing yet"
    return [
        f"Round {found.round} at {found.table} (version {found.table_version}, {found.game}) is {found.state}.",
        f"Player {found.player_name} ({found.player}); staked {amount_text(found.staked)}, returned {returned}.",
        f"Dealt from commitment {found.commitment}, nonce {found.nonce}, client seeds {seeds}.",
        *(f"{_time_text(at)}  {words}" for at, words in sorted(happened, key=lambda one: one[0])),
        *([f"Log: {bytes(found.log).decode()}"] if found.log is not None else []),
    ]


def _live_dispute_lines(found: Any) -> list[str]:
    """A disputed round of a live table as text: whose it was, then everything that happened."""
    from pairhouse.core.money import amount_text
    from pairhouse.rounds.records import to_json

    return [
        f"Round {found.round} at {found.table} ({found.game}), which people shared, is {found.state}.",
        f"Dealt by {bytes(found.options).decode()} from commitment {found.commitment}.",
        *(
            f"Seat {slip.seat}: {slip.name} ({slip.player}) of {slip.wallet}; staked {amount_text(slip.staked)}, "
            f"of which {amount_text(slip.decided)} is decided; returned {amount_text(slip.returned)}."
            for slip in found.slips
        ),
        *(
            f"{_time_text(each.at)}  {each.kind}: {bytes(each.says).decode()}; event {each.event} of chain "
            f"{each.chain}, seal {each.seal}"
            for each in found.events
        ),
        *([f"Log: {to_json(found.record.log).decode()}"] if found.record is not None else []),
    ]


def _time_text(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")


def _stored(act: Any) -> Any:
    """Do it; what the database cannot do is told in one sentence."""
    from pairhouse.core.errors import Refused
    from pairhouse.house.store.database import StoreFailed

    try:
        return act()
    except StoreFailed as failed:
        raise Refused("bad-database", str(failed).partition("\n")[0].rstrip(".")) from None
