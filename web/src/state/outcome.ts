/** What a finished round is called. A return below the stake is told plainly and never celebrated. */

import type { RoundView } from "../api/types";
import { t } from "../texts";
import { amount } from "./money";

export interface Outcome {
  text: string;
  kind: "win" | "plain";
}

export function outcomeOf(round: RoundView): Outcome {
  const returned = round.returned ?? 0;
  const net = round.net ?? returned - round.staked;
  if (round.state === "void") return { text: t.table.void, kind: "plain" };
  if (net > 0) return { text: t.table.won(amount(net)), kind: "win" };
  if (net === 0) return { text: t.table.even, kind: "plain" };
  return { text: returned > 0 ? t.table.partly(amount(returned), amount(round.staked)) : t.table.lost, kind: "plain" };
}
