/** Which games of the history are looked at: of one game or all, from a day on. */

import type { Selection } from "../api/client";

export const PERIODS = ["all", "day", "week", "month"] as const;
export type PeriodName = (typeof PERIODS)[number];

export interface Choice {
  /** A game's id; "" for all. */
  game: string;
  period: PeriodName;
}

const DAYS: Record<PeriodName, number> = { all: 0, day: 1, week: 7, month: 30 };

/** What the server is asked for. Days begin at midnight where the player is, and today is one of them. */
export function selectionOf({ game, period }: Choice, now: Date): Selection {
  const since = new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS[period] + 1);
  return { ...(game !== "" && { game }), ...(period !== "all" && { since: since.toISOString() }) };
}
