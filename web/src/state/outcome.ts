/** What a finished round is called, and how much is made of it. A return below the stake is never celebrated. */

import type { GameRecord, RoundView, TableEvent } from "../api/types";
import { t } from "../texts";
import { amount } from "./money";

export type Tier = "none" | "win" | "big" | "huge";

export interface Outcome {
  text: string;
  detail: string;
  tier: Tier;
  /** What the round won over its stakes; 0 where it did not. */
  won: number;
}

const BIG_FROM = 5;
const HUGE_FROM = 25;

export function outcomeOf(round: RoundView): Outcome {
  const returned = round.returned ?? 0;
  const net = round.net ?? returned - round.staked;
  if (round.state === "void") return { text: t.table.void, detail: t.calledOff.reasons[round.log?.void ?? ""] ?? "", tier: "none", won: 0 };
  if (net > 0) return { text: t.table.won(amount(net)), detail: "", tier: tierOf(net, round.staked), won: net };
  if (net === 0) return { text: isAllPushed(round) ? t.table.even : t.table.balanced, detail: "", tier: "none", won: 0 };
  const detail = returned > 0 ? t.table.partly(amount(returned), amount(round.staked)) : "";
  return { text: t.table.lost(amount(-net)), detail, tier: "none", won: 0 };
}

/** Every stake came back as it was; where some won what others lost, it did not. */
const isAllPushed = (round: RoundView): boolean =>
  round.view.events.every((event) => event.event !== "settled" || event.returned === event.stake);

function tierOf(net: number, staked: number): Tier {
  if (net >= HUGE_FROM * staked) return "huge";
  return net >= BIG_FROM * staked ? "big" : "win";
}

/** A moment of its own: a share of the meter, or a blackjack, which is the first row of the main bet. */
export function momentOf(round: RoundView, game: GameRecord): "jackpot" | "blackjack" | null {
  if ((round.net ?? 0) <= 0) return null;
  const wager = (id: string) => game.wagers.find((one) => one.id === id);
  const paid = round.view.events.filter((event) => event.event === "settled" && (event.returned ?? 0) > (event.stake ?? 0));
  const rowOf = (event: TableEvent) => wager(event.wager ?? "")?.rows.find((one) => one.key === event.key);
  if (paid.some((event) => rowOf(event)?.share !== undefined)) return "jackpot";
  const natural = game.choices.includes("stand") ? wager("main")?.rows[0]?.key : undefined;
  return natural !== undefined && paid.some((event) => event.wager === "main" && event.key === natural) ? "blackjack" : null;
}
