/** Where the parts of a table find what they share. */

import { createContext } from "svelte";

import type { TableSession } from "./table.svelte";

export interface Info {
  seat: number;
  wager: string;
  box: DOMRect;
}

export interface Place {
  readonly session: TableSession;
  /** A past round is shown: the felt takes no bets. */
  readonly replay: boolean;
  tell: (info: Info | null) => void;
}

export const [usePlace, setPlace] = createContext<Place>();
