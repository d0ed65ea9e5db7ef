/** Where the parts of a table find what they share. */

import { createContext } from "svelte";

import type { FeltSession } from "./felt.svelte";

/** Which bet is read about, where it lies, and whether the panel stays until it is closed. */
export interface Info {
  seat: number;
  wager: string;
  box: DOMRect;
  stays: boolean;
}

export interface Place {
  readonly session: FeltSession;
  /** A past round is shown: the felt takes no bets. */
  readonly replay: boolean;
  /** A press tells about a bet instead of placing one. */
  readonly reading: boolean;
  tell: (info: Info | null) => void;
}

export const [usePlace, setPlace] = createContext<Place>();
