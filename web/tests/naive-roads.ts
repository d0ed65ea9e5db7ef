/** The roads drawn as a player draws them with a pencil: on squared paper, one mark at a time, looking at the paper. */

import type { Coup } from "../src/api/types";
import type { Colour } from "../src/roads";

interface Placed<T> {
  column: number;
  row: number;
  what: T;
}

/** A sheet with six rows: a new mark goes under the last of its kind, or right of it, or opens a column. */
function pencil<T>(marks: readonly T[]): Placed<T>[] {
  const paper: (T | undefined)[][] = [];
  const placed: Placed<T>[] = [];
  const isFree = (column: number, row: number): boolean => paper[column]?.[row] === undefined;
  let opened = -1;
  let direction: "down" | "right" = "down";
  for (const what of marks) {
    const last = placed.at(-1);
    let column: number;
    let row: number;
    if (last === undefined || last.what !== what) {
      do opened += 1;
      while (!isFree(opened, 0));
      [column, row, direction] = [opened, 0, "down"];
    } else {
      if (direction === "down" && (last.row === 5 || !isFree(last.column, last.row + 1))) direction = "right";
      column = direction === "down" ? last.column : last.column + 1;
      row = direction === "down" ? last.row + 1 : last.row;
    }
    (paper[column] ??= [])[row] = what;
    placed.push({ column, row, what });
  }
  return placed;
}

const decided = (coups: readonly Coup[]): ("player" | "banker")[] =>
  coups.flatMap((coup) => (coup.winner === "tie" ? [] : [coup.winner]));

export function naiveBigRoad(coups: readonly Coup[]): { column: number; row: number; winner: string }[] {
  return pencil(decided(coups)).map(({ column, row, what }) => ({ column, row, winner: what }));
}

/** Coup by coup, looking back over the runs as strings. */
export function naiveColours(coups: readonly Coup[], k: number): Colour[] {
  const letters = decided(coups)
    .map((winner) => (winner === "player" ? "P" : "B"))
    .join("");
  const found: Colour[] = [];
  for (let end = 1; end <= letters.length; end++) {
    const runs = letters.slice(0, end).match(/P+|B+/g) ?? [];
    const length = (fromTheEnd: number): number => runs.at(-1 - fromTheEnd)?.length ?? 0;
    const isNew = length(0) === 1;
    // A column to compare with has to be there: one more of them when a column is opened.
    if (runs.length <= (isNew ? k + 1 : k)) continue;
    if (isNew) found.push(length(1) === length(1 + k) ? "red" : "blue");
    else {
      // The place beside the mark, k columns back, against the one above it: both there, or neither, is red.
      const beside = length(k) >= length(0);
      const above = length(k) >= length(0) - 1;
      found.push(beside === above ? "red" : "blue");
    }
  }
  return found;
}

export function naiveDerived(coups: readonly Coup[], k: number): { column: number; row: number; colour: Colour }[] {
  return pencil(naiveColours(coups, k)).map(({ column, row, what }) => ({ colour: what, column, row }));
}
