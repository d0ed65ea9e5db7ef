/** What to practise next, and what practice has shown. The values and frequencies are the server's and exact. */

import type { Drill } from "../api/types";

/** How one decision has gone so far. */
export interface Mark {
  asked: number;
  wrong: number;
  /** Right answers since the last wrong one. */
  inRow: number;
  /** What the mistakes cost together, in bets. */
  lost: number;
}

export type Marks = Readonly<Record<string, Mark>>;

/** A mistake that costs more than this is hardly ever made; such a hand comes up only after it was played wrongly. */
const OBVIOUS = 0.5;
/** A hand played rightly comes up this much less often, each time. */
const FADES = 0.35;
const NEW: Mark = { asked: 0, wrong: 0, inRow: 0, lost: 0 };

export const keyOf = (drill: Drill): string => `${drill.hand.join("-")}/${drill.up ?? ""}`;
export const bestOf = (drill: Drill): string => Object.keys(drill.values)[0] ?? "";
const valueOf = (drill: Drill, choice: string): number => Number(drill.values[choice] ?? "0");

/** What a choice gives away against the best one, in bets. */
export const costOf = (drill: Drill, choice: string): number => Math.max(0, valueOf(drill, bestOf(drill)) - valueOf(drill, choice));

/** What the smallest mistake costs. */
export function lossOf(drill: Drill): number {
  const [, second] = Object.keys(drill.values);
  return second === undefined ? 0 : costOf(drill, second);
}

/** How much a hand is worth practising: its frequency times what a mistake costs, less once it is known. */
export function weightOf(drill: Drill, mark: Mark = NEW): number {
  if (lossOf(drill) > OBVIOUS && mark.wrong === 0) return 0;
  const cost = mark.wrong > 0 ? Math.max(lossOf(drill), mark.lost / mark.wrong) : lossOf(drill);
  return Number(drill.frequency) * cost * FADES ** mark.inRow;
}

/** The next hand: drawn by weight, and never the same twice running. `chance` is between 0 and 1. */
export function draw(drills: readonly Drill[], marks: Marks, last: string, chance: number): Drill | undefined {
  const open = drills.filter((drill) => keyOf(drill) !== last);
  const weights = open.map((drill) => weightOf(drill, marks[keyOf(drill)]));
  let left = chance * weights.reduce((sum, weight) => sum + weight, 0);
  return open.find((_, index) => (left -= weights[index] ?? 0) < 0) ?? open.at(-1);
}

/** The marks after an answer. */
export function marked(marks: Marks, drill: Drill, choice: string): Marks {
  const before = marks[keyOf(drill)] ?? NEW;
  const cost = costOf(drill, choice);
  const after: Mark = {
    asked: before.asked + 1,
    wrong: before.wrong + (cost > 0 ? 1 : 0),
    inRow: cost > 0 ? 0 : before.inRow + 1,
    lost: before.lost + cost,
  };
  return { ...marks, [keyOf(drill)]: after };
}

/** What the practised hands cost in 100 rounds, in bets, if they are played as they were here. */
export const lostPer100 = (drills: readonly Drill[], marks: Marks): number =>
  drills.reduce((sum, drill) => sum + 100 * Number(drill.frequency) * averageLoss(marks[keyOf(drill)]), 0);

const averageLoss = (mark: Mark | undefined): number => (mark === undefined || mark.asked === 0 ? 0 : mark.lost / mark.asked);

/** The hands whose mistakes cost most, the worst first. */
export const weakest = (drills: readonly Drill[], marks: Marks, most: number): Drill[] =>
  drills
    .filter((drill) => (marks[keyOf(drill)]?.lost ?? 0) > 0)
    .sort((a, b) => Number(b.frequency) * averageLoss(marks[keyOf(b)]) - Number(a.frequency) * averageLoss(marks[keyOf(a)]))
    .slice(0, most);

const COURTS = ["10", "J", "Q", "K"];
const SUITS = ["h", "s", "d", "c"];

/** Faces for cards that are given by value alone: any suit, any court card for a ten; two of a pair look alike. */
export function dress(drill: Drill, chance: () => number): { hand: string[]; up: string | null } {
  const pick = (from: readonly string[]): string => from[Math.floor(chance() * from.length)] ?? from[0] ?? "";
  const shift = Math.floor(chance() * SUITS.length);
  const faces = [...drill.hand, ...(drill.up === null ? [] : [drill.up])];
  const ten = pick(COURTS);
  const dressed = faces.map((face, index) => {
    if (/[cdhs]$/.test(face)) return face;
    const isOfPair = index < 2 && drill.hand[0] === drill.hand[1];
    const rank = face === "10" ? (isOfPair ? ten : pick(COURTS)) : face;
    return `${rank}${SUITS[(index + shift) % SUITS.length] ?? "h"}`;
  });
  return { hand: dressed.slice(0, drill.hand.length), up: drill.up === null ? null : (dressed.at(-1) ?? null) };
}

/** What a card counts in the plain count: low cards +1, tens and aces −1. */
export function countOf(face: string): number {
  const rank = face.slice(0, -1);
  if (["2", "3", "4", "5", "6"].includes(rank)) return 1;
  return ["10", "J", "Q", "K", "A"].includes(rank) ? -1 : 0;
}

/** So many cards off the top of a freshly shuffled shoe. */
export function dealFrom(decks: number, count: number, chance: () => number): string[] {
  const ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
  const shoe = Array.from({ length: decks }, () => SUITS.flatMap((suit) => ranks.map((rank) => rank + suit))).flat();
  return Array.from({ length: Math.min(count, shoe.length) }, () => shoe.splice(Math.floor(chance() * shoe.length), 1)[0] ?? "");
}
