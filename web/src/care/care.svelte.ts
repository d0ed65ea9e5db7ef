/** What the player has set for themselves, and which of its dialogs is open. */

import { Refused } from "../api/client";
import type { Care, HousePolicy } from "../api/types";
import { house } from "../state/house.svelte";
import { inForce } from "./policy.svelte";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

class CareState {
  care: Care | null = $state(null);
  /** The dialog that is open; `prompt` is the one after an account was opened. */
  shown: "" | "limits" | "prompt" | "check" = $state("");
  private timer: ReturnType<typeof setTimeout> | undefined;

  async load(): Promise<void> {
    inForce.told = await house.client.ask<HousePolicy>({ method: "GET", path: "/policy" });
    await this.refresh();
  }

  async refresh(): Promise<void> {
    this.take(await house.client.ask<Care>({ method: "GET", path: "/players/me/care" }));
  }

  /** Look once more before a dialog opens, so that its figures are those of now. */
  async show(which: "limits" | "prompt" | "check"): Promise<void> {
    await house.attempt(async () => {
      await this.refresh();
      this.shown = which;
    });
  }

  /** A new account: offer limits where the policy asks for it. */
  async welcome(): Promise<void> {
    await this.refresh();
    if (inForce.told?.policy.limits_prompt === true) this.shown = "prompt";
  }

  /** A refusal that a dialog answers better than a sentence. */
  onRefused(problem: unknown): void {
    if (problem instanceof Refused && problem.code === "reality-check") void this.show("check");
  }

  setLimit = (kind: string, period: string, limit: number | null): Promise<boolean> =>
    this.change("PUT", `limits/${kind}/${period}`, { limit });
  confirm = (kind: string, period: string): Promise<boolean> => this.change("POST", `limits/${kind}/${period}/confirm`, {});
  setReminder = (minutes: number | null): Promise<boolean> => this.change("PUT", "reminder", { minutes });
  seen = (): Promise<boolean> => this.change("POST", "reminder/seen", {});
  takeBreak = (hours: number): Promise<boolean> => this.change("POST", "break", { hours });
  exclude = (months: number): Promise<boolean> => this.change("POST", "self-exclusion", { months, sure: true });

  private change(method: "PUT" | "POST", path: string, body: unknown): Promise<boolean> {
    return house.attempt(async () => {
      this.take(await house.client.ask<Care>({ method, path: `/players/me/${path}`, body }));
    });
  }

  private take(care: Care): void {
    this.care = care;
    clearTimeout(this.timer);
    if (care.reminder.due_at === null || care.away !== null) return;
    const waits = Date.parse(care.reminder.due_at) - Date.now();
    this.timer = setTimeout(() => void this.show("check"), Math.min(LONGEST_TIMER_MS, Math.max(0, waits)));
  }
}

export const caring = new CareState();
