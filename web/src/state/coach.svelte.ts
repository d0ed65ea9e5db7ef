/** The coach: the value of each choice from the server, what the last one cost, and a running score. */

import type { Advice } from "../api/types";

export class Coach {
  advice: Advice | null = $state.raw(null);
  verdict: { choice: string; best: string; cost: number } | null = $state.raw(null);
  asked = $state(0);
  right = $state(0);
  lost = $state(0);

  hear(advice: Advice): void {
    this.advice = advice;
  }

  /** Set the choice made against the best one. */
  judge(choice: string): void {
    const { advice } = this;
    this.advice = null;
    const made = advice?.options[choice];
    const best = advice === null ? undefined : advice.options[advice.best];
    if (advice === null || made === undefined || best === undefined) return;
    const cost = Math.max(0, Number(best.value) - Number(made.value));
    this.asked += 1;
    if (cost === 0) this.right += 1;
    this.lost += cost;
    this.verdict = { choice, best: advice.best, cost };
  }

  forget(): void {
    this.advice = null;
    this.verdict = null;
  }
}
