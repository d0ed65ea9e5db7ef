/** The FREE chip of a table: which free bet is good here, and whether it pays the next stakes. */

import type { FreeBet, Me, Table } from "../api/types";
import { house } from "./house.svelte";

/** The free bet that is good at this table; of several the one that expires first. Which wagers it is for, the house says. */
export function freeBetAt(me: Me | null, table: Table): FreeBet | null {
  const isNamed = (names: string[], name: string): boolean => names.length === 0 || names.includes(name);
  return me?.free_bets.find((one) => isNamed(one.tables, table.id) && isNamed(one.games, table.game.id)) ?? null;
}

export class FreeChip {
  isOn = $state(false);

  constructor(private readonly session: { readonly table: Table; readonly takesFreeBets: boolean }) {}

  get bet(): FreeBet | null {
    return this.session.takesFreeBets ? freeBetAt(house.me, this.session.table) : null;
  }

  /** The free bet that pays the next stakes; null while the player's own money does. */
  get paying(): FreeBet | null {
    return this.isOn ? this.bet : null;
  }
}
