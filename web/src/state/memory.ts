/** What this browser remembers of a table: the last bets, and which seats of the felt the open round uses. */

import type { Bets } from "./slip";

export interface Memory {
  last: Bets;
  numbers: number[];
}

const key = (table: string): string => `pairhouse.table.${table}`;

export function recall(table: string): Memory {
  try {
    const kept = JSON.parse(localStorage.getItem(key(table)) ?? "{}") as Partial<Memory>;
    return { last: kept.last ?? {}, numbers: kept.numbers ?? [] };
  } catch {
    return { last: {}, numbers: [] };
  }
}

export function remember(table: string, memory: Memory): void {
  try {
    localStorage.setItem(key(table), JSON.stringify(memory));
  } catch {
    // Without a store REBET lasts as long as the page.
  }
}
