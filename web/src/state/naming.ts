/** The names that a table and its bets have in the page's language. */

import type { Table } from "../api/types";
import { said, t } from "../texts";

export function named(table: Table): Table {
  const { game } = table;
  const own = t.wagers[game.id] ?? {};
  const wagers = game.wagers.map((one) => ({
    ...one,
    name: own[one.id] ?? one.name,
    group: said(one.group, one.group_key),
  }));
  return { ...table, name: said(table.name, table.name_key), label: said(table.label, table.label_key), game: { ...game, wagers } };
}
