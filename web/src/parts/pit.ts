/** What a supervisor is about to do; the reason is asked for. */

import type { PitAct } from "../api/types";

export interface Asked {
  act: PitAct["act"];
  title: string;
  table?: string;
  round?: string;
  player?: string;
}

export const CAUSES = ["misdeal", "malfunction", "cancelled"] as const;
export type Cause = (typeof CAUSES)[number];
