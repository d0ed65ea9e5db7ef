/** Where the bets of La Pair'e lie. A value is a square; what lies between squares is a bet on all it touches. */

import type { GameRecord, View } from "../api/types";
import { said, t } from "../texts";

/** The squares: Ace on the left over both rows, Joker on the right, 2 to 7 over 8 to K. Half-square units. */
export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

const TOP = ["2", "3", "4", "5", "6", "7"];
const BOTTOM = ["8", "9", "10", "J", "Q", "K"];
export const VALUES = ["A", ...TOP, ...BOTTOM, "joker"];

/** A square on a grid of 8 by 2. */
export function boundsOf(value: string): Bounds {
  if (value === "A") return { x: 0, y: 0, width: 1, height: 2 };
  if (value === "joker") return { x: 7, y: 0, width: 1, height: 2 };
  const top = TOP.indexOf(value);
  const column = top >= 0 ? top : BOTTOM.indexOf(value);
  return { x: column + 1, y: top >= 0 ? 0 : 1, width: 1, height: 1 };
}

/** The values a first-card bet names: "corner-2-3-8-9" covers 2, 3, 8 and 9. */
export const covered = (wager: string): string[] => wager.split("-").slice(1);

/** The middle of the edge or point that all squares of a bet share. */
export function touchPoint(wager: string): { x: number; y: number } {
  const all = covered(wager).map(boundsOf);
  const low = (of: (bounds: Bounds) => number): number => Math.max(...all.map(of));
  const high = (of: (bounds: Bounds) => number): number => Math.min(...all.map(of));
  const left = low((bounds) => bounds.x);
  const right = high((bounds) => bounds.x + bounds.width);
  const top = low((bounds) => bounds.y);
  const bottom = high((bounds) => bounds.y + bounds.height);
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/** Whether an edge runs up and down, side to side, or is a point. */
export function edgeKind(wager: string): "upright" | "level" | "point" {
  if (!wager.startsWith("split-")) return "point";
  return Number.isInteger(touchPoint(wager).x) ? "upright" : "level";
}

/** A bet of an enlarged neighbourhood: where it lies among three columns and three rows. */
export interface Neighbour {
  wager: string;
  column: number;
  row: number;
  /** An end square reaches over all three rows. */
  tall: boolean;
}

const middle = ({ x, y, width, height }: Bounds): { x: number; y: number } => ({ x: x + width / 2, y: y + height / 2 });

/** The three or corner at the heart of the neighbourhood a bet belongs to. */
export function heartOf(wager: string, wagers: readonly string[]): string {
  const values = covered(wager);
  const hearts = wagers.filter((id) => /^(three|corner)-/.test(id));
  return hearts.find((id) => values.every((value) => covered(id).includes(value))) ?? wager;
}

/** Everything that can be bet on the values around a heart: the values, what lies between them, and the heart itself. */
export function neighboursOf(heart: string, wagers: readonly string[]): Neighbour[] {
  const around = covered(heart);
  const center = touchPoint(heart);
  const inside = wagers.filter(
    (id) => /^(card|split|three|corner)-/.test(id) && covered(id).every((value) => around.includes(value)),
  );
  return inside.map((wager) => {
    const isCard = wager.startsWith("card-");
    const at = isCard ? middle(boundsOf(covered(wager)[0] ?? "")) : touchPoint(wager);
    const tall = isCard && boundsOf(covered(wager)[0] ?? "").height === 2;
    return { wager, column: 2 + Math.sign(at.x - center.x), row: tall ? 1 : 2 + Math.sign(at.y - center.y), tall };
  });
}

/** The value a card counts as. */
export const valueOf = (face: string): string => (face.startsWith("X") ? "joker" : face.slice(0, -1));

/** The cards turned up so far: first, La Pair'e, Poker. */
export const turnedUp = (view: View, shown: number): string[] =>
  view.events.slice(0, shown).flatMap((event) => (event.event === "turned-up" && event.card != null ? [event.card] : []));

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const PACK = RANKS.flatMap((rank) => ["c", "d", "h", "s"].map((suit) => rank + suit));
const NONE = 6;

/** The row of the Poker paytable that three cards make, the best first; 6 for none. */
function rowOf(faces: readonly string[]): number {
  const jokers = faces.filter((face) => face.startsWith("X"));
  if (jokers.length === 2) return 0;
  if (jokers.length === 1) {
    const others = faces.filter((face) => !face.startsWith("X"));
    return Math.min(...PACK.filter((card) => !others.includes(card)).map((card) => rowOf([...others, card])));
  }
  const ranks = faces.map((face) => RANKS.indexOf(valueOf(face)) + 1).sort((a, b) => a - b);
  const [low = 0, mid = 0, high = 0] = ranks;
  const isFlush = new Set(faces.map((face) => face.slice(-1))).size === 1;
  const isTop = low === 1 && mid === 12 && high === 13;
  const isStraight = isTop || (mid === low + 1 && high === mid + 1);
  if (isFlush && isTop) return 1;
  if (isFlush && isStraight) return 2;
  if (low === high) return 3;
  return isStraight ? 4 : isFlush ? 5 : NONE;
}

/** The name of the poker hand three cards make, as this table's paytable calls it; "" for none. */
export function pokerHand(faces: readonly string[], game: GameRecord): string {
  const row = game.wagers.find((wager) => wager.id === "poker")?.rows[rowOf(faces)];
  return said(row?.name ?? "", row?.key);
}

/** What the dealer announces at this moment: the first card, a pair, the poker hand. */
export function announced(view: View, shown: number, game: GameRecord): string {
  const faces = turnedUp(view, shown);
  const [first, second] = faces.map(valueOf);
  if (first === undefined) return "";
  if (faces.length === 3) {
    const hand = pokerHand(faces, game);
    return hand === "" ? t.paire.noPoker : t.paire.announced(hand);
  }
  if (first === second) return t.paire.pair(t.paire.names[first] ?? first);
  return t.paire.firstIs(first === "joker" ? t.paire.joker : (t.ranks[first] ?? first));
}

/** Where the dealer's markers stand: on the first card's value, and on the second set where there is one and a pair fell. */
export function markers(view: View, shown: number, game: GameRecord): { first: string | null; second: string | null } {
  const [first = null, second = null] = turnedUp(view, shown).map(valueOf);
  const hasSecondSet = game.wagers.some((wager) => wager.id.startsWith("paire-"));
  return { first, second: hasSecondSet && second !== null && second === first ? second : null };
}
