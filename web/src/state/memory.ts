/** What this browser keeps of a table: the last game's bets with the seats they lay on, and the bets not yet dealt. */

import type { RoundView, Stakes } from "../api/types";
import { type Bets, isSame, square } from "./slip";
import { openingBets } from "./timeline";

/** The bets sent last, and which seats of the felt they lay on. `round` is known once the house has answered. */
export interface Memory {
  last: Bets;
  round: string;
  seats: Stakes[];
  numbers: number[];
}

export const NOTHING: Memory = { last: {}, round: "", seats: [], numbers: [] };

const lastKey = (player: string, table: string): string => `pairhouse.last.${player}.${table}`;
const betsKey = (player: string, table: string): string => `pairhouse.bets.${player}.${table}`;

function read(store: "localStorage" | "sessionStorage", key: string): unknown {
  try {
    return JSON.parse(globalThis[store].getItem(key) ?? "null");
  } catch {
    return null; // damaged, or forbidden in a private window
  }
}

function write(store: "localStorage" | "sessionStorage", key: string, kept: unknown): void {
  try {
    globalThis[store].setItem(key, JSON.stringify(kept));
  } catch {
    // Without a store it lasts as long as the page.
  }
}

export function recall(player: string, table: string): Memory {
  const kept = { ...NOTHING, ...(read("localStorage", lastKey(player, table)) as Partial<Memory> | null) };
  const isWhole = typeof kept.last === "object" && kept.last !== null && Array.isArray(kept.seats) && Array.isArray(kept.numbers);
  return isWhole ? kept : NOTHING;
}

export const remember = (player: string, table: string, memory: Memory): void =>
  write("localStorage", lastKey(player, table), memory);

/** The bets lying on this window's felt; they outlast a reload and a look at another page. */
export const recallBets = (player: string, table: string): Bets =>
  (read("sessionStorage", betsKey(player, table)) as Bets | null) ?? {};

export const rememberBets = (player: string, table: string, bets: Bets): void =>
  write("sessionStorage", betsKey(player, table), bets);

/** Something of a page's own, by its name. */
export const readKept = (key: string): unknown => read("localStorage", key);
export const writeKept = (key: string, kept: unknown): void => write("localStorage", key, kept);

const TOLD_MAX = 50;
const toldKey = (player: string): string => `pairhouse.told.${player}`;

/** Called-off rounds that a player has been told of in this browser. */
export const toldOf = (player: string): string[] => (read("localStorage", toldKey(player)) as string[] | null) ?? [];

export const keepTold = (player: string, rounds: string[]): void =>
  write("localStorage", toldKey(player), [...rounds, ...toldOf(player)].slice(0, TOLD_MAX));

/** The round's opening stakes, seat by seat, as they were sent. */
function stakesOf(round: RoundView): Stakes[] {
  const seats: Stakes[] = round.view.wagers.map(() => ({}));
  for (const { seat, wager, stake } of openingBets(round.view)) (seats[seat - 1] ?? {})[wager] = stake;
  return seats;
}

/** A round of the house as this felt draws it: on the seats it was bet from here, or from the first seat on. */
export function memoryOf(round: RoundView, before: Memory): Memory {
  const seats = stakesOf(round);
  const isOurs =
    before.round === round.id ||
    (before.round === "" &&
      before.seats.length === seats.length &&
      seats.every((stakes, index) => isSame(stakes, before.seats[index] ?? {})));
  const numbers = isOurs ? before.numbers : seats.map((_, index) => index + 1);
  const last: Record<string, number> = {};
  seats.forEach((stakes, index) => {
    for (const [wager, stake] of Object.entries(stakes)) last[square(numbers[index] ?? index + 1, wager)] = stake;
  });
  return { last, round: round.id, seats, numbers };
}
