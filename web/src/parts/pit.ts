/** What the parts of the pit share: its words, what a supervisor is about to do, and why something was refused. */

import { Refused } from "../api/client";
import type { PitAct, PitCard, PitTable } from "../api/types";
import { t } from "../texts";
import { pit as german } from "../texts/de/pit";
import { pit as english } from "../texts/en/pit";

export const words = t.locale.startsWith("de") ? german : english;

export interface Asked {
  act: PitAct["act"];
  title: string;
  table?: string;
  round?: string;
  player?: string;
  cause?: Cause;
  pace?: "hand" | "clock";
  /** The cards that lie on the table, for one that was exposed. */
  deal?: PitCard[];
}
export type Ask = (asked: Asked) => void;

/** Why a round is called off; a misdeal has a button of its own. */
export const CAUSES = ["malfunction", "cancelled"] as const;
export type Cause = (typeof CAUSES)[number] | "misdeal";

const time = new Intl.DateTimeFormat(t.locale, { timeStyle: "medium", hour12: false });
export const at = (text: string): string => time.format(new Date(text));

/** A table at which something happens, or that is closed. */
export const isBusy = (one: PitTable): boolean => one.open_rounds > 0 || (one.seats?.length ?? 0) > 0 || one.status === "closed";

/** What to look for in names: of a guest, as the page calls them, only the mark is in the name. */
export function lettersOf(sought: string): string {
  const guest = t.live.guest("").toLowerCase();
  const letters = sought.trim();
  return letters.toLowerCase().startsWith(guest) ? letters.slice(guest.length).trim() : letters;
}

/** Why the house refused: for the staff its own sentence says most. */
export function pitReason(problem: unknown): string {
  if (!(problem instanceof Refused)) return t.problem;
  const sentence = problem.message.charAt(0).toUpperCase() + problem.message.slice(1);
  return words.refusals[problem.code] ?? `${sentence}${sentence.endsWith(".") ? "" : "."}`;
}

/** What is won of 100 staked, from an exact fraction. */
export function ofHundred(price: string): string {
  const [over = "0", under = "1"] = price.split("/");
  const share = (100 * Number(over)) / Number(under);
  return `${share > 0 ? "+" : ""}${share.toLocaleString(t.locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
export const isTurned = (price: string): boolean => !price.startsWith("-") && price !== "0";
