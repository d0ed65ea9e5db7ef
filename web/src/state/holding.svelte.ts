/** Which cards of a hand are held before the choice that keeps them is made, in games that ask for that alone. */

import { keepers } from "../tables/anygame";
import type { FeltSession } from "./felt.svelte";

export class Holding {
  private round = $state("");
  private cards: readonly number[] = $state.raw([]);

  constructor(private readonly session: FeltSession) {}

  private get now(): string {
    return this.session.round?.id ?? "";
  }

  /** The cards held in this round, by their place in the hand. */
  get held(): readonly number[] {
    return this.round === this.now ? this.cards : [];
  }

  /** How many cards can be held now; 0 where nothing of the kind is asked. */
  get holdable(): number {
    const { awaiting, scene, table } = this.session;
    if (awaiting === null || keepers(table.game) === null) return 0;
    return scene?.hands.find((hand) => hand.at === null)?.cards.length ?? 0;
  }

  /** The choice that keeps the held cards and no others. */
  get choice(): string | undefined {
    if (this.holdable === 0) return undefined;
    const wanted = this.held.join();
    const all = [...(keepers(this.session.table.game) ?? [])];
    return all.find(([, kept]) => [...kept].sort((a, b) => a - b).join() === wanted)?.[0];
  }

  toggle(card: number): void {
    const { held } = this;
    this.round = this.now;
    this.cards = held.includes(card) ? held.filter((one) => one !== card) : [...held, card].sort((a, b) => a - b);
  }
}
