/** The player's own seed of a live round: committed to with the bet, opened once after no more bets. */

import type { LiveView } from "../api/types";
import { options } from "./options.svelte";
import { keptSeed, seedFor } from "./seed";

export class LiveSeed {
  private kept = { round: "", text: "" };
  private opened = "";

  constructor(
    private readonly player: () => string,
    private readonly table: string,
  ) {}

  /** The seed for a round; the same for every bet in it. */
  of(round: string): string {
    if (this.kept.round !== round) this.kept = { round, text: seedFor(this.player(), this.table, round, options.ownSeed) };
    return this.kept.text;
  }

  /** What is to be opened now; null where nothing waits, or where another browser has bet and opens it. */
  toOpen(view: LiveView): string | null {
    const mine = view.seeds?.find((one) => one.seat === view.seat);
    if (mine === undefined || mine.seed != null || this.opened === view.round_id) return null;
    const seed = this.kept.round === view.round_id ? this.kept.text : keptSeed(this.player(), this.table, view.round_id);
    if (seed !== null) this.opened = view.round_id;
    return seed;
  }
}
