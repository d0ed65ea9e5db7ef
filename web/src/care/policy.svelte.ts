/** What the jurisdiction of this house asks of a page, and what its operator has to say. */

import type { HousePolicy } from "../api/types";

class PolicyInForce {
  told: HousePolicy | null = $state(null);
  private lastDealAt = -Infinity;

  /** Whether the time until a result may be shortened: turbo, and skipping what is still to be shown. */
  get mayHurry(): boolean {
    return this.told?.policy.turbo ?? true;
  }

  /** The smallest net of a round at which coming back is heard: a stake that just comes back is no win. */
  get leastHeard(): number {
    return this.told?.policy.celebrate_up_to_stake === true ? 0 : 1;
  }

  /** How many milliseconds the next game has to wait, by this page's own clock. */
  get waitMs(): number {
    return Math.max(0, this.lastDealAt + (this.told?.policy.minimum_round_ms ?? 0) - performance.now());
  }

  dealt(): void {
    this.lastDealAt = performance.now();
  }
}

export const inForce = new PolicyInForce();
