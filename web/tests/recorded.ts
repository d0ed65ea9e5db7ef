/** Rounds recorded from the rule books themselves; `fixtures/record.py` writes them. */

import type { GameRecord, RoundView } from "../src/api/types";
import games from "../fixtures/games.json";
import rounds from "../fixtures/rounds.json";

export const ROUNDS = rounds as unknown as Record<string, RoundView[]>;
export const GAMES = games as unknown as Record<string, GameRecord>;

/** The views of a recorded round, after the deal and after each choice. */
export function viewsOf(name: string): RoundView[] {
  const views = ROUNDS[name];
  if (views === undefined || views.length === 0) throw new Error(`no recorded round is called ${name}`);
  return views;
}

export const lastView = (name: string): RoundView => viewsOf(name).at(-1) as RoundView;
