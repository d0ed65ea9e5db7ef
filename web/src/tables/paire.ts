/** Where the bets of La Pair'e lie. A value is a square; what lies between squares is a bet on all it touches. */

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
