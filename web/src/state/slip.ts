/** The bets on the layout before the deal, and the commands that move them. Every command works whole or not at all. */

import type { Limits, Stakes, Wager } from "../api/types";

/** Seat and wager, as one key: "2/main". Seats count from 1. */
export type Square = string;
export type Bets = Readonly<Record<Square, number>>;

export const square = (seat: number, wager: string): Square => `${seat}/${wager}`;
export const seatOf = (at: Square): number => Number(at.slice(0, at.indexOf("/")));
export const wagerOf = (at: Square): string => at.slice(at.indexOf("/") + 1);
export const total = (bets: Bets): number => Object.values(bets).reduce((sum, stake) => sum + stake, 0);

export const isSame = (one: Bets, other: Bets): boolean =>
  Object.keys(one).length === Object.keys(other).length && Object.entries(one).every(([at, stake]) => other[at] === stake);

export type Objection =
  | { kind: "over-limit"; wager: string; low: number; high: number }
  | { kind: "over-round"; high: number }
  | { kind: "no-funds"; total: number }
  | { kind: "nothing" };

/** What lies on the layout with the way back, and what lay there in the last game. */
export interface Slip {
  bets: Bets;
  steps: readonly Bets[];
  last: Bets;
}

export const EMPTY: Slip = { bets: {}, steps: [], last: {} };

export type Moved = { slip: Slip } | { objection: Objection };

/** What a table takes: its limits and the fixed stakes of single wagers. */
export interface House {
  limits: Limits;
  wagers: readonly Wager[];
  balance: number;
}

const wagerAt = (house: House, at: Square): Wager | undefined =>
  house.wagers.find((wager) => wager.id === wagerOf(at));
const fixedStake = (house: House, at: Square): number | undefined => wagerAt(house, at)?.stake_fixed;

/** Add a chip. A wager with one price takes that price. */
export function place(slip: Slip, house: House, at: Square, chip: number): Moved {
  const fixed = fixedStake(house, at);
  const before = slip.bets[at] ?? 0;
  const wanted = fixed ?? Math.max(before + chip, house.limits.minimum);
  if (fixed !== undefined && before === fixed) return { objection: { kind: "over-limit", ...range(house, at) } };
  return put(slip, house, { ...slip.bets, [at]: wanted });
}

/** Take a chip of this value back; what would fall below the minimum comes off whole, and so do side bets left alone. */
export function takeBack(slip: Slip, house: House, at: Square, chip: number): Moved {
  const before = slip.bets[at];
  if (before === undefined) return { objection: { kind: "nothing" } };
  const left = before - chip;
  const { [at]: _, ...others } = slip.bets;
  const isGone = fixedStake(house, at) !== undefined || left < house.limits.minimum;
  if (!isGone) return { slip: step(slip, { ...others, [at]: left }) };
  const opened = wagerAt(house, at)?.opens === true;
  return { slip: step(slip, opened ? withoutOrphans(others, house, seatOf(at)) : others) };
}

export function undo(slip: Slip): Moved {
  const before = slip.steps.at(-1);
  if (before === undefined) return { objection: { kind: "nothing" } };
  return { slip: { ...slip, bets: before, steps: slip.steps.slice(0, -1) } };
}

export const clear = (slip: Slip): Moved => ({ slip: step(slip, {}) });

export function double(slip: Slip, house: House): Moved {
  if (total(slip.bets) === 0) return { objection: { kind: "nothing" } };
  return put(slip, house, times(slip.bets, house, 2));
}

/** The bets of the last game again, or so many times as much. */
export function rebet(slip: Slip, house: House, factor = 1): Moved {
  if (total(slip.last) === 0) return { objection: { kind: "nothing" } };
  return put(slip, house, times(slip.last, house, factor));
}

/** Bets that were saved before, in place of those that lie. */
export const lay = (slip: Slip, house: House, bets: Bets): Moved => put(slip, house, bets);

/** The felt after the bets have gone into a round, which can be placed again. */
export const dealt = (last: Bets): Slip => ({ bets: {}, steps: [], last });

/** Seats that hold a side bet but none of the bets that open a game. */
export function seatsWithoutOpener(bets: Bets, house: House): number[] {
  const seats = [...new Set(Object.keys(bets).map(seatOf))].sort((a, b) => a - b);
  return seats.filter((seat) => !hasOpener(bets, house, seat));
}

/** Bets kept from before, where this table still takes every one of them; none otherwise. */
export function stillTaken(bets: Bets, house: House): Bets {
  const known = Object.keys(bets).every((at) => {
    const wager = wagerAt(house, at);
    return wager !== undefined && wager.follows === undefined && Number.isSafeInteger(bets[at]);
  });
  return known && "slip" in put(EMPTY, house, bets) ? bets : {};
}

/** The wagers seat by seat for the server, and which seats of the felt they are. */
export function wagers(bets: Bets): { seats: Stakes[]; numbers: number[] } {
  const numbers = [...new Set(Object.keys(bets).map(seatOf))].sort((a, b) => a - b);
  const of = (seat: number): Stakes =>
    Object.fromEntries(
      Object.entries(bets)
        .filter(([at]) => seatOf(at) === seat)
        .map(([at, stake]) => [wagerOf(at), stake]),
    );
  return { seats: numbers.map(of), numbers };
}

const hasOpener = (bets: Bets, house: House, seat: number): boolean =>
  Object.keys(bets).some((at) => seatOf(at) === seat && wagerAt(house, at)?.opens === true);

function withoutOrphans(bets: Bets, house: House, seat: number): Bets {
  if (hasOpener(bets, house, seat)) return bets;
  return Object.fromEntries(Object.entries(bets).filter(([at]) => seatOf(at) !== seat));
}

function range(house: House, at: Square): { wager: string; low: number; high: number } {
  const fixed = fixedStake(house, at);
  const { minimum, maximum, wager_maximum: own } = house.limits;
  return { wager: wagerOf(at), low: fixed ?? minimum, high: fixed ?? Math.min(maximum, own[wagerOf(at)] ?? maximum) };
}

function times(bets: Bets, house: House, factor: number): Bets {
  const grown = ([at, stake]: [Square, number]): [Square, number] => [
    at,
    fixedStake(house, at) === undefined ? factor * stake : stake,
  ];
  return Object.fromEntries(Object.entries(bets).map(grown));
}

function put(slip: Slip, house: House, bets: Bets): Moved {
  for (const [at, stake] of Object.entries(bets)) {
    const { low, high } = range(house, at);
    if (stake < low || stake > high) return { objection: { kind: "over-limit", ...range(house, at) } };
  }
  const sum = total(bets);
  if (sum > house.limits.round_maximum) return { objection: { kind: "over-round", high: house.limits.round_maximum } };
  if (sum > house.balance) return { objection: { kind: "no-funds", total: sum } };
  return { slip: step(slip, bets) };
}

const step = (slip: Slip, bets: Bets): Slip => ({ ...slip, bets, steps: [...slip.steps, slip.bets] });
