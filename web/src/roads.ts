/** The five roads of baccarat, as pure functions of coups in order. */

import type { Coup, Side } from "./api/types";

export const ROWS = 6;

export type Colour = "red" | "blue";

export interface At {
  column: number;
  row: number;
}

/** A result with what the bead plate and the big road mark beside it. */
export interface BeadMark extends At {
  winner: Side;
  total: number;
  playerPair: boolean;
  bankerPair: boolean;
}

export interface BigMark extends At {
  winner: "player" | "banker" | null; // null: ties before the first winner
  ties: number;
  playerPair: boolean;
  bankerPair: boolean;
}

export interface ColourMark extends At {
  colour: Colour;
}

type Mark = Omit<BigMark, "column" | "row">;

/** Every result in order, down and then to the right. */
export function beadPlate(coups: readonly Coup[]): BeadMark[] {
  return coups.map((coup, index) => ({
    column: Math.floor(index / ROWS),
    row: index % ROWS,
    winner: coup.winner,
    total: coup.winner === "banker" ? coup.banker_total : coup.player_total,
    playerPair: coup.player_pair,
    bankerPair: coup.banker_pair,
  }));
}

/** The big road before it is bent to fit six rows: a column for each run of one winner. */
export function bigColumns(coups: readonly Coup[]): Mark[][] {
  const columns: Mark[][] = [];
  let waiting = 0; // ties before the first winner
  for (const coup of coups) {
    const run = columns.at(-1);
    if (coup.winner === "tie") {
      const last = run?.at(-1);
      if (last === undefined) waiting += 1;
      else last.ties += 1;
      continue;
    }
    const mark: Mark = {
      winner: coup.winner,
      ties: 0,
      playerPair: coup.player_pair,
      bankerPair: coup.banker_pair,
    };
    if (run?.[0]?.winner === coup.winner) run.push(mark);
    else columns.push([{ ...mark, ties: run === undefined ? waiting : 0 }]);
  }
  return columns;
}

/** Lay columns on six rows: down while there is room, then to the right along the row (the dragon's tail). */
export function lay<T>(columns: readonly (readonly T[])[]): (T & At)[] {
  const taken = new Set<number>();
  const key = (column: number, row: number): number => column * ROWS + row;
  const laid: (T & At)[] = [];
  let start = -1;
  for (const marks of columns) {
    start += 1;
    while (taken.has(key(start, 0))) start += 1;
    let at: At = { column: start, row: 0 };
    let turned = false;
    marks.forEach((mark, index) => {
      if (index > 0) {
        turned ||= at.row + 1 >= ROWS || taken.has(key(at.column, at.row + 1));
        at = turned ? { column: at.column + 1, row: at.row } : { column: at.column, row: at.row + 1 };
      }
      taken.add(key(at.column, at.row));
      laid.push({ ...mark, ...at });
    });
  }
  return laid;
}

export function bigRoad(coups: readonly Coup[]): BigMark[] {
  const columns = bigColumns(coups);
  if (columns.length > 0 || coups.length === 0) return lay(columns);
  return [{ column: 0, row: 0, winner: null, ties: coups.length, playerPair: false, bankerPair: false }];
}

/** The colours of a derived road, in order: k = 1 big eye boy, 2 small road, 3 cockroach pig. */
export function colours(depths: readonly number[], k: number): Colour[] {
  const found: Colour[] = [];
  depths.forEach((depth, c) => {
    for (let row = 1; row <= depth; row++) {
      // The first mark lies in column k+1, row 2 (columns counted from 1), or opens column k+2.
      if (row === 1 ? c < k + 1 : c < k) continue;
      if (row === 1) found.push(depths[c - 1] === depths[c - 1 - k] ? "red" : "blue");
      else found.push(depths[c - k] === row - 1 ? "blue" : "red");
    }
  });
  return found;
}

/** A derived road: runs of one colour, laid like the big road. */
export function derivedRoad(coups: readonly Coup[], k: number): ColourMark[] {
  const runs: { colour: Colour }[][] = [];
  for (const colour of colours(depthsOf(coups), k)) {
    const run = runs.at(-1);
    if (run?.[0]?.colour === colour) run.push({ colour });
    else runs.push([{ colour }]);
  }
  return lay(runs);
}

export const depthsOf = (coups: readonly Coup[]): number[] => bigColumns(coups).map((column) => column.length);

/** What each derived road would mark if this side won the next coup; null where it would mark nothing yet. */
export function prediction(coups: readonly Coup[], side: "player" | "banker"): (Colour | null)[] {
  const next: Coup = {
    round: "",
    winner: side,
    player_total: 0,
    banker_total: 0,
    player_pair: false,
    banker_pair: false,
    player_cards: 2,
    banker_cards: 2,
  };
  return [1, 2, 3].map((k) => {
    const before = colours(depthsOf(coups), k);
    const after = colours(depthsOf([...coups, next]), k);
    return after.length > before.length ? (after.at(-1) ?? null) : null;
  });
}

/** How often each side has won in these coups, and how often there was a pair. */
export function tally(coups: readonly Coup[]): Record<Side | "playerPair" | "bankerPair", number> {
  const count = (holds: (coup: Coup) => boolean): number => coups.filter(holds).length;
  return {
    player: count((coup) => coup.winner === "player"),
    banker: count((coup) => coup.winner === "banker"),
    tie: count((coup) => coup.winner === "tie"),
    playerPair: count((coup) => coup.player_pair),
    bankerPair: count((coup) => coup.banker_pair),
  };
}
