/** The way to the verifier: code of its own that shares nothing with the server, loaded only when it is asked for. */

import type { RoundView } from "./api/types";

/** One thing that was checked, and what was found. */
export interface Finding {
  check: string;
  holds: boolean;
  says: string;
}

/** Whether the round is what its seeds and the rule book make of it; `error` says why it cannot be checked at all. */
export interface Verdict {
  same: boolean;
  error: string | null;
  findings: Finding[];
  /** What could not be checked of a game the verifier has no rules of; null where everything was. */
  unchecked: string | null;
}

export type Verify = (round: RoundView) => Verdict;

// Found at build time; a tree without the verifier still builds.
const FOUND = import.meta.glob<{ verify: Verify }>("../../verifier/verifier.js");

/** The verifier, or null where this build has none. */
export async function loadVerifier(): Promise<Verify | null> {
  const load = Object.values(FOUND)[0];
  return load === undefined ? null : (await load()).verify;
}
