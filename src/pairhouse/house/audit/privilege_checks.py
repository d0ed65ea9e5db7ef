"""Checks of PostgreSQL's own rules: who may alter the tables, and whether a house reads and writes these tables at all.

A right given for one column, an owner, a table of the same name in another schema or a rule that hides rows changes
what a house can do or sees, and none of that is in what the tables hold.
"""

from sqlalchemy import text

from pairhouse.house.audit.notebook import Differs
from pairhouse.house.store.database import Tx
from pairhouse.house.store.schema import metadata

_HERE = " JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = current_schema() AND c.relkind IN ('r', 'p')"
_GRANTEE = "CASE WHEN g.grantee = 0 THEN 'everybody' ELSE g.grantee::regrole::text END"
_GRANTS = text(
    f"SELECT c.relname, '', g.privilege_type, {_GRANTEE} FROM pg_class c{_HERE}, aclexplode(c.relacl) g"
    " WHERE g.grantee <> c.relowner"
    f" UNION ALL SELECT c.relname, a.attname, g.privilege_type, {_GRANTEE} FROM pg_attribute a"
    f" JOIN pg_class c ON c.oid = a.attrelid{_HERE}, aclexplode(a.attacl) g WHERE g.grantee <> c.relowner"
)
_OWNERS = text(
    f"SELECT min(c.relname), c.relowner::regrole::text FROM pg_class c{_HERE} GROUP BY c.relowner ORDER BY 1"
)
_MEMBERS = text(
    f"SELECT DISTINCT r.rolname, c.relowner::regrole::text FROM pg_class c{_HERE}, aclexplode(c.relacl) g"
    " JOIN pg_roles r ON r.oid = g.grantee"
    " WHERE r.oid <> c.relowner AND NOT r.rolsuper AND pg_has_role(r.oid, c.relowner, 'MEMBER')"
)
_HIDING = text(f"SELECT c.relname FROM pg_class c{_HERE} WHERE c.relrowsecurity OR c.relforcerowsecurity ORDER BY 1")
_UNLOGGED = text(f"SELECT c.relname FROM pg_class c{_HERE} WHERE c.relpersistence <> 'p' ORDER BY 1")
_INHERITING = text(
    "SELECT i.inhrelid::regclass::text, c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhparent" + _HERE
)
_NAMESAKES = text(  # in a schema that a role may look into before ours: of its own name, or by a setting
    "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname <> current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f')"
    " AND (EXISTS (SELECT FROM pg_roles r WHERE r.rolname = n.nspname)"
    " OR EXISTS (SELECT FROM pg_db_role_setting s, unnest(s.setconfig) given"
    " WHERE starts_with(given, 'search_path=') AND position(n.nspname IN given) > 0)) ORDER BY 1, 2"
)

# Nobody but their owner may alter these, and nobody else may empty any table or put a trigger on it.
ADDED_ONLY = {
    *("events", "transfers", "runs", "nodes", "acts", "seated"),
    *("epochs", "exclusions", "corrections", "live_entries"),
}
_ALTERING = {"UPDATE", "DELETE"}
_ANY_TABLE = {"TRUNCATE", "TRIGGER"}


def check_privileges(tx: Tx) -> None:
    """Nobody but their owner may alter what is only added to; what a house reads are these tables, and all of them."""
    for table, column, privilege, role in tx.all(_GRANTS, {}):
        if role == "everybody" or privilege in _ANY_TABLE or (table in ADDED_ONLY and privilege in _ALTERING):
            raise Differs(f"{role} may {privilege} {table}{'.' if column else ''}{column}; revoke that")
    owners = tx.all(_OWNERS, {})
    if len(owners) > 1:
        (one, first), (other, second) = owners[:2]
        raise Differs(f"the owner of {other} is {second}, and that of {one} is {first}; all tables have one owner")
    for role, owner in tx.all(_MEMBERS, {}):
        raise Differs(f"{role} may do all that {owner} may, who owns the tables; revoke that")
    for (table,) in tx.all(_HIDING, {}):
        raise Differs(f"rows of {table} may be hidden from a house (row security); switch that off")
    for (table,) in tx.all(_UNLOGGED, {}):
        raise Differs(f"{table} would be empty after a crash (unlogged); make it an ordinary table again")
    for other, table in tx.all(_INHERITING, {}):
        raise Differs(f"rows of {other} are read with those of {table}; that table is none of ours")
    for schema, table in tx.all(_NAMESAKES, {}):
        if table in metadata.tables:
            raise Differs(f"there is {schema}.{table} beside our own {table}, and a house might use it instead")
